"""Reads cron expressions and tells when they are due next."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime
from itertools import islice, product
from typing import Any

from ..arguments import integer, optional, required, string
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")
VALUE = "([0-9]{1,2}|[a-z]{3})"
ITEM = re.compile(rf"(?:\*|{VALUE}(?:-{VALUE})?)(?:/([0-9]{{1,2}}))?")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
FIELDS: dict[str, tuple[int, int, tuple[str, ...]]] = {
    "minute": (0, 59, ()),
    "hour": (0, 23, ()),
    "day": (1, 31, ()),
    "month": (1, 12, MONTHS),
    "weekday": (0, 7, WEEKDAYS),
}
"""Field -> its lowest and its highest value, and the names of the values from the lowest on."""


def form(value: object, where: str) -> None:
    """Check that a value is a string of the form YYYY-MM-DDTHH:MM; whether there is such a time is not asked."""
    if FORM.fullmatch(string()(value, where)) is None:
        raise InvalidArgsError(f"{where} must have the form YYYY-MM-DDTHH:MM")


def check_explain(args: dict[str, Any]) -> None:
    """Check the arguments of `explain`."""
    required(args, "expression", string(1, 100))


def check_next(args: dict[str, Any]) -> None:
    """Check the arguments of `next`."""
    check_explain(args)
    required(args, "after", form)
    optional(args, "count", integer(1, 20))


def explain(args: dict[str, Any]) -> object:
    """The values of each field and how the two fields for dates work together."""
    fields, dates = read(args["expression"])
    return {**{name: sorted(values) for name, values in fields.items()}, "dates": dates}


def next_times(args: dict[str, Any]) -> object:
    """The first times after a given one."""
    fields, dates = read(args["expression"])
    try:
        after = datetime.strptime(args["after"], "%Y-%m-%dT%H:%M")
    except ValueError:
        after = datetime.min
    if not 2000 <= after.year <= 2099:
        raise DomainError("no_such_time", f"{args['after']} is no time of the years 2000 to 2099")
    found = islice(times(fields, dates, after), args.get("count", 1))
    return {"times": [moment.isoformat(timespec="minutes") for moment in found]}


def read(expression: str) -> tuple[dict[str, set[int]], str]:
    """The values of each field, and which of the fields for dates count."""
    texts = [text for text in expression.lower().split(" ") if text]
    if len(texts) != len(FIELDS):
        raise DomainError("wrong_field_count", f"there are {len(texts)} fields, not {len(FIELDS)}")
    fields = {name: values(name, text) for name, text in zip(FIELDS, texts, strict=True)}
    fields["weekday"] = {number % 7 for number in fields["weekday"]}
    any_day, any_weekday = texts[2] == "*", texts[4] == "*"
    if any_weekday:
        return fields, "all" if any_day else "day"
    return fields, "weekday" if any_day else "either"


def values(name: str, text: str) -> set[int]:
    """The values that one field names."""
    low, high, names = FIELDS[name]
    found: set[int] = set()
    for item in text.split(","):
        match = ITEM.fullmatch(item)
        try:
            found.update(range_of(match, low, high, names))
        except ValueError:
            raise DomainError("bad_field", f"{name} cannot be {text!r}", field=name) from None
    return found


def range_of(match: re.Match[str] | None, low: int, high: int, names: tuple[str, ...]) -> range:
    """The values that one item names; ValueError if it names none."""
    if match is None:
        raise ValueError
    first, last, step = match.groups()
    start = value(first, low, names) if first else low
    end = value(last, low, names) if last else high if step or not first else start
    if not low <= start <= end <= high:
        raise ValueError
    return range(start, end + 1, int(step or 1))


def value(text: str, low: int, names: tuple[str, ...]) -> int:
    """The number that is written as a number or a name; ValueError if it is neither."""
    return int(text) if text.isdigit() else low + names.index(text)


def times(fields: dict[str, set[int]], dates: str, after: datetime) -> Iterator[datetime]:
    """All times after a given one, in order."""
    for year, month in product(range(after.year, 2100), sorted(fields["month"])):
        first_weekday, length = monthrange(year, month)
        for day in range(1, length + 1):
            by_day, by_weekday = day in fields["day"], (first_weekday + day) % 7 in fields["weekday"]
            fits = by_day or by_weekday if dates == "either" else by_day and by_weekday
            if fits and date(year, month, day) >= after.date():
                for hour, minute in product(sorted(fields["hour"]), sorted(fields["minute"])):
                    moment = datetime(year, month, day, hour, minute)
                    if moment > after:
                        yield moment


OPERATIONS = {
    "explain": Operation(("expression",), check_explain, explain),
    "next": Operation(("expression", "after", "count"), check_next, next_times),
}
