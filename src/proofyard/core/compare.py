"""Comparison of an expected JSON value with the one that came."""

import math
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

__all__ = ["ABSOLUTE", "RELATIVE", "Mismatch", "equal"]

RELATIVE: Final = 1e-9
ABSOLUTE: Final = 1e-9
"""Floats agree if they differ by at most these, as `math.isclose` counts."""

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

Special = Callable[[Any, Any], bool | None]


class Mismatch(NamedTuple):
    """The first difference: where (`$.result.items[2]`), the two values there, and what is wrong in a few words."""

    path: str
    expected: Any
    got: Any
    why: str


def equal(expected: Any, got: Any, *, special: Special | None = None, path: str = "$") -> Mismatch | None:
    """Return None if `got` is what was expected, else the first difference.

    Arrays in order; exact key sets; strings by code point; a boolean is never a number; an expected integer wants that
    very integer (1.0 is not 1); an expected float takes an integer or a float within tolerance, -0.0 equals 0, and
    what is not finite matches nothing. `special(expected, got)` may decide on an expected object itself (True, False),
    or leave it to the ordinary rules (None).
    """
    if isinstance(expected, dict):
        decided = special(expected, got) if special is not None else None
        if decided is not None:
            return None if decided else Mismatch(path, expected, got, "does not match")
        return _objects(expected, got, special, path)
    if isinstance(expected, list | tuple):
        return _arrays(expected, got, special, path)
    return _scalars(expected, got, path)


def _objects(expected: dict[str, Any], got: Any, special: Special | None, path: str) -> Mismatch | None:
    if not isinstance(got, dict):
        return Mismatch(path, expected, got, f"{_kind(got)}, not an object")
    for key, value in expected.items():
        if key not in got:
            return Mismatch(_at(path, key), value, None, "missing")
        found = equal(value, got[key], special=special, path=_at(path, key))
        if found is not None:
            return found
    for key in got:
        if key not in expected:
            return Mismatch(_at(path, key), None, got[key], "an extra key")
    return None


def _arrays(expected: Any, got: Any, special: Special | None, path: str) -> Mismatch | None:
    if not isinstance(got, list | tuple):
        return Mismatch(path, expected, got, f"{_kind(got)}, not an array")
    for index, (one, other) in enumerate(zip(expected, got, strict=False)):
        found = equal(one, other, special=special, path=f"{path}[{index}]")
        if found is not None:
            return found
    if len(expected) != len(got):
        return Mismatch(path, expected, got, f"{len(got)} items, not {len(expected)}")
    return None


def _scalars(expected: Any, got: Any, path: str) -> Mismatch | None:
    same = _kind(expected) == _kind(got) and expected == got
    if isinstance(expected, float):
        same = _close(expected, got)
    if same:
        return None
    wanted, found = _kind(expected), _kind(got)
    why = "another value" if wanted == found else f"{found}, not {wanted}"
    return Mismatch(path, expected, got, why)


def _close(expected: float, got: Any) -> bool:
    if isinstance(got, bool) or not isinstance(got, int | float):
        return False
    try:
        number = float(got)
    except OverflowError:
        return False
    if not (math.isfinite(expected) and math.isfinite(number)):
        return False
    return math.isclose(expected, number, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names: tuple[tuple[type, str], ...] = (
        (bool, "a boolean"),
        (int, "an integer"),
        (float, "a float"),
        (str, "a string"),
        (list, "an array"),
        (tuple, "an array"),
        (dict, "an object"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), type(value).__name__)


def _at(path: str, key: str) -> str:
    return f"{path}.{key}" if _PLAIN_KEY.match(key) else f"{path}[{key!a}]"
