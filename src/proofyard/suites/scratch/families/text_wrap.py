"""Contract, inputs and the golden case of the family `text-wrap`."""

# ruff: noqa: SIM905 - a word list reads best as text

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import text_wrap as program

__all__ = ["FAMILY"]

NOTES = (
    "A **blank** is a space (U+0020) or a tab (U+0009). Only a line feed (U+000A) ends a line of the given text. Every "
    "other character, a carriage return or a no-break space too, is an ordinary character of a word.",
    "A **word** is a longest run of characters that are neither blanks nor line feeds. A line of the given text without "
    "a word is empty, whatever blanks it holds. A **paragraph** is a longest run of lines that are not empty: its words "
    "in order, however they were spread over lines.",
    "The **width** of a word or line is its number of code points. Lines of a result never end in a space.",
    "Lines are **filled**: a word goes on the current line, one space after the word before it, if the line is then no "
    "wider than `width`; else it begins the next line. Each paragraph begins on a line of its own.",
    'In a result each paragraph but the last is followed by exactly one empty line, `""`. Empty lines of the given '
    "text mean nothing else: those at its begin and end are dropped, and several count as one. Without any word the "
    "lines are `[]`.",
)

TEXT = Param(name="text", type="string, 0 to 2000 code points", text="the text")
WIDTH = Param(name="width", type="integer, 2 to 100", text="how wide a line may be")

WRAP = OperationDoc(
    name="wrap",
    summary="The paragraphs filled into lines with indents; words that are too long are cut.",
    parameters=(
        TEXT,
        WIDTH,
        Param(
            name="first",
            type="integer, 0 to 100",
            text="how many spaces begin the first line of each paragraph; default 0",
            required=False,
        ),
        Param(
            name="rest",
            type="integer, 0 to 100",
            text="how many spaces begin every other line of a paragraph; default 0",
            required=False,
        ),
    ),
    result='`{"lines": [string, ...], "cuts": integer}`: the lines, and how many times a word was cut.',
    rules=(
        "The indent counts as part of the line: it and the words after it together are at most `width` wide. The empty "
        "lines between paragraphs have no indent.",
        "A word is cut only if it begins a line and does not fit there: of the R columns beside the indent, R - 1 take "
        "the first R - 1 characters of the word and the last takes a hyphen `-`. What is left of the word begins the "
        "next line, as if it were a word, and is cut again if it does not fit there. Hyphens that the word holds itself "
        "do not matter. A word that fits is never cut to fill the line before it; nor is the first word of a paragraph "
        "moved to the next line, if only `first` leaves too little room for it: it is cut.",
    ),
    errors=(
        ErrorDoc(
            code="too_narrow",
            when="`width` minus the greater of `first` and `rest` is less than 2, whatever the text is",
        ),
    ),
)

ALIGN = OperationDoc(
    name="align",
    summary="The paragraphs filled into lines, without indent or cut words, and aligned.",
    parameters=(
        TEXT,
        WIDTH,
        Param(name="mode", type="string: `right`, `center` or `justify`", text="how the lines are aligned"),
    ),
    result='`{"lines": [string, ...]}`: the lines.',
    rules=(
        "The **free** space F of a line is `width` minus the width of the line as filled. `right` puts F spaces before "
        "the line. `center` puts F / 2 spaces before it, rounded down, and none after it.",
        "`justify` adds F spaces to the gaps between the words of a line. With G gaps each gets F / G of them, rounded "
        "down, and each of the last F mod G gaps (the rightmost ones) gets one more. The last line of a paragraph "
        "and a line of one word stay as they are.",
    ),
    errors=(
        ErrorDoc(
            code="word_too_long",
            when="a word is wider than `width`",
            extra=(("word", "string: the first such word of the text, whole"),),
        ),
    ),
)

WORDS = (
    "a I we the and fox sail north bridge keeper lantern harbour well-known don't (so) naïve straße 東京 half. rain, "
    "Wednesday extraordinarily 3.14159 \U0001f600"
).split()
GAPS = (*(" ",) * 14, "  ", "\t", "\n", "\n", " \n ", "\n\n", "\n \t\n\n")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("wrap", "align"))
    few = rng.sample(WORDS, rng.randint(4, 12))
    text = "".join(rng.choice(few) + rng.choice(GAPS) for _ in range(rng.randint(5, 40)))
    if op == "align":
        width = rng.randint(16, 40) if rng.random() < 0.95 else rng.randint(3, 6)
        return op, {"text": text, "width": width, "mode": rng.choice(("right", "center", "justify", "justify"))}
    args: dict[str, Any] = {"text": text, "width": rng.randint(8, 32)}
    for name in ("first", "rest"):
        if rng.random() < 0.6:
            args[name] = rng.randint(0, 6 if rng.random() < 0.97 else 40)
    return op, args


FULL = (wide(19) + " ") * 100
SHORT = "aa bb\ncc  dd\n\n\tee ff gg hh ii jj\n \t \n\nkkkkk"

BOUNDARY: tuple[Input, ...] = (
    ("align", {"text": "to be or not to be,\nthat is\n\nthe question", "width": 11, "mode": "justify"}),
    ("wrap", {"text": "", "width": 2}),
    ("wrap", {"text": " \n\t\n \n", "width": 10, "first": 3}),
    ("wrap", {"text": "", "width": 5, "first": 4}),
    ("wrap", {"text": "a b", "width": 5, "first": 3, "rest": 4}),
    ("wrap", {"text": "a b", "width": 5, "first": 5, "rest": 1}),
    ("wrap", {"text": "a b", "width": 100, "first": 100, "rest": 100}),
    ("wrap", {"text": "ab cdef", "width": 5, "first": 3, "rest": 3}),
    ("wrap", {"text": SHORT, "width": 5}),
    ("wrap", {"text": SHORT, "width": 6, "first": 2, "rest": 1}),
    ("wrap", {"text": SHORT, "width": 6, "rest": 3}),
    ("wrap", {"text": SHORT, "width": 4, "first": 1}),
    ("wrap", {"text": "abcdefghij", "width": 10}),
    ("wrap", {"text": "abcdefghij", "width": 9}),
    ("wrap", {"text": "abcdefghij k", "width": 2}),
    ("wrap", {"text": "x abcdefghij k l", "width": 6}),
    ("wrap", {"text": "x abcdef k l", "width": 6}),
    ("wrap", {"text": "abcdef gh", "width": 8, "first": 4}),
    ("wrap", {"text": "abcdefghijkl gh", "width": 8, "first": 1, "rest": 4}),
    ("wrap", {"text": "well-known a-b-c-d-e-f --------", "width": 5}),
    ("wrap", {"text": "a\r\nb\u00a0c d\x0be \u2003f g", "width": 6}),
    ("wrap", {"text": "one\n\n\n\ntwo\n \t \nthree\n", "width": 20, "first": 1, "rest": 9}),
    ("wrap", {"text": wide(2000), "width": 100, "first": 98, "rest": 3}),
    ("wrap", {"text": FULL, "width": 20}),
    ("align", {"text": FULL, "width": 39, "mode": "justify"}),
    ("align", {"text": "", "width": 2, "mode": "center"}),
    ("align", {"text": "abc\n\n  ", "width": 3, "mode": "justify"}),
    ("align", {"text": "a bb cccc ddd\n\nfffff", "width": 3, "mode": "justify"}),
    ("align", {"text": "a-b--c d", "width": 5, "mode": "right"}),
    ("align", {"text": SHORT, "width": 8, "mode": "right"}),
    ("align", {"text": SHORT, "width": 8, "mode": "center"}),
    ("align", {"text": SHORT, "width": 7, "mode": "justify"}),
    ("align", {"text": SHORT, "width": 9, "mode": "center"}),
    ("align", {"text": "a b c d e ffffffff gg hhhhhhhhhhhhh i", "width": 14, "mode": "justify"}),
    ("align", {"text": "a b c d e fff gg", "width": 12, "mode": "justify"}),
    ("align", {"text": "a b c dddddddd", "width": 8, "mode": "justify"}),
    ("align", {"text": "é\u00a0b \U0001f600 c\r\n\u3000dd e f", "width": 5, "mode": "right"}),
    ("align", {"text": "one\n\n\n\ntwo three\n \t \nfour\n", "width": 100, "mode": "center"}),
)

MALFORMED: tuple[Input, ...] = (
    ("wrap", {"width": 10}),
    ("wrap", {"text": "a"}),
    ("wrap", {"text": None, "width": 10}),
    ("wrap", {"text": ["a"], "width": 10}),
    ("wrap", {"text": "a" * 2001, "width": 10}),
    ("wrap", {"text": "a", "width": 1}),
    ("wrap", {"text": "a", "width": 101}),
    ("wrap", {"text": "a", "width": True}),
    ("wrap", {"text": "a", "width": 10.0}),
    ("wrap", {"text": "a", "width": "10"}),
    ("wrap", {"text": "a", "width": 10, "first": -1}),
    ("wrap", {"text": "a", "width": 10, "first": 101}),
    ("wrap", {"text": "a", "width": 10, "first": None}),
    ("wrap", {"text": "a", "width": 5, "first": 4, "rest": -1}),
    ("wrap", {"text": "a", "width": 10, "rest": 101}),
    ("wrap", {"text": "a", "width": 10, "rest": False}),
    ("wrap", {"text": "a", "width": 10, "rest": 1.0}),
    ("align", {"width": 10, "mode": "right"}),
    ("align", {"text": "a", "mode": "right"}),
    ("align", {"text": "a", "width": 10}),
    ("align", {"text": "a", "width": 10, "mode": "left"}),
    ("align", {"text": "a", "width": 10, "mode": "Right"}),
    ("align", {"text": "a", "width": 10, "mode": ["right"]}),
    ("align", {"text": "aaa", "width": 1, "mode": "right"}),
    ("align", {"text": "aaa", "width": 101, "mode": "center"}),
    ("align", {"text": 7, "width": 10, "mode": "justify"}),
    ("align", {"text": wide(2001), "width": 10, "mode": "center"}),
)

FAMILY = Family(
    number=2,
    slug="text-wrap",
    category="text",
    title="Text wrapping",
    purpose="Fills the paragraphs of a text into lines of a given width: with indents, cutting words that are too long, "
    "or aligned to the right, to the centre or to both sides.",
    notes=NOTES,
    operations=(WRAP, ALIGN),
    program=program,
    # Width 9. First paragraph: indent 3 leaves 6 columns: `Mind` (4), and `the` would make 8. Then indent 1 leaves 8: `the`,
    # and `unavoidable` does not fit after it. It begins a line and is too wide for 8, so 7 characters and a hyphen:
    # `unavoid-`; `able` is left, and `able gap` is 8 wide: it fits. Second paragraph: `at` `it` is 5 of 6 columns.
    golden=Case(
        op="wrap",
        args={"text": "Mind the unavoidable gap\n\nat\nit", "width": 9, "first": 3, "rest": 1},
        expected={"lines": ["   Mind", " the", " unavoid-", " able gap", "", "   at it"], "cuts": 1},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
