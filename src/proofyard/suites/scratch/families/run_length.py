"""Contract, inputs and the golden case of the family `run-length`."""

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import run_length as program

__all__ = ["FAMILY"]

NOTES = (
    "A code is a sequence of **items**, one after the other, without anything between them. An item is an optional "
    "count "
    "followed by a unit, and stands for that unit as often as the count says; without a count once.",
    "A **count** is one or more ASCII digits, the first not `0`; it takes all digits that follow. `1` is allowed.",
    "A **unit** is one of: a character other than the ASCII digits, `(`, `)` and `\\`, which stands for itself; "
    "`\\` and any "
    "one character after it (a digit, `(`, `)`, `\\` or any other), which stands for that character; or a "
    "**group**: `(`, "
    "one or more items, `)`, which stands for the text of these items. Groups may be nested to any depth. So "
    "`2(ab3\\1)c` "
    "is the code of `ab111ab111c`.",
    "A character is one code point; two of them are the same only if their code points are equal. Spaces and line "
    "feeds are "
    "characters like any other. The empty code stands for the empty text.",
)

BAD_CODE = ErrorDoc(
    code="bad_code",
    when="the code is no sequence of items: a count without a unit, a count that begins with `0`, a `\\` at the end, an empty "
    "group, a `)` without a `(`, or a `(` without a `)`",
    extra=(
        (
            "at",
            "integer: a position in code points from 0. The code is read from the left, and the first fault "
            "decides: it is "
            "the position of the item that cannot be read (of its count, if it has one), or of the `)` that has no "
            "`(` or "
            "stands directly after its `(`. If everything can be read but groups are still open at the end: the "
            "position of "
            "the innermost of them (of its count, if it has one)",
        ),
    ),
)

CODE = Param(name="code", type="string, 0 to 200 code points", text="the code")

ENCODE = OperationDoc(
    name="encode",
    summary="The code of a text, with runs of a character counted.",
    parameters=(Param(name="text", type="string, 0 to 1000 code points", text="the text"),),
    result='`{"encoded": string, "saved": integer}`: the code, and the number of code points of `text` minus that of the code '
    "(negative if the code is longer).",
    rules=(
        "The code has no groups. ASCII digits, `(`, `)` and `\\` are written with a `\\` before them, no other "
        "character is.",
        "A run is a longest sequence of one and the same character. It is written as a count and its unit if that "
        "takes fewer "
        "code points than the unit written once for each character of the run; else the unit is written that often, "
        "without "
        "a count. So `aa` stays `aa`, `aaa` is `3a`, and `11` is `2\\1`.",
    ),
)

DECODE = OperationDoc(
    name="decode",
    summary="The text that a code stands for.",
    parameters=(CODE,),
    result='`{"text": string}`: the text.',
    errors=(
        BAD_CODE,
        ErrorDoc(
            code="too_long",
            when="the text would have more than 2000 code points",
            extra=(("length", "integer: how many it would have, exactly, however many digits that number has"),),
        ),
    ),
)

MEASURE = OperationDoc(
    name="measure",
    summary="How long the text of a code is, without writing it out.",
    parameters=(CODE,),
    result='`{"length": integer, "depth": integer}`: the number of code points of the text, exactly, however large (there is '
    "no limit as in `decode`); and how deep groups are nested: 0 without groups, 1 if no group is within another.",
    errors=(BAD_CODE,),
)

CHARS = ("a", "b", "A", " ", "\n", "1", "0", "(", ")", "\\", "é", "東", "\U0001f600", "-", "x")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("encode", "decode", "measure"))
    if op == "encode":
        few = rng.sample(CHARS, rng.randint(3, 8))
        runs = [rng.choice(few) * rng.choice((1, 1, 2, 2, 3, 4, 9, 10, 30)) for _ in range(rng.randint(5, 15))]
        return op, {"text": "".join(runs)}
    code = _code(rng, 0, 4 if op == "decode" else 40)
    code = "".join(rng.choice("abcdefgh") for _ in range(6)) + code
    if rng.random() < 0.12:
        place = rng.randint(0, len(code))
        code = code[:place] + rng.choice(("0", ")", "(", "\\", "()", "5")) + code[place:]
    return op, {"code": code[:200]}


def _code(rng: Random, level: int, most: int) -> str:
    """A code of a few items, with groups down to the third level."""
    made = ""
    for _ in range(rng.randint(1, 6 - level)):
        made += str(rng.randint(1, most)) if rng.random() < 0.6 else ""
        if level < 3 and rng.random() < 0.35:
            made += f"({_code(rng, level + 1, most)})"
        else:
            made += rng.choice((*"abAé -東", "\n", "\\1", "\\0", "\\(", "\\)", "\\\\", "\\a", "\U0001f600"))
    return made


def _encode(text: str) -> Input:
    return "encode", {"text": text}


def _both(*codes: str) -> tuple[Input, ...]:
    return tuple((op, {"code": code}) for code in codes for op in ("decode", "measure"))


BOUNDARY: tuple[Input, ...] = (
    ("decode", {"code": "2(x3(\\1y))-)z"}),
    _encode(""),
    _encode("a"),
    _encode("aab"),
    _encode("aaab"),
    _encode("1"),
    _encode("11"),
    _encode("(()))\\\\\\"),
    _encode("0123456789"),
    _encode("a" * 9 + "b" * 10 + "a" * 99 + "c" * 100),
    _encode("7" * 10 + "\\" * 2 + "a7a77"),
    _encode("aAaA  \n\n\n\t\t\t\r\r"),
    _encode("e\u0301e\u0301éé\u00b2\u00b2\u0663\u0663\u0663[[[{{{"),
    _encode("東東東\U0001f600\U0001f600\U0001f600\U0001f600"),
    _encode("z" * 1000),
    _encode(wide(1000)),
    _encode("8" * 999 + "z"),
    *_both("", "a", "1a", "3a2b", "12\\12", "\\a\\é3\\\n", "10(ab)", "2(a2(b2(c)))d", "(((a)))(b)", "0a", "a0", "2"),
    *_both(
        "3)", "(3)", "ab\\", "2\\", "()", "a2()", "(a", "2(a3(b", "(a)b)", "a)", "(2(a)", "2(0a)", "((a)))(", "(a()b"
    ),
    *_both("400(12345a)", "9" * 199 + "a", "99(99(99(99(99(99(99\\(xy))))))", " 2 3 ", "2\n2\t", "\u00b2a3\u0663"),
    ("decode", {"code": "2000a"}),
    ("decode", {"code": "2001a"}),
    ("decode", {"code": "40(49b)40c"}),
    ("decode", {"code": "40(49b)41c"}),
    ("decode", {"code": "9999a)"}),
    ("decode", {"code": "01a9999b"}),
    ("decode", {"code": wide(200)}),
    ("measure", {"code": wide(200)}),
    ("decode", {"code": "(" * 99 + "2a" + ")" * 99}),
    ("measure", {"code": "2(" * 66 + "a" + ")" * 66 + "b"}),
    ("measure", {"code": "(" * 200}),
)

MALFORMED: tuple[Input, ...] = (
    ("encode", {}),
    ("encode", {"text": None}),
    ("encode", {"text": 11}),
    ("encode", {"text": ["a"]}),
    ("encode", {"text": "a" * 1001}),
    ("encode", {"text": wide(1001)}),
    ("encode", {"code": "a"}),
    ("decode", {}),
    ("decode", {"code": None}),
    ("decode", {"code": 3}),
    ("decode", {"code": {"a": 3}}),
    ("decode", {"code": "a" * 201}),
    ("decode", {"code": ")" * 201}),
    ("decode", {"code": wide(201)}),
    ("decode", {"text": "a"}),
    ("measure", {}),
    ("measure", {"code": True}),
    ("measure", {"code": ["a"]}),
    ("measure", {"code": "(" * 201}),
    ("measure", {"code": wide(201)}),
)

FAMILY = Family(
    number=6,
    slug="run-length",
    category="text",
    title="Run-length codes",
    purpose="Writes texts with runs of characters as counts, reads such codes, which may also repeat groups, and tells how "
    "long a text is without writing it out.",
    notes=NOTES,
    operations=(ENCODE, DECODE, MEASURE),
    program=program,
    # Runs: aaaa -> 4a (2 < 4); bb -> bb (2b is no shorter); 55 -> 2\5 (3 < 4); ( -> \( (1\( would be longer); twelve dots ->
    # 12. (3 < 12). The text has 4 + 2 + 2 + 1 + 12 = 21 characters, the code 2 + 2 + 3 + 2 + 3 = 12: 9 saved.
    golden=Case(
        op="encode",
        args={"text": "aaaabb55(" + "." * 12},
        expected={"encoded": "4abb2\\5\\(12.", "saved": 9},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
