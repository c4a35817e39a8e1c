"""Contract, inputs and the golden case of the family `recurrence`."""

from datetime import date, timedelta
from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import recurrence as program

__all__ = ["FAMILY"]

NOTES = (
    "Dates are of the Gregorian calendar and written `YYYY-MM-DD`: exactly four, two and two ASCII digits with hyphens "
    "between, nothing before or after. An argument of another form is `invalid_args`; one of this form that names no "
    "day of the years 2000 to 2099 (`2023-02-29`, `1999-12-31`) is `no_such_date`.",
    "A **rule** is an object with these keys; `start` and `every` are needed, all others may be left out, and unknown "
    "keys are ignored: `start`, a date; `every`, one of `day`, `week`, `month`, `year`; `interval`, integer, 1 to 100, "
    "default 1; `weekdays`, array of 1 to 7 strings from `monday` to `sunday` in any order, where one may occur twice; "
    "`nth`, integer, -5 to 5, default 0; `short_month`, `skip` or `last`, default `skip`; `count`, integer, 1 to 60, "
    "default 60; `until`, a date, default `2099-12-31`; `except`, array of 0 to 20 dates, default none.",
    "**Periods.** A period is one day, one week (Monday to Sunday) or, for `month` and for `year`, one month. The "
    "first period is the one that holds `start`; each further one comes `interval` days, weeks, months or years after "
    "the one before. So `year` always means the month of `start`, in every `interval`-th year.",
    "**Days of a period.** With `weekdays`: all its days that fall on one of them. An `nth` other than 0 then keeps "
    "one of these days, counted in order of date, whatever their weekdays: 1 is the first, -1 the last; a period with "
    "too few has none. So `nth` -1 with the weekdays Monday to Friday is the last working day of the month. Without "
    "`weekdays`: for `day` that day; for `week` the day with the weekday of `start`; for `month` and `year` the day of "
    "the month that `start` has, and in a month without it no day (`short_month` is `skip`) or the last day of the "
    "month (`last`); nothing else depends on `short_month`.",
    "**Occurrences** are the days of all periods in order of date, without those before `start` or after `until` "
    "(both ends may be occurrences), at most the first `count` of them. Days before `start` do count for `nth`: it is "
    "settled in the whole month. `start` is no occurrence unless the rule names it.",
    "**Exceptions.** Occurrences that are in `except` are left out of the result, but they have been counted: `count` "
    "3 with one of the three excepted gives two dates. A date in `except` that is no occurrence changes nothing.",
)

NO_SUCH_DATE = "`start`, `until` or an item of `except` has the right form but is no date of the years 2000 to 2099"
BAD_RULE = "`nth` is not 0, but `every` is `day` or `week`, or there are no `weekdays`"

EXPAND = OperationDoc(
    name="expand",
    summary="The dates of one rule.",
    parameters=(Param(name="rule", type="object, a rule as defined above", text="the rule"),),
    result='`{"dates": [string, ...], "left_out": integer, "ended_by": string}`: the occurrences in order without the '
    "exceptions; how many occurrences were left out because they are exceptions; and `count` if there are `count` "
    "occurrences, exceptions included, otherwise `until`.",
    errors=(ErrorDoc(code="no_such_date", when=NO_SUCH_DATE), ErrorDoc(code="bad_rule", when=BAD_RULE)),
    rules=("An `until` before `start` is allowed: there are no occurrences then.",),
)

AGENDA = OperationDoc(
    name="agenda",
    summary="The dates of several rules in one list.",
    parameters=(
        Param(
            name="rules",
            type='array of 1 to 4 objects `{"name": string, "rule": object}`',
            text="rules as defined above with their names; `name` has 1 to 30 code points; other keys are ignored",
        ),
    ),
    result='`{"days": [{"date": string, "names": [string, ...]}, ...], "clashes": integer}`: each date that `expand` '
    "gives for any of the rules, in order of date, with the names of all rules that have it; and the number of dates "
    "with more than one name.",
    errors=(ErrorDoc(code="no_such_date", when=NO_SUCH_DATE), ErrorDoc(code="bad_rule", when=BAD_RULE)),
    error_order="the rules are checked in turn, and the first faulty one decides, with `no_such_date` before "
    "`bad_rule` within one rule",
    rules=(
        "The names of a date stand in the order of `rules`. Several rules may have the same name: it occurs once at a "
        "date, at its first place.",
    ),
)

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NAMES = ("rent", "Sport", "sport", "choir", "Müll", "会議")


def generate(rng: Random) -> Input:
    """One input of a random operation; ends of months are frequent."""
    if rng.random() < 0.65:
        return "expand", {"rule": _rule(rng, _start(rng), 9)}
    start = _start(rng)
    near = [start + timedelta(days=rng.randint(0, 9)) for _ in range(rng.randint(2, 3))]
    return "agenda", {"rules": [{"name": rng.choice(NAMES), "rule": _rule(rng, day, 5)} for day in near]}


def _start(rng: Random) -> date:
    first = date(rng.randint(2000, 2096), rng.randint(1, 12), 1)
    return first + timedelta(days=rng.choice((rng.randint(0, 30), rng.randint(26, 30))))


def _rule(rng: Random, start: date, most: int) -> dict[str, Any]:
    every = rng.choice(("day", "week", "week", "month", "month", "month", "year"))
    rule: dict[str, Any] = {"start": start.isoformat(), "every": every, "count": rng.randint(1, most)}
    if rng.random() < 0.7:
        rule["interval"] = rng.randint(1, 6)
    if rng.random() < 0.5:
        rule["weekdays"] = rng.sample(WEEKDAYS, rng.randint(1, 4))
        if every in {"month", "year"} and rng.random() < 0.8:
            rule["nth"] = rng.choice((-5, -2, -1, 1, 2, 4, 5))
    elif rng.random() < 0.4:
        rule["short_month"] = rng.choice(("last", "last", "skip"))
    if rng.random() < 0.04:
        rule["nth"] = 1
    length = {"day": 6, "week": 50, "month": 300, "year": 3000}[every]
    if rng.random() < 0.5:
        rule["until"] = (min(start + timedelta(days=rng.randint(0, length)), date(2099, 12, 31))).isoformat()
    if rng.random() < 0.4:
        rule["except"] = [(start + timedelta(days=rng.randint(0, 14))).isoformat() for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.02:
        rule["start"] = f"{start.year}-02-30"
    return rule


def _expand(start: str, every: str, **more: Any) -> Input:
    return "expand", {"rule": _plain(start, every, **more)}


def _plain(start: str, every: str, **more: Any) -> dict[str, Any]:
    more = {name.rstrip("_"): value for name, value in more.items()}
    return {"start": start, "every": every, **more}


def _agenda(*rules: tuple[str, dict[str, Any]]) -> Input:
    return "agenda", {"rules": [{"name": name, "rule": rule} for name, rule in rules]}


WORK = list(WEEKDAYS[:5])

BOUNDARY: tuple[Input, ...] = (
    _expand("2024-01-31", "month", weekdays=WORK, nth=-1, count=3),
    _expand("2024-01-31", "month", count=4),
    _expand("2024-01-31", "month", count=4, short_month="skip"),
    _expand("2024-01-31", "month", count=4, short_month="last"),
    _expand("2024-02-29", "month", count=3, short_month="last"),
    _expand("2024-02-29", "year", count=2),
    _expand("2024-02-29", "year", count=5, short_month="last"),
    _expand("2092-02-29", "year", interval=4),
    _expand("2023-02-28", "year", count=2, short_month="last"),
    _expand("2024-05-31", "month", interval=18, count=3, short_month="last"),
    _expand("2024-12-15", "month", count=2),
    _expand("2024-11-30", "month", interval=3, until="2026-11-30"),
    _expand("2024-03-06", "week", count=3),
    _expand("2024-03-06", "week", weekdays=["tuesday", "sunday"], interval=2, count=4),
    _expand("2024-03-06", "week", weekdays=["wednesday", "monday", "wednesday"], interval=2, until="2024-03-20"),
    _expand("2024-03-06", "week", weekdays=["wednesday"], until="2024-03-12"),
    _expand("2024-03-10", "week", weekdays=["monday"], interval=2, count=2),
    _expand("2024-03-04", "week", interval=2, until="2024-03-18"),
    _expand("2024-03-06", "day", interval=10, count=3),
    _expand("2024-03-06", "day", weekdays=["friday", "saturday"], count=3),
    _expand("2024-03-06", "day", interval=2, weekdays=["friday", "saturday"], count=3),
    _expand("2098-01-01", "day", interval=7, weekdays=["friday"]),
    _expand("2024-01-01", "day", until="2024-01-01"),
    _expand("2024-01-02", "day", until="2024-01-01"),
    _expand("2024-01-02", "week", weekdays=["monday"], until="2024-01-07"),
    _expand("2024-01-01", "day"),
    _expand("2024-01-01", "day", until="2024-02-28"),
    _expand("2024-01-01", "day", until="2024-03-01"),
    _expand("2024-01-01", "day", count=3, until="2024-01-03"),
    _expand("2024-01-01", "day", count=4, until="2024-01-03"),
    _expand("2024-01-01", "day", count=3, except_=["2024-01-02", "2024-01-02", "2024-01-04"]),
    _expand("2024-01-01", "day", count=1, except_=["2024-01-01"]),
    _expand("2024-01-15", "month", weekdays=["monday"], nth=1, count=2),
    _expand("2024-01-15", "month", weekdays=["monday"], nth=3, count=2),
    _expand("2024-01-15", "month", weekdays=["monday", "tuesday"], nth=-1, count=2),
    _expand("2024-01-15", "month", weekdays=["monday"], nth=5, count=3),
    _expand("2024-01-15", "month", weekdays=["monday"], nth=-5, count=3),
    _expand("2024-01-15", "month", weekdays=["saturday", "wednesday"], nth=4, count=3),
    _expand("2024-01-15", "month", weekdays=["saturday", "friday"], interval=2, count=10),
    _expand("2024-02-10", "year", weekdays=["thursday"], nth=5),
    _expand("2024-02-10", "year", weekdays=["thursday"], interval=9, count=7),
    _expand("2001-02-10", "year", weekdays=["thursday"], nth=5, interval=4),
    _expand("2024-11-01", "year", weekdays=["thursday"], nth=4, count=3, until="2026-11-26"),
    _expand("2000-01-01", "year", interval=100),
    _expand("2099-12-31", "month"),
    _expand("2099-12-31", "day", interval=100),
    _expand("2000-02-29", "week", interval=100, until="2099-12-31"),
    _expand("2024-03-06", "week", weekdays=WORK, nth=1),
    _expand("2024-03-06", "day", weekdays=WORK, nth=1),
    _expand("2024-03-06", "day", nth=0, count=2),
    _expand("2024-03-06", "month", weekdays=["sunday"], nth=0, count=5),
    _expand("2024-03-06", "week", weekdays=list(WEEKDAYS), count=60, except_=["2024-03-06"] * 19 + ["2024-05-04"]),
    _expand("2024-03-06", "month", nth=1),
    _expand("2024-03-06", "year", nth=-1),
    _expand("2023-02-29", "day", nth=1),
    _expand("2023-02-28", "day", until="2100-01-01", nth=1),
    _expand("2023-02-28", "day", except_=["2024-02-29", "2024-02-31"]),
    _expand("1999-12-31", "day"),
    _agenda(
        ("a", _plain("2024-03-01", "day", interval=3, count=4)),
        ("b", _plain("2024-03-04", "day", interval=2, count=4)),
        ("a", _plain("2024-03-10", "day", count=2, except_=["2024-03-11"])),
        ("0", _plain("2024-03-01", "week", until="2024-03-15")),
    ),
    _agenda(("a", _plain("2024-03-02", "day", count=2)), ("a", _plain("2024-03-01", "day", count=2))),
    _agenda(("late", _plain("2024-03-09", "day", count=1)), ("early", _plain("2024-03-01", "day", until="2024-02-01"))),
    _agenda((wide(30), _plain("2024-03-01", "day", count=1)), ("é" * 30, _plain("2024-03-01", "day", count=1))),
    _agenda(("a", _plain("2024-03-01", "day", until="2024-01-01"))),
    _agenda(("a", _plain("2024-03-01", "day", nth=1)), ("b", _plain("2024-02-30", "day"))),
    _agenda(("a", _plain("2024-02-30", "day")), ("b", _plain("2024-03-01", "day", nth=1))),
    _agenda(("a", _plain("2024-02-30", "day", nth=1))),
    _agenda(*[(name, _plain("2024-03-01", "day")) for name in ("a", "b", "c", "d")]),
)

RULE = _plain("2024-03-06", "week", count=2)


def _bad(**changes: Any) -> Input:
    return "expand", {"rule": {**RULE, **{name.rstrip("_"): value for name, value in changes.items()}}}


MALFORMED: tuple[Input, ...] = (
    ("expand", {}),
    ("expand", {"rule": "weekly"}),
    ("expand", {"rule": [RULE]}),
    ("expand", {"rule": {"every": "day"}}),
    ("expand", {"rule": {"start": "2024-03-06"}}),
    ("expand", {"start": "2024-03-06", "every": "day"}),
    _bad(start=None),
    _bad(start="2024-3-6"),
    _bad(start="2024-02-30\n"),
    _bad(every="days"),
    _bad(every="Week"),
    _bad(interval=0),
    _bad(interval=101),
    _bad(interval=True),
    _bad(interval=1.0),
    _bad(weekdays=[]),
    _bad(weekdays="monday"),
    _bad(weekdays=["mon"]),
    _bad(weekdays=["monday"] * 8),
    _bad(nth=6),
    _bad(nth=-6),
    _bad(nth=True),
    _bad(nth=None),
    _bad(short_month="clamp"),
    _bad(count=0),
    _bad(count=61),
    _bad(count="3"),
    _bad(until=20240401),
    _bad(until=None),
    _bad(except_="2024-03-06"),
    _bad(except_=["2024-03-06", None]),
    _bad(except_=["2024-03-06"] * 21),
    ("agenda", {"rules": []}),
    ("agenda", {"rules": {"name": "a", "rule": RULE}}),
    ("agenda", {"rules": [{"name": "a", "rule": RULE}] * 5}),
    ("agenda", {"rules": [{"rule": RULE}]}),
    ("agenda", {"rules": [{"name": "a"}]}),
    ("agenda", {"rules": [{"name": "", "rule": RULE}]}),
    ("agenda", {"rules": [{"name": wide(31), "rule": RULE}]}),
    ("agenda", {"rules": [{"name": "a", "rule": {**RULE, "start": "2024-02-30"}}, {"name": "b", "rule": {}}]}),
)

FAMILY = Family(
    number=20,
    slug="recurrence",
    category="calendar",
    title="Recurrence rules",
    purpose="Expands rules of recurrence (every second Tuesday, the last working day of each month) into dates, and "
    "puts several rules into one agenda.",
    notes=NOTES,
    operations=(EXPAND, AGENDA),
    program=program,
    # 2024-05-15 is a Wednesday, so the first week is May 13 to 19: Monday 13 is before the start, Thursday 16 counts. Two
    # weeks on: Monday 27 and Thursday 30; then Monday June 10, the fourth and last. The exception May 27 was counted.
    golden=Case(
        op="expand",
        args={
            "rule": {
                "start": "2024-05-15",
                "every": "week",
                "interval": 2,
                "weekdays": ["thursday", "monday"],
                "count": 4,
                "except": ["2024-05-27", "2024-05-20"],
            }
        },
        expected={"dates": ["2024-05-16", "2024-05-30", "2024-06-10"], "left_out": 1, "ended_by": "count"},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
