"""Cron expressions against a matcher that asks each value of each field, and each day and minute in turn."""

from datetime import date, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.cron_next import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "testing every minute"
RANGES = {
    "minute": range(60),
    "hour": range(24),
    "day": range(1, 32),
    "month": range(1, 13),
    "weekday": range(8),
}
NAMES = {
    "month": {f"{date(2000, n, 1):%b}".lower(): n for n in range(1, 13)},
    "weekday": {f"{date(2000, 1, 2 + n):%a}".lower(): n for n in range(7)},  # 2000-01-02 was a Sunday
}
PIECES = st.sampled_from(["*", "/", "-", ",", "1", "2", "05", "7", "12", "31", "mon", "Feb", "0", "x"])
FIELDS = st.lists(PIECES, min_size=1, max_size=4).map("".join)
PLAIN = st.sampled_from(["*", "*", "1", "5", "7", "0-2", "1-4/2", "3/2", "*/3", "1,6", "2/5,7"])


class FaultyError(Exception):
    """An item that is not allowed."""


def number(text: str, name: str) -> int:
    known = NAMES.get(name, {}).get(text.lower())
    if known is not None:
        return known
    if len(text) not in {1, 2} or any(char not in "0123456789" for char in text):
        raise FaultyError
    if name != "step" and int(text) not in RANGES[name]:
        raise FaultyError
    return int(text)


def fits(value: int, item: str, name: str) -> bool:
    """Whether an item names a value; all of the item is checked in any case."""
    span, slash, stepped = item.partition("/")
    first, dash, last = span.partition("-")
    step = number(stepped, "step") if slash else 1
    if step == 0 or (first == "*" and dash):
        raise FaultyError
    low = RANGES[name][0] if first == "*" else number(first, name)
    high = number(last, name) if dash else low if first != "*" and not slash else RANGES[name][-1]
    if low > high:
        raise FaultyError
    return low <= value <= high and (value - low) % step == 0


def allowed(text: str, name: str) -> list[int]:
    """The values of a field; a weekday of 7 becomes 0."""
    found = set()
    for value in RANGES[name]:
        hits = [fits(value, item, name) for item in text.split(",")]
        if any(hits):
            found.add(value % 7 if name == "weekday" else value)
    return sorted(found)


def explained(expression: str) -> dict[str, Any]:
    texts = list(filter(None, expression.split(" ")))
    if len(texts) != 5:
        return {"code": "wrong_field_count"}
    found: dict[str, Any] = {}
    for name, text in zip(RANGES, texts, strict=True):
        try:
            found[name] = allowed(text, name)
        except FaultyError:
            return {"code": "bad_field", "field": name}
    kinds = {(True, True): "all", (False, True): "day", (True, False): "weekday", (False, False): "either"}
    return {**found, "dates": kinds[texts[2] == "*", texts[4] == "*"]}


def due(plan: dict[str, Any], day: date) -> bool:
    hits = [day.day in plan["day"], (day.weekday() + 1) % 7 in plan["weekday"]]
    return day.month in plan["month"] and (any(hits) if plan["dates"] == "either" else all(hits))


def check_next(args: dict[str, Any]) -> None:
    result, plan = play(FAMILY, "next", args), explained(args["expression"])
    if "code" in plan:
        assert result == plan
        return
    try:
        after = datetime.fromisoformat(args["after"])
        assert after.date().isoformat() == args["after"][:10]  # some Pythons read 24:00 as the next day
    except (ValueError, AssertionError):
        after = datetime.max
    if not 2000 <= after.year <= 2099:
        assert result == {"code": "no_such_time"}
        return
    found: list[str] = []
    day = after.date()
    while day.year < 2100 and len(found) < args.get("count", 1):
        for minute in range(1440) if due(plan, day) else ():
            if minute // 60 in plan["hour"] and minute % 60 in plan["minute"]:
                moment = datetime(day.year, day.month, day.day) + timedelta(minutes=minute)
                found += [f"{moment:%Y-%m-%dT%H:%M}"] * (moment > after)
        day += timedelta(days=1)
    assert result == {"times": found[: args.get("count", 1)]}


@settings(max_examples=60, deadline=None)
@given(st.lists(FIELDS, min_size=5, max_size=5).map(" ".join))
def test_explain_value_by_value(expression: str) -> None:
    assert play(FAMILY, "explain", {"expression": expression}) == explained(expression)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(RANGES)), FIELDS)
def test_one_field_value_by_value(name: str, field: str) -> None:
    expression = " ".join(field if name == other else "1" for other in RANGES)
    assert play(FAMILY, "explain", {"expression": expression}) == explained(expression)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(PLAIN, min_size=5, max_size=5).map(" ".join),
    st.datetimes(datetime(2020, 1, 1), datetime(2024, 12, 31)).map(lambda moment: f"{moment:%Y-%m-%dT%H:%M}"),
    st.integers(1, 5),
)
def test_next_minute_by_minute(expression: str, after: str, count: int) -> None:
    check_next({"expression": expression, "after": after, "count": count})


def test_explain_on_its_own_inputs() -> None:
    for args in of(FAMILY, "explain", 400):
        assert play(FAMILY, "explain", args) == explained(args["expression"])


def test_next_on_its_own_inputs() -> None:
    for args in of(FAMILY, "next", 80):
        check_next(args)
