"""ISO weeks: a week is the number of its Monday among all Mondays, so that moving by weeks is adding."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

Test = Callable[[Any], bool]

_YEARS = range(1900, 2200)


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _integer(least: int, most: int) -> Test:
    """Integers from `least` to `most`."""
    return lambda value: type(value) is int and least <= value <= most


def _text(most: int) -> Test:
    """Strings of 1 to `most` code points."""
    return lambda value: isinstance(value, str) and 1 <= len(value) <= most


def _form(pattern: str) -> Test:
    """Strings that a pattern matches from end to end."""
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _word(*words: str) -> Test:
    """Some words and nothing else."""
    return lambda value: value in words


def _keys(needed: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    """Objects with all needed keys, where these and the optional ones are right."""
    tests = needed | (optional or {})
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in needed)
        and all(test(value[name]) for name, test in tests.items() if name in value)
    )


_NEEDED: dict[str, dict[str, Test]] = {
    "week_of": {"date": _form("[0-9]{4}-[0-9]{2}-[0-9]{2}")},
    "parse": {"text": _text(20)},
    "shift": {"week": _form("[0-9]{4}-W[0-9]{2}")},
}
_OPTIONAL: dict[str, dict[str, Test]] = {
    "week_of": {},
    "parse": {},
    "shift": {
        "years": _integer(-300, 300),
        "weeks": _integer(-20000, 20000),
        "missing": _word("last", "next", "reject"),
    },
}

OPS: dict[str, tuple[str, ...]] = {op: (*_NEEDED[op], *_OPTIONAL[op]) for op in _NEEDED}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_NEEDED[op], _OPTIONAL[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "week_of":
        return _week_of(args["date"])
    if op == "parse":
        return _parse(args["text"])
    return _shift(args["week"], args.get("years", 0), args.get("weeks", 0), args.get("missing", "last"))


def _day(week: int, weekday: int) -> date:
    """The date of a weekday, 1 to 7, in a week."""
    return date.fromordinal(week * 7 + weekday)


def _first(year: int) -> int:
    """Week 1 of a year: the one that holds 4 January."""
    return (date(year, 1, 4).toordinal() - 1) // 7


def _name(week: int) -> str:
    """A week as it is written."""
    year = _day(week, 4).year
    return f"{year:04}-W{week - _first(year) + 1:02}"


def _found(year: int, number: int) -> int:
    """The week of this number in a year."""
    if year not in _YEARS or not 1 <= number <= _first(year + 1) - _first(year):
        raise Refused("no_such_week")
    return _first(year) + number - 1


def _week_of(text: str) -> dict[str, Any]:
    """The week of a date."""
    try:
        day = date(*map(int, text.split("-")))
    except ValueError:
        raise Refused("no_such_date") from None
    if day.year not in _YEARS:
        raise Refused("no_such_date")
    week = (day.toordinal() - 1) // 7
    thursday = _day(week, 4)
    return {
        "week": _name(week),
        "weekday": day.isoweekday(),
        "weeks_in_year": _first(thursday.year + 1) - _first(thursday.year),
        "month": thursday.isoformat()[:7],
        "week_of_month": (thursday.day + 6) // 7,
    }


def _parse(text: str) -> dict[str, str]:
    """The week, and the dates that a text names."""
    match = re.fullmatch(r"([0-9]{4})(-?)W([0-9]{2})(?:\2([0-9]))?", text)
    if match is None:
        raise Refused("bad_form")
    week = _found(int(match[1]), int(match[3]))
    weekday = match[4]
    if weekday in ("0", "8", "9"):
        raise Refused("no_such_day")
    days = (int(weekday), int(weekday)) if weekday else (1, 7)
    return {"week": _name(week), "start": _day(week, days[0]).isoformat(), "end": _day(week, days[1]).isoformat()}


def _shift(text: str, years: int, weeks: int, missing: str) -> dict[str, Any]:
    """A week moved by years, then by weeks."""
    year, number = int(text[:4]), int(text[6:])
    start = _found(year, number)
    year += years
    if year not in _YEARS:
        raise Refused("out_of_range")
    if number == 53 and missing != "reject" and _first(year + 1) - _first(year) == 52:
        week = _first(year + 1) - (missing == "last")
    else:
        week = _found(year, number)
    week += weeks
    if _day(week, 4).year not in _YEARS:
        raise Refused("out_of_range")
    return {"week": _name(week), "start": _day(week, 1).isoformat(), "moved": week - start}
