"""Contract, inputs and the golden case of the family `base-convert`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import base_convert as program

__all__ = ["FAMILY"]

NOTES = (
    "The **digits** are the ASCII characters `0` to `9` and then `a` to `z` for 10 to 35; `A` to `Z` mean the same in "
    "arguments, results have lower case. In base b the value of a digit is less than the absolute value of b.",
    "In a **negative base** the places count as in any other: the last digit of an integer counts b^0, the one before "
    "it b^1, and so on. Base -10 writes 7 as `7`, 15 as `195` (100 - 90 + 5), -15 as `25` (-20 + 5). Each integer, "
    "positive or negative, has exactly one form without sign and leading zeros.",
    "A number is written as an optional `-`, which negates the value (in a negative base too), then one or more digits. "
    "Leading zeros are allowed. Between two digits one `_` may stand; it means nothing.",
    "`position` in an error is where the first character stands that cannot be there, counted in code points from 0: a "
    "character that is no digit of the base, a `-` that is not the first character, a mark (`_`, in `expand` also `.`) with "
    "no digit directly before it. If every character could be there but the text ends without a digit at its end, it is the "
    "number of code points. In base 10 the position is 2 for `1__0`, `12a` and `1_`, 1 for `-`, `-_1` and `1+`.",
)

BAD_DIGIT = ErrorDoc(
    code="bad_digit",
    when="`digits` is not a number of `from_base`",
    extra=(("position", "integer: where the first fault is, as defined above"),),
)
DIGITS = Param(name="digits", type="string, 1 to 80 code points", text="the number, written in `from_base`")

CONVERT = OperationDoc(
    name="convert",
    summary="An integer in another base.",
    parameters=(
        DIGITS,
        Param(name="from_base", type="integer, -36 to -2 or 2 to 36", text="the base of `digits`"),
        Param(name="to_base", type="integer, -36 to -2 or 2 to 36", text="the base of the result"),
        Param(
            name="group",
            type="integer, 1 to 10",
            text="how many digits a group of the result has; default no groups",
            required=False,
        ),
    ),
    result='`{"digits": string}`.',
    errors=(BAD_DIGIT,),
    rules=(
        "The result has no leading zeros; zero is `0`. A negative value has `-` in front if `to_base` is positive; with "
        "a negative `to_base` the result never has a sign.",
        "With `group`, a `_` stands before every group of so many digits, counted from the right, but not at the front: "
        "groups of 3 are `1_000` and `-100_000`.",
    ),
)

EXPAND = OperationDoc(
    name="expand",
    summary="A number with a fraction in another base, rounded.",
    parameters=(
        DIGITS,
        Param(name="from_base", type="integer, 2 to 36", text="the base of `digits`"),
        Param(name="to_base", type="integer, 2 to 36", text="the base of the result"),
        Param(name="places", type="integer, 0 to 40", text="how many digits the result has after the point"),
    ),
    result='`{"digits": string, "exact": boolean}`: the rounded number, and whether its value is exactly that of the '
    "argument.",
    errors=(BAD_DIGIT,),
    rules=(
        "`digits` may hold one `.` between two digits, anywhere; the digits after it count 1/b, 1/b^2, and so on. `_` is "
        "allowed on both sides of the point, but a mark (`_` or `.`) directly after a mark is a fault, and so is a "
        "second `.`: `1._5`, `1_.5`, `1.` and `.5` have it at positions 2, 2, 2 and 0.",
        "The value is rounded to `places` digits of `to_base` after the point, to the nearest; what lies exactly in the "
        "middle goes away from zero. The result has exactly so many digits after the point, zeros included, and no point "
        "if `places` is 0; at least one digit before the point and no other leading zeros; `-` in front if it is less "
        "than zero, but not if it is rounded to zero.",
    ),
)

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def generate(rng: Random) -> Input:
    """One input of a random operation; a few have a fault."""
    op = rng.choice(("convert", "convert", "expand"))
    signs = (1, 1, -1) if op == "convert" else (1,)
    args: dict[str, Any] = {}
    for name in ("from_base", "to_base"):
        args[name] = rng.choice(signs) * rng.choice((2, 3, 8, 10, 16, 36, rng.randint(2, 36)))
    text = rng.choice(("", "", "-")) + _run(rng, args["from_base"])
    if op == "expand":
        text += "." + _run(rng, args["from_base"]) if rng.random() < 0.9 else ""
        args["places"] = rng.randint(0, rng.choice((3, 12)))
    elif rng.random() < 0.5:
        args["group"] = rng.randint(1, 5)
    if rng.random() < 0.1:
        spot = rng.randrange(len(text))
        text = text[:spot] + rng.choice(("", "_", "__", "-", "$", " ", "~", ".")) + text[spot + 1 :]
    return op, {"digits": text or "_", **args}


def _run(rng: Random, base: int) -> str:
    """A row of digits of a base; some upper case, some underscores."""
    pool = ALPHABET[: abs(base)] + ALPHABET[10 : abs(base)].upper()
    digits = "".join(rng.choice(pool) for _ in range(rng.randint(3, 16)))
    spot = rng.randint(1, len(digits) - 1)
    return f"{digits[:spot]}_{digits[spot:]}" if rng.random() < 0.3 else digits


def _convert(digits: str, from_base: int, to_base: int, **more: int) -> Input:
    return "convert", {"digits": digits, "from_base": from_base, "to_base": to_base, **more}


def _expand(digits: str, from_base: int, to_base: int, places: int) -> Input:
    return "expand", {"digits": digits, "from_base": from_base, "to_base": to_base, "places": places}


BOUNDARY: tuple[Input, ...] = (
    _expand("-10.0_1", 2, 10, 1),
    _convert("1__0", 10, 2),
    _convert("12a", 10, 2),
    _convert("1_", 10, 2),
    _convert("-", 10, 2),
    _convert("_1", 10, 2),
    _convert("-_1", 10, 2),
    _convert("--1", 10, 2),
    _convert("1-1", 10, 2),
    _convert("+1", 10, 2),
    _convert("1+", 10, 2),
    _convert(" 1", 10, 2),
    _convert("1.0", 10, 2),
    _convert("102", -2, 10),
    _convert("\u212a", 36, 10),
    _convert("\u0664", 10, 2),
    _convert(wide(80), 36, 2),
    _convert("0", 2, 36),
    _convert("-0", 10, 16),
    _convert("-000", -7, -3),
    _convert("007", 8, 2),
    _convert("-Zz", 36, 10),
    _convert("zZ9aA", 36, 36),
    _convert("1" + "0" * 79, 36, 2, group=10),
    _convert("z" * 80, 36, -36),
    _convert("1" * 80, -2, 3, group=7),
    _convert("15", 10, -10),
    _convert("-15", 10, -10),
    _convert("195", -10, 10),
    _convert("25", -10, 10),
    _convert("-25", -10, 10),
    _convert("1234", -5, -5),
    _convert("-1234", -5, -5),
    _convert("-1", 10, -2),
    _convert("-1", 2, 3),
    _convert("-128", 10, -2, group=4),
    _convert("z1", -36, 2),
    _convert("1000", 10, 10, group=3),
    _convert("-100_000", 10, 10, group=3),
    _convert("123456", 10, 10, group=1),
    _convert("12", 10, 10, group=2),
    _convert("12", 10, 10, group=10),
    _convert("1_2_3", 10, 10),
    _expand(wide(80), 10, 2, 40),
    _expand("1.", 10, 2, 3),
    _expand(".5", 10, 2, 3),
    _expand("1._5", 10, 2, 3),
    _expand("1_.5", 10, 2, 3),
    _expand("1.2.3", 10, 2, 3),
    _expand("1_2.3_4.5", 10, 2, 3),
    _expand("-.5", 10, 2, 3),
    _expand("1.8", 8, 2, 3),
    _expand("0.1", 10, 2, 10),
    _expand("0.1", 3, 10, 40),
    _expand("7", 10, 10, 0),
    _expand("-12", 10, 3, 2),
    _expand("0.5", 10, 10, 0),
    _expand("-0.5", 10, 10, 0),
    _expand("-0.4999", 10, 10, 0),
    _expand("-0.0004", 10, 10, 3),
    _expand("-0.0005", 10, 10, 3),
    _expand("0.15", 10, 10, 1),
    _expand("0.25", 10, 10, 1),
    _expand("0.1", 2, 3, 0),
    _expand("0.1", 3, 3, 0),
    _expand("0.111", 3, 9, 1),
    _expand("zz.zz", 36, 10, 2),
    _expand("z.zzzz", 36, 36, 2),
    _expand("F_f.8", 16, 8, 1),
    _expand("000.100", 10, 10, 1),
    _expand("99.995", 10, 10, 2),
    _expand("1" * 40 + "." + "1" * 39, 2, 36, 40),
    _expand("-0.00", 10, 7, 3),
    _expand("-1", 7, 10, 0),
)

GOOD = {"digits": "1", "from_base": 10, "to_base": 2}
ROUND = {**GOOD, "places": 3}

MALFORMED: tuple[Input, ...] = (
    ("convert", {}),
    ("convert", {"digits": "1", "from_base": 10}),
    ("convert", {"digits": "1", "to_base": 10}),
    ("convert", {"from_base": 10, "to_base": 2}),
    ("convert", {**GOOD, "digits": ""}),
    ("convert", {**GOOD, "digits": 1}),
    ("convert", {**GOOD, "digits": None}),
    ("convert", {**GOOD, "digits": "1" * 81}),
    ("convert", {**GOOD, "digits": wide(81)}),
    *(("convert", {**GOOD, "from_base": base}) for base in (-37, -1, 0, 1, 37, True, 2.0, "2", None)),
    *(("convert", {**GOOD, "to_base": base}) for base in (-37, -1, 0, 1, 37, False, [2])),
    ("convert", {**GOOD, "digits": "?", "to_base": 1}),
    *(("convert", {**GOOD, "group": group}) for group in (0, 11, True, 3.0, None)),
    ("expand", GOOD),
    ("expand", {"digits": "1", "from_base": 10, "places": 1}),
    ("expand", {**ROUND, "digits": ["1"]}),
    ("expand", {**ROUND, "digits": "2" * 81}),
    *(("expand", {**ROUND, "from_base": base}) for base in (-2, 1, 37, True)),
    *(("expand", {**ROUND, "to_base": base}) for base in (-10, 1, 37, 8.0)),
    *(("expand", {**ROUND, "places": places}) for places in (-1, 41, True, 1.0, "1")),
    ("expand", {**ROUND, "digits": "?", "places": 41}),
)

FAMILY = Family(
    number=27,
    slug="base-convert",
    category="numbers",
    title="Base conversion",
    purpose="Writes numbers in other bases: integers in all bases from 2 to 36 and from -2 to -36, and numbers with a "
    "fraction, rounded.",
    notes=NOTES,
    operations=(CONVERT, EXPAND),
    program=program,
    # -ff in base 16 is -255. In base -2: -255 = 1 + 2 x 128 - 512, so find digits from the right: -255 = -2 x 128 + 1, 128 =
    # -2 x -64 + 0, -64 = -2 x 32, 32 = -2 x -16, -16 = -2 x 8, 8 = -2 x -4, -4 = -2 x 2, 2 = -2 x -1, -1 = -2 x 1 + 1, 1 = 1.
    # From the last to the first: 1 1 0 0 0 0 0 0 0 1. Check: -512 + 256 + 1 = -255. In groups of 4: 11_0000_0001.
    golden=Case(
        op="convert",
        args={"digits": "-fF", "from_base": 16, "to_base": -2, "group": 4},
        expected={"digits": "11_0000_0001"},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
