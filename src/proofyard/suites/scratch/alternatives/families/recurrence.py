"""Recurrence rules: a period is a range of ordinal numbers of days, and a rule is an endless chain of periods."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
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


def _text(most: int) -> Test:
    """Strings of 1 to `most` code points."""
    return lambda value: isinstance(value, str) and 1 <= len(value) <= most


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
_RULE = _keys(
    {"start": _DATE, "every": _word("day", "week", "month", "year")},
    {
        "interval": _integer(1, 100),
        "weekdays": _array(1, 7, _word(*_NAMES)),
        "nth": _integer(-5, 5),
        "short_month": _word("skip", "last"),
        "count": _integer(1, 60),
        "until": _DATE,
        "except": _array(0, 20, _DATE),
    },
)
_ARGS: dict[str, dict[str, Test]] = {
    "expand": {"rule": _RULE},
    "agenda": {"rules": _array(1, 4, _keys({"name": _text(30), "rule": _RULE}))},
}

OPS: dict[str, tuple[str, ...]] = {op: tuple(tests) for op, tests in _ARGS.items()}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_ARGS[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "expand":
        return _expand(args["rule"])
    names: dict[str, dict[str, None]] = {}
    for entry in args["rules"]:
        for text in _expand(entry["rule"])["dates"]:
            names.setdefault(text, {})[entry["name"]] = None
    days = [{"date": text, "names": list(names[text])} for text in sorted(names)]
    return {"days": days, "clashes": sum(len(found) > 1 for found in names.values())}


def _date(text: str) -> date:
    """A date of the years 2000 to 2099."""
    try:
        day = date(*map(int, text.split("-")))
    except ValueError:
        raise Refused("no_such_date") from None
    if not 2000 <= day.year <= 2099:
        raise Refused("no_such_date")
    return day


def _expand(rule: dict[str, Any]) -> dict[str, Any]:
    """The dates of one rule."""
    start, until = _date(rule["start"]), _date(rule.get("until", "2099-12-31"))
    left_out = {_date(text).toordinal() for text in rule.get("except", [])}
    if rule.get("nth", 0) and (rule["every"] in ("day", "week") or "weekdays" not in rule):
        raise Refused("bad_rule")
    most = rule.get("count", 60)
    found = list(islice(_occurrences(rule, start, until.toordinal()), most))
    kept = [day for day in found if day not in left_out]
    return {
        "dates": [date.fromordinal(day).isoformat() for day in kept],
        "left_out": len(found) - len(kept),
        "ended_by": "count" if len(found) == most else "until",
    }


def _occurrences(rule: dict[str, Any], start: date, until: int) -> Iterator[int]:
    """All days that the rule names from `start` to `until`, without end by `count`."""
    for period in _periods(rule["every"], rule.get("interval", 1), start):
        if period.start > until:
            return
        yield from (day for day in _named(rule, start, period) if start.toordinal() <= day <= until)


def _periods(every: str, interval: int, start: date) -> Iterator[range]:
    """The days of each period, from the one that holds `start` on."""
    if every in ("day", "week"):
        length = 1 if every == "day" else 7
        first = start.toordinal() - (start.weekday() if every == "week" else 0)
        yield from (range(day, day + length) for day in count(first, length * interval))
    for month in count(start.year * 12 + start.month - 1, interval * (12 if every == "year" else 1)):
        year, index = divmod(month, 12)
        first = date(year, index + 1, 1).toordinal()
        yield range(first, first + monthrange(year, index + 1)[1])


def _named(rule: dict[str, Any], start: date, period: range) -> list[int]:
    """The days of a period that the rule names, those before `start` and after `until` too."""
    if "weekdays" in rule:
        days = [day for day in period if _NAMES[(day - 1) % 7] in rule["weekdays"]]
        nth = rule.get("nth", 0)
        place = nth - 1 if nth > 0 else len(days) + nth
        return days if nth == 0 else [day for at, day in enumerate(days) if at == place]
    if len(period) <= 7:
        return [period[start.weekday() % len(period)]]
    if start.day > len(period):
        return [period[-1]] if rule.get("short_month") == "last" else []
    return [period[start.day - 1]]
