"""Contract, inputs and the golden case of the family `matrix-ops`."""

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import matrix_ops as program

__all__ = ["FAMILY"]

Entry = int | str

NOTES = (
    "A **matrix** argument is an array of 1 to 5 rows; each row is an array of 1 to 5 entries, and all rows have the "
    "same length. Rows of different lengths are `invalid_args`.",
    "An **entry** is an integer from -1000000 to 1000000, or a string of the form `p/q`: an optional `-`, 1 to 4 "
    'ASCII digits, `/`, 1 to 3 ASCII digits, and nothing else. It need not be in lowest terms (`"6/4"`, `"-0/5"`, '
    '`"8/2"` and `"07/010"` are entries). A string of another form is `invalid_args`; `q` = 0 is `zero_denominator`.',
    "All arithmetic is exact. In results, a value that is an integer is a JSON integer; any other value is a string "
    "`p/q` in lowest terms with `q` of 2 or more, the minus sign of a negative value before `p`. There are no "
    "fractions with denominator 1 and no decimals.",
)

ZERO = ErrorDoc(code="zero_denominator", when="an entry of a matrix is a string with denominator 0")
NOT_SQUARE = ErrorDoc(code="not_square", when="the number of rows is not the number of columns")
MATRIX = Param(name="matrix", type="matrix", text="the matrix")
MATRIX_RESULT = '`{"matrix": [[integer or string, ...], ...]}`: the rows of the result.'

MULTIPLY = OperationDoc(
    name="multiply",
    summary="The product of two matrices.",
    parameters=(
        Param(name="left", type="matrix", text="the left factor"),
        Param(name="right", type="matrix", text="the right factor"),
    ),
    result=MATRIX_RESULT,
    errors=(ZERO, ErrorDoc(code="shape_mismatch", when="`left` has not as many columns as `right` has rows")),
)

POWER = OperationDoc(
    name="power",
    summary="A square matrix raised to an integer power.",
    parameters=(MATRIX, Param(name="exponent", type="integer, -2 to 4", text="the power; -1 gives the inverse")),
    result=MATRIX_RESULT,
    errors=(ZERO, NOT_SQUARE, ErrorDoc(code="singular", when="the exponent is negative and the determinant is 0")),
    rules=("The power 0 is the identity matrix, also of a matrix whose determinant is 0.",),
)

DETERMINANT = OperationDoc(
    name="determinant",
    summary="The determinant of a square matrix.",
    parameters=(MATRIX,),
    result='`{"determinant": integer or string}`.',
    errors=(ZERO, NOT_SQUARE),
)

REDUCE = OperationDoc(
    name="reduce",
    summary="The reduced row echelon form of a matrix of any shape.",
    parameters=(MATRIX,),
    result='`{"rank": integer, "pivots": [integer, ...], "matrix": [[integer or string, ...], ...]}`: the number of '
    "rows that are not zero, the columns of their leading entries counted from 0, ascending, and the reduced matrix, "
    "of the same shape.",
    errors=(ZERO,),
    rules=(
        "In the reduced row echelon form the leading (first non-zero) entry of each row is 1 and the only non-zero "
        "entry of its column, each leading entry stands to the right of that of the row above, and rows of zeros "
        "come last. It is the same whichever way it is computed.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("multiply", "power", "determinant", "reduce"))
    if op == "multiply":
        rows, inner, columns = rng.randint(1, 4), rng.randint(2, 4), rng.randint(2, 4)
        other = inner if rng.random() < 0.95 else inner + 1
        return op, {"left": _matrix(rng, rows, inner), "right": _matrix(rng, other, columns)}
    if op == "reduce":
        return op, {"matrix": _deficient(rng, _matrix(rng, rng.randint(2, 4), rng.randint(2, 5)), 0.5)}
    size = rng.randint(2, 4)
    square = _deficient(rng, _matrix(rng, size, size), 0.15)
    return op, {"matrix": square, "exponent": rng.randint(-2, 4)} if op == "power" else {"matrix": square}


def _matrix(rng: Random, rows: int, columns: int) -> list[list[Entry]]:
    fractions = rng.random() < 0.5
    return [[_entry(rng, fractions) for _ in range(columns)] for _ in range(rows)]


def _entry(rng: Random, fractions: bool) -> Entry:
    if fractions and rng.random() < 0.4:
        return f"{rng.randint(-9, 9)}/{rng.randint(1, 6)}"
    return rng.choice((0, 0, rng.randint(-9, 9), rng.randint(-9, 9), rng.randint(-99, 99)))


def _deficient(rng: Random, rows: list[list[Entry]], share: float) -> list[list[Entry]]:
    """Sometimes repeat a row or blank a column, so that the rank drops."""
    if rng.random() < share and len(rows) > 1:
        rows[rng.randrange(len(rows))] = list(rows[rng.randrange(len(rows))])
    if rng.random() < share / 2:
        column = rng.randrange(len(rows[0]))
        for row in rows:
            row[column] = 0
    return rows


HILBERT: list[list[Entry]] = [[f"1/{row + column + 1}" for column in range(5)] for row in range(5)]
LARGE: list[list[Entry]] = [[1000000 if row == column else -1000000 for column in range(5)] for row in range(5)]

BOUNDARY: tuple[Input, ...] = (
    ("power", {"matrix": [[2, 4], ["1/2", 1]], "exponent": -1}),
    ("multiply", {"left": [[1, 2]], "right": [[3, 4]]}),
    ("multiply", {"left": [[1, 2], [3, 4]], "right": [[1, "1/0"], [0, 0], [5, 6]]}),
    ("multiply", {"left": [["0/000"]], "right": [[3, 4]]}),
    ("multiply", {"left": [[1, 2, 3]], "right": [[4], ["5/1"], ["-6/4"]]}),
    ("multiply", {"left": [[4], ["5/2"]], "right": [["2/5", -1]]}),
    ("multiply", {"left": [[1, 2], [3, 4]], "right": [[0, 1], [1, 0]]}),
    ("multiply", {"left": LARGE, "right": LARGE}),
    ("multiply", {"left": [["9999/997"]], "right": [["9999/991"]]}),
    ("multiply", {"left": [["-0/5", "07/010"]], "right": [["1/3"], ["-10/7"]]}),
    ("multiply", {"left": [[1], [2], [3]], "right": [[1]]}),
    ("power", {"matrix": [["1/0"]], "exponent": 1}),
    ("power", {"matrix": [["1/0", 1]], "exponent": -1}),
    ("power", {"matrix": [[1, 2]], "exponent": 0}),
    ("power", {"matrix": [[0, 0], [0, 0]], "exponent": -2}),
    ("power", {"matrix": [[0, 0], [0, 0]], "exponent": 0}),
    ("power", {"matrix": [[0, 1], [0, 0]], "exponent": 2}),
    ("power", {"matrix": [["-3/2"]], "exponent": -2}),
    ("power", {"matrix": [[1, 1], [1, 0]], "exponent": 4}),
    ("power", {"matrix": LARGE, "exponent": 4}),
    ("power", {"matrix": HILBERT, "exponent": -1}),
    ("power", {"matrix": [[0, 0, 2], [3, 0, 0], [0, "1/5", 0]], "exponent": -2}),
    ("power", {"matrix": [[1, 2, 3], [4, 5, 6], [7, 8, 9]], "exponent": -1}),
    ("determinant", {"matrix": [[1, 2, 3], [4, 5, 6]]}),
    ("determinant", {"matrix": [[1], ["0/0"]]}),
    ("determinant", {"matrix": [[-7]]}),
    ("determinant", {"matrix": [["-10/4"]]}),
    ("determinant", {"matrix": [[0, 1], [1, 0]]}),
    ("determinant", {"matrix": [[0, 0, 1], [0, 2, 0], [3, 0, 0]]}),
    ("determinant", {"matrix": [[0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]}),
    ("determinant", {"matrix": [[1, 2, 3], [2, 4, 6], [1, 0, 1]]}),
    ("determinant", {"matrix": [[0, 5], [0, 7]]}),
    ("determinant", {"matrix": HILBERT}),
    ("determinant", {"matrix": LARGE}),
    ("reduce", {"matrix": [["5/0"]]}),
    ("reduce", {"matrix": [[0]]}),
    ("reduce", {"matrix": [[0, 0, 0], [0, 0, 0]]}),
    ("reduce", {"matrix": [[0, 0, 4, 2], [0, 0, 2, 1], [0, 3, 0, 0]]}),
    ("reduce", {"matrix": [[2], [0], [-4]]}),
    ("reduce", {"matrix": [[0, -3, 6, "1/2", 9]]}),
    ("reduce", {"matrix": [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}),
    ("reduce", {"matrix": HILBERT}),
    ("reduce", {"matrix": [["1/3", "1/7"], ["2/3", "1/5"], [1, 1]]}),
)

ONE = [[1]]

MALFORMED: tuple[Input, ...] = (
    ("multiply", {"left": ONE}),
    ("multiply", {"right": ONE}),
    ("multiply", {"left": ONE, "right": None}),
    ("multiply", {"left": ONE, "right": 1}),
    ("multiply", {"left": [1], "right": ONE}),
    ("multiply", {"left": [[1, 2], [3]], "right": ONE}),
    ("multiply", {"left": [], "right": ONE}),
    ("multiply", {"left": ONE, "right": [[]]}),
    ("multiply", {"left": [[1, 2]], "right": [[1], [2.0]]}),
    ("multiply", {"left": [["1/0"]], "right": [["1/1000"]]}),
    ("multiply", {"left": [["1/0"]], "right": [[1], [2, 3]]}),
    ("multiply", {"left": [[1, 2], ["x", 3]], "right": [["1/0"]]}),
    ("power", {"matrix": [["1/0"]], "exponent": -3}),
    ("determinant", {"matrix": [["1/0", 2, None]]}),
    ("power", {"matrix": ONE}),
    ("power", {"exponent": 1}),
    ("power", {"matrix": ONE, "exponent": True}),
    ("power", {"matrix": ONE, "exponent": 1.0}),
    ("power", {"matrix": ONE, "exponent": "1"}),
    ("power", {"matrix": ONE, "exponent": 5}),
    ("power", {"matrix": [[1, 2]], "exponent": -3}),
    ("determinant", {}),
    ("determinant", {"matrix": "1/2"}),
    ("determinant", {"matrix": [[True]]}),
    ("determinant", {"matrix": [[1000001]]}),
    ("determinant", {"matrix": [[-1000001]]}),
    ("determinant", {"matrix": [["5"]]}),
    ("determinant", {"matrix": [["1/-2"]]}),
    ("determinant", {"matrix": [["+1/2"]]}),
    ("determinant", {"matrix": [["12345/2"]]}),
    ("determinant", {"matrix": [["1/1234"]]}),
    ("determinant", {"matrix": [["1/2\n"]]}),
    ("determinant", {"matrix": [[" 1/2"]]}),
    ("determinant", {"matrix": [["0.5"]]}),
    ("reduce", {"matrix": [[1]] * 6}),
    ("reduce", {"matrix": [[1] * 6]}),
    ("reduce", {"matrix": [[1, 0], [None, 1]]}),
    ("reduce", {"matrix": [[1, [2]]]}),
    ("reduce", {"matrix": [["1/0", 2], [3]]}),
)

FAMILY = Family(
    number=24,
    slug="matrix-ops",
    category="numbers",
    title="Matrix operations",
    purpose="Computes with small matrices of exact rational numbers: products, powers and inverses, determinants, "
    "and the reduced row echelon form.",
    notes=NOTES,
    operations=(MULTIPLY, POWER, DETERMINANT, REDUCE),
    program=program,
    # Determinant 1 x 1/5 - 2/5 x 1/4 = 1/5 - 1/10 = 1/10. The inverse is 10 x [[1/5, -2/5], [-1/4, 1]]
    # = [[2, -4], [-5/2, 10]]. Check of the first row times the matrix: 2 - 4/4 = 1 and 4/5 - 4/5 = 0.
    golden=Case(
        op="power",
        args={"matrix": [[1, "2/5"], ["2/8", "1/5"]], "exponent": -1},
        expected={"matrix": [[2, -4], ["-5/2", 10]]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
