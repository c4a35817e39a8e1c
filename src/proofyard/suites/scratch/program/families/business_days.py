"""Moves dates by business days and counts them, with weekends and holidays of the caller's choice."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from ..arguments import array, boolean, enum, integer, optional, required, string
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DAY = timedelta(days=1)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def form(value: object, where: str) -> None:
    """Check that a value is a string of the form YYYY-MM-DD; whether there is such a day is not asked."""
    if FORM.fullmatch(string()(value, where)) is None:
        raise InvalidArgsError(f"{where} must have the form YYYY-MM-DD")


def check_calendar(args: dict[str, Any]) -> None:
    """Check the arguments that say which days are business days."""
    optional(args, "weekend", array(enum(*WEEKDAYS), high=6))
    optional(args, "holidays", array(form, high=60))
    optional(args, "substitute", boolean)


def check_shift(args: dict[str, Any]) -> None:
    """Check the arguments of `shift`."""
    required(args, "date", form)
    required(args, "days", integer(-1000, 1000))
    optional(args, "roll", enum("following", "preceding", "modified"))
    check_calendar(args)


def check_count(args: dict[str, Any]) -> None:
    """Check the arguments of `count`."""
    required(args, "from", form)
    required(args, "to", form)
    check_calendar(args)


def shift(args: dict[str, Any]) -> object:
    """Move a date by business days."""
    start = read(args["date"])
    kind = calendar(args)
    day = first(start, DAY, kind)
    other_month = day.replace(day=1) != start.replace(day=1)
    if args.get("roll") == "preceding" or (args.get("roll") == "modified" and other_month):
        day = first(start, -DAY, kind)
    for _ in range(args["days"]):
        day = first(day + DAY, DAY, kind)
    for _ in range(-args["days"]):
        day = first(day - DAY, -DAY, kind)
    return {"date": day.isoformat(), "weekday": WEEKDAYS[day.weekday()], "moved": (day - start).days}


def count(args: dict[str, Any]) -> object:
    """Count the business days, weekend days and holidays from one date to another."""
    day, end = sorted((read(args["from"]), read(args["to"])))
    kind = calendar(args)
    if end - day > 1000 * DAY:
        raise DomainError("too_long", "the dates are more than 1000 days apart")
    found = {"business": 0, "weekend": 0, "holiday": 0}
    longest = run = 0
    while day <= end:
        found[kind(day)] += 1
        run = 0 if kind(day) == "business" else run + 1
        longest = max(longest, run)
        day += DAY
    return {**found, "longest_break": longest}


def read(text: str) -> date:
    """The date that `text` names."""
    year, month, day = (int(part) for part in text.split("-"))
    if 1900 <= year <= 2199:
        try:
            return date(year, month, day)
        except ValueError:
            pass
    raise DomainError("no_such_date", f"{text} is no date of the years 1900 to 2199")


def calendar(args: dict[str, Any]) -> Callable[[date], str]:
    """A function that tells whether a day is `business`, `weekend` or `holiday`."""
    weekend = args.get("weekend", ["saturday", "sunday"])
    holidays = {read(text) for text in args.get("holidays", [])}

    def kind(day: date) -> str:
        if WEEKDAYS[day.weekday()] in weekend:
            return "weekend"
        return "holiday" if day in holidays else "business"

    if args.get("substitute", False):
        for day in sorted(holidays):
            if kind(day) == "weekend":
                holidays.add(first(day, DAY, kind))
    return kind


def first(day: date, step: timedelta, kind: Callable[[date], str]) -> date:
    """The first business day from `day` on, `day` included, going by `step`."""
    while kind(day) != "business":
        day += step
    return day


OPERATIONS = {
    "shift": Operation(("date", "days", "roll", "weekend", "holidays", "substitute"), check_shift, shift),
    "count": Operation(("from", "to", "weekend", "holidays", "substitute"), check_count, count),
}
