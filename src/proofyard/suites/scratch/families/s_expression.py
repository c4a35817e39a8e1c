"""Contract, inputs and the golden case of the family `s-expression`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import s_expression as program

__all__ = ["FAMILY"]

NOTES = (
    "**Blanks** are the space, the tab, LF and CR, and comments: from `;` to before the next LF, or to the end of the text. "
    "They may stand between any two parts of a text and mean nothing; no other character is a blank.",
    "An **expression** is one of these. A list: `(`, any number of expressions, `)`; or the same with `[` and `]`. A quote: "
    "`'` and one expression, perhaps with blanks between; `'x` is the same as `(quote x)`. A string: `\"`, any characters, "
    '`"`; in it `;` and brackets mean nothing, line ends are allowed, and the only escapes are `\\"`, `\\\\`, `\\n` (LF) and '
    "`\\t` (tab). An atom: one or more characters other than blanks, `(`, `)`, `[`, `]`, `'`, `\"` and `;`, as many as there "
    "are.",
    "An atom is an integer if it is an optional `+` or `-` and then one or more ASCII digits, nothing else; else "
    "it is a symbol: `-`, `1+`, `x.y`, `#t`, `1.5` are symbols. No blank is needed where the parts are clear: "
    "`a'b` is `a` and `'b`, `x\"y\"(1)` is a symbol, a string and a list.",
    "`syntax_error` has the position where the first fault is, counted in code points from 0: the first "
    "character that cannot stand where it is (a closing bracket where nothing is open or where the innermost "
    "open bracket is of the other kind, a closing bracket after `'` and perhaps blanks, a backslash in a string "
    "that begins none of the four escapes, also at the end of the text), or the number of code points of the "
    "text if it ends inside a list or a string or after `'`. `too_deep` has the position of the `(`, `[` or `'` "
    "of the first list or quote that stands inside 16 others. What stands first in the text decides between the "
    "two.",
)

TEXT = Param(name="text", type="string, 0 to 1000 code points", text="any number of expressions, also none")
ERRORS = (
    ErrorDoc(
        code="syntax_error",
        when="the text is not made of expressions and blanks",
        extra=(("position", "integer: where the first fault is, as defined above"),),
    ),
    ErrorDoc(
        code="too_deep",
        when="lists and quotes are nested more than 16 deep",
        extra=(("position", "integer: where the first list or quote that is too deep begins"),),
    ),
)

PARSE = OperationDoc(
    name="parse",
    summary="The expressions of a text as JSON.",
    parameters=(TEXT,),
    result=(
        '`{"values": [expression, ...]}`: the expressions that stand in no list, in order. A list is an array, of '
        'either kind of bracket; a quote is `["quote", x]`; an integer is an integer (`+07` is 7, `-0` is 0, at any '
        'size), a symbol a string as it stands, a string `{"string": string}` with the escapes replaced.'
    ),
    errors=ERRORS,
    error_order="what stands first in the text decides",
)

LAYOUT = OperationDoc(
    name="layout",
    summary="The expressions of a text, laid out anew.",
    parameters=(
        TEXT,
        Param(
            name="width", type="integer, 10 to 100", text="the width to keep if possible; default 40", required=False
        ),
    ),
    result='`{"lines": [string, ...]}`: the lines of the first expression, then those of the second, and so on, without line '
    "ends. Comments are lost; without expressions it is `[]`.",
    errors=ERRORS,
    error_order="what stands first in the text decides",
    rules=(
        "The **flat form** of an expression: a list of exactly two whose first is the symbol `quote` is `'` and "
        "the flat form of the second, with nothing between; any other list is `(`, the flat forms joined by "
        "single spaces, `)`, always with round brackets; an integer has no `+` and no leading zeros, and `-0` is "
        '`0`; a symbol is as it stands; a string is in `"`, with the four escapes for `"`, `\\`, LF and tab and '
        "all other characters as they are.",
        "An expression that begins at column c (in code points from 0; top-level ones begin at 0) is written in its flat form "
        "if c plus the length of that form is at most `width`, or if it is no list, or the empty list. Closing brackets of "
        "outer lists that follow on the same line are not counted.",
        "Any other list is broken: `(` and its first expression, laid out from column c + 1; then each further expression on a "
        "new line, indented by c + 2 spaces and laid out from column c + 2; then `)` at the end of the last line. A list that "
        "the flat form writes with `'` is broken as `'` and its second expression, laid out from column c + 1.",
    ),
)

WORDS = ("x", "y", "define", "lambda", "list-tail", "+", "-", "*", "<=", "set!", "λ", "a.b", "1+", "quote", "nil", "#t")
BLANKS = (" ", " ", " ", " ", "  ", "\n", "\t", " ; note (x\n")


def generate(rng: Random) -> Input:
    """One input of a random operation; a few have a fault."""
    op = rng.choice(("parse", "layout", "layout"))
    text = rng.choice(("", "", " ", "; first\n")) + rng.choice(BLANKS).join(
        _expression(rng, rng.randint(1, 4)) for _ in range(rng.randint(1, 3))
    )
    text = text[:1000]
    if rng.random() < 0.1:
        spot = rng.randrange(len(text))
        text = text[:spot] + rng.choice(("", ")", "]", "(", '"', "'", "\\q")) + text[spot + 1 :]
    args: dict[str, Any] = {"text": text[:1000]}
    if op == "layout" and rng.random() < 0.7:
        args["width"] = rng.randint(10, 50)
    return op, args


def _expression(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.1:
        return _atom(rng)
    if rng.random() < 0.12:
        return "'" + rng.choice(("", "", " ")) + _expression(rng, depth - 1)
    items = [_expression(rng, depth - 1) for _ in range(rng.choice((0, 1, 2, 3, 4, 5)))]
    if rng.random() < 0.07:
        items = ["quote", *items]
    brackets = rng.choice(("()", "()", "()", "[]"))
    return brackets[0] + rng.choice(BLANKS).join(items) + rng.choice(("", "", " ")) + brackets[1]


def _atom(rng: Random) -> str:
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(WORDS)
    if kind < 0.8:
        return rng.choice(("", "", "-", "+", "0")) + str(rng.randint(0, rng.choice((9, 10**6))))
    pieces = ("a", "word", " ", "(", ";", "'", '\\"', "\\\\", "\\n", "\\t", "é", "\n")
    return '"' + "".join(rng.choice(pieces) for _ in range(rng.randint(0, 6))) + '"'


def _parse(text: str) -> Input:
    return "parse", {"text": text}


def _layout(text: str, **more: int) -> Input:
    return "layout", {"text": text, **more}


SQUARE = '(define (square x) (let ((y (* x x))) (if (> y 0) (list y \'done "some text") [error])))'

BOUNDARY: tuple[Input, ...] = (
    _layout(SQUARE, width=24),
    _parse("(a [b c) d]"),
    *(
        _parse(text)
        for text in ("", " \t\r\n", "; only a comment", ";\n;\r;", "()", "[ ]", "(;)\n)", "a;b\nc", "x\u00a0y \u3000")
    ),
    *(_parse(text) for text in ("(", "[", "'", "(a", "(a b ", "' ;x", "(a '", '"', '"abc', '("a)', '"a\\"', "(a ;b)")),
    *(_parse(text) for text in (")", "]", "a)", "(a))", "(]", "[)", "(a [b (c]) d)", "(')", "(a ' ])", "'(a b] c")),
    *(_parse(text) for text in ('"a\\', '"a\\q"', '"\\"\\\\\\x"', '("ok" "\\N")', '"\\\n"', '"a\\ "')),
    _parse('"" "a b" "(;\'[" "\\"\\\\\\n\\t" "line\nend\ttab" "\\\\n"'),
    _parse("0 -0 +0 007 -12 +5 123456789012345678901234567890 1.5 1e3 - + -+1 1- 0x1F \u0661 1_0"),
    _parse("a'b ''c '(d) ' e '[] '\"s\" (quote f) (quote) (quote g h) \"q\"'1"),
    _parse('x"y"(1)z[2]3"4"'),
    _parse("#t \\ a\\b ` , @ {x} |y| λ \U0001f600! a,b"),
    _parse("(" * 16 + ")" * 16),
    _parse("(" * 17 + ")" * 17),
    _parse("'" * 16 + "x"),
    _parse("'" * 17 + "x"),
    _parse("([" * 8 + "'"),
    _parse("([" * 7 + "'x (a))"),
    _parse("(" * 17 + "]"),
    _parse(")" + "(" * 17),
    _parse("(" * 15 + " 'a 'b ('c)" + ")" * 15),
    _parse("() " * 40 + "(()())"),
    _parse(wide(1000)),
    _parse("(a (b)) " * 125),
    _layout(wide(1000)),
    _layout(""),
    _layout("; nothing\n"),
    _layout("(a))"),
    _layout("(" * 17, width=10),
    _layout('a 1 "s" () \'x', width=10),
    _layout("(aaa bbbb)", width=10),
    _layout("(aaa bbbbb)", width=10),
    _layout("(a (bb cc))", width=10),
    _layout("(a (bbb ccc))", width=10),
    _layout("(a (bbb cccc))", width=10),
    _layout("((aaa bbb) ccc)", width=10),
    _layout("((aaa bbbb) ccc)", width=10),
    _layout("((aaaa bbbb) ccc)", width=10),
    _layout("(((aaa bbb ccc)))", width=10),
    _layout("averyveryverylongsymbol", width=10),
    _layout("(averyveryverylongsymbol)", width=10),
    _layout("(a averyveryverylongsymbol () b)", width=10),
    _layout('"a very very long string" ["a very long string"]', width=10),
    _layout("'(aaaaa bbbbb)", width=10),
    _layout("'(aaa bbbb)", width=10),
    _layout("'(aaa bbb)", width=10),
    _layout("''(aaa bbb)", width=10),
    _layout("(quote (aaaaa bbbbb)) (quote aaaaaaaaaaaaa)", width=10),
    _layout('(quote aaaaa bbbbb) (quote) ("quote" x) (Quote x)', width=10),
    _layout("(x '(aaaaa 'bbbb) (quote quote))", width=10),
    _layout('"\\\\ \\" \\n \\t \r \n\t é"'),
    _layout("[+1 -0 007 -005 x [y]] ; end\n[ ]"),
    _layout("(f " + "x" * 36 + ")"),
    _layout("(f " + "x" * 37 + ")"),
    _layout("(f " + "\U0001f600" * 36 + ")"),
    _layout(SQUARE),
    _layout(SQUARE, width=100),
    _layout(SQUARE, width=10),
    _layout("(" * 16 + "a b" + ")" * 16, width=10),
    _layout("(aa (b cc)) " * 80, width=10),
)

MALFORMED: tuple[Input, ...] = (
    ("parse", {}),
    ("parse", {"text": None}),
    ("parse", {"text": ["a"]}),
    ("parse", {"text": 5}),
    ("parse", {"text": False}),
    ("parse", {"text": "(" * 1001}),
    ("parse", {"text": wide(1001)}),
    ("layout", {}),
    ("layout", {"width": 20}),
    ("layout", {"text": {"a": 1}, "width": 20}),
    ("layout", {"text": " " * 1001}),
    ("layout", {"text": "a", "width": 9}),
    ("layout", {"text": "(", "width": 101}),
    ("layout", {"text": "a", "width": True}),
    ("layout", {"text": "a", "width": 20.0}),
    ("layout", {"text": "a", "width": "20"}),
    ("layout", {"text": "a", "width": None}),
)

FAMILY = Family(
    number=57,
    slug="s-expression",
    category="parsing",
    title="S-expressions",
    purpose="Reads S-expressions, the notation of Lisp, into JSON with exact positions of faults, and lays them out within a "
    "width.",
    notes=NOTES,
    operations=(PARSE, LAYOUT),
    program=program,
    # `(add` opens a list with the symbol add; `+05` is 5; `'x` is a quote; the comment goes to the line end; `[]` is an empty
    # list; in the string `\"` is a quotation mark; `)` closes the list. Then `-` alone is a symbol.
    golden=Case(
        op="parse",
        args={"text": '(add +05 \'x ; ) no end\n  [] "a \\"b\\"") -'},
        expected={"values": [["add", 5, ["quote", "x"], [], {"string": 'a "b"'}], "-"]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
