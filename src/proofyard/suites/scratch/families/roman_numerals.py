"""Contract, inputs and the golden case of the family `roman-numerals`."""

# ruff: noqa: RUF001 - look-alike characters are tried on purpose

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import roman_numerals as program

__all__ = ["FAMILY"]

NOTES = (
    "The letters are `I` 1, `V` 5, `X` 10, `L` 50, `C` 100, `D` 500, `M` 1000. Numbers from 1 to 3999999 have a "
    "numeral; 0 has "
    "none.",
    "The **standard form** of a number up to 3999: its thousands, hundreds, tens and units in this order, without "
    "those that "
    "are 0. Thousands are `M` to `MMM`; hundreds 1 to 9 are `C`, `CC`, `CCC`, `CD`, `D`, `DC`, `DCC`, `DCCC`, `CM`; "
    "tens `X`, "
    "`XX`, `XXX`, `XL`, `L`, `LX`, `LXX`, `LXXX`, `XC`; units `I`, `II`, `III`, `IV`, `V`, `VI`, `VII`, `VIII`, `IX`.",
    "The standard form of a number N from 4000 on: the standard form of N / 1000, rounded down, in parentheses `(` "
    "`)`, and "
    "directly after it that of the remainder N mod 1000, or nothing if that is 0. So 3999 is `MMMCMXCIX`, 4000 is "
    "`(IV)`, and "
    "1234567 is `(MCCXXXIV)DLXVII`.",
    "A **numeral** in whatever form is one or more of the capital letters above, of which a first part may be in "
    "parentheses: "
    "`(`, one or more letters, `)`, then any number of letters, none too. Nothing else may be in it, no space either.",
    "The **number** of a numeral is the sum of its letters outside of the parentheses plus 1000 times the sum of "
    "those inside. "
    "In each of the two sums a letter counts negative if the letter directly after it, in the same part, has a "
    "greater value; "
    "else positive. So `IIX` is 1 - 1 + 10 = 10, `IM` is 999 and `(I)V` is 1005.",
)

BAD = "is no numeral (the empty string and small letters are none)"

FORMAT = OperationDoc(
    name="format",
    summary="The numeral of a number.",
    parameters=(
        Param(name="number", type="integer, 1 to 3999999", text="the number"),
        Param(
            name="additive",
            type="boolean",
            text="whether to write the additive form, in which no letter counts negative; default false",
            required=False,
        ),
    ),
    result='`{"numeral": string}`: the standard form, or the additive form.',
    rules=(
        "The additive form is like the standard form, inside the parentheses too, with `CCCC` for `CD`, `DCCCC` for "
        "`CM`, "
        "`XXXX` for `XL`, `LXXXX` for `XC`, `IIII` for `IV` and `VIIII` for `IX`. Parentheses are used from 4000 on "
        "here too: "
        "4000 is `(IIII)`.",
    ),
)

PARSE = OperationDoc(
    name="parse",
    summary="The number of a numeral.",
    parameters=(
        Param(name="numeral", type="string, 0 to 40 code points", text="the numeral"),
        Param(
            name="lenient",
            type="boolean",
            text="whether other forms than the standard form, and small letters, are right; default false",
            required=False,
        ),
    ),
    result='`{"number": integer, "standard": string}`: the number and its standard form.',
    rules=(
        "With `lenient`, each of the small ASCII letters `i`, `v`, `x`, `l`, `c`, `d`, `m` is first changed to its "
        "capital; no "
        "other character is changed. Then any numeral in whatever form is right if its number is in the range.",
    ),
    errors=(
        ErrorDoc(code="bad_numeral", when=f"`numeral` (with `lenient`, after the change to capitals) {BAD}"),
        ErrorDoc(
            code="not_standard",
            when="without `lenient`: `numeral` is not exactly the standard form of its number, or that number is greater than "
            "3999999",
            extra=(("number", "integer: the number of the numeral"),),
        ),
        ErrorDoc(
            code="out_of_range",
            when="with `lenient`: the number is greater than 3999999",
            extra=(("number", "integer: that number"),),
        ),
    ),
)

TOTAL = OperationDoc(
    name="total",
    summary="The sum of several numerals.",
    parameters=(
        Param(
            name="terms",
            type="array of 1 to 10 strings, each of 0 to 40 code points",
            text="the terms, each a numeral in standard form, with or without one `-` directly before it",
        ),
    ),
    result='`{"number": integer, "numeral": string}`: the sum, and its standard form.',
    rules=("A term with `-` is taken away. On the way the sum may be 0, negative or too great; only the end counts.",),
    errors=(
        ErrorDoc(
            code="bad_numeral",
            when=f"a term without its `-` {BAD}",
            extra=(("term", "integer: the number of the term, from 1"),),
        ),
        ErrorDoc(
            code="not_standard",
            when="a term without its `-` is not exactly the standard form of its number, or the number is greater than 3999999",
            extra=(
                ("number", "integer: the number of that numeral, without the `-`"),
                ("term", "integer: the number of the term, from 1"),
            ),
        ),
        ErrorDoc(
            code="out_of_range",
            when="the sum is less than 1 or greater than 3999999",
            extra=(("number", "integer: the sum"),),
        ),
    ),
    error_order="the terms are checked in turn, and the first faulty one decides; `out_of_range` comes after all terms",
)


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("format", "parse", "total"))
    if op == "format":
        args: dict[str, Any] = {"number": rng.randint(1, program.LARGEST)}
        if rng.random() < 0.6:
            args["additive"] = rng.random() < 0.7
        return op, args
    if op == "total":
        terms = [
            ("-" if rng.random() < 0.3 else "") + program.numeral(_number(rng), False) for _ in range(rng.randint(2, 5))
        ]
        if rng.random() < 0.05:
            terms.insert(rng.randint(0, 2), rng.choice(("IIII", "XIIV", "iv", "(II)I", "IC")))
        return op, {"terms": [program.numeral(rng.randint(10**6, 2 * 10**6), False), *terms]}
    if rng.random() < 0.35:
        return op, {
            "numeral": program.numeral(rng.randint(4000, program.LARGEST), rng.random() < 0.1),
            **rng.choice(({}, {"lenient": False})),
        }
    text = rng.choice((_letters(rng, 9), f"({_letters(rng, 7)})", f"({_letters(rng, 3)}){_letters(rng, 7)}"))
    return op, {"numeral": rng.choice((text, text, text.lower(), text.title())), "lenient": True}


def _number(rng: Random) -> int:
    return rng.randint(1, rng.choice((100, 3999, 9999, 500_000)))


def _letters(rng: Random, most: int) -> str:
    return "".join(rng.choice("IVXLCDMIX") for _ in range(rng.randint(most - 2, most)))


def _parse(numeral: str, **more: Any) -> Input:
    return "parse", {"numeral": numeral, **more}


def _both(*numerals: str) -> tuple[Input, ...]:
    return tuple(_parse(text, **more) for text in numerals for more in ({}, {"lenient": True}))


def _total(terms: str) -> Input:
    return "total", {"terms": terms.split(" ")}


EDGES = (1, 4, 9, 14, 40, 49, 90, 400, 444, 888, 900, 999, 1666, 1994, 3999, 4000, 4001, 5000, 9999, 49_000, 999_949)
BAD_FORMS = ("", " IV", "IV ", "I V", "(IV", "IV)", "()I", "(I)(I)", "I(V)", "((I))", "Ⅳ", "IVZ", "-I", "4", "I\n")

BOUNDARY: tuple[Input, ...] = (
    _parse("(iiX)MCMic", lenient=True),
    *(("format", {"number": number}) for number in EDGES),
    *(
        ("format", {"number": number, "additive": True})
        for number in (4, 9, 1994, 3999, 4000, 44_949, 949_494, 3_999_999)
    ),
    ("format", {"number": 3_999_999, "additive": False}),
    *(_parse(text, lenient=text in {"", "()I", "Ⅳ", "I\n"}) for text in BAD_FORMS),
    *_both(
        "IIII", "IIX", "IM", "VX", "XCX", "CMC", "MMMM", "(III)", "(III)I", "(IV)", "(IV)M", "(MMMM)", "XIIV", "IVXLCDM"
    ),
    *_both("iv", "Mx", "(V)v"),
    _parse("MMMCMXCIX"),
    _parse("(MMMCMXCIX)CMXCIX", lenient=False),
    _parse("(IM)IM", lenient=True),
    _parse("(MMMCMXCIX)M", lenient=True),
    _parse("(MMMCMXCIX)CMXCIXI"),
    _parse("M" * 40, lenient=True),
    _parse(f"({'M' * 38})", lenient=True),
    _parse("ıv", lenient=True),
    _parse(wide(40)),
    _total("I"),
    _total("(MMM)CMXCIX I"),
    _total("X -III IV"),
    _total("-X V VI"),
    _total("(MMMCMXCIX)CMXCIX I -I"),
    _total("(MMMCMXCIX)CMXCIX I"),
    _total("V -V"),
    _total("V -V I"),
    _total("-MCMXCIV"),
    _total("I IIII x"),
    _total("-IIX II"),
    _total("I x IIII"),
    _total("-V --I"),
    _total("X -"),
    _total("I  V"),
    _total("I v"),
    _total("(MMMM) I"),
    _total("I II III IV V VI VII VIII IX X"),
    ("total", {"terms": ["I", wide(40)]}),
)

MALFORMED: tuple[Input, ...] = (
    ("format", {}),
    ("format", {"number": 0}),
    ("format", {"number": -1}),
    ("format", {"number": 4_000_000}),
    ("format", {"number": True}),
    ("format", {"number": 5.0}),
    ("format", {"number": "5"}),
    ("format", {"number": None}),
    ("format", {"number": 5, "additive": None}),
    ("format", {"number": 5, "additive": 1}),
    ("parse", {}),
    ("parse", {"numeral": None}),
    ("parse", {"numeral": 4}),
    ("parse", {"numeral": ["IV"]}),
    ("parse", {"numeral": "M" * 41}),
    ("parse", {"numeral": wide(41)}),
    ("parse", {"numeral": "x", "lenient": None}),
    ("parse", {"numeral": "x", "lenient": "true"}),
    ("total", {}),
    ("total", {"terms": []}),
    ("total", {"terms": "I"}),
    ("total", {"terms": [1]}),
    ("total", {"terms": ["x", None]}),
    ("total", {"terms": ["I"] * 11}),
    ("total", {"terms": ["x", wide(41)]}),
)

FAMILY = Family(
    number=9,
    slug="roman-numerals",
    category="text",
    title="Roman numerals",
    purpose="Writes numbers as Roman numerals, with parentheses for thousands, reads and adds them.",
    notes=NOTES,
    operations=(FORMAT, PARSE, TOTAL),
    program=program,
    # (IV)XC = 4000 + 90 = 4090. MMCMXCIX = 2000 + 900 + 90 + 9 = 2999 is taken away: 1091. CD = 400: 1491. 1491 = 1000 + 400 +
    # 90 + 1: M CD XC I.
    golden=Case(
        op="total",
        args={"terms": ["(IV)XC", "-MMCMXCIX", "CD"]},
        expected={"number": 1491, "numeral": "MCDXCI"},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
