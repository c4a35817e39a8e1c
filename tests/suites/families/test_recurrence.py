"""Recurrence against python-dateutil's rrule."""

from datetime import date, datetime, time
from itertools import islice
from typing import Any

from dateutil import rrule
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.recurrence import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "dateutil's rrule"
NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
FREQUENCY = {"day": rrule.DAILY, "week": rrule.WEEKLY, "month": rrule.MONTHLY, "year": rrule.YEARLY}
DATES = st.dates(date(2023, 12, 20), date(2024, 6, 30)).map(str)
RULES = st.fixed_dictionaries(
    {"start": DATES, "every": st.sampled_from(sorted(FREQUENCY)), "count": st.integers(1, 12)},
    optional={
        "interval": st.integers(1, 5),
        "weekdays": st.lists(st.sampled_from(NAMES), min_size=1, max_size=7),
        "nth": st.sampled_from(range(-5, 6)),
        "short_month": st.sampled_from(["skip", "last"]),
        "until": st.dates(date(2024, 1, 1), date(2027, 12, 31)).map(str),
        "except": st.lists(DATES, max_size=8),
    },
)


def exists(text: str) -> bool:
    try:
        return 2000 <= date.fromisoformat(text).year <= 2099
    except ValueError:
        return False


def expanded(rule: dict[str, Any]) -> dict[str, Any]:
    """What `expand` has to give, by dateutil."""
    until = rule.get("until", "2099-12-31")
    if not all(map(exists, [rule["start"], until, *rule.get("except", [])])):
        return {"code": "no_such_date"}
    nth = rule.get("nth")
    if nth and not ("weekdays" in rule and rule["every"] in {"month", "year"}):
        return {"code": "bad_rule"}
    start = datetime.combine(date.fromisoformat(rule["start"]), time())
    more: dict[str, Any] = {}
    if "weekdays" in rule and rule["every"] != "day":
        more["byweekday"] = [NAMES.index(name) for name in rule["weekdays"]]
        more["bysetpos"] = nth or None
    elif rule["every"] in {"month", "year"}:
        last = rule.get("short_month") == "last"
        more["bymonthday"] = range(min(28, start.day), start.day + 1) if last else start.day
        more["bysetpos"] = -1
    if rule["every"] == "year":
        more["bymonth"] = start.month
    made = rrule.rrule(
        FREQUENCY[rule["every"]],
        dtstart=start,
        interval=rule.get("interval", 1),
        wkst=rrule.MO,
        until=datetime.combine(date.fromisoformat(until), time()),
        **more,
    )
    most = rule.get("count", 60)
    # A rule of days may never hit its weekdays, and dateutil would seek to the year 9999: choose afterwards.
    fitting = (m for m in made if rule["every"] != "day" or NAMES[m.weekday()] in rule.get("weekdays", NAMES))
    found = [str(moment.date()) for moment in islice(fitting, most)]
    dates = [day for day in found if day not in rule.get("except", [])]
    ended_by = "count" if len(found) == most else "until"
    return {"dates": dates, "left_out": len(found) - len(dates), "ended_by": ended_by}


@settings(max_examples=100, deadline=None)
@given(RULES)
def test_expand_against_dateutil(rule: dict[str, Any]) -> None:
    if "weekdays" not in rule or rule["every"] in {"day", "week"}:
        rule.pop("nth", None)
    assert play(FAMILY, "expand", {"rule": rule}) == expanded(rule)


def test_expand_on_its_own_inputs() -> None:
    for args in of(FAMILY, "expand", 300):
        assert play(FAMILY, "expand", args) == expanded(args["rule"])


def test_agenda_on_its_own_inputs() -> None:
    for args in of(FAMILY, "agenda", 300):
        result = play(FAMILY, "agenda", args)
        each = [(item["name"], expanded(item["rule"])) for item in args["rules"]]
        if failed := [own for _, own in each if "code" in own]:
            assert result == failed[0]
            continue
        days = sorted({day for _, own in each for day in own["dates"]})
        names = {day: list(dict.fromkeys(name for name, own in each if day in own["dates"])) for day in days}
        assert result["days"] == [{"date": day, "names": names[day]} for day in days]
        assert result["clashes"] == len([day for day in days if names[day][1:]])
