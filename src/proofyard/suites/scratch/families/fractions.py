"""Contract, inputs and the golden case of the family `fractions`."""

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import fractions as program

__all__ = ["FAMILY"]

NOTES = (
    "A **fraction** argument is a string in one of three forms, where `w` and `p` are 1 to 6 ASCII digits and `q` is 1 to 3 "
    'ASCII digits: `p`, `p/q`, or `w p/q` with exactly one space (a mixed number, `"2 1/3"` is 7/3). Before each of the '
    'forms there may be one `-`, which goes for the whole: `"-2 1/3"` is -7/3. Leading zeros are allowed, and `p` may be '
    'greater than `q` also in a mixed number: `"007"`, `"6/4"`, `"1 9/2"`, `"-0/5"` are fractions. Any other string is '
    "`invalid_args`; `q` = 0 is `zero_denominator`.",
    "All arithmetic is exact. In results a **quotient** is a string: `p` if the value is an integer, else `p/q` in lowest "
    "terms with `q` of 2 or more; a negative value has `-` at the front, zero is `0`.",
)

ZERO = ErrorDoc(code="zero_denominator", when="a fraction has the denominator 0 (`5/0`, `0/00`, `1 2/0`)")
FRACTION = Param(name="fraction", type="fraction", text="the fraction")

TOTAL = OperationDoc(
    name="total",
    summary="The sum of fractions.",
    parameters=(Param(name="terms", type="array of 1 to 20 fractions", text="what to add up"),),
    result='`{"quotient": string, "mixed": string}`: the sum as a quotient and as a mixed number.',
    errors=(ZERO,),
    rules=(
        "The mixed number is `-` if the sum is negative, then the integer part and the proper fraction of its absolute "
        "value, the fraction in lowest terms, with one space between the two; a part that is 0 is left out. So it is "
        "`-2 1/3`, `-1/3`, `-2`; a sum of zero is `0`.",
    ),
)

DECIMAL = OperationDoc(
    name="decimal",
    summary="The decimal expansion of a fraction, exactly.",
    parameters=(FRACTION,),
    result='`{"decimal": string}`.',
    errors=(ZERO,),
    rules=(
        "The integer part comes first, at least `0`, with `-` before it if the fraction is negative. If its value is no "
        "integer, a `.` and the digits after it follow.",
        "If the expansion ends, its last digit is not 0. If it does not end, it is written with the shortest block of "
        "digits that repeats for ever in parentheses, which begins as early as possible: 1/6 is `0.1(6)`, 1/7 is "
        "`0.(142857)`, 1/12 is `0.08(3)`.",
    ),
)

CLOSEST = OperationDoc(
    name="closest",
    summary="The closest fraction with a small denominator.",
    parameters=(
        FRACTION,
        Param(name="max_denominator", type="integer, 1 to 200", text="the greatest denominator that is allowed"),
    ),
    result='`{"quotient": string, "difference": string}`: the closest quotient, and how far it is from `fraction`, as a '
    "quotient that is not negative.",
    errors=(ZERO,),
    rules=(
        "Of all fractions that have a denominator of at most `max_denominator` in lowest terms (integers have the "
        "denominator 1) the one with the least absolute difference from `fraction` is taken; of equally close ones "
        "that with the smaller denominator, and of those with the same denominator the lesser value: 1/2 with the "
        "greatest denominator 1 gives `0`, -1/2 gives `-1`.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("total", "decimal", "closest"))
    if op == "total":
        terms = [_number(rng, rng.choice((6, 12, 60, 999))) for _ in range(rng.randint(2, 7))]
        if rng.random() < 0.25:
            terms += [term.removeprefix("-") if term.startswith("-") else f"-{term}" for term in terms[1:]]
        return op, {"terms": terms}
    if op == "decimal":
        return op, {"fraction": _number(rng, rng.choice((50, 99, 150)))}
    return op, {"fraction": _number(rng, 999), "max_denominator": rng.choice((rng.randint(1, 30), rng.randint(1, 200)))}


def _number(rng: Random, most: int) -> str:
    bottom = 0 if rng.random() < 0.02 else rng.randint(1, most)
    sign = rng.choice(("", "", "-"))
    top = rng.randint(0, rng.choice((bottom + 40, 9 * bottom + 99, 999999)))
    form = rng.random()
    if form < 0.25:
        return f"{sign}{rng.randint(0, rng.choice((9, 999999)))} {top}/{bottom}"
    return f"{sign}{top}/{bottom}" if form < 0.9 else f"{sign}{rng.randint(0, 999999)}"


def _total(*terms: str) -> Input:
    return "total", {"terms": list(terms)}


def _decimal(text: str) -> Input:
    return "decimal", {"fraction": text}


def _closest(text: str, most: int) -> Input:
    return "closest", {"fraction": text, "max_denominator": most}


BOUNDARY: tuple[Input, ...] = (
    _decimal("-3 1/12"),
    _total("1/2", "3 1/0"),
    _total("0/0"),
    _total("0"),
    _total("-0"),
    _total("-0 0/7"),
    _total("-2 1/3"),
    _total("2 1/3"),
    _total("-1/3"),
    _total("1/6", "1/3", "1/2"),
    _total("-4", "1/2", "3/2"),
    _total("1/3", "-4/12"),
    _total("1 9/2", "-007/010"),
    _total("-1", "1/100"),
    _total("999999 999999/1"),
    _total("-999999 1/999"),
    _total("10", "-10 1/2"),
    _total("5/10"),
    _total(*(f"1/{q}" for q in range(980, 1000))),
    _decimal("0/9"),
    _decimal("-0"),
    _decimal("0/000"),
    _decimal("1 2/0"),
    _decimal("42"),
    _decimal("-84/2"),
    _decimal("100"),
    _decimal("1/4"),
    _decimal("-1/8"),
    _decimal("1/3"),
    _decimal("-1/6"),
    _decimal("22/7"),
    _decimal("1/12"),
    _decimal("7/90"),
    _decimal("100/99"),
    _decimal("1/101"),
    _decimal("5/640"),
    _decimal("3/500"),
    _decimal("12 345/999"),
    _decimal("1/983"),
    _decimal("9/11"),
    _closest("5/0", 3),
    _closest("1/2", 1),
    _closest("-1/2", 1),
    _closest("3/2", 1),
    _closest("1/4", 3),
    _closest("1/4", 2),
    _closest("5/12", 3),
    _closest("-5/12", 3),
    _closest("3/8", 7),
    _closest("0", 200),
    _closest("-7", 5),
    _closest("6/8", 4),
    _closest("6/8", 3),
    _closest("355/113", 112),
    _closest("355/113", 113),
    _closest("355/113", 7),
    _closest("999999 998/999", 200),
    _closest("1/999", 200),
    _closest("1/400", 200),
    _closest("1/399", 200),
    _closest("3/400", 200),
    _closest("-3 141/999", 57),
)

MALFORMED: tuple[Input, ...] = (
    ("total", {}),
    ("total", {"terms": []}),
    ("total", {"terms": ["1"] * 21}),
    ("total", {"terms": "1/2"}),
    ("total", {"terms": None}),
    ("total", {"terms": ["1/2", 3]}),
    ("total", {"terms": ["1/0", None]}),
    ("total", {"terms": ["1/0", ""]}),
    ("total", {"terms": ["+1/2"]}),
    ("total", {"terms": ["1/2", "0.5"]}),
    ("total", {"terms": ["1 2"]}),
    ("total", {"terms": ["1  2/3"]}),
    ("total", {"terms": ["1 -2/3"]}),
    ("decimal", {}),
    ("decimal", {"fraction": 5}),
    ("decimal", {"fraction": True}),
    ("decimal", {"fraction": ["1/2"]}),
    ("decimal", {"fraction": "1/-2"}),
    ("decimal", {"fraction": "--1"}),
    ("decimal", {"fraction": "- 1/2"}),
    ("decimal", {"fraction": " 1/2"}),
    ("decimal", {"fraction": "1/2\n"}),
    ("decimal", {"fraction": "1 / 2"}),
    ("decimal", {"fraction": "1/"}),
    ("decimal", {"fraction": "/2"}),
    ("decimal", {"fraction": "1/1000"}),
    ("decimal", {"fraction": "1234567/2"}),
    ("decimal", {"fraction": "1234567 1/2"}),
    ("decimal", {"fraction": "\u0661/2"}),
    ("closest", {"fraction": "1/2"}),
    ("closest", {"max_denominator": 5}),
    ("closest", {"fraction": "1/0", "max_denominator": 0}),
    ("closest", {"fraction": "1/2", "max_denominator": 201}),
    ("closest", {"fraction": "1/2", "max_denominator": True}),
    ("closest", {"fraction": "1/2", "max_denominator": 3.0}),
    ("closest", {"fraction": "1/2", "max_denominator": "3"}),
    ("closest", {"fraction": 0.5, "max_denominator": 3}),
)

FAMILY = Family(
    number=26,
    slug="fractions",
    category="numbers",
    title="Fractions",
    purpose="Computes with exact fractions: sums, decimal expansions with their period, and the closest fraction that has a "
    "small denominator.",
    notes=NOTES,
    operations=(TOTAL, DECIMAL, CLOSEST),
    program=program,
    # -2 1/3 + 1/2 + 1 5/10 - 3/4 = -28/12 + 6/12 + 18/12 - 9/12 = -13/12; 13/12 = 1 and 1/12.
    golden=Case(
        op="total",
        args={"terms": ["-2 1/3", "1/2", "1 5/10", "-3/4"]},
        expected={"quotient": "-13/12", "mixed": "-1 1/12"},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
