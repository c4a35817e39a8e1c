"""Cron expressions: every writing of every value of a field stands in a table, and times are compared as texts."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import date, datetime
from itertools import islice, product
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

Test = Callable[[Any], bool]

_FIELDS = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12), "weekday": (0, 7)}
_WORDS = {
    "month": ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    "weekday": ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
}


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


def _keys(needed: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    """Objects with all needed keys, where these and the optional ones are right."""
    tests = needed | (optional or {})
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in needed)
        and all(test(value[name]) for name, test in tests.items() if name in value)
    )


_NEEDED: dict[str, dict[str, Test]] = {
    "explain": {"expression": _text(100)},
    "next": {"expression": _text(100), "after": _form("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")},
}
_OPTIONAL: dict[str, dict[str, Test]] = {"explain": {}, "next": {"count": _integer(1, 20)}}

OPS: dict[str, tuple[str, ...]] = {op: (*_NEEDED[op], *_OPTIONAL[op]) for op in _NEEDED}


def _numbers(least: int, most: int) -> dict[str, int]:
    """All ways to write the numbers of a range with one or two digits."""
    return {text: value for value in range(least, most + 1) for text in (f"{value}", f"{value:02}")}


_STEPS = _numbers(1, 99)
_VALUES = {
    name: _numbers(*bounds) | {word: at for at, word in enumerate(_WORDS.get(name, []), bounds[0])}
    for name, bounds in _FIELDS.items()
}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_NEEDED[op], _OPTIONAL[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    texts = [text for text in args["expression"].split(" ") if text]
    if len(texts) != len(_FIELDS):
        raise Refused("wrong_field_count")
    fields = {name: _field(name, text) for name, text in zip(_FIELDS, texts, strict=True)}
    lone = (texts[2] == "*", texts[4] == "*")
    if op == "explain":
        dates = {(True, True): "all", (False, True): "day", (True, False): "weekday", (False, False): "either"}
        return fields | {"dates": dates[lone]}
    after = args["after"]
    try:
        year = datetime(*map(int, re.split("[-T:]", after))).year  # type: ignore[arg-type]
    except ValueError:
        raise Refused("no_such_time") from None
    if not 2000 <= year <= 2099:
        raise Refused("no_such_time")
    days = (day for day in _dates(fields, any(lone), year) if day >= after[:10])
    clocks = [f"T{hour:02}:{minute:02}" for hour, minute in product(fields["hour"], fields["minute"])]
    due = (day + clock for day in days for clock in clocks if day + clock > after)
    return {"times": list(islice(due, args.get("count", 1)))}


def _field(name: str, text: str) -> list[int]:
    """The values that a field names."""
    try:
        found = {value for item in text.split(",") for value in _item(name, item.lower())}
    except KeyError:
        raise Refused("bad_field", field=name) from None
    return sorted({value % 7 for value in found} if name == "weekday" else found)


def _item(name: str, item: str) -> range:
    """The values that an item names; KeyError if it is faulty."""
    values, (least, most) = _VALUES[name], _FIELDS[name]
    base, slash, step = item.partition("/")
    first, dash, last = base.partition("-")
    if base == "*":
        start, end = least, most
    else:
        start = values[first]
        end = values[last] if dash else most if slash else start
    if end < start:
        raise KeyError(item)
    return range(start, end + 1, _STEPS[step] if slash else 1)


def _dates(fields: dict[str, list[int]], both: bool, year: int) -> Iterator[str]:
    """All dates that fit, from the beginning of a year to 2099."""
    for year_at, month in product(range(year, 2100), fields["month"]):
        for day in range(1, monthrange(year_at, month)[1] + 1):
            fits = (day in fields["day"], date(year_at, month, day).isoweekday() % 7 in fields["weekday"])
            if all(fits) if both else any(fits):
                yield f"{year_at}-{month:02}-{day:02}"
