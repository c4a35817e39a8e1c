"""Placeholders in scenarios: random ids, values bound by earlier responses, wild cards (see `core.session`)."""

import random
from typing import Any, Final

from proofyard.core import ALTERATIONS, altered

__all__ = ["NOTHING", "UnboundError", "Values", "illustrated"]

_WILD: Final = {"string", "message"}

NOTHING: Final = object()
"""Stands for a value that did not come."""


class UnboundError(Exception):
    """A request needs a value that no earlier response gave; the message names it."""


class Values:
    """The values that stand for placeholders in one play of a scenario.

    seed: equal seeds give equal ids; each play takes another.
    """

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)  # not a secret: it only has to be new for the program
        self._ids: dict[str, str | int] = {}
        self._bound: dict[str, str] = {}

    def request(self, value: Any) -> Any:
        """Return `value` with every placeholder replaced.

        Raises:
            UnboundError: a `$var` has no value yet.

        """
        return self._fill(value, strict=True)

    def expected(self, value: Any) -> Any:
        """Return `value` with ids and bound values filled in; wild cards and what is not bound stay as they are."""
        return self._fill(value, strict=False)

    def match(self, expected: Any, got: Any, found: dict[str, str]) -> bool | None:
        """Decide on a placeholder of an expected value; values to bind go to `found`. None: it is no placeholder."""
        key = _placeholder(expected)
        if key is None:
            return None
        if key == "$any":
            return isinstance(got, str) and (got != "" or expected["$any"] == "message")
        if key == "$bind" and isinstance(got, str) and got:
            found[expected["$bind"]] = got
            return True
        return False

    def bind(self, found: dict[str, str]) -> None:
        """Remember the values which a matching response gave."""
        self._bound.update(found)

    def _fill(self, value: Any, *, strict: bool) -> Any:
        if isinstance(value, list | tuple):
            return [self._fill(item, strict=strict) for item in value]
        if not isinstance(value, dict):
            return value
        key = _placeholder(value)
        if key == "$id":
            return self._id(value["$id"], integer="type" in value)
        if key == "$var" and value["$var"] in self._bound:
            bound = self._bound[value["$var"]]
            return altered(bound, value["altered"]) if "altered" in value else bound
        if key is not None and strict:
            raise UnboundError(str(value[key]))
        return value if key is not None else {name: self._fill(item, strict=strict) for name, item in value.items()}

    def _id(self, name: str, *, integer: bool) -> str | int:
        while name not in self._ids:
            new: str | int = self._random.randrange(10**5, 10**9)
            if not integer:
                new = f"{self._random.getrandbits(48):012x}"
            if new not in self._ids.values():
                self._ids[name] = new
        return self._ids[name]


def illustrated(expected: Any, got: Any = NOTHING) -> Any:
    """An expected value as a person may read it: instead of a placeholder what came, if it will do there, else words."""
    key = _placeholder(expected)
    if key in {"$any", "$bind"}:
        message = expected.get("$any") == "message"
        fits = isinstance(got, str) and (got != "" or message)
        return got if fits else "<any text>" if message else "<any text that is not empty>"
    if key is not None:
        return "<an id>" if key == "$id" else "<the value of an earlier response>"
    if isinstance(expected, dict):
        others = got if isinstance(got, dict) else {}
        return {name: illustrated(item, others.get(name, NOTHING)) for name, item in expected.items()}
    if isinstance(expected, list | tuple):
        items = got if isinstance(got, list) else []
        return [illustrated(item, items[n] if n < len(items) else NOTHING) for n, item in enumerate(expected)]
    return expected


def _placeholder(value: Any) -> str | None:
    if not isinstance(value, dict) or not 1 <= len(value) <= 2:
        return None
    if len(value) == 2:
        if isinstance(value.get("$var"), str) and value.get("altered") in ALTERATIONS:
            return "$var"
        return "$id" if value.get("type") == "integer" and isinstance(value.get("$id"), str) else None
    ((key, item),) = value.items()
    if key == "$any":
        return key if item in _WILD else None
    return key if key in {"$id", "$var", "$bind"} and isinstance(item, str) else None
