"""What a family of instances has to say, and which families there are.

To add one: a module below `proofyard.forge.instances` with a class of this shape, its templates below `templates/`, and its
name in `_FAMILIES`. `make` does the rest. A family draws everything from `random.Random(seed)` by `randrange` alone, whose
values are the same on every Python, and leaves what is expected to `expected`, which is given what the reference came to.
"""

import importlib
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import msgspec

from proofyard.core import Record, UnknownNameError

__all__ = ["Draft", "Family", "families", "family_named"]

_FAMILIES: Final = {"b3": "proofyard.forge.instances.b3", "b10": "proofyard.forge.instances.b10"}
"""Family -> the module whose `FAMILY` it is."""


class Draft(Record, frozen=True, kw_only=True):
    """An instance before it is known what to expect of it.

    name: of its folder and task. files: path -> text, whole but for what `Family.expected` adds; scripts are those that
    end with `.sh`. params: what was drawn, for the record.
    """

    name: str
    seed: int
    files: dict[str, str]
    params: dict[str, str] = msgspec.field(default_factory=dict)


class Family(Protocol):
    """A family of instances."""

    @property
    def name(self) -> str:
        """What it is called on the command line, e.g. b3."""
        ...

    @property
    def open_check(self) -> str:
        """The one check that fails as long as nothing is expected: with it the reference is run for the first time."""
        ...

    def draft(self, seed: int) -> Draft:
        """Make the instance of a seed: the same bytes every time."""
        ...

    def expected(self, draft: Draft, recorded: Mapping[str, float]) -> Mapping[str, str]:
        """The files that say what is expected, from the numbers that the tests recorded of the reference.

        Raises:
            ValueError: they are not fit for it, e.g. two inputs give the same.

        """
        ...


def families() -> Sequence[str]:
    """Names of the families."""
    return sorted(_FAMILIES)


def family_named(name: str) -> Family:
    """The family of that name. Raises UnknownNameError."""
    if name not in _FAMILIES:
        raise UnknownNameError("family", name, _FAMILIES, "known: " + ", ".join(families()))
    found: Family = importlib.import_module(_FAMILIES[name]).FAMILY
    return found
