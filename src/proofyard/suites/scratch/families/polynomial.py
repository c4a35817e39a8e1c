"""Contract, inputs and the golden case of the family `polynomial`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import polynomial as program

__all__ = ["FAMILY"]

NOTES = (
    "A **polynomial** argument is an array of 0 to 9 integers from -500 to 500, its coefficients with the constant "
    "term first: `[5, 0, -2]` is 5 - 2x^2. Zeros at the end of the array (for the highest powers) are allowed and "
    "change nothing; `[]`, `[0]` and `[0, 0]` are all the zero polynomial.",
    "Polynomials in results are arrays of integers in the same order whose last item is not 0; the zero polynomial is "
    "`[]`. All arithmetic is exact; integers in results may be large.",
)

POLYNOMIAL = Param(name="polynomial", type="polynomial", text="the polynomial")

DIVIDE = OperationDoc(
    name="divide",
    summary="Division with remainder, without fractions.",
    parameters=(
        Param(name="dividend", type="polynomial", text="the polynomial to divide"),
        Param(name="divisor", type="polynomial", text="the polynomial to divide by"),
    ),
    result='`{"scale": integer, "quotient": [integer, ...], "remainder": [integer, ...]}`, see below.',
    errors=(ErrorDoc(code="zero_divisor", when="the divisor is the zero polynomial"),),
    rules=(
        "Dividing over the rational numbers gives one quotient Q and one remainder R with dividend = Q * divisor + R "
        "where R is zero or of lower degree than the divisor. `scale` is the least positive integer that makes all "
        "coefficients of both scale * Q and scale * R integers; `quotient` is scale * Q and `remainder` is scale * R.",
        "The degree of the dividend may be lower than that of the divisor: then Q is zero, R is the dividend and the "
        "scale is 1.",
    ),
)

ROOTS = OperationDoc(
    name="roots",
    summary="All rational roots with their multiplicities.",
    parameters=(POLYNOMIAL,),
    result='`{"roots": [{"root": [integer, integer], "multiplicity": integer}, ...], "rest": [integer, ...]}`: each '
    "rational root once, in ascending order of value, and the polynomial that is left.",
    errors=(ErrorDoc(code="zero_polynomial", when="the polynomial is the zero polynomial"),),
    rules=(
        "`root` is numerator and denominator in lowest terms, the denominator positive: `[-3, 2]`, `[4, 1]`, and "
        "`[0, 1]` for the root 0.",
        "`rest` is what is left when the polynomial is divided by qx - p once for each root p/q and each time that "
        "it counts. Its coefficients are integers, and it has the sign and the common factors of the polynomial: for "
        "`[6, -4]` (6 - 4x) the root is `[3, 2]` and the rest is `[-2]`. Without rational roots the rest is the "
        "polynomial.",
    ),
)

WRITE = OperationDoc(
    name="write",
    summary="A polynomial as text.",
    parameters=(
        POLYNOMIAL,
        Param(
            name="variable",
            type="string, 1 to 4 code points",
            text='the name of the variable, used as it is; default `"x"`',
            required=False,
        ),
    ),
    result='`{"text": string}`.',
    rules=(
        "The terms stand in order of falling powers; terms with coefficient 0 are left out. A term is the absolute "
        "value of its coefficient followed at once by the power: nothing for power 0, `x` for power 1, `x^n` for "
        "power n of 2 or more. A coefficient of 1 or -1 is not written, except for power 0.",
        "The first term has `-` directly before it if it is negative, else nothing. Every other term has ` - ` before "
        "it (with a space on both sides) if it is negative, else ` + `. The zero polynomial is `0`.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("divide", "roots", "roots", "write"))
    if op == "divide":
        divisor = [] if rng.random() < 0.08 else _coefficients(rng, rng.randint(1, 4), 9)
        return op, {"dividend": _coefficients(rng, rng.randint(3, 7), 60), "divisor": divisor}
    if op == "roots":
        return op, {"polynomial": _with_roots(rng)}
    mixed = [rng.choice((0, 1, -1, rng.randint(-500, 500))) for _ in range(rng.randint(4, 8))]
    args: dict[str, Any] = {"polynomial": [rng.randint(-500, 500), *mixed]}
    if rng.random() < 0.5:
        args["variable"] = rng.choice(("y", "t", "z1", "n", "θ", "x_0"))
    return op, args


def _coefficients(rng: Random, length: int, most: int) -> list[int]:
    return [0 if rng.random() < 0.25 else rng.randint(-most, most) for _ in range(length)]


def _with_roots(rng: Random) -> list[int]:
    """A product of linear factors, some of them twice, and often of one that has no rational root."""
    while True:
        product = [rng.choice((-3, -2, -1, 1, 1, 2, 5))]
        if rng.random() < 0.7:
            product = [rng.randint(-9, 9), rng.randint(-9, 9), rng.randint(1, 4)]
        for _ in range(rng.randint(2, 4)):
            factor = rng.choice(([0, 1], [rng.randint(-9, 9), rng.choice((1, 1, 2, 3, 4))]))
            for _ in range(rng.choice((1, 1, 2))):
                product = _times(product, factor)
        if 5 <= len(product) <= 9 and max(map(abs, product)) <= 500 and sum(map(bool, product)) > 3:
            return product


def _times(left: list[int], right: list[int]) -> list[int]:
    result = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result


def _divide(dividend: list[int], divisor: list[int]) -> Input:
    return "divide", {"dividend": dividend, "divisor": divisor}


def _roots(*polynomial: int) -> Input:
    return "roots", {"polynomial": list(polynomial)}


def _write(*polynomial: int, **more: str) -> Input:
    return "write", {"polynomial": list(polynomial), **more}


BOUNDARY: tuple[Input, ...] = (
    _roots(0, 0, -6, 22, -24, 8, 0),
    _divide([1, 2], []),
    _divide([], [0, 0, 0]),
    _divide([], [3]),
    _divide([0, 0], [1, 1]),
    _divide([4, 6], [1, 2, 3]),
    _divide([4, 6, 0, 0], [1, 2, 3, 0]),
    _divide([4, 6, 1], [2]),
    _divide([4, 6], [-8]),
    _divide([-1, 0, 0, 0, 0, 0, 0, 0, 1], [-1, 1]),
    _divide([1, 0, 0, 1], [1, 0, 2]),
    _divide([1, 5, 7], [0, 3]),
    _divide([0, 0, 5], [7, 5]),
    _divide([0, 0, 10], [1, 2, 5]),
    _divide([0, 5, 3], [10, 6]),
    _divide([500] * 9, [-7, 491, 499]),
    _divide([-500, 499, -500, 499, -500, 499, -500, 499, -500], [1, 0, 1]),
    _divide([5, 4, 3, 2, 1], [5, 4, 3, 2, 1]),
    _divide([1, 2, 3], [0, 0, 0, 6]),
    _roots(),
    _roots(0, 0),
    _roots(-7),
    _roots(7, 0, 0),
    _roots(6, -4),
    _roots(-6, 4, 0),
    _roots(0, 5),
    _roots(0, 0, 0, 0, 0, 0, 0, 0, -3),
    _roots(1, 0, 1),
    _roots(-2, 0, 1),
    _roots(1, -4, 6, -4, 1),
    _roots(-1, 6, -12, 8),
    _roots(-500, 1),
    _roots(1, 500),
    _roots(-6, -5, 38, -5, -6),
    _roots(360, 0, 0, 0, 0, 0, 0, 0, -480),
    _roots(-1, 0, 0, 0, 0, 0, 0, 0, 1),
    _roots(4, 0, -9),
    _write(),
    _write(0, 0, 0),
    _write(5),
    _write(-1),
    _write(1),
    _write(0, 1),
    _write(0, -1),
    _write(-1, 1, -1, 1, -1),
    _write(1, -1, 1, -1, 1, 0),
    _write(0, 0, -2, 0, 2),
    _write(-500, 0, 0, 0, 500, 0, 0, -1, 2, variable="t"),
    _write(3, -2, 1, variable=wide(4)),
    _write(3, 2, variable="2^-x"),
)

NINE = [1] * 9

MALFORMED: tuple[Input, ...] = (
    ("divide", {}),
    ("divide", {"dividend": [1]}),
    ("divide", {"divisor": [1]}),
    ("divide", {"dividend": [1], "divisor": None}),
    ("divide", {"dividend": [1], "divisor": 2}),
    ("divide", {"dividend": [*NINE, 0], "divisor": []}),
    ("divide", {"dividend": [1], "divisor": [*NINE, 1]}),
    ("divide", {"dividend": [1, 1.0], "divisor": [0]}),
    ("divide", {"dividend": [1, "1"], "divisor": [1]}),
    ("divide", {"dividend": [501], "divisor": []}),
    ("divide", {"dividend": [1], "divisor": [-501]}),
    ("roots", {}),
    ("roots", {"polynomial": {"0": 1}}),
    ("roots", {"polynomial": [0, True]}),
    ("roots", {"polynomial": [0, None]}),
    ("roots", {"polynomial": [1, [2]]}),
    ("roots", {"polynomial": [-1, 501]}),
    ("roots", {"polynomial": [*NINE, 0]}),
    ("write", {"variable": "x"}),
    ("write", {"polynomial": "x^2"}),
    ("write", {"polynomial": [1, 2], "variable": ""}),
    ("write", {"polynomial": [1, 2], "variable": "abcde"}),
    ("write", {"polynomial": [1, 2], "variable": wide(5)}),
    ("write", {"polynomial": [], "variable": 5}),
    ("write", {"polynomial": [1, 2], "variable": None}),
)

FAMILY = Family(
    number=25,
    slug="polynomial",
    category="numbers",
    title="Polynomials",
    purpose="Computes with polynomials in one variable whose coefficients are integers: division with remainder, all "
    "rational roots, and the text of a polynomial.",
    notes=NOTES,
    operations=(DIVIDE, ROOTS, WRITE),
    program=program,
    # 3x^2 + 1 by 2x - 1: 3x^2 / 2x = 3/2 x leaves 3/2 x + 1; 3/2 x / 2x = 3/4 leaves 1 + 3/4 = 7/4. The denominators 2, 4 and
    # 4 need the scale 4. Check: (2x - 1)(6x + 3) + 7 = 12x^2 - 3 + 7 = 4(3x^2 + 1).
    golden=Case(
        op="divide",
        args={"dividend": [1, 0, 3], "divisor": [-1, 2]},
        expected={"scale": 4, "quotient": [3, 6], "remainder": [7]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
