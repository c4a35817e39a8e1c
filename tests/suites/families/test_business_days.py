"""Business days against numpy's functions for them; substitutes are found by counting up day by day."""

from datetime import date
from itertools import count as numbers
from itertools import groupby
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.business_days import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "numpy's business days"
NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
DAYS = st.dates(date(2023, 1, 1), date(2023, 3, 31)).map(str)
CALENDARS = st.fixed_dictionaries(
    {},
    optional={
        "weekend": st.lists(st.sampled_from(NAMES), max_size=6),
        "holidays": st.lists(DAYS, max_size=12),
        "substitute": st.booleans(),
    },
)


def exists(text: str) -> bool:
    try:
        return 1900 <= date.fromisoformat(text).year <= 2199
    except ValueError:
        return False


def calendar(args: dict[str, Any]) -> np.busdaycalendar:
    """Weekends and holidays, the substitutes among them."""
    weekend = args.get("weekend", NAMES[5:])
    mask = [name not in weekend for name in NAMES]
    taken = {np.datetime64(text) for text in args.get("holidays", [])}
    if args.get("substitute"):
        for day in sorted(taken):
            if not np.is_busday(day, weekmask=mask):
                taken.add(next(d for n in numbers(1) if np.is_busday(d := day + n, weekmask=mask) and d not in taken))
    return np.busdaycalendar(weekmask=mask, holidays=sorted(taken))


def check_shift(args: dict[str, Any]) -> None:
    result = play(FAMILY, "shift", args)
    if not all(map(exists, [args["date"], *args.get("holidays", [])])):
        assert result == {"code": "no_such_date"}
        return
    own, roll = calendar(args), args.get("roll", "following")
    if roll == "modified":  # numpy's own compares the months alone, not the years
        after = np.busday_offset(args["date"], 0, roll="following", busdaycal=own)
        same = after.astype("datetime64[M]") == np.datetime64(args["date"], "M")
        roll = "following" if same else "preceding"
    there = np.busday_offset(args["date"], args["days"], roll=roll, busdaycal=own).item()
    moved = there.toordinal() - date.fromisoformat(args["date"]).toordinal()
    assert result == {"date": str(there), "weekday": f"{there:%A}".lower(), "moved": moved}


def check_count(args: dict[str, Any]) -> None:
    result = play(FAMILY, "count", args)
    if not all(map(exists, [args["from"], args["to"], *args.get("holidays", [])])):
        assert result == {"code": "no_such_date"}
        return
    low, high = sorted(map(date.fromisoformat, (args["from"], args["to"])))
    days = np.arange(np.datetime64(low), np.datetime64(high) + 1)
    if len(days) > 1001:
        assert result == {"code": "too_long"}
        return
    own = calendar(args)
    weekend = int(sum(~np.is_busday(days, weekmask=own.weekmask)))
    business = int(np.busday_count(days[0], days[-1] + 1, busdaycal=own))
    runs = [len(list(run)) for busy, run in groupby(np.is_busday(days, busdaycal=own).tolist()) if not busy]
    assert result == {
        "business": business,
        "weekend": weekend,
        "holiday": len(days) - business - weekend,
        "longest_break": max(runs, default=0),
    }


@settings(max_examples=60, deadline=None)
@given(DAYS, st.integers(-30, 30), st.sampled_from(["following", "preceding", "modified"]), CALENDARS)
def test_shift_against_numpy(day: str, days: int, roll: str, more: dict[str, Any]) -> None:
    check_shift({"date": day, "days": days, "roll": roll, **more})


@settings(max_examples=60, deadline=None)
@given(DAYS, DAYS, CALENDARS)
def test_count_against_numpy(start: str, end: str, more: dict[str, Any]) -> None:
    check_count({"from": start, "to": end, **more})


def test_shift_on_its_own_inputs() -> None:
    for args in of(FAMILY, "shift", 400):
        check_shift(args)


def test_count_on_its_own_inputs() -> None:
    for args in of(FAMILY, "count", 400):
        check_count(args)
