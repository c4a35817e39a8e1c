"""Moves dates of the Gregorian calendar, measures the time between two, and describes one."""

import re
from datetime import date, timedelta
from typing import Any

from ..arguments import enum, integer, optional, required, string
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DAY = timedelta(days=1)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def form(value: object, where: str) -> None:
    """Check a string of the form YYYY-MM-DD; whether there is such a day is not asked."""
    if FORM.fullmatch(string()(value, where)) is None:
        raise InvalidArgsError(f"{where} must have the form YYYY-MM-DD")


def check_add(args: dict[str, Any]) -> None:
    """Check the arguments of `add`."""
    required(args, "date", form)
    optional(args, "years", integer(-10000, 10000))
    optional(args, "months", integer(-120000, 120000))
    optional(args, "days", integer(-4000000, 4000000))
    optional(args, "month_end", enum("clamp", "roll", "reject"))


def check_between(args: dict[str, Any]) -> None:
    """Check the arguments of `between`."""
    required(args, "from", form)
    required(args, "to", form)


def check_describe(args: dict[str, Any]) -> None:
    """Check the arguments of `describe`."""
    required(args, "date", form)


def add(args: dict[str, Any]) -> object:
    """Move a date by years and months, then by days."""
    start = read(args["date"])
    months = 12 * args.get("years", 0) + args.get("months", 0)
    moved = shift(start, months, args.get("month_end", "clamp"))
    try:
        moved += args.get("days", 0) * DAY
    except OverflowError:
        raise DomainError("out_of_range", "the year leaves 1 to 9999") from None
    return {"date": moved.isoformat(), "weekday": WEEKDAYS[moved.weekday()], "moved": (moved - start).days}


def between(args: dict[str, Any]) -> object:
    """Tell how far it is from one date to another."""
    start, end = read(args["from"]), read(args["to"])
    early, late = min(start, end), max(start, end)
    months = 12 * (late.year - early.year) + late.month - early.month
    if shift(early, months, "clamp") > late:
        months -= 1
    return {
        "days": (end - start).days,
        "years": months // 12,
        "months": months % 12,
        "rest": (late - shift(early, months, "clamp")).days,
        "weekdays": weekdays_before(late) - weekdays_before(early),
    }


def describe(args: dict[str, Any]) -> object:
    """Tell what kind of day a date is."""
    day = read(args["date"])
    length = month_length(day.year, day.month)
    return {
        "weekday": WEEKDAYS[day.weekday()],
        "day_of_year": day.toordinal() - date(day.year, 1, 1).toordinal() + 1,
        "leap_year": month_length(day.year, 2) == 29,
        "days_in_month": length,
        "nth_weekday": (day.day + 6) // 7,
        "last_weekday": day.day + 7 > length,
    }


def read(text: str) -> date:
    """The date that `text` names."""
    year, month, day = (int(part) for part in text.split("-"))
    try:
        return date(year, month, day)
    except ValueError:
        raise DomainError("no_such_date", f"{text} is no date of the years 1 to 9999") from None


def shift(start: date, months: int, month_end: str) -> date:
    """`start` moved by whole months; what becomes of a day the month does not have, `month_end` says."""
    year, month = divmod(12 * start.year + start.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise DomainError("out_of_range", "the year leaves 1 to 9999")
    length = month_length(year, month + 1)
    if start.day <= length:
        return date(year, month + 1, start.day)
    if month_end == "reject":
        raise DomainError("no_such_day", f"the month has {length} days")
    last = date(year, month + 1, length)
    return last if month_end == "clamp" else last + (start.day - length) * DAY


def month_length(year: int, month: int) -> int:
    """How many days a month has."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in {4, 6, 9, 11} else 31


def weekdays_before(day: date) -> int:
    """How many days from Monday to Friday there are from 0001-01-01 (a Monday) to the day before `day`."""
    weeks, rest = divmod(day.toordinal() - 1, 7)
    return 5 * weeks + min(rest, 5)


OPERATIONS = {
    "add": Operation(("date", "years", "months", "days", "month_end"), check_add, add),
    "between": Operation(("from", "to"), check_between, between),
    "describe": Operation(("date",), check_describe, describe),
}
