"""Runs inside the sandbox: what the changed-value twin of a test needs. `other` gives another value of the same kind, and
`Sites` takes down which changed assertions failed, as they must, and which held.
"""

import datetime
import decimal
import enum
import fractions
import sys
from typing import Any

__all__ = ["Sites", "other"]

FAR = 7919
"""A number far from what tests allow for rounding."""


def other(value: Any) -> Any:
    """Another value of the same kind, which no sound comparison takes for the given one.

    Containers get one item changed, or one more where they are empty. Of what is not known here, a plain text.
    """
    try:
        return _other(value)
    except Exception:
        return f"{FAR}"


def _other(value: Any) -> Any:
    kind = type(value)
    if kind is bool:
        return not value
    if issubclass(kind, enum.Enum):
        return next((member for member in kind if member is not value), str(value))
    if kind in (int, float, complex, decimal.Decimal, fractions.Fraction):
        return _number(value)
    if kind in (str, bytes, bytearray):
        return _text(value)
    if issubclass(kind, datetime.date):
        return value + datetime.timedelta(days=397) if value.year < 9000 else value - datetime.timedelta(days=397)
    if kind is datetime.timedelta:
        return value + datetime.timedelta(days=397)
    if isinstance(value, dict):
        return _mapping(value)
    if isinstance(value, list | tuple | set | frozenset):
        return _items(value)
    return _foreign(value)


def _number(value: Any) -> Any:
    if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124 (not a number)
        return type(value)(FAR)
    return value * 3 + FAR if value == abs(value) else value * 3 - FAR


def _text(value: Any) -> Any:
    if not value:
        return value + (b"none" if isinstance(value, bytes | bytearray) else "none")
    return value + value[:1] + value[-1:]


def _mapping(value: Any) -> Any:
    changed = value.copy()
    if changed:
        key = next(iter(changed))
        changed[key] = other(changed[key])
    else:
        changed["name"] = 1
    return changed


def _items(value: Any) -> Any:
    items = list(value)
    if isinstance(value, set | frozenset):
        return type(value)([*items, other(items[0]) if items else 1, FAR])
    changed: list[Any] = [*items[:-1], other(items[-1])] if items else [1]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        make: Any = type(value)
        return make(*changed)
    return type(value)(changed)


def _foreign(value: Any) -> Any:
    """Values of numpy and pandas, where these are loaded."""
    numpy = sys.modules.get("numpy")
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, pandas.DataFrame | pandas.Series | pandas.Index):
        return value.iloc[:0] if len(value) and hasattr(value, "iloc") else type(value)([FAR, 1, FAR])
    if numpy is not None and isinstance(value, numpy.ndarray):
        if value.dtype.kind == "b":
            return ~value
        return value * 3 + FAR if value.dtype.kind in "iufc" and value.size else numpy.array(["none", "other"])
    if numpy is not None and isinstance(value, numpy.generic):
        return type(value)(other(value.item()))
    return f"{FAR}"


class Sites:
    """What became of each changed assertion: label -> [times it failed, times it held]."""

    def __init__(self) -> None:
        self.seen: dict[str, list[int]] = {}

    def __call__(self, label: str) -> "Site":
        """The context of one changed assertion."""
        return Site(self.seen.setdefault(label, [0, 0]))


class Site:
    """Lets an assertion fail, as it must, and the test go on. An error counts too: another value may not be comparable."""

    def __init__(self, counts: list[int]) -> None:
        self._counts = counts

    def __enter__(self) -> None:
        """Begin the assertion."""

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        """Take down how it ended; what would end any program goes its way."""
        failed = kind is not None and issubclass(kind, Exception)
        self._counts[0 if failed else 1] += kind is None or failed
        return failed
