"""Contract, inputs and the golden case of the family `statistics`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import statistics as program

__all__ = ["FAMILY"]

NOTES = (
    "All values are integers and all arithmetic is exact: nothing is rounded but results.",
    "A result **in thousandths** is 1000 times the exact value, rounded to the nearest integer; an exact half goes away "
    "from zero: 1/16 is 62.5 thousandths and becomes 63, -1/16 becomes -63.",
)

VALUES = Param(
    name="values", type="array of 0 to 100 integers, each -1000000 to 1000000", text="the values, in any order"
)

DESCRIBE = OperationDoc(
    name="describe",
    summary="Sum, mean, modes and spread.",
    parameters=(
        VALUES,
        Param(
            name="kind",
            type="string: `sample` or `population`",
            text="what the variance is divided by, see below; default `sample`",
            required=False,
        ),
    ),
    result='`{"count": integer, "sum": integer, "mean": integer, "modes": [integer, ...], "variance": integer, '
    '"deviation": integer}`: mean, variance and deviation in thousandths.',
    errors=(
        ErrorDoc(
            code="too_few_values", when="there are less than 2 values with the kind `sample`, or none with `population`"
        ),
    ),
    rules=(
        "`modes` holds the values that occur most often, each once, ascending: if no value occurs twice, all of them.",
        "The variance is the sum of the squares of (value - mean), divided by the number of values for a `population` and "
        "by one less for a `sample`. `deviation` is the square root of the exact variance, not of the rounded one.",
    ),
)

QUANTILES = OperationDoc(
    name="quantiles",
    summary="Values at given percentages of the way through the ordered values.",
    parameters=(
        VALUES,
        Param(name="percents", type="array of 1 to 10 integers, each 0 to 100", text="the percentages"),
        Param(name="method", type="string: `nearest`, `linear` or `hazen`", text="how a quantile is taken, see below"),
    ),
    result='`{"quantiles": [integer, ...]}`: one for each of `percents`, in their order, in thousandths.',
    errors=(ErrorDoc(code="too_few_values", when="there is no value"),),
    rules=(
        "Let v(0) <= v(1) <= ... <= v(n-1) be the n values in order and p the percentage.",
        "`nearest`: v(k-1), where k is p·n/100 rounded up to an integer, but at least 1.",
        "`linear` and `hazen` take a position t and interpolate: with i the integer part of t, the quantile is "
        "v(i) + (t - i)·(v(i+1) - v(i)), and v(n-1) if t is n-1. For `linear` t = (n-1)·p/100. For `hazen` "
        "t = n·p/100 - 1/2, but 0 if that is negative and n-1 if it is greater than n-1.",
    ),
)

RANKS = OperationDoc(
    name="ranks",
    summary="The rank of each value among all.",
    parameters=(
        VALUES,
        Param(
            name="ties",
            type="string: `first`, `low`, `dense` or `average`",
            text="how equal values are ranked, see below",
        ),
        Param(
            name="order",
            type="string: `ascending` or `descending`",
            text="whether the least or the greatest value has rank 1; default `ascending`",
            required=False,
        ),
    ),
    result='`{"doubled": [integer, ...], "tied": [integer, ...]}`: two times the rank of each value, in the order of '
    "`values`; and the values that occur more than once, each once, ascending (whatever `order` is). Both are `[]` "
    "without values.",
    rules=(
        "Say a value comes before another if it is less than it, or greater with `descending`. Its rank is with `low` 1 "
        "plus the number of values that come before it; with `dense` 1 plus the number of different values that come "
        "before it; with `first` as `low`, plus the number of equal values at earlier places of `values` (earlier also "
        "with `descending`); with `average` the mean of the ranks that `first` gives to all values equal to it.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("describe", "quantiles", "ranks"))
    args: dict[str, Any] = {"values": _values(rng)}
    if op == "describe":
        if rng.random() < 0.1:
            args["values"] = args["values"][:1]
        if rng.random() < 0.7:
            args["kind"] = rng.choice(("sample", "population"))
    elif op == "quantiles":
        args["percents"] = [rng.choice((0, 25, 50, 75, 100, rng.randint(0, 100))) for _ in range(rng.randint(2, 6))]
        args["method"] = rng.choice(("nearest", "linear", "hazen"))
    else:
        args["ties"] = rng.choice(("first", "low", "dense", "average"))
        if rng.random() < 0.6:
            args["order"] = rng.choice(("ascending", "descending"))
    return op, args


def _values(rng: Random) -> list[int]:
    """Some values from a narrow range, so that there are ties, and some from a wide one."""
    around = rng.randint(-1000, 1000)
    most = rng.choice((3, 20, 100000))
    return [rng.choice((around + rng.randint(-most, most), rng.randint(-50, 50))) for _ in range(rng.randint(5, 24))]


def _describe(*values: int, **more: str) -> Input:
    return "describe", {"values": list(values), **more}


def _quantiles(method: str, percents: list[int], *values: int) -> Input:
    return "quantiles", {"values": list(values), "percents": percents, "method": method}


def _ranks(ties: str, *values: int, **more: str) -> Input:
    return "ranks", {"values": list(values), "ties": ties, **more}


TIED = (30, 10, 20, 30, 10, 30)
MANY = tuple((37 * i) % 101 - 50 for i in range(100))

BOUNDARY: tuple[Input, ...] = (
    _quantiles("hazen", [0, 25, 50, 90, 100], 40, 10, 30, 20),
    _describe(),
    _describe(kind="population"),
    _describe(5),
    _describe(5, kind="sample"),
    _describe(-5, kind="population"),
    _describe(5, 5),
    _describe(1, 2),
    _describe(1, 2, kind="population"),
    _describe(-1, -2, kind="sample"),
    _describe(*[0] * 15, 1),
    _describe(*[0] * 15, -1),
    _describe(*[0] * 15, 1, kind="population"),
    _describe(3, 1, 2),
    _describe(3, 1, 3, 1, 2, -7),
    _describe(1, 2, 4, kind="population"),
    _describe(1, 2, 4),
    _describe(0, 0, 1),
    _describe(-3, 0, 0, 0),
    _describe(*[1000000, -1000000] * 50),
    _describe(*MANY),
    _describe(0, 1, 3, 1),
    _quantiles("nearest", [50]),
    _quantiles("linear", [50]),
    _quantiles("hazen", [0, 100]),
    _quantiles("nearest", [0, 1, 50, 99, 100], 7),
    _quantiles("linear", [0, 1, 50, 99, 100], -7),
    _quantiles("hazen", [0, 1, 50, 99, 100], 7),
    _quantiles("nearest", [0, 25, 26, 50, 51, 75, 76, 100], 40, 10, 30, 20),
    _quantiles("linear", [0, 25, 33, 34, 50, 75, 99, 100], 40, 10, 30, 20),
    _quantiles("hazen", [12, 13, 37, 38, 62, 63, 87, 88], 40, 10, 30, 20),
    _quantiles("hazen", [1, 9, 10, 11, 89, 90, 91, 99], 5, -4, 3, -2, 1),
    _quantiles("nearest", [20, 21, 80, 79, 20], 5, -4, 3, -2, 1),
    _quantiles("linear", [50, 10, 50], 1, 2),
    _quantiles("linear", [7, 29, 71, 93], 3, 3, 3, 9, 9),
    _quantiles("linear", [1, 2, 3], 0, -1000000, 1000000),
    _quantiles("linear", [25, 75], 0, 1, 1),
    _quantiles("hazen", [17, 29, 58], *MANY[:9]),
    _quantiles("nearest", [0, 7, 14, 28, 29, 57, 58, 93, 99, 100], *MANY),
    _quantiles("hazen", [0, 7, 14, 28, 29, 57, 58, 93, 99, 100], *MANY),
    _quantiles("linear", [1], -1, -2, 0),
    _quantiles("nearest", [98, 99, 100], *MANY[1:]),
    _ranks("first"),
    _ranks("dense", order="descending"),
    _ranks("average", -5),
    _ranks("first", *TIED),
    _ranks("low", *TIED),
    _ranks("dense", *TIED),
    _ranks("average", *TIED),
    _ranks("first", *TIED, order="descending"),
    _ranks("low", *TIED, order="descending"),
    _ranks("dense", *TIED, order="descending"),
    _ranks("average", *TIED, order="descending"),
    _ranks("average", 4, 4, 4, 4, order="ascending"),
    _ranks("low", 0, -1, 1, 0, -1, order="ascending"),
    _ranks("dense", 1000000, -1000000, 0),
    _ranks("dense", *MANY),
)

GOOD = {"values": [1, 2, 3]}
HALF = {**GOOD, "percents": [50], "method": "linear"}

MALFORMED: tuple[Input, ...] = (
    ("describe", {}),
    ("describe", {"values": None}),
    ("describe", {"values": "1,2"}),
    ("describe", {"values": [1, 2.0]}),
    ("describe", {"values": [True, 2]}),
    ("describe", {"values": [1, "2"]}),
    ("describe", {"values": [1000001, 1]}),
    ("describe", {"values": [-1000001, 1]}),
    ("describe", {"values": [1] * 101}),
    ("describe", {**GOOD, "kind": "Sample"}),
    ("describe", {**GOOD, "kind": None}),
    ("describe", {"values": [], "kind": "all"}),
    ("quantiles", {"percents": [50], "method": "linear"}),
    ("quantiles", {**GOOD, "method": "linear"}),
    ("quantiles", {**GOOD, "percents": [50]}),
    ("quantiles", {**HALF, "percents": []}),
    ("quantiles", {**HALF, "percents": [50] * 11}),
    ("quantiles", {**HALF, "percents": 50}),
    ("quantiles", {**HALF, "percents": [0, -1]}),
    ("quantiles", {**HALF, "percents": [101]}),
    ("quantiles", {**HALF, "percents": [False]}),
    ("quantiles", {**HALF, "percents": [0.5]}),
    ("quantiles", {**HALF, "method": "median"}),
    ("quantiles", {**HALF, "method": ["linear"]}),
    ("quantiles", {**HALF, "values": [], "method": ""}),
    ("ranks", {"ties": "low"}),
    ("ranks", GOOD),
    ("ranks", {**GOOD, "ties": "min"}),
    ("ranks", {**GOOD, "ties": None}),
    ("ranks", {**GOOD, "ties": "low", "order": "desc"}),
    ("ranks", {**GOOD, "ties": "low", "order": True}),
    ("ranks", {"values": [1, None], "ties": "low"}),
)

FAMILY = Family(
    number=28,
    slug="statistics",
    category="numbers",
    title="Exact statistics",
    purpose="Describes lists of integers without rounding errors: mean, modes and spread, quantiles by three methods, and "
    "ranks with four ways to treat ties.",
    notes=NOTES,
    operations=(DESCRIBE, QUANTILES, RANKS),
    program=program,
    # Sum 18, mean 18/5 = 3.6; 2 is there twice. Differences -2.6, -1.6, -1.6, 1.4, 4.4; squares 6.76, 2.56, 2.56, 1.96,
    # 19.36, together 33.2; divided by 5 - 1: 8.3. The root of 8.3 is 2.881, as 2.8805^2 = 8.29728 and 2.8815^2 = 8.30304.
    golden=Case(
        op="describe",
        args={"values": [2, 8, 1, 2, 5]},
        expected={"count": 5, "sum": 18, "mean": 3600, "modes": [2], "variance": 8300, "deviation": 2881},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
