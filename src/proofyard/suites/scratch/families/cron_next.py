"""Contract, inputs and the golden case of the family `cron-next`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import cron_next as program

__all__ = ["FAMILY"]

NOTES = (
    "An **expression** has five fields, separated by one or more spaces (U+0020); spaces at its ends are ignored. Any "
    "other character, a tab too, is part of a field. The fields are, in this order, `minute` (0 to 59), `hour` (0 to "
    "23), `day` of the month (1 to 31), `month` (1 to 12) and `weekday` (0 to 7, where 0 and 7 both are Sunday, 1 is "
    "Monday).",
    "A **field** is a list of one or more items with commas between. An **item** is one of: `*` (the whole range of "
    "the field); `a` (one value); `a-b` (all values from a to b); or `*/n`, `a-b/n`, `a/n`, which take every n-th "
    "value: from the first one of the field (`*/n`) or from a, and then every n-th up to the end. The end is b for "
    "`a-b/n`, and the greatest value of the field for `*/n` and `a/n`; for `weekday` that is 7, so `1/3` is 1, 4 and "
    "7: Monday, Thursday and Sunday.",
    "The **values** a and b are numbers of one or two ASCII digits (`05` is 5); in `month` also the names `jan` `feb` "
    "`mar` `apr` `may` `jun` `jul` `aug` `sep` `oct` `nov` `dec`, in `weekday` also `sun` (which is 0) `mon` `tue` "
    "`wed` `thu` `fri` `sat`, in any mix of upper and lower case. n is a number of one or two ASCII digits, at least "
    "1; it may be greater than the range. An item of any other form is not allowed, nor a value outside the range of "
    "the field, nor `a-b` with a greater than b: `fri-sun` and `22-2` are faulty, `fri-7` and `5-5` are not.",
    "**Dates.** If both `day` and `weekday` are something else than a lone `*`, a date fits if it fits at least one of "
    "the two; otherwise it must fit both (a lone `*` fits every date). Only `*` itself counts as that: `*/1` and "
    "`1-31` do not. In any case the date must fit `month`.",
    "A **time** is written `YYYY-MM-DDTHH:MM`: exactly four, two, two, two and two ASCII digits with `-`, `-`, `T` and "
    "`:` between, nothing before or after. An argument of another form is `invalid_args`; one of this form that names "
    "no minute of the years 2000 to 2099 (`2023-02-29T10:00`, `2024-01-01T24:00`) is `no_such_time`. There are no time "
    "zones.",
)

EXPRESSION = Param(name="expression", type="string, 1 to 100 code points", text="the expression")
ERRORS = (
    ErrorDoc(code="wrong_field_count", when="the expression has fewer or more than five fields"),
    ErrorDoc(
        code="bad_field",
        when="a field is faulty",
        extra=(("field", "string: the name of the first faulty field, such as `hour`"),),
    ),
)

EXPLAIN = OperationDoc(
    name="explain",
    summary="The values that an expression names.",
    parameters=(EXPRESSION,),
    result='`{"minute": [integer, ...], "hour": [integer, ...], "day": [integer, ...], "month": [integer, ...], '
    '"weekday": [integer, ...], "dates": string}`: all values of each field, ascending and each once, Sunday always as '
    "0; and how dates are chosen: `all` if `day` and `weekday` are both a lone `*`, `day` if only `weekday` is, "
    "`weekday` if only `day` is, `either` if none is.",
    errors=ERRORS,
)

NEXT = OperationDoc(
    name="next",
    summary="The next times at which an expression is due.",
    parameters=(
        EXPRESSION,
        Param(name="after", type="string, a time", text="only later times are wanted, not this one itself"),
        Param(name="count", type="integer, 1 to 20", text="how many times are wanted; default 1", required=False),
    ),
    result='`{"times": [string, ...]}`: the first `count` times after `after` whose minute, hour and date fit, '
    "ascending.",
    errors=(
        *ERRORS,
        ErrorDoc(code="no_such_time", when="`after` has the right form but is no minute of the years 2000 to 2099"),
    ),
    rules=(
        "Times after `2099-12-31T23:59` are not looked for. So there may be fewer than `count` times, or none: `[]`.",
    ),
)

NAMES = {
    "month": ("jan", "FEB", "Mar", "apr", "jun", "jul", "Aug", "oct", "dec"),
    "weekday": ("sun", "Mon", "tue", "wed", "FRI", "sat"),
}
RANGES = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12), "weekday": (0, 7)}


def generate(rng: Random) -> Input:
    """One input of a random operation; the expression is faulty now and then."""
    fields = [_field(rng, name) for name in RANGES]
    if rng.random() < 0.06:
        place = rng.randrange(5)
        fields[place] = rng.choice(("", "60", "1-", "5/0", "x", "9-8", "*-3", "1,,2"))
    expression = (" " * rng.choice((1, 1, 1, 2))).join(fields)
    if rng.random() < 0.4:
        return "explain", {"expression": expression}
    date = f"{rng.randint(2000, 2095)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    args: dict[str, Any] = {
        "expression": expression,
        "after": f"{date}T{rng.randint(0, 23):02}:{rng.randint(0, 59):02}",
    }
    if rng.random() < 0.8:
        args["count"] = rng.randint(2, 7)
    return "next", args


def _field(rng: Random, name: str) -> str:
    if rng.random() < {"minute": 0.1, "hour": 0.2, "day": 0.4, "month": 0.5, "weekday": 0.4}[name]:
        return "*"
    return ",".join(_item(rng, name) for _ in range(rng.choice((1, 1, 2, 3))))


def _item(rng: Random, name: str) -> str:
    low, high = RANGES[name]
    first = rng.randint(low, high)
    last = rng.randint(first, high)
    step = rng.choice((2, 3, 5, 7, 15))
    if name in NAMES and rng.random() < 0.4:
        return rng.choice(NAMES[name])
    return rng.choice(
        (f"{first}", f"{first:02}", f"{first}-{last}", f"{first}-{last}/{step}", f"{first}/{step}", f"*/{step}")
    )


def _explain(expression: str) -> Input:
    return "explain", {"expression": expression}


def _next(expression: str, after: str, **more: Any) -> Input:
    return "next", {"expression": expression, "after": after, **more}


BOUNDARY: tuple[Input, ...] = (
    _next("30 6,18 13 * fri", "2024-09-06T06:30", count=5),
    _explain("* * * * *"),
    _explain("0 0 1 1 0"),
    _explain("59 23 31 12 7"),
    _explain("*/15 */7 */10 */5 */3"),
    _explain("50/3 20/2 29/1 11/1 1/3"),
    _explain("5-20/5 9-17 1-31 3-3 5-7"),
    _explain("1-2/9,07,7,3-4 0,0,00 31,1 DEC,jan-Mar Sun,MON-tue/2"),
    _explain("0 0 * * sun-sat"),
    _explain("0 0 * * fri-7"),
    _explain("0 0 * jan-dec/3 wed"),
    _explain("0 0 * apr,may,jun,jul,aug,sep,oct,nov thu"),
    _explain("0 0 * feb,3 fri,sat"),
    _explain("0 0 */1 * *"),
    _explain("0 0 * * */1"),
    _explain("0 0 1-31 * 0-6"),
    _explain("  0   0 * * *  "),
    _explain("0 0 */99 */12 */7"),
    _explain("5/1 * * * *"),
    _explain("60 * * * *"),
    _explain("* 24 * * *"),
    _explain("* * 0 * *"),
    _explain("* * 32 * *"),
    _explain("* * * 0 *"),
    _explain("* * * 13 *"),
    _explain("* * * * 8"),
    _explain("59-60 * * * *"),
    _explain("* 22-2 * * *"),
    _explain("* * * * fri-sun"),
    _explain("* * * fri *"),
    _explain("* * * * jan"),
    _explain("jan * * * *"),
    _explain("* * L * *"),
    _explain("* * ? * *"),
    _explain("5/0 * * * *"),
    _explain("*/00 * * * *"),
    _explain("*/100 * * * *"),
    _explain("005 * * * *"),
    _explain("-5 * * * *"),
    _explain("5- * * * *"),
    _explain("1-2-3 * * * *"),
    _explain("1/2/3 * * * *"),
    _explain("*/ * * * *"),
    _explain("/5 * * * *"),
    _explain("*-5 * * * *"),
    _explain("** * * * *"),
    _explain("*5 * * * *"),
    _explain("1,,2 * * * *"),
    _explain("1, * * * *"),
    _explain(", * * * *"),
    _explain("*,5 * * * 1,*"),
    _explain("+5 * * * *"),
    _explain("1.0 * * * *"),
    _explain("\u0661 * * * *"),
    _explain("* * * * monday"),
    _explain("* * * * mo"),
    _explain("* * * 13 8"),
    _explain("* x 0 13 8"),
    _explain("* * * *"),
    _explain("* * * * * *"),
    _explain(" "),
    _explain("@daily"),
    _explain("*\t* * * *"),
    _explain("* * * * *\t"),
    _explain("*\u00a0* * * * *"),
    _explain(wide(100)),
    _next(wide(100), "2024-01-01T00:00"),
    _explain("0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 0 1 1 0"),
    _next("* * * * *", "2024-02-28T23:58", count=3),
    _next("* * * * *", "2023-12-31T23:59", count=1),
    _next("0 0 * * *", "2024-03-01T00:00"),
    _next("0 0 * * *", "2024-02-29T23:59"),
    _next("15,45 8 * * *", "2024-03-01T08:15", count=3),
    _next("0 12 29 2 *", "2093-01-01T00:00", count=5),
    _next("0 12 31 * *", "2024-03-31T12:00", count=4),
    _next("0 0 30 2 *", "2024-01-01T00:00", count=2),
    _next("0 0 31 feb,apr,jun,sep,nov *", "2000-01-01T00:00"),
    _next("0 0 30 2 1", "2024-01-01T00:00", count=6),
    _next("0 0 1 * mon", "2024-09-30T00:00", count=6),
    _next("0 0 1 * */1", "2024-09-29T00:00", count=3),
    _next("0 0 */1 * mon", "2024-09-29T00:00", count=3),
    _next("0 0 * * mon", "2024-09-29T00:00", count=3),
    _next("0 0 * 1 0,6", "2024-12-31T00:00", count=3),
    _next("0 0 10 1,3 *", "2024-01-10T00:00", count=3),
    _next("0 0 * * 7", "2024-12-28T12:00", count=2),
    _next("*/20 22-23 * * *", "2024-05-31T22:30", count=8),
    _next("0 0 1 1 *", "2098-01-01T00:01", count=20),
    _next("59 23 31 12 *", "2099-12-31T23:58"),
    _next("* * * * *", "2099-12-31T23:59", count=20),
    _next("0 5 * * *", "2000-01-01T00:00", count=20),
    _next("* * * * *", "2023-02-29T00:00"),
    _next("* * * * *", "2024-01-01T24:00"),
    _next("* * * * *", "2024-01-01T10:60"),
    _next("* * * * *", "1999-12-31T23:59"),
    _next("* * * * *", "2100-01-01T00:00"),
    _next("* * * * 8", "2100-01-01T00:00"),
    _next("* * *", "2023-02-29T00:00"),
)

GOOD: dict[str, Any] = {"expression": "0 0 * * *", "after": "2024-03-05T00:00"}

MALFORMED: tuple[Input, ...] = (
    ("explain", {}),
    ("explain", {"expression": None}),
    ("explain", {"expression": ""}),
    ("explain", {"expression": 5}),
    ("explain", {"expression": ["0", "0", "*", "*", "*"]}),
    ("explain", {"expression": "0 0 * * *" + " " * 92}),
    ("explain", {"expression": wide(101)}),
    ("next", {"expression": "0 0 * * *"}),
    ("next", {"after": "2024-03-05T00:00"}),
    ("next", {**GOOD, "expression": wide(101)}),
    ("next", {**GOOD, "expression": False}),
    ("next", {**GOOD, "after": None}),
    ("next", {**GOOD, "after": 1709596800}),
    ("next", {**GOOD, "after": "2024-03-05"}),
    ("next", {**GOOD, "after": "2024-03-05 00:00"}),
    ("next", {**GOOD, "after": "2024-03-05T00:00:00"}),
    ("next", {**GOOD, "after": "2024-03-05T0:00"}),
    ("next", {**GOOD, "after": "2024-03-05T00:00\n"}),
    ("next", {**GOOD, "expression": "bad", "after": "2024-03-05T00:00Z"}),
    ("next", {**GOOD, "count": 0}),
    ("next", {**GOOD, "count": 21}),
    ("next", {**GOOD, "count": True}),
    ("next", {**GOOD, "count": 2.0}),
    ("next", {**GOOD, "count": None}),
)

FAMILY = Family(
    number=22,
    slug="cron-next",
    category="calendar",
    title="Cron times",
    purpose="Reads cron expressions: tells which values they name and when they are due next.",
    notes=NOTES,
    operations=(EXPLAIN, NEXT),
    program=program,
    # Minutes 10 and 50 (10 + 40), hours 9 and 12. Neither `day` nor `weekday` is `*`, so a date fits by either, in February
    # or March. February 2024 has 29 days and begins on a Thursday: Sundays are 4, 11, 18, 25. After the 25th at 09:10
    # come 09:50, 12:10 and 12:50 of that day, then the 29th by its day. The next dates are Sunday 3 March and so on.
    golden=Case(
        op="next",
        args={"expression": "10/40 9-14/3 29 feb,mar 7", "after": "2024-02-25T09:10", "count": 8},
        expected={
            "times": [
                "2024-02-25T09:50",
                "2024-02-25T12:10",
                "2024-02-25T12:50",
                "2024-02-29T09:10",
                "2024-02-29T09:50",
                "2024-02-29T12:10",
                "2024-02-29T12:50",
                "2024-03-03T09:10",
            ]
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
