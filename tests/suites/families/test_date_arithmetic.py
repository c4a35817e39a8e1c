"""Date arithmetic against python-dateutil and counting day by day."""

import calendar
import contextlib
from datetime import date, timedelta
from typing import Any

from dateutil.relativedelta import relativedelta
from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.date_arithmetic import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "python-dateutil, and counting day by day"

NAMES = [name.lower() for name in calendar.day_name]
DATES = st.dates() | st.sampled_from(
    [date(2024, 2, 29), date(2023, 1, 31), date(1900, 2, 28), date(9999, 12, 31), date(1, 1, 1)]
)


def moved(args: dict[str, Any]) -> Any:
    try:
        start = date.fromisoformat(args["date"])
    except ValueError:
        return {"code": "no_such_date"}
    total = 12 * args.get("years", 0) + args.get("months", 0)
    years, months = (abs(total) // 12, abs(total) % 12) if total >= 0 else (-(abs(total) // 12), -(abs(total) % 12))
    try:
        landed = start + relativedelta(years=years, months=months)
    except (ValueError, OverflowError):
        return {"code": "out_of_range"}
    missing = start.day - landed.day
    if missing and args.get("month_end") == "reject":
        return {"code": "no_such_day"}
    if args.get("month_end") == "roll":
        landed += timedelta(days=missing)
    with contextlib.suppress(OverflowError):
        end = landed + timedelta(days=args.get("days", 0))
        return {"date": end.isoformat(), "weekday": NAMES[end.weekday()], "moved": end.toordinal() - start.toordinal()}
    return {"code": "out_of_range"}


@given(
    DATES.map(str),
    st.fixed_dictionaries(
        {},
        optional={
            "years": st.integers(-50, 50) | st.integers(-10000, 10000),
            "months": st.integers(-50, 50) | st.integers(-120000, 120000),
            "days": st.integers(-500, 500) | st.integers(-4000000, 4000000),
            "month_end": st.sampled_from(["clamp", "roll", "reject"]),
        },
    ),
)
def test_add_against_dateutil(start: str, more: dict[str, Any]) -> None:
    args = {"date": start, **more}
    assert play(FAMILY, "add", args) == moved(args)


def test_add_on_its_own_inputs() -> None:
    for args in of(FAMILY, "add", 400):
        assert play(FAMILY, "add", args) == moved(args)


@given(DATES, DATES)
def test_between_against_dateutil(start: date, end: date) -> None:
    result = play(FAMILY, "between", {"from": str(start), "to": str(end)})
    early, late = sorted([start, end])
    gap = relativedelta(late, early)
    assert (result["years"], result["months"], result["rest"]) == (gap.years, gap.months, gap.days)
    assert result["days"] == end.toordinal() - start.toordinal()


@given(DATES, st.integers(-400, 400))
def test_weekdays_are_counted_one_by_one(start: date, days: int) -> None:
    ordinal = min(max(start.toordinal() + days, 1), date.max.toordinal())
    result = play(FAMILY, "between", {"from": str(start), "to": str(date.fromordinal(ordinal))})
    early, late = sorted([start.toordinal(), ordinal])
    assert result["weekdays"] == sum(1 for day in range(early, late) if date.fromordinal(day).weekday() < 5)


@given(DATES)
def test_describe_against_the_calendar_module(day: date) -> None:
    result = play(FAMILY, "describe", {"date": str(day)})
    same = [week[day.weekday()] for week in calendar.monthcalendar(day.year, day.month) if week[day.weekday()]]
    assert result == {
        "weekday": NAMES[day.weekday()],
        "day_of_year": day.timetuple().tm_yday,
        "leap_year": calendar.isleap(day.year),
        "days_in_month": calendar.monthrange(day.year, day.month)[1],
        "nth_weekday": same.index(day.day) + 1,
        "last_weekday": day.day == same[-1],
    }


@given(st.integers(0, 10000), st.integers(0, 14), st.integers(0, 33))
def test_only_days_of_the_calendar_exist(year: int, month: int, day: int) -> None:
    text = f"{year:04}-{month:02}-{day:02}"
    if len(text) > 10:
        return
    exists = 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
    assert (play(FAMILY, "describe", {"date": text}) != {"code": "no_such_date"}) == exists
