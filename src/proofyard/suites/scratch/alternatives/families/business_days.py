"""Business days: days are ordinal numbers, and a stretch of them is a text with one letter for the kind of each."""

import re
from collections.abc import Callable
from datetime import date
from itertools import count, islice
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

Test = Callable[[Any], bool]

_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _integer(least: int, most: int) -> Test:
    """Integers from `least` to `most`."""
    return lambda value: type(value) is int and least <= value <= most


def _form(pattern: str) -> Test:
    """Strings that a pattern matches from end to end."""
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _word(*words: str) -> Test:
    """Some words and nothing else."""
    return lambda value: value in words


def _array(least: int, most: int, item: Test) -> Test:
    """Arrays of so many items, each of them right."""
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(item, value))


def _keys(needed: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    """Objects with all needed keys, where these and the optional ones are right."""
    tests = needed | (optional or {})
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in needed)
        and all(test(value[name]) for name, test in tests.items() if name in value)
    )


_DATE = _form("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CALENDAR: dict[str, Test] = {
    "weekend": _array(0, 6, _word(*_NAMES)),
    "holidays": _array(0, 60, _DATE),
    "substitute": lambda value: isinstance(value, bool),
}
_NEEDED: dict[str, dict[str, Test]] = {
    "shift": {"date": _DATE, "days": _integer(-1000, 1000)},
    "count": {"from": _DATE, "to": _DATE},
}
_OPTIONAL: dict[str, dict[str, Test]] = {
    "shift": {"roll": _word("following", "preceding", "modified"), **_CALENDAR},
    "count": _CALENDAR,
}

OPS: dict[str, tuple[str, ...]] = {op: (*_NEEDED[op], *_OPTIONAL[op]) for op in _NEEDED}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_NEEDED[op], _OPTIONAL[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    ends = [_day(args[name]) for name in _NEEDED[op] if name != "days"]
    weekend = {_NAMES.index(name) for name in args.get("weekend", _NAMES[5:])}
    given = {_day(text) for text in args.get("holidays", [])}
    off = given | (_substitutes(given, weekend) if args.get("substitute", False) else set())

    def kind(day: int) -> str:
        """`w`, `h` or `b`: what kind of day it is."""
        return "w" if (day - 1) % 7 in weekend else "h" if day in off else "b"

    if op == "count":
        return _count(min(ends), max(ends), kind)
    return _shift(ends[0], args["days"], args.get("roll", "following"), kind)


def _day(text: str) -> int:
    """The ordinal number of a date of the years 1900 to 2199."""
    try:
        day = date(*map(int, text.split("-")))
    except ValueError:
        raise Refused("no_such_date") from None
    if not 1900 <= day.year <= 2199:
        raise Refused("no_such_date")
    return day.toordinal()


def _substitutes(given: set[int], weekend: set[int]) -> set[int]:
    """The substitutes of all holidays on the weekend."""
    found: set[int] = set()
    for holiday in sorted(given):
        if (holiday - 1) % 7 in weekend:
            later = (day for day in count(holiday + 1) if (day - 1) % 7 not in weekend)
            found.add(next(day for day in later if day not in given and day not in found))
    return found


def _business(start: int, step: int, kind: Callable[[int], str]) -> Any:
    """All business days after or before a day, the nearest first."""
    return (day for day in count(start + step, step) if kind(day) == "b")


def _shift(start: int, days: int, roll: str, kind: Callable[[int], str]) -> dict[str, Any]:
    """The day that lies so many business days further."""
    day = start
    if kind(day) != "b":
        day = next(_business(start, -1 if roll == "preceding" else 1, kind))
        if roll == "modified" and _month(day) != _month(start):
            day = next(_business(start, -1, kind))
    if days:
        day = next(islice(_business(day, 1 if days > 0 else -1, kind), abs(days) - 1, None))
    reached = date.fromordinal(day)
    return {"date": reached.isoformat(), "weekday": _NAMES[reached.weekday()], "moved": day - start}


def _month(day: int) -> str:
    """The month of a day, with its year."""
    return date.fromordinal(day).isoformat()[:7]


def _count(first: int, last: int, kind: Callable[[int], str]) -> dict[str, int]:
    """How many days of each kind there are, both ends included."""
    if last - first > 1000:
        raise Refused("too_long")
    kinds = "".join(map(kind, range(first, last + 1)))
    numbers = {name: kinds.count(name[0]) for name in ("business", "weekend", "holiday")}
    return numbers | {"longest_break": max(map(len, kinds.split("b")))}
