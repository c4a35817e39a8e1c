"""Contract, inputs and the golden case of the family `interval-merge`."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import interval_merge as program

__all__ = ["FAMILY"]

NOTES = (
    "A **time** is written `YYYY-MM-DDTHH:MM`: exactly four, two, two, two and two ASCII digits with `-`, `-`, `T` and "
    "`:` between, nothing before or after. An argument of another form is `invalid_args`; one of this form that names "
    "no minute of the years 2000 to 2099 (`2023-02-29T10:00`, `2024-01-01T24:00`, `1999-12-31T23:59`) is "
    "`no_such_time`. There are no time zones; each day has 1440 minutes.",
    "An **interval** holds the minutes from `start` up to but not including `end`. An interval whose `end` is its "
    "`start` is **empty**: it is allowed, and once its times have been checked everything is as if it were not in the "
    "list. Intervals come in any order and may overlap or be equal.",
    "Two intervals **touch** if one ends at the time at which the other starts. All lists of results are in order of "
    "time.",
)

INTERVALS = Param(
    name="intervals",
    type='array of 0 to 60 objects `{"start": string, "end": string}`, both times',
    text="the intervals; other keys are ignored",
)
NO_SUCH_TIME = "has the right form but is no minute of the years 2000 to 2099"
BAD_INTERVAL = ErrorDoc(
    code="bad_interval",
    when="an interval has an `end` before its `start`",
    extra=(("index", "integer: the place of the first such interval in `intervals`, counted from 0, empty ones too"),),
)
OF_LIST = (ErrorDoc(code="no_such_time", when=f"any `start` or `end` {NO_SUCH_TIME}"), BAD_INTERVAL)

MERGE = OperationDoc(
    name="merge",
    summary="Joins intervals that overlap, touch or nearly touch.",
    parameters=(
        INTERVALS,
        Param(
            name="gap",
            type="integer, 0 to 1440",
            text="intervals are also joined over a gap of at most so many minutes; default 0",
            required=False,
        ),
    ),
    result='`{"intervals": [{"start": string, "end": string, "count": integer}, ...], "covered": integer, "total": '
    "integer}`: the joined intervals, each with the number of given ones that it is made of; how many minutes are in "
    "at least one given interval; and the sum of the lengths of all given intervals in minutes.",
    errors=OF_LIST,
    rules=(
        "Two neighbouring intervals are joined if from the end of the one (the latest end of those already joined) to "
        "the start of the other there are at most `gap` minutes; touching ones are always joined. The minutes of gaps "
        "that are bridged are not `covered`.",
    ),
)

PEAK = OperationDoc(
    name="peak",
    summary="When most intervals are at the same time.",
    parameters=(INTERVALS,),
    result='`{"peak": integer, "spans": [{"start": string, "end": string}, ...]}`: the greatest number of intervals '
    "that share a minute, and all spans of time in which it is reached.",
    errors=OF_LIST,
    rules=(
        "A span is as long as possible: it goes on where one interval ends and another starts at the same time, so "
        "that spans never touch. Without any interval that is not empty `peak` is 0 and `spans` is `[]`.",
    ),
)

FREE = OperationDoc(
    name="free",
    summary="The slots of a window of time that no interval takes.",
    parameters=(
        INTERVALS,
        Param(name="from", type="string, a time", text="where the window starts"),
        Param(name="to", type="string, a time", text="where the window ends"),
        Param(name="minutes", type="integer, 1 to 1440", text="shorter slots are left out"),
        Param(
            name="buffer",
            type="integer, 0 to 240",
            text="minutes that stay free before and after each interval; default 0",
            required=False,
        ),
        Param(
            name="align",
            type="integer, 1 to 60",
            text="slots start only every so many minutes, counted from `from`; default 1",
            required=False,
        ),
    ),
    result='`{"slots": [{"start": string, "end": string, "minutes": integer}, ...], "longest": integer}`: each slot '
    "with its length in minutes, and the length of the longest one, 0 if there is none.",
    errors=(
        ErrorDoc(code="no_such_time", when=f"`from`, `to`, any `start` or any `end` {NO_SUCH_TIME}"),
        BAD_INTERVAL,
        ErrorDoc(code="bad_window", when="`to` is not after `from`"),
    ),
    rules=(
        "First each interval (not an empty one) starts `buffer` minutes earlier and ends `buffer` minutes later. A "
        "slot is a stretch of the window, as long as possible, without any minute of these. The ends of the window "
        "need no buffer of their own, but an interval outside the window may reach into it with its buffer.",
        "Then, if the start of a slot is not a whole multiple of `align` minutes after `from`, it is moved to the next "
        "such time; the end stays. Slots of which fewer than `minutes` minutes are left are dropped.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation; many times fall together."""
    op = rng.choice(("merge", "merge", "peak", "free", "free"))
    start = datetime(2000, 1, 2) + timedelta(minutes=rng.randint(0, 52_000_000))
    grid = rng.choice((1, 5, 15, 30))
    span = rng.choice((20, 40, 90))
    args: dict[str, Any] = {"intervals": [_interval(rng, start, grid, span) for _ in range(rng.randint(2, 9))]}
    if op == "merge" and rng.random() < 0.6:
        args["gap"] = grid * rng.randint(0, 3) + rng.choice((-1, 0, 0, 0, 1)) * (grid > 1)
        args["gap"] = max(args["gap"], 0)
    if op == "free":
        args["from"] = _time(rng, start + timedelta(minutes=grid * rng.randint(-2, 10)))
        args["to"] = _time(rng, start + timedelta(minutes=grid * (span + rng.randint(-12, 2))))
        args["minutes"] = rng.randint(1, 3 * grid)
        if rng.random() < 0.6:
            args["buffer"] = rng.choice((1, 5, 10))
        if rng.random() < 0.6:
            args["align"] = rng.choice((2, 7, 15, 30))
    return op, args


def _interval(rng: Random, start: datetime, grid: int, span: int) -> dict[str, Any]:
    first = rng.randint(0, span)
    last = first + rng.choice((0, 1, 2, 3, 5, 8, 8, -1 if rng.random() < 0.03 else 4))
    return {
        "start": _time(rng, start + timedelta(minutes=grid * first)),
        "end": _time(rng, start + timedelta(minutes=grid * last)),
    }


def _time(rng: Random, moment: datetime) -> str:
    if rng.random() < 0.004:
        return f"{moment:%Y-%m-%d}T24:00"
    return moment.isoformat(timespec="minutes")


def _list(text: str, day: str = "2024-03-05") -> list[dict[str, Any]]:
    """Intervals of one day from a short text: `09:00-10:00 09:30-11:00`."""
    pairs = (item.split("-") for item in text.split())
    return [{"start": f"{day}T{start}", "end": f"{day}T{end}"} for start, end in pairs]


def _merge(text: str, **more: Any) -> Input:
    return "merge", {"intervals": _list(text), **more}


def _peak(text: str) -> Input:
    return "peak", {"intervals": _list(text)}


def _free(text: str, start: str = "09:00", end: str = "17:00", minutes: int = 1, **more: Any) -> Input:
    window = {"from": f"2024-03-05T{start}", "to": f"2024-03-05T{end}"}
    return "free", {"intervals": _list(text), **window, "minutes": minutes, **more}


MANY = " ".join(f"{i // 5:02}:{(i * 7) % 60:02}-{12 + i // 6:02}:{(i * 11) % 60:02}" for i in range(60))
LONG = [
    {"start": "2000-01-01T00:00", "end": "2099-12-31T23:59"},
    {"start": "2024-02-29T23:59", "end": "2024-03-01T00:00"},
]
MIDNIGHT = [
    {"start": "2023-12-31T23:00", "end": "2024-01-01T00:30"},
    {"start": "2024-01-01T00:40", "end": "2024-01-01T02:00"},
]

BOUNDARY: tuple[Input, ...] = (
    _free("10:00-11:00 10:30-12:10 16:00-16:50", buffer=5, align=30, minutes=30),
    _merge(""),
    _merge("09:00-09:00"),
    _merge("09:00-10:00 10:00-11:00"),
    _merge("09:00-10:00 10:01-11:00"),
    _merge("09:00-10:00 10:01-11:00", gap=1),
    _merge("09:00-10:00 10:15-11:00 11:16-12:00", gap=15),
    _merge("10:15-11:00 09:00-10:00 09:10-09:20 10:10-10:10", gap=15),
    _merge("09:00-12:00 09:30-10:00 12:10-13:00", gap=9),
    _merge("09:00-12:00 09:30-10:00 12:10-13:00", gap=10),
    _merge("09:00-10:00 09:00-10:00 09:00-11:00 09:00-09:00"),
    _merge("13:00-14:00 08:00-09:00 10:00-11:00", gap=0),
    _merge("09:00-10:00 12:00-13:00 10:30-10:30", gap=60),
    _merge("00:00-23:59", gap=1440),
    _merge(MANY, gap=3),
    ("merge", {"intervals": LONG}),
    ("merge", {"intervals": MIDNIGHT, "gap": 10}),
    ("merge", {"intervals": [*_list("09:00-10:00", "2024-03-04"), *_list("09:00-10:00")], "gap": 1380}),
    ("merge", {"intervals": [*_list("09:00-10:00", "2024-03-04"), *_list("09:00-10:00")], "gap": 1379}),
    _merge("09:00-10:00 12:00-11:00 14:00-13:00"),
    _merge("12:00-11:59 09:00-10:00"),
    _merge("12:00-11:00 09:00-24:00"),
    _merge("09:00-09:60"),
    ("merge", {"intervals": _list("09:00-10:00", "2023-02-29")}),
    ("merge", {"intervals": _list("09:00-10:00", "1999-12-31")}),
    ("merge", {"intervals": _list("09:00-10:00", "2100-01-01")}),
    ("merge", {"intervals": _list("00:00-23:59", "2000-02-29")}),
    _peak(""),
    _peak("09:00-09:00 10:00-10:00"),
    _peak("09:00-10:00"),
    _peak("09:00-10:00 10:00-11:00"),
    _peak("09:00-11:00 10:00-12:00 11:00-13:00"),
    _peak("09:00-11:00 10:00-12:00 11:01-13:00"),
    _peak("09:00-18:00 10:00-11:00 12:00-13:00 13:00-13:00 11:30-11:30"),
    _peak("10:00-11:00 10:00-11:00 08:00-09:00 08:00-09:00"),
    _peak("08:00-10:00 09:00-09:30 09:30-10:00 08:00-09:00"),
    _peak(MANY),
    ("peak", {"intervals": LONG}),
    _peak("09:00-10:00 10:00-09:00"),
    _peak("09:00-10:00 10:00-25:00"),
    _free(""),
    _free("", end="09:30", minutes=30),
    _free("10:00-11:00", minutes=61, buffer=0, align=1),
    _free("", end="09:30", minutes=31),
    _free("08:00-18:00"),
    _free("09:00-17:00"),
    _free("07:00-08:00 18:00-19:00"),
    _free("07:00-08:55 17:05-19:00", buffer=10),
    _free("12:00-12:00", buffer=30),
    _free("10:00-11:00 11:20-12:00", buffer=10),
    _free("10:00-11:00 11:21-12:00", buffer=10),
    _free("08:00-09:30 09:40-09:50 16:00-18:00", minutes=10),
    _free("08:00-09:30 09:40-09:50 16:00-18:00", minutes=11),
    _free("09:05-10:07 10:20-11:00 11:14-12:00", start="09:00", align=15),
    _free("09:05-10:07 10:20-11:00 11:14-12:00", start="09:07", align=15, buffer=1),
    _free("10:00-11:00", start="08:50", align=60, minutes=60),
    _free("10:00-10:02 10:02-10:04", start="09:00", end="10:06", align=7),
    _free("09:30-10:00 12:00-13:00 09:00-11:30", end="12:30", minutes=1),
    _free("08:00-08:30", start="09:00", end="09:10", buffer=240),
    _free(MANY, start="00:00", end="23:59", minutes=2, buffer=1, align=2),
    (
        "free",
        {"intervals": LONG[1:], "from": "2000-01-01T00:00", "to": "2099-12-31T23:59", "minutes": 1440, "align": 60},
    ),
    ("free", {"intervals": MIDNIGHT, "from": "2023-12-31T00:00", "to": "2024-01-02T00:00", "minutes": 11, "align": 50}),
    _free("10:00-11:00", start="09:00", end="09:00"),
    _free("10:00-11:00", start="09:01", end="09:00"),
    _free("11:00-10:00", start="09:00", end="09:00"),
    _free("11:00-10:00", start="09:00", end="24:00"),
    _free("11:00-12:60", start="09:00", end="09:00"),
)

PAIR = _list("09:00-10:00")
WINDOW: dict[str, Any] = {"intervals": PAIR, "from": "2024-03-05T08:00", "to": "2024-03-05T12:00", "minutes": 10}

MALFORMED: tuple[Input, ...] = (
    ("merge", {}),
    ("merge", {"intervals": None}),
    ("merge", {"intervals": PAIR[0]}),
    ("merge", {"intervals": [["2024-03-05T09:00", "2024-03-05T10:00"]]}),
    ("merge", {"intervals": [{"start": "2024-03-05T09:00"}]}),
    ("merge", {"intervals": [{"end": "2024-03-05T09:00"}]}),
    ("merge", {"intervals": _list("09:00-10:00", "2024-3-05")}),
    ("merge", {"intervals": _list("09:00-10:00Z")}),
    ("merge", {"intervals": _list("09:00-10:00:00")}),
    ("merge", {"intervals": [{"start": "2024-03-05 09:00", "end": "2024-03-05T10:00"}]}),
    ("merge", {"intervals": [{"start": "2024-03-05t09:00", "end": "2024-03-05T10:00"}]}),
    ("merge", {"intervals": [{"start": "2024-03-05T09:00\n", "end": "2024-03-05T10:00"}]}),
    ("merge", {"intervals": [{"start": 540, "end": 600}]}),
    ("merge", {"intervals": [*_list("11:00-10:00"), {"start": "2024-03-05T09:00", "end": None}]}),
    ("merge", {"intervals": PAIR * 61}),
    ("merge", {"intervals": PAIR, "gap": -1}),
    ("merge", {"intervals": PAIR, "gap": 1441}),
    ("merge", {"intervals": PAIR, "gap": True}),
    ("merge", {"intervals": PAIR, "gap": 1.0}),
    ("merge", {"intervals": PAIR, "gap": None}),
    ("peak", {}),
    ("peak", {"intervals": "2024-03-05T09:00"}),
    ("peak", {"intervals": [{"start": "2024-03-05T09:00", "end": "24:00"}]}),
    ("peak", {"intervals": PAIR * 61}),
    *(("free", {name: value for name, value in WINDOW.items() if name != left_out}) for left_out in WINDOW),
    ("free", {**WINDOW, "from": "08:00"}),
    ("free", {**WINDOW, "to": ["2024-03-05T12:00"]}),
    ("free", {**WINDOW, "minutes": 0}),
    ("free", {**WINDOW, "minutes": 1441}),
    ("free", {**WINDOW, "minutes": True}),
    ("free", {**WINDOW, "buffer": -1}),
    ("free", {**WINDOW, "buffer": 241}),
    ("free", {**WINDOW, "buffer": "5"}),
    ("free", {**WINDOW, "align": 0}),
    ("free", {**WINDOW, "align": 61}),
    ("free", {**WINDOW, "align": False}),
)

FAMILY = Family(
    number=21,
    slug="interval-merge",
    category="calendar",
    title="Interval merging",
    purpose="Works with intervals of time to the minute: joins them, finds when most of them are at the same time, and "
    "finds the slots that none of them takes.",
    notes=NOTES,
    operations=(MERGE, PEAK, FREE),
    program=program,
    # In order: 08:00-09:30, 09:00-09:20, 09:45-10:00, 10:16-11:00, and an empty one. 09:20 is before 09:30, so the end
    # stays 09:30; from there 15 minutes to 09:45 are bridged; from 10:00 to 10:16 are 16, too many. Covered: 90 + 15 + 44
    # = 149; total: 20 more.
    golden=Case(
        op="merge",
        args={"intervals": _list("10:16-11:00 09:00-09:20 08:00-09:30 10:05-10:05 09:45-10:00"), "gap": 15},
        expected={
            "intervals": [
                {"start": "2024-03-05T08:00", "end": "2024-03-05T10:00", "count": 3},
                {"start": "2024-03-05T10:16", "end": "2024-03-05T11:00", "count": 1},
            ],
            "covered": 149,
            "total": 169,
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
