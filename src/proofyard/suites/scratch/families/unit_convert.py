"""Contract, inputs and the golden case of the family `unit-convert`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import unit_convert as program

__all__ = ["FAMILY"]

NOTES = (
    "The units of **length**: `mm` = 0.001 m, `cm` = 0.01 m, `m`, `km` = 1000 m, `in` = 0.0254 m, `ft` = 0.3048 m, `yd` = "
    "0.9144 m, `mi` = 1609.344 m.",
    "The units of **mass**: `mg` = 0.001 g, `g`, `kg` = 1000 g, `t` = 1000000 g, `oz` = 28.349523125 g, `lb` = 453.59237 g.",
    "The units of **time**: `ms` = 0.001 s, `s`, `min` = 60 s, `h` = 3600 s, `d` = 86400 s, `wk` = 604800 s.",
    "The units of **temperature**: `K`; `C`, where x C are x + 273.15 K; `F`, where x F are (x + 459.67) * 5/9 K.",
    "Names of units are compared exactly: `KM` and `c` are no units. A **decimal** argument is a string: an optional `-`, 1 "
    "to 9 ASCII digits, and if wanted a `.` with 1 to 6 ASCII digits after it; leading zeros are allowed. Any other string "
    "is `invalid_args`. All conversions are exact; only the end result is rounded.",
    "A result with n places has at least one digit before the point, no other leading zeros, and exactly n digits after "
    "the point; with 0 places it has no point.",
)

VALUE = Param(name="value", type="decimal", text="the amount")
FROM = Param(name="from", type="string, 1 to 8 code points", text="the unit of `value`")
UNKNOWN = ErrorDoc(
    code="unknown_unit",
    when="`from` or a wanted unit is none of the units above",
    extra=(("unit", "string: the first such unit, `from` before the wanted ones"),),
)
INCOMPATIBLE = ErrorDoc(
    code="incompatible",
    when="a wanted unit measures something else than `from`",
    extra=(("unit", "string: the first such wanted unit"),),
)

CONVERT = OperationDoc(
    name="convert",
    summary="A quantity in another unit.",
    parameters=(
        VALUE,
        FROM,
        Param(name="to", type="string, 1 to 8 code points", text="the wanted unit"),
        Param(
            name="places",
            type="integer, 0 to 12",
            text="how many digits the result has after the point; default 2",
            required=False,
        ),
    ),
    result='`{"value": string, "exact": boolean}`: the rounded amount, and whether it is exactly the right one.',
    errors=(UNKNOWN, INCOMPATIBLE, ErrorDoc(code="below_absolute_zero", when="a temperature is less than 0 K")),
    rules=(
        "The result is rounded to the nearest; of two equally near ones the one whose last digit is even is taken: with 1 "
        "place 0.25 becomes `0.2` and 0.35 becomes `0.4`. A negative result has `-` in front; what is rounded to zero has "
        "none: -0.001 with 2 places is `0.00`.",
    ),
)

SPLIT = OperationDoc(
    name="split",
    summary="A quantity as so many of one unit, so many of a smaller one, and so on.",
    parameters=(
        VALUE,
        FROM,
        Param(
            name="into",
            type="array of 1 to 5 strings, each of 1 to 8 code points",
            text="the wanted units, from the largest to the smallest",
        ),
        Param(
            name="places",
            type="integer, 0 to 6",
            text="how many digits the last amount has after the point; default 0",
            required=False,
        ),
    ),
    result='`{"negative": boolean, "parts": [{"unit": string, "amount": string}, ...]}`: whether the value is less than 0, '
    "and the amounts of its absolute value in the order of `into`.",
    errors=(
        UNKNOWN,
        INCOMPATIBLE,
        ErrorDoc(code="not_additive", when="the units are of temperature"),
        ErrorDoc(
            code="not_descending", when="a unit in `into` is not smaller than the one before it, the same unit included"
        ),
    ),
    rules=(
        "Each amount but the last is the greatest integer for which that many of the unit are not more than what is left, "
        "and it is taken away; it is written without a point. The last amount is all that is left then, rounded towards "
        "zero to `places` places.",
        "`negative` is of the value itself: it is true for `-0.001` also if all amounts become zero, and false for `-0`.",
    ),
)

UNITS = {
    "length": ("mi", "km", "m", "yd", "ft", "in", "cm", "mm"),
    "mass": ("t", "kg", "lb", "oz", "g", "mg"),
    "time": ("wk", "d", "h", "min", "s", "ms"),
    "temperature": ("K", "C", "F"),
}


def generate(rng: Random) -> Input:
    """One input of a random operation; a few fail."""
    op = rng.choice(("convert", "convert", "split"))
    kinds = sorted(UNITS) if op == "convert" else ["length", "mass", "time"]
    kind = rng.choice(kinds)
    units = UNITS[kind]
    whole, digits = rng.randint(0, rng.choice((9, 500, 10**7))), rng.randint(1, 6)
    value = f"{whole}.{rng.randrange(10**digits):0{digits}}" if rng.random() < 0.8 else str(whole + 500)
    args: dict[str, Any] = {"value": rng.choice(("", "", "-")) + value, "from": rng.choice(units)}
    if op == "convert":
        args["to"] = rng.choice(units)
    else:
        chosen = rng.sample(range(len(units)), min(len(units), rng.randint(2, 4)))
        args["into"] = [units[place] for place in (chosen if rng.random() < 0.02 else sorted(chosen))]
    if rng.random() < 0.03:
        args["from"] = rng.choice(("mi", "oz", "Kg", "sec"))
    if rng.random() < 0.7:
        args["places"] = rng.randint(0, 6)
    return op, args


def _convert(value: str, source: str, target: str, **more: int) -> Input:
    return "convert", {"value": value, "from": source, "to": target, **more}


def _split(value: str, source: str, into: str, **more: int) -> Input:
    return "split", {"value": value, "from": source, "into": into.split(), **more}


WIDE = wide(8)

BOUNDARY: tuple[Input, ...] = (
    _split("-3.99999", "km", "mi yd ft in", places=3),
    _convert("1", "mile", "km"),
    _convert("1", "foot", "pound"),
    _convert("1", "km", "Km"),
    _convert("1", "m", "kg"),
    _convert("1", "C", "s"),
    _convert("-300", "C", "m"),
    _convert("-300", "C", "c"),
    _convert("-300", "C", "F"),
    _convert("-0.000001", "K", "C"),
    _convert("-273.15", "C", "F"),
    _convert("-273.150001", "C", "C"),
    _convert("-459.67", "F", "K", places=5),
    _convert("-459.670001", "F", "K"),
    _convert("-40", "F", "C"),
    _convert("-40", "C", "F"),
    _convert("100", "F", "C", places=12),
    _convert("0", "K", "F"),
    _convert("1", "F", "K", places=6),
    _convert("36.6", "C", "F", places=1),
    _convert("50", "F", "C", places=0),
    _convert("1", WIDE, "m"),
    _convert("1", "m", WIDE),
    _convert("1", "m", "0.001"),
    _convert("1", "\u212a", "K"),
    *(_convert("1", unit, "m", places=4) for unit in UNITS["length"]),
    *(_convert("1", unit, "g", places=9) for unit in UNITS["mass"]),
    *(_convert("1", unit, "s", places=3) for unit in UNITS["time"]),
    _convert("25", "cm", "m", places=1),
    _convert("35", "cm", "m", places=1),
    _convert("-25", "cm", "m", places=1),
    _convert("-35", "cm", "m", places=1),
    _convert("-0.4", "cm", "m"),
    _convert("-0.5", "cm", "m"),
    _convert("-0.6", "cm", "m"),
    _convert("0.5", "s", "s", places=0),
    _convert("1.5", "s", "s", places=0),
    _convert("2.500001", "s", "s", places=0),
    _convert("999.995", "g", "g"),
    _convert("007.50", "h", "d", places=4),
    _convert("-0", "kg", "lb"),
    _convert("0.000001", "mg", "t", places=12),
    _convert("-999999999.999999", "wk", "ms", places=0),
    _convert("123456789.123456", "mi", "mm", places=12),
    _convert("1", "in", "ft"),
    _convert("1", "oz", "lb", places=4),
    _split("1", "h", "hour minute"),
    _split("1", WIDE, "min s"),
    ("split", {"value": "1", "from": "h", "into": ["d", WIDE]}),
    _split("1", "h", "m s min"),
    _split("1", "h", "s m kg"),
    _split("1", "h", "m ?"),
    _split("20", "C", "K"),
    _split("20", "C", "F C"),
    _split("20", "C", "h"),
    _split("1", "h", "min h"),
    _split("1", "h", "h min min"),
    _split("1", "kg", "lb lb"),
    _split("100", "in", "ft yd in"),
    _split("100000", "s", "d h min s"),
    _split("59.9999", "min", "h min"),
    _split("59.999999", "min", "h min s", places=3),
    _split("3600", "s", "h min s", places=6),
    _split("-0.001", "s", "min s"),
    _split("-0", "s", "min s"),
    _split("0.001", "s", "min s", places=3),
    _split("-1.5", "m", "ft in", places=2),
    _split("2.54", "cm", "in", places=1),
    _split("0.99", "in", "in"),
    _split("1", "t", "kg lb oz g mg", places=6),
    _split("999999999.999999", "mi", "km m ft in mm", places=6),
    _split("180", "cm", "mi ft in", places=1),
    _split("1000", "g", "kg mg"),
)

GOOD = {"value": "1", "from": "m", "to": "ft"}
PARTS = {"value": "1", "from": "m", "into": ["ft", "in"]}

MALFORMED: tuple[Input, ...] = (
    ("convert", {}),
    ("convert", {"from": "m", "to": "ft"}),
    ("convert", {"value": "1", "to": "ft"}),
    ("convert", {"value": "1", "from": "m"}),
    *(
        ("convert", {**GOOD, "value": value})
        for value in (
            1,
            1.5,
            None,
            "",
            "-",
            "+1",
            ".5",
            "5.",
            "1e3",
            "1,5",
            " 1",
            "1\n",
            "1234567890",
            "1.1234567",
            "--1",
        )
    ),
    ("convert", {**GOOD, "value": "\u0661"}),
    ("convert", {**GOOD, "from": ""}),
    ("convert", {**GOOD, "from": "x" * 9}),
    ("convert", {**GOOD, "from": wide(9)}),
    ("convert", {**GOOD, "from": 5}),
    ("convert", {**GOOD, "to": ["m"]}),
    ("convert", {**GOOD, "to": ""}),
    ("convert", {**GOOD, "to": "x" * 9}),
    *(("convert", {**GOOD, "from": "?", "places": places}) for places in (-1, 13, True, 2.0, "2", None)),
    ("split", {"value": "1", "from": "m"}),
    ("split", {"value": "1", "into": ["m"]}),
    ("split", {"from": "m", "into": ["m"]}),
    ("split", {**PARTS, "value": 7}),
    ("split", {**PARTS, "into": []}),
    ("split", {**PARTS, "into": "ft"}),
    ("split", {**PARTS, "into": ["km", "m", "ft", "in", "cm", "mm"]}),
    ("split", {**PARTS, "into": ["kg", 1]}),
    ("split", {**PARTS, "into": ["in", "ft", ""]}),
    ("split", {**PARTS, "into": ["?", wide(9)]}),
    *(("split", {**PARTS, "places": places}) for places in (-1, 7, False, 0.0)),
)

FAMILY = Family(
    number=31,
    slug="unit-convert",
    category="numbers",
    title="Unit conversion",
    purpose="Converts exact amounts between units of length, mass, time and temperature, and splits them into several units, "
    "like feet and inches.",
    notes=NOTES,
    operations=(CONVERT, SPLIT),
    program=program,
    # (98.6 + 459.67) * 5/9 K = 558.27 * 5/9 = 2791.35 / 9 = 310.15 K; 310.15 - 273.15 = 37 C exactly.
    golden=Case(
        op="convert",
        args={"value": "98.60", "from": "F", "to": "C", "places": 1},
        expected={"value": "37.0", "exact": True},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
