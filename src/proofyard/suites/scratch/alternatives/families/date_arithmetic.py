"""Date arithmetic: days and months as plain counts, without the date types of the library."""

import re
from bisect import bisect_right
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "add": ("date", "years", "months", "days", "month_end"),
    "between": ("from", "to"),
    "describe": ("date",),
}
NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FORM = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})")
RANGES = {"years": 10000, "months": 120000, "days": 4000000}


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _is_date(value: Any) -> bool:
    """Whether a value has the form of a date."""
    return isinstance(value, str) and FORM.fullmatch(value) is not None


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all types and ranges are right."""
    if op == "between":
        return _is_date(args.get("from")) and _is_date(args.get("to"))
    if op == "add":
        for name, limit in RANGES.items():
            value = args.get(name, 0)
            if type(value) is not int or abs(value) > limit:
                return False
        if args.get("month_end", "clamp") not in ["clamp", "roll", "reject"]:
            return False
    return _is_date(args.get("date"))


def _leap(year: int) -> bool:
    """Whether a year is a leap year."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _length(month: int) -> int:
    """The days of a month; months are counted from January of the year 0."""
    year, index = divmod(month, 12)
    return 28 + _leap(year) if index == 1 else 30 + (index + index // 7 + 1) % 2


def _starts() -> list[int]:
    """The number of the first day of each month from year 1 on, and of the first day after year 9999."""
    starts = [0]
    for month in range(12, 120000):
        starts.append(starts[-1] + _length(month))
    return starts


STARTS = _starts()


def _number(month: int, day: int) -> int:
    """The number of a day: 0 is the first day of the year 1, a Monday."""
    return STARTS[month - 12] + day - 1


def _read(text: str) -> tuple[int, int]:
    """Month and day of a date."""
    year, month, day = (int(part) for part in text.split("-"))
    count = 12 * year + month - 1
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= _length(count):
        raise Refused("no_such_date")
    return count, day


def _add(args: dict[str, Any]) -> dict[str, Any]:
    """A date moved by months, then by days."""
    month, day = _read(args["date"])
    start, how = _number(month, day), args.get("month_end", "clamp")
    month += 12 * args.get("years", 0) + args.get("months", 0)
    if not 12 <= month < 120000:
        raise Refused("out_of_range")
    if day > _length(month) and how == "reject":
        raise Refused("no_such_day")
    end = _number(month, day if how == "roll" else min(day, _length(month))) + args.get("days", 0)
    if not 0 <= end < STARTS[-1]:
        raise Refused("out_of_range")
    index = bisect_right(STARTS, end) - 1
    year, month = divmod(index + 12, 12)
    text = f"{year:04}-{month + 1:02}-{end - STARTS[index] + 1:02}"
    return {"date": text, "weekday": NAMES[end % 7], "moved": end - start}


def _between(first: tuple[int, int], second: tuple[int, int]) -> dict[str, int]:
    """The time between two dates."""
    (month, day), (last, last_day) = sorted((first, second))
    low, high = _number(month, day), _number(last, last_day)
    reached = last if min(day, _length(last)) <= last_day else last - 1
    rest = high - _number(reached, min(day, _length(reached)))
    years, months = divmod(reached - month, 12)
    weekdays = 5 * (high // 7 - low // 7) + min(high % 7, 5) - min(low % 7, 5)
    days = _number(*second) - _number(*first)
    return {"days": days, "years": years, "months": months, "rest": rest, "weekdays": weekdays}


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation."""
    if op == "add":
        return _add(args)
    if op == "between":
        return _between(_read(args["from"]), _read(args["to"]))
    month, day = _read(args["date"])
    return {
        "weekday": NAMES[_number(month, day) % 7],
        "day_of_year": _number(month, day) - _number(month - month % 12, 1) + 1,
        "leap_year": _leap(month // 12),
        "days_in_month": _length(month),
        "nth_weekday": (day + 6) // 7,
        "last_weekday": day + 7 > _length(month),
    }
