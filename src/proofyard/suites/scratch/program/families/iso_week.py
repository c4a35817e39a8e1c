"""Works with ISO weeks: finds the week of a date, reads week dates, and moves weeks by years and weeks."""

import re
from datetime import date, timedelta
from typing import Any

from ..arguments import enum, integer, optional, required, string
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
WEEK = re.compile(r"([0-9]{4})-W([0-9]{2})")
WEEK_DATE = re.compile(r"([0-9]{4})(-?)W([0-9]{2})(?:\2([0-9]))?")
DAY = timedelta(days=1)
YEARS = range(1900, 2200)


def check_week_of(args: dict[str, Any]) -> None:
    """Check the arguments of `week_of`."""
    if DATE.fullmatch(required(args, "date", string())) is None:
        raise InvalidArgsError("date must have the form YYYY-MM-DD")


def check_parse(args: dict[str, Any]) -> None:
    """Check the arguments of `parse`."""
    required(args, "text", string(1, 20))


def check_shift(args: dict[str, Any]) -> None:
    """Check the arguments of `shift`."""
    if WEEK.fullmatch(required(args, "week", string())) is None:
        raise InvalidArgsError("week must have the form YYYY-Www")
    optional(args, "years", integer(-300, 300))
    optional(args, "weeks", integer(-20000, 20000))
    optional(args, "missing", enum("last", "next", "reject"))


def week_of(args: dict[str, Any]) -> object:
    """The week of a date, and the month that the week belongs to."""
    year, month, number = (int(part) for part in args["date"].split("-"))
    try:
        day = date(year, month, number)
    except ValueError:
        day = date.min
    if day.year not in YEARS:
        raise DomainError("no_such_date", f"{args['date']} is no date of the years 1900 to 2199")
    thursday = day + (3 - day.weekday()) * DAY
    return {
        "week": name(day),
        "weekday": day.isoweekday(),
        "weeks_in_year": weeks_in(thursday.year),
        "month": thursday.isoformat()[:7],
        "week_of_month": (thursday.day + 6) // 7,
    }


def parse(args: dict[str, Any]) -> object:
    """The days that a week or a week date names."""
    match = WEEK_DATE.fullmatch(args["text"])
    if match is None:
        raise DomainError("bad_form", "this is neither a week nor a week date")
    year, _, week, weekday = match.groups()
    monday = first_day(int(year), int(week))
    if weekday is None:
        return {"week": name(monday), "start": monday.isoformat(), "end": (monday + 6 * DAY).isoformat()}
    if not 1 <= int(weekday) <= 7:
        raise DomainError("no_such_day", "weekdays are 1 to 7")
    day = monday + (int(weekday) - 1) * DAY
    return {"week": name(monday), "start": day.isoformat(), "end": day.isoformat()}


def shift(args: dict[str, Any]) -> object:
    """Move a week by years, then by weeks."""
    year, week = (int(part) for part in args["week"].split("-W"))
    start = first_day(year, week)
    year += args.get("years", 0)
    check_year(year)
    if week > weeks_in(year) and args.get("missing") == "reject":
        raise DomainError("no_such_week", f"{year} has no week {week}")
    monday = date.fromisocalendar(year, 1, 1) + (week - 1) * 7 * DAY
    if week > weeks_in(year) and args.get("missing") != "next":
        monday -= 7 * DAY
    monday += args.get("weeks", 0) * 7 * DAY
    check_year(monday.isocalendar().year)
    return {"week": name(monday), "start": monday.isoformat(), "moved": (monday - start).days // 7}


def check_year(year: int) -> None:
    """Refuse a year of weeks that is out of range."""
    if year not in YEARS:
        raise DomainError("out_of_range", "the year leaves 1900 to 2199")


def first_day(year: int, week: int) -> date:
    """The Monday of a week."""
    if year not in YEARS or not 1 <= week <= weeks_in(year):
        raise DomainError("no_such_week", f"there is no week {week} in {year}, or the year is not 1900 to 2199")
    return date.fromisocalendar(year, week, 1)


def weeks_in(year: int) -> int:
    """How many weeks a year has: its last week holds December 28."""
    return date(year, 12, 28).isocalendar().week


def name(day: date) -> str:
    """The week of a day as it is written."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


OPERATIONS = {
    "week_of": Operation(("date",), check_week_of, week_of),
    "parse": Operation(("text",), check_parse, parse),
    "shift": Operation(("week", "years", "weeks", "missing"), check_shift, shift),
}
