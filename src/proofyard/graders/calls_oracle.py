"""Whether what a call returned is right: equality of plain values with tolerance for floats, and the datasets' special cases.

Both sides are values made anew here from their serialised form, so that no object of a candidate is ever compared: a value
of a type that is not serialised is a `Foreign`, which equals nothing.

Numbers are equal as Python has it (1, 1.0 and True are; EvalPlus compares so too), containers of the same type with equal
items, and a NaN equals a NaN in its place. Where the expected value is a float, or a list or tuple of floats, it may differ
by 1e-6 and 1e-7 of itself. EvalPlus keeps that tolerance for all later inputs of the task once a float was expected; here
each input is judged by itself.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from proofyard.graders.function_driver import Foreign

__all__ = ["agrees", "same"]

RTOL: Final = 1e-7
FLOAT_ATOL: Final = 1e-6
"""Where the dataset gives no tolerance and floats are expected."""

Oracle = Callable[[Sequence[Any], Any, Any, float], bool]
"""Arguments, what was expected, what came, absolute tolerance -> whether it is right."""


def agrees(task: str, arguments: Sequence[Any], expected: Any, got: Any, atol: float) -> bool:
    """Return whether a call is right. task: its id; most tasks have no special case."""
    oracle = SPECIAL.get(task)
    return oracle(arguments, expected, got, atol) if oracle else _ordinary(expected, got, atol)


def same(expected: Any, got: Any) -> bool:
    """Equality of plain values; a NaN equals a NaN."""
    if isinstance(expected, Foreign) or isinstance(got, Foreign):
        return False
    if isinstance(expected, list | tuple):
        if type(expected) is not type(got) or len(expected) != len(got):
            return False
        return all(same(one, other) for one, other in zip(expected, got, strict=True))
    if isinstance(expected, dict):
        if type(got) is not dict or len(expected) != len(got):
            return False
        return all(key in got and same(value, got[key]) for key, value in expected.items())
    if isinstance(expected, float) and isinstance(got, float) and math.isnan(expected):
        return math.isnan(got)
    return bool(expected == got)


def _ordinary(expected: Any, got: Any, atol: float) -> bool:
    if same(expected, got):
        return True
    if atol == 0:
        atol = FLOAT_ATOL if _floats(expected) else 0.0
    return atol != 0 and type(expected) is type(got) and _close(expected, got, atol)


def _floats(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(type(item) is float for item in value)
    return type(value) is float


def _close(expected: Any, got: Any, atol: float) -> bool:
    if isinstance(expected, list | tuple):
        if not isinstance(got, list | tuple) or len(expected) != len(got):
            return False
        return all(_close(one, other, atol) for one, other in zip(expected, got, strict=True))
    if not _number(expected) or not _number(got):
        return False
    if same(expected, got):
        return True
    try:
        return bool(abs(got - expected) <= atol + RTOL * abs(expected) and abs(expected) != math.inf)
    except OverflowError:
        return False


def _number(value: Any) -> bool:
    return isinstance(value, int | float | complex)


def _root(arguments: Sequence[Any], _expected: Any, got: Any, atol: float) -> bool:
    """A zero of the polynomial with these coefficients, lowest first."""
    if type(got) not in {int, float}:
        return False
    try:
        zero = float(got)  # an integer of many digits has powers that take longer than all calls
        value = sum(coefficient * zero**power for power, coefficient in enumerate(arguments[0]))
        return bool(abs(value) <= atol)
    except (OverflowError, ZeroDivisionError):
        return False


def _any(_arguments: Sequence[Any], _expected: Any, got: Any, _atol: float) -> bool:
    """The task does not say what is wanted: EvalPlus takes whatever comes. Here it must be a plain value."""
    return not isinstance(got, Foreign)


def _or_zero(_arguments: Sequence[Any], expected: Any, got: Any, atol: float) -> bool:
    return _ordinary(expected, got, atol) or same(0, got)


def _surface(arguments: Sequence[Any], expected: Any, got: Any, atol: float) -> bool:
    """The surface of a square pyramid, by its slant height where the height is given; rounded."""
    if _ordinary(expected, got, atol):
        return True
    base, height = arguments
    slant = math.sqrt((base / 2) ** 2 + height**2)
    return _number(got) and abs(got - round(base**2 + 2 * base * slant)) <= (atol or FLOAT_ATOL)


def _digit_distance(arguments: Sequence[Any], expected: Any, got: Any, atol: float) -> bool:
    """The sum of the differences of digits, place by place."""
    if _ordinary(expected, got, atol):
        return True
    texts = [str(number) for number in arguments]
    width = max(map(len, texts))
    first, second = (text.zfill(width) for text in texts)
    if not (first + second).isdecimal():
        return False
    return same(sum(abs(int(one) - int(other)) for one, other in zip(first, second, strict=True)), got)


def _as_sets(_arguments: Sequence[Any], expected: Any, got: Any, _atol: float) -> bool:
    try:
        return set(expected) == set(got)
    except TypeError:  # not iterable, or holds what has no hash
        return False


def _given(_arguments: Sequence[Any], expected: Any, got: Any, _atol: float) -> bool:
    """Only whether something was found counts: not None, or True."""
    wanted = expected is not None
    return got is wanted if isinstance(got, bool) else wanted == (got is not None)


SETS: Final = tuple(f"Mbpp/{number}" for number in (2, 7, 111, 140, 232, 249, 579, 769))
"""Tasks whose answer is a collection of which neither order nor repetition counts."""
GIVEN: Final = tuple(f"Mbpp/{number}" for number in (737, 787, 794))
"""Tasks that ask whether something matches."""
SPECIAL: Final[dict[str, Oracle]] = {
    "HumanEval/32": _root,
    "Mbpp/164": _any,
    "Mbpp/295": _or_zero,
    "Mbpp/581": _surface,
    "Mbpp/558": _digit_distance,
    **dict.fromkeys(SETS, _as_sets),
    **dict.fromkeys(GIVEN, _given),
}
"""What EvalPlus judges by a rule of its own, by task."""
