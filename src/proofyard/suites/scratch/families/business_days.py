"""Contract, inputs and the golden case of the family `business-days`."""

from datetime import date, timedelta
from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import business_days as program

__all__ = ["FAMILY"]

NOTES = (
    "Dates are of the Gregorian calendar and written `YYYY-MM-DD`: exactly four, two and two ASCII digits with hyphens "
    "between, nothing before or after. An argument of another form is `invalid_args`; one of this form that names no "
    "day of the years 1900 to 2199 (`2023-02-29`, `1899-12-31`) is `no_such_date`. A date in a result may lie outside "
    "these years.",
    "Weekdays are named `monday` to `sunday`, in lower case.",
    "Each day is of one kind. A **weekend day** is one whose weekday is in `weekend`. A **holiday** is a day that is in "
    "`holidays`, or a substitute (see below), and no weekend day. Every other day is a **business day**.",
    "**Substitutes.** If `substitute` is true, each date in `holidays` that is a weekend day gets a substitute: the "
    "first later day that is no weekend day, is not in `holidays`, and is not the substitute of an earlier date. The "
    "dates are dealt with from the earliest to the latest. With Christmas and Boxing Day on a Saturday and a Sunday, "
    "Monday and Tuesday are holidays. A date that is in `holidays` twice counts once.",
)

CALENDAR = (
    Param(
        name="weekend",
        type="array of 0 to 6 strings, names of weekdays",
        text='the weekdays that are weekend; one may occur twice; default `["saturday", "sunday"]`, while `[]` means '
        "that there is no weekend",
        required=False,
    ),
    Param(
        name="holidays",
        type="array of 0 to 60 strings, dates",
        text="days on which no business is done, in any order; default none",
        required=False,
    ),
    Param(
        name="substitute",
        type="boolean",
        text="whether holidays on the weekend get substitutes; default false",
        required=False,
    ),
)
NO_SUCH_DATE = "has the right form but is no date of the years 1900 to 2199"

SHIFT = OperationDoc(
    name="shift",
    summary="Moves a date by a number of business days.",
    parameters=(
        Param(name="date", type="string, a date", text="where to start"),
        Param(name="days", type="integer, -1000 to 1000", text="how many business days to go; may be negative or 0"),
        Param(
            name="roll",
            type="string: `following`, `preceding` or `modified`",
            text="where to go first if `date` is no business day; default `following`",
            required=False,
        ),
        *CALENDAR,
    ),
    result='`{"date": string, "weekday": string, "moved": integer}`: the date reached, its weekday, and the signed '
    "number of calendar days from `date` to it.",
    errors=(ErrorDoc(code="no_such_date", when=f"`date` or an item of `holidays` {NO_SUCH_DATE}"),),
    rules=(
        "First step, only if `date` is no business day: `following` takes the first business day after it, "
        "`preceding` the last one before it, `modified` the same as `following` unless that is in another calendar "
        "month than `date` (another year counts as another month), and then the same as `preceding`.",
        "Second step: from there, go `days` business days forward, or backward if `days` is negative; other days do "
        "not count. So from a Saturday with `days` 1 and `following` one comes to Tuesday: Monday by the first step, "
        "one day on by the second. The direction of the first step does not depend on `days`.",
    ),
)

COUNT = OperationDoc(
    name="count",
    summary="Counts the days of each kind from one date to another.",
    parameters=(
        Param(name="from", type="string, a date", text="the one end"),
        Param(name="to", type="string, a date", text="the other end; it may be the earlier one"),
        *CALENDAR,
    ),
    result='`{"business": integer, "weekend": integer, "holiday": integer, "longest_break": integer}`: how many days '
    "of each kind there are, and the greatest number of days in a row that are no business days, 0 if there are none.",
    errors=(
        ErrorDoc(code="no_such_date", when=f"`from`, `to` or an item of `holidays` {NO_SUCH_DATE}"),
        ErrorDoc(code="too_long", when="`from` and `to` are more than 1000 days apart"),
    ),
    rules=(
        "Both ends are included, and which of them comes first does not matter: equal dates are one day. Days outside "
        "count for nothing, not for `longest_break` either; but a substitute inside counts also if the date it stands "
        "for is outside.",
    ),
)

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def generate(rng: Random) -> Input:
    """One input of a random operation, with holidays near its dates."""
    start = date(1900, 2, 1) + timedelta(days=rng.randint(0, 109000))
    more: dict[str, Any] = {}
    if rng.random() < 0.4:
        more["weekend"] = rng.sample(WEEKDAYS, rng.randint(0, 4))
    if rng.random() < 0.8:
        more["holidays"] = [_date(rng, start, -12, 30) for _ in range(rng.randint(1, 9))]
    if rng.random() < 0.6:
        more["substitute"] = rng.random() < 0.8
    if rng.random() < 0.5:
        if rng.random() < 0.6:
            more["roll"] = rng.choice(("following", "preceding", "modified"))
        return "shift", {"date": _date(rng, start, 0, 6), "days": rng.choice((0, rng.randint(-25, 25))), **more}
    span = rng.choice((1001, 40, 40, 40, 400))
    return "count", {"from": start.isoformat(), "to": _date(rng, start, -span if span > 40 else 0, span), **more}


def _date(rng: Random, start: date, low: int, high: int) -> str:
    day = start + timedelta(days=rng.randint(low, high))
    if rng.random() < 0.01:
        return f"{day.year}-{rng.choice(('02-30', '04-31', '13-01', '00-10'))}"
    return day.isoformat()


def _daily(start: str, step: int, many: int) -> list[str]:
    return [(date.fromisoformat(start) + timedelta(days=step * i)).isoformat() for i in range(many)]


CHRISTMAS = ["2021-12-25", "2021-12-26"]
SIX = list(WEEKDAYS[:6])

BOUNDARY: tuple[Input, ...] = (
    ("count", {"from": "2021-12-24", "to": "2021-12-31", "holidays": CHRISTMAS, "substitute": True}),
    ("shift", {"date": "2024-03-16", "days": 1}),
    ("shift", {"date": "2024-03-15", "days": 0}),
    ("shift", {"date": "2024-03-16", "days": 0}),
    ("shift", {"date": "2024-03-16", "days": 0, "roll": "preceding"}),
    ("shift", {"date": "2024-03-16", "days": 0, "roll": "modified"}),
    ("shift", {"date": "2024-03-30", "days": 0, "roll": "modified"}),
    ("shift", {"date": "2024-03-30", "days": 2, "roll": "modified"}),
    ("shift", {"date": "2024-03-30", "days": 0, "roll": "following"}),
    ("shift", {"date": "2024-03-16", "days": -1}),
    ("shift", {"date": "2024-03-17", "days": -1, "roll": "preceding"}),
    ("shift", {"date": "2024-03-17", "days": 1, "roll": "preceding"}),
    ("shift", {"date": "2024-03-15", "days": 5, "roll": "preceding"}),
    ("shift", {"date": "2024-03-15", "days": -5, "holidays": ["2024-03-08", "2024-03-09", "2024-03-08"]}),
    ("shift", {"date": "2021-12-24", "days": 1, "holidays": CHRISTMAS, "substitute": True}),
    ("shift", {"date": "2021-12-24", "days": 1, "holidays": CHRISTMAS, "substitute": False}),
    ("shift", {"date": "2021-12-24", "days": 1, "holidays": CHRISTMAS}),
    ("shift", {"date": "2021-12-28", "days": 0, "holidays": CHRISTMAS[::-1], "substitute": True}),
    ("shift", {"date": "2024-02-29", "days": 1, "weekend": []}),
    ("shift", {"date": "2024-02-29", "days": -1, "weekend": ["friday", "friday"]}),
    ("shift", {"date": "2024-03-01", "days": 1, "weekend": ["friday", "saturday"]}),
    ("shift", {"date": "2024-01-07", "days": 0, "weekend": SIX, "roll": "modified"}),
    ("shift", {"date": "2024-01-08", "days": 1000, "weekend": SIX}),
    ("shift", {"date": "2024-01-08", "days": -1000, "weekend": SIX}),
    ("shift", {"date": "2024-01-01", "days": 1000}),
    (
        "shift",
        {
            "date": "2023-01-01",
            "days": 0,
            "weekend": SIX,
            "holidays": _daily("2023-01-01", 7, 53),
            "roll": "modified",
        },
    ),
    ("shift", {"date": "1900-01-01", "days": -1}),
    ("shift", {"date": "2199-12-31", "days": 1}),
    ("shift", {"date": "1899-12-31", "days": 1}),
    ("shift", {"date": "2200-01-01", "days": 1}),
    ("shift", {"date": "1900-02-29", "days": 0}),
    ("shift", {"date": "2000-02-29", "days": 0, "holidays": ["2000-03-01", "2000-02-30"]}),
    ("shift", {"date": "2024-06-00", "days": 0}),
    ("count", {"from": "2024-03-16", "to": "2024-03-16"}),
    ("count", {"from": "2024-03-15", "to": "2024-03-15"}),
    ("count", {"from": "2024-03-15", "to": "2024-03-18"}),
    ("count", {"from": "2024-03-18", "to": "2024-03-15"}),
    ("count", {"from": "2024-03-11", "to": "2024-03-24", "holidays": ["2024-03-18", "2024-03-23", "2024-03-18"]}),
    ("count", {"from": "2024-03-11", "to": "2024-03-15", "holidays": ["2024-03-09"], "substitute": True}),
    ("count", {"from": "2024-03-11", "to": "2024-03-15", "holidays": ["2024-03-16"], "substitute": True}),
    ("count", {"from": "2024-03-25", "to": "2024-04-05", "weekend": [], "holidays": ["2024-03-31"]}),
    (
        "count",
        {
            "from": "2024-03-04",
            "to": "2024-03-24",
            "weekend": ["sunday", "wednesday"],
            "holidays": ["2024-03-17", "2024-03-06", "2024-03-10", "2024-03-07", "2024-03-18"],
            "substitute": True,
        },
    ),
    ("count", {"from": "2024-03-13", "to": "2024-03-17", "holidays": ["2024-03-15", "2024-03-14"]}),
    ("count", {"from": "2020-01-01", "to": "2022-09-27"}),
    ("count", {"from": "2020-01-01", "to": "2022-09-28"}),
    ("count", {"from": "2022-09-28", "to": "2020-01-01"}),
    ("count", {"from": "2024-01-01", "to": "2099-01-01", "holidays": ["2024-13-01"]}),
    ("count", {"from": "2024-01-01", "to": "2023-02-29"}),
    (
        "count",
        {
            "from": "2023-12-31",
            "to": "2024-12-31",
            "weekend": SIX,
            "holidays": _daily("2024-01-01", 3, 60),
            "substitute": True,
        },
    ),
)

GOOD: dict[str, Any] = {"date": "2024-03-15", "days": 1}
SPAN: dict[str, Any] = {"from": "2024-03-15", "to": "2024-03-20"}

MALFORMED: tuple[Input, ...] = (
    ("shift", {"days": 1}),
    ("shift", {"date": "2024-03-15"}),
    ("shift", {**GOOD, "date": 20240315}),
    ("shift", {**GOOD, "date": "2024-3-15"}),
    ("shift", {**GOOD, "date": "20240315"}),
    ("shift", {**GOOD, "date": "2024-03-15 "}),
    ("shift", {**GOOD, "date": "2024-03-15\n"}),
    ("shift", {**GOOD, "date": "\u0662\u0660\u0662\u0663-\u0660\u0661-\u0660\u0661"}),
    ("shift", {**GOOD, "days": 1001}),
    ("shift", {**GOOD, "days": -1001}),
    ("shift", {**GOOD, "days": True}),
    ("shift", {**GOOD, "days": 1.0}),
    ("shift", {**GOOD, "days": "1"}),
    ("shift", {**GOOD, "roll": "modified_following"}),
    ("shift", {**GOOD, "roll": None}),
    ("shift", {**GOOD, "weekend": "sunday"}),
    ("shift", {**GOOD, "weekend": ["Sunday"]}),
    ("shift", {**GOOD, "weekend": [6]}),
    ("shift", {**GOOD, "weekend": ["sunday"] * 7}),
    ("shift", {**GOOD, "holidays": "2024-03-18"}),
    ("shift", {**GOOD, "holidays": ["2024-03-18"] * 61}),
    ("shift", {**GOOD, "date": "2024-02-30", "holidays": ["2024-03-18", "18.03.2024"]}),
    ("shift", {**GOOD, "substitute": "true"}),
    ("shift", {**GOOD, "substitute": 1}),
    ("count", {"from": "2024-03-15"}),
    ("count", {"to": "2024-03-15"}),
    ("count", {**SPAN, "from": None}),
    ("count", {**SPAN, "to": "2024-03-20T00:00"}),
    ("count", {**SPAN, "weekend": {}}),
    ("count", {**SPAN, "weekend": ["sun"]}),
    ("count", {**SPAN, "holidays": [None]}),
    ("count", {**SPAN, "substitute": None}),
)

FAMILY = Family(
    number=19,
    slug="business-days",
    category="calendar",
    title="Business days",
    purpose="Reckons with business days: moves a date by so many of them and counts them between two dates, with "
    "weekends and holidays of the caller's choice.",
    notes=NOTES,
    operations=(SHIFT, COUNT),
    program=program,
    # May 2022 ends on a Tuesday. The 28th is a Saturday, so its substitute is Monday 30; Tuesday 31 is a holiday itself.
    # From Sunday 29 the next business day is Wednesday June 1, another month, so `modified` goes back to Friday 27. Two
    # days on from there: June 1, June 2, a Thursday: 4 days after May 29.
    golden=Case(
        op="shift",
        args={
            "date": "2022-05-29",
            "days": 2,
            "roll": "modified",
            "holidays": ["2022-05-31", "2022-05-28"],
            "substitute": True,
        },
        expected={"date": "2022-06-02", "weekday": "thursday", "moved": 4},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
