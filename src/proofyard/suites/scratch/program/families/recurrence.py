"""Expands rules of recurrence into dates and puts several of them into one agenda."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count, islice
from typing import Any

from ..arguments import array, enum, integer, required, string, structure
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


RULE = structure(
    {"start": form, "every": enum("day", "week", "month", "year")},
    {
        "interval": integer(1, 100),
        "weekdays": array(enum(*WEEKDAYS), 1, 7),
        "nth": integer(-5, 5),
        "short_month": enum("skip", "last"),
        "count": integer(1, 60),
        "until": form,
        "except": array(form, high=20),
    },
)


def check_expand(args: dict[str, Any]) -> None:
    """Check the arguments of `expand`."""
    required(args, "rule", RULE)


def check_agenda(args: dict[str, Any]) -> None:
    """Check the arguments of `agenda`."""
    required(args, "rules", array(structure({"name": string(1, 30), "rule": RULE}), 1, 4))


def expand(args: dict[str, Any]) -> object:
    """All dates of one rule."""
    dates, ended_by, left_out = occurrences(args["rule"])
    return {"dates": [day.isoformat() for day in dates], "left_out": left_out, "ended_by": ended_by}


def agenda(args: dict[str, Any]) -> object:
    """The dates of several rules in one list."""
    names: dict[date, list[str]] = {}
    for item in args["rules"]:
        for day in occurrences(item["rule"])[0]:
            own = names.setdefault(day, [])
            if item["name"] not in own:
                own.append(item["name"])
    return {
        "days": [{"date": day.isoformat(), "names": names[day]} for day in sorted(names)],
        "clashes": sum(len(own) > 1 for own in names.values()),
    }


def read(text: str) -> date:
    """The date that `text` names."""
    year, month, day = (int(part) for part in text.split("-"))
    if 2000 <= year <= 2099:
        try:
            return date(year, month, day)
        except ValueError:
            pass
    raise DomainError("no_such_date", f"{text} is no date of the years 2000 to 2099")


def occurrences(rule: dict[str, Any]) -> tuple[list[date], str, int]:
    """The dates of a rule without the exceptions, what ended it, and how many exceptions there were."""
    start, until = read(rule["start"]), read(rule.get("until", "2099-12-31"))
    exceptions = {read(text) for text in rule.get("except", [])}
    if rule.get("nth", 0) != 0 and (rule["every"] in {"day", "week"} or "weekdays" not in rule):
        raise DomainError("bad_rule", "nth needs weekdays, and a month or a year")
    most = rule.get("count", 60)
    counted = list(islice(candidates(start, until, rule), most))
    kept = [day for day in counted if day not in exceptions]
    return kept, "count" if len(counted) == most else "until", len(counted) - len(kept)


def candidates(start: date, until: date, rule: dict[str, Any]) -> Iterator[date]:
    """The dates of a rule from `start` to `until`, whatever its count."""
    for step in count(0, rule.get("interval", 1)):
        days = period(start, rule["every"], step)
        if days[0] > until:
            return
        yield from (day for day in chosen(days, start, rule) if start <= day <= until)


def period(start: date, every: str, step: int) -> list[date]:
    """All days of the day, week or month that is `step` days, weeks, months or years after that of `start`."""
    if every == "day":
        return [start + step * DAY]
    if every == "week":
        monday = start - start.weekday() * DAY
        return [monday + day * DAY for day in range(7 * step, 7 * step + 7)]
    months = 12 * start.year + start.month - 1 + (step if every == "month" else 12 * step)
    first = date(months // 12, months % 12 + 1, 1)
    return [first + day * DAY for day in range(monthrange(first.year, first.month)[1])]


def chosen(days: list[date], start: date, rule: dict[str, Any]) -> list[date]:
    """Those of the days of one period that the rule names."""
    if "weekdays" in rule:
        fitting = [day for day in days if WEEKDAYS[day.weekday()] in rule["weekdays"]]
        counted = enumerate(fitting, start=1)
        return [d for n, d in counted if rule.get("nth", 0) in {0, n, n - len(fitting) - 1}]
    if rule["every"] == "day":
        return days
    if rule["every"] == "week":
        return [days[start.weekday()]]
    if start.day > len(days) and rule.get("short_month") != "last":
        return []
    return [days[min(start.day, len(days)) - 1]]


OPERATIONS = {
    "expand": Operation(("rule",), check_expand, expand),
    "agenda": Operation(("rules",), check_agenda, agenda),
}
