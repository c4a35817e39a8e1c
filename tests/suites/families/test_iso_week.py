"""ISO weeks against a list of all Thursdays, numbered within their years and months."""

from collections import Counter
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.iso_week import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a list of all Thursdays"
FIRST = date(1891, 1, 1)  # a Thursday
THURSDAYS = [FIRST + timedelta(days=7 * n) for n in range(17000)]
WEEKS: list[str] = []
"""The weeks of all Thursdays, as they are written."""
OF_MONTH: list[int] = []
for _, in_year in groupby(THURSDAYS, key=lambda day: day.year):
    WEEKS += [f"{day.year}-W{n:02}" for n, day in enumerate(in_year, start=1)]
for _, in_month in groupby(THURSDAYS, key=lambda day: (day.year, day.month)):
    OF_MONTH += [n for n, _ in enumerate(in_month, start=1)]
LENGTHS = Counter(week[:4] for week in WEEKS)
PLACES = {week: place for place, week in enumerate(WEEKS)}
KNOWN = [week for week in WEEKS if 1900 <= int(week[:4]) <= 2199]
LONG = [week for week in KNOWN if week.endswith("53")]


def monday(place: int) -> date:
    return THURSDAYS[place] - timedelta(days=3)


def check_week_of(text: str) -> None:
    result = play(FAMILY, "week_of", {"date": text})
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.max
    if not 1900 <= day.year <= 2199:
        assert result == {"code": "no_such_date"}
        return
    place = (day - monday(0)).days // 7
    assert result == {
        "week": WEEKS[place],
        "weekday": (day - monday(place)).days + 1,
        "weeks_in_year": LENGTHS[WEEKS[place][:4]],
        "month": f"{THURSDAYS[place]:%Y-%m}",
        "week_of_month": OF_MONTH[place],
    }


def read(text: str) -> dict[str, Any]:
    """What `parse` has to give, by undoing each form."""
    digits = "".join("0" if char in "0123456789" else char for char in text)
    forms = {"0000-W00": (8, 0), "0000-W00-0": (8, 9), "0000W00": (7, 0), "0000W000": (7, 7)}
    if digits not in forms:
        return {"code": "bad_form"}
    length, at = forms[digits]
    week = f"{text[:4]}-W{text[length - 2 : length]}"
    if week not in KNOWN:
        return {"code": "no_such_week"}
    start = monday(PLACES[week])
    if not at:
        return {"week": week, "start": str(start), "end": str(start + timedelta(days=6))}
    if text[at] not in "1234567":
        return {"code": "no_such_day"}
    day = str(start + timedelta(days="1234567".index(text[at])))
    return {"week": week, "start": day, "end": day}


def moved(args: dict[str, Any]) -> dict[str, Any]:
    week, missing = args["week"], args.get("missing", "last")
    if week not in KNOWN:
        return {"code": "no_such_week"}
    there = f"{int(week[:4]) + args.get('years', 0)}{week[4:]}"
    if not 1900 <= int(there[:4]) <= 2199:
        return {"code": "out_of_range"}
    if there in PLACES:
        place = PLACES[there]
    elif missing == "reject":
        return {"code": "no_such_week"}
    else:
        place = PLACES[there[:4] + "-W52"] + (missing == "next")
    place += args.get("weeks", 0)
    if not PLACES[KNOWN[0]] <= place <= PLACES[KNOWN[-1]]:
        return {"code": "out_of_range"}
    return {"week": WEEKS[place], "start": str(monday(place)), "moved": place - PLACES[week]}


@settings(max_examples=100, deadline=None)
@given(st.dates(date(1900, 1, 1), date(2199, 12, 31)))
def test_week_of_any_date(day: date) -> None:
    check_week_of(str(day))


def test_week_of_on_its_own_inputs() -> None:
    for args in of(FAMILY, "week_of", 400):
        check_week_of(args["date"])


@settings(max_examples=100, deadline=None)
@given(
    st.text("0127W-w8", max_size=9)
    | st.builds("{}{}{}".format, st.sampled_from(KNOWN), st.sampled_from(["", "-"]), st.sampled_from(["", *"0123789"]))
)
def test_parse_any_text(text: str) -> None:
    for tried in (text, text.replace("-", "")):
        if tried:
            assert play(FAMILY, "parse", {"text": tried}) == read(tried)


def test_parse_on_its_own_inputs() -> None:
    for args in of(FAMILY, "parse", 400):
        assert play(FAMILY, "parse", args) == read(args["text"])


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(KNOWN) | st.sampled_from(LONG),
    st.integers(-300, 300) | st.integers(-12, 12),
    st.integers(-20000, 20000) | st.integers(-60, 60),
    st.sampled_from(["last", "next", "reject"]),
)
def test_shift_by_counting_thursdays(week: str, years: int, weeks: int, missing: str) -> None:
    args = {"week": week, "years": years, "weeks": weeks, "missing": missing}
    assert play(FAMILY, "shift", args) == moved(args)


def test_shift_on_its_own_inputs() -> None:
    for args in of(FAMILY, "shift", 400):
        assert play(FAMILY, "shift", args) == moved(args)
