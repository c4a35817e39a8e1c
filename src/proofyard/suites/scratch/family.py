"""What a family of tasks is: its contract as data (prompts render from it alone), its program, and its inputs.

A family module in `families/` holds one `FAMILY = Family(...)`; its reference is `program/families/<slug>.py`. The four
tiers take any family. Everything here is deterministic: inputs come from the `random.Random` that is handed in.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from proofyard.suites.scratch.program.operation import Operation

__all__ = ["Case", "ErrorDoc", "Family", "FamilyProgram", "Input", "OperationDoc", "Param", "wide"]

Input = tuple[str, dict[str, Any]]
"""An operation's name and its arguments. No object in them may have a key that begins with `$`."""


class FamilyProgram(Protocol):
    """A family's reference module. Its operations are pure: no state, no clock, no randomness."""

    OPERATIONS: dict[str, Operation]


@dataclass(frozen=True, kw_only=True)
class Param:
    """One argument as the prompt's table shows it.

    type: in words with its bounds, e.g. "integer, 1 to 1000" or "array of 0 to 50 strings". text: meaning, units, and for
    an optional argument the default. Markdown without `|` and line breaks.
    """

    name: str
    type: str
    text: str
    required: bool = True


@dataclass(frozen=True, kw_only=True)
class ErrorDoc:
    """A code of the family. Errors of an operation are listed in the order in which they are checked; a code that comes
    from two checks is listed twice.

    extra: the extra fields of the error object: (name, meaning). Compared by the tests.
    """

    code: str
    when: str
    extra: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class OperationDoc:
    """One operation as the prompt describes it.

    summary: one sentence. result: the exact shape (every key and its type) and meaning, Markdown. rules: everything an
    implementer must know beside the table, one rule an item: order, tie-breaking, rounding, units, edge cases.
    error_order: which error decides, in a clause, where it is not simply the one listed first.
    """

    name: str
    summary: str
    parameters: tuple[Param, ...]
    result: str
    errors: tuple[ErrorDoc, ...] = ()
    rules: tuple[str, ...] = ()
    error_order: str = ""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case worked out by hand: the result expected of a successful operation."""

    op: str
    args: Mapping[str, Any]
    expected: Any


@dataclass(frozen=True, kw_only=True)
class Family:
    """One family.

    purpose: one paragraph, what the program is for. notes: definitions and rules that hold for all operations. golden:
    the public worked example. generate: one valid input (it may end in a domain error, rarely). boundary: inputs at the
    edges of the contract, valid or ending in a domain error, every domain code at least once; the first is public too.
    malformed: inputs which must all give `invalid_args`. At least 10 boundary and 10 malformed inputs, all distinct.
    """

    number: int
    slug: str
    category: str
    title: str
    purpose: str
    operations: tuple[OperationDoc, ...]
    program: FamilyProgram
    golden: Case
    generate: Callable[[Random], Input]
    boundary: tuple[Input, ...]
    malformed: tuple[Input, ...]
    notes: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The slug as a module name: `word_frequency`."""
        return self.slug.replace("-", "_")


def wide(length: int) -> str:
    """A string of so many code points of which one half takes two bytes in UTF-8 and the other four, two units in UTF-16."""
    return ("\u00e9\U0001f600" * length)[:length]
