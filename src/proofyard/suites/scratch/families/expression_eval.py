"""Contract, inputs and the golden case of the family `expression-eval`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import expression_eval as program

__all__ = ["FAMILY"]

NOTES = (
    "**Tokens.** A number is one or more ASCII digits (leading zeros are allowed). A name is an ASCII letter or `_`, "
    "followed by any number of ASCII letters, digits and `_`. Every other character but the space and the tab is a "
    "token of its own. Tokens are as long as possible; spaces and tabs separate tokens and mean nothing else. `2x` "
    "is the number `2` and the name `x`.",
    '**Grammar.** `expression = term { ("+" or "-") term }`, `term = unary { ("*" or "/" or "%") unary }`, `unary = '
    '"-" unary` or `power`, `power = operand` or `operand "^" unary`, `operand = number` or `name` or `"(" '
    'expression ")"`, where `{ }` means any number of times. So `+ - * / %` group from the left, `^` from the right '
    "and tighter than a minus sign before it: `-2^2` is `-(2^2)`, `2^-1` and `--2` are allowed; a sign `+` is not.",
    "**Syntax errors.** The whole expression is parsed before anything else. `position` is where the first token "
    "begins that cannot follow the tokens before it in any expression, counted in code points from 0; if the tokens "
    "end too early (or there is none) it is the number of code points of the whole expression, spaces at its end "
    "included. `(1 2)` has its fault at position 3, `(1` at 2, `1)` at 1.",
    "**Postfix form.** Each operation comes after its operands: numbers and names in their order; an operator after "
    "its left and its right operand; the sign `-` after its operand, written `neg`. `-a ^ 2 - b` is `a`, `2`, `^`, "
    "`neg`, `b`, `-`.",
)

EXPRESSION = Param(
    name="expression",
    type="string, 0 to 150 code points",
    text="the expression; parentheses nested more than 30 deep are never sent",
)
SYNTAX = ErrorDoc(
    code="syntax_error",
    when="the text is not an expression of the grammar",
    extra=(("position", "integer: where the first fault is, as defined above"),),
)

EVALUATE = OperationDoc(
    name="calculate",
    summary="The value of an expression.",
    parameters=(
        EXPRESSION,
        Param(
            name="variables",
            type="object with 0 to 20 keys, each value an integer, -1000000000000000 to 1000000000000000",
            text="the values of variables by name, case-sensitive; a key that is no name counts as a key and its value must "
            "be valid too, but it is never used; default none",
            required=False,
        ),
    ),
    result='`{"value": integer}`.',
    errors=(
        SYNTAX,
        ErrorDoc(code="unknown_variable", when="a variable has no value", extra=(("name", "string: its name"),)),
        ErrorDoc(code="division_by_zero", when="the right operand of `/` or `%` is 0"),
        ErrorDoc(code="negative_exponent", when="the right operand of `^` is negative, whatever the left one is"),
        ErrorDoc(code="overflow", when="the value of a step is above 1000000000000000 or below -1000000000000000"),
    ),
    error_order="`syntax_error` comes first; of the others none goes before another: the first step that fails decides",
    rules=(
        "After the syntax, evaluation goes through the postfix form step by step, from left to right. Each number, "
        "variable and operator is a step, and the value of each must be from -1000000000000000 to 1000000000000000; "
        "a number beyond that is no syntax error but `overflow` when its step is reached.",
        "All values are integers. `/` rounds towards zero: `-7 / 2` is -3. `a % b` is `a - b * (a / b)`: it has the "
        "sign of `a`, `-7 % 2` is -1 and `7 % -2` is 1. `a ^ 0` is 1 for every `a`, 0 included.",
    ),
)

POSTFIX = OperationDoc(
    name="postfix",
    summary="The postfix form of an expression.",
    parameters=(EXPRESSION,),
    result='`{"tokens": [string, ...]}`: the steps of the postfix form; numbers are written without leading zeros, '
    "at any size.",
    errors=(SYNTAX,),
    rules=("Nothing is evaluated: values of variables and sizes of numbers do not matter.",),
)

VARIABLES = {"x": 7, "y": -3, "_n1": 10, "Total": 250, "max": 4, "z": 0, "X": 2}
OPERATORS = ("+", "-", "*", "*", "/", "/", "%", "%", "^")


def generate(rng: Random) -> Input:
    """One input of a random operation; a few have a fault."""
    op = rng.choice(("calculate", "calculate", "calculate", "postfix"))
    text = _binary(rng, 3)[:150]
    if rng.random() < 0.12:
        spot = rng.randrange(len(text))
        text = text[:spot] + rng.choice(("", "+", ")", "(", "$", " 3 ", ",")) + text[spot + 1 :]
    args: dict[str, Any] = {"expression": text[:150]}
    if op == "calculate":
        names = sorted(VARIABLES) if rng.random() < 0.9 else ["x", "y"]
        args["variables"] = {name: VARIABLES[name] for name in names}
    return op, args


def _expression(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice((str(rng.randint(0, 9)), str(rng.randint(0, 300)), "007", *sorted(VARIABLES)))
    kind = rng.random()
    if kind < 0.15:
        return "-" + _expression(rng, depth - 1)
    if kind < 0.4:
        return "(" + _expression(rng, depth - 1) + ")"
    return _binary(rng, depth)


def _binary(rng: Random, depth: int) -> str:
    operator = rng.choice(OPERATORS)
    right = str(rng.randint(0, 4)) if operator == "^" else _expression(rng, depth - 1)
    gap = rng.choice(("", " ", " ", "\t"))
    return _expression(rng, depth - 1) + gap + operator + gap + right


def _value(expression: str, **variables: int) -> Input:
    return "calculate", {"expression": expression, "variables": variables} if variables else {"expression": expression}


FAULTS = (
    *(
        "",
        "  \t",
        "1 +",
        "1 + * 2",
        "(1",
        "1)",
        "()",
        "2 x",
        "2x + 1",
        "3.5",
        "+1",
        "1 - -+2",
        "f(1)",
        "(a)(1)",
        "a b c",
    ),
    *(
        "1 \n+ 2",
        "1 + é",
        "\u0663",
        "2 ** 3",
        "2 ^",
        "^2",
        "1, 2",
        "x = 1",
        "4 $ )",
        "- ",
        "1--",
        "\u00a01",
        "2^2^",
        "((1)",
        "_",
    ),
    *("5%%2", "1 +\u20032", "\U0001f600+", "\U0001f600\U0001f600 1", "1 \U0001f600", "'a'", "(1 2)", "((x)", "(1+)"),
)

BOUNDARY: tuple[Input, ...] = (
    _value("12 / (3 - x) + y", x=3, y=1),
    *(_value(fault) for fault in FAULTS),
    _value("q + 1 / 0 + r", x=1),
    _value("1 / 0 + q", x=1),
    _value("X", x=1),
    _value("7 % 0"),
    _value("0 ^ (0 - 1)"),
    _value("1 ^ -1"),
    _value("2 ^ 3 ^ -1"),
    _value("0 ^ 0 + 0 ^ 5"),
    _value("-1 ^ 2 + (-1) ^ 3"),
    _value("(-1) ^ 999999999999999"),
    _value("(-1) ^ 1000000000000000"),
    _value("(-1) ^ 100003 - (-1) ^ 52"),
    _value("-1 / 1 + 10 * (1 / -1)"),
    _value("1 ^ 1000000000000000 + 0 ^ 1000000000000000"),
    _value("2 ^ 3 ^ 2"),
    _value("-2 ^ 2"),
    _value("2 - 3 - 4 - -5"),
    _value("100 / 7 / 2 * 3 % 5"),
    _value("2 + 3 * 4 - 6 / 4 % 3"),
    *(_value(f"{a} {o} {b}") for o in "/%" for a, b in ((7, 2), (-7, 2), (7, -2), (-7, -2), (-6, 3), (1, 3))),
    _value("1000000000000000"),
    _value("-1000000000000000"),
    _value("1000000000000001 - 1"),
    _value("1000000000000000 + 1"),
    _value("-1000000000000000 - 1 + 1"),
    _value("0 * (99999999999999999999 + q)"),
    _value("2 ^ 49"),
    _value("2 ^ 50"),
    _value("-2 ^ 51"),
    _value("(-3) ^ 31"),
    _value("(-3) ^ 32"),
    _value("10 ^ 15 - 10 ^ 15"),
    _value("10 ^ 16 * 0"),
    _value("2 ^ 1000000000000000"),
    _value("99999999 * 99999999"),
    _value("big * 1 - big", big=10**15),
    _value("\t007+\t_a1 * A_ ", _a1=2, A_=3, **{"not a name": 5, "": 6}),
    _value("(" * 30 + "1" + ")" * 30),
    _value("-" * 49 + "1"),
    _value("1" * 150),
    (
        "calculate",
        {"expression": "a+t+b", "variables": {"a": -(10**15), "b": 10**15, "t": 0, **{f"v{i}": i for i in range(17)}}},
    ),
    _value(" " * 74 + "1" + wide(75)),
    _value("\U0001d49c" * 150),
    ("postfix", {"expression": wide(150)}),
    ("postfix", {"expression": "1 + x " + "\U0001f600" * 144}),
    *(("postfix", {"expression": fault}) for fault in ("", "1 + )", "f(", "é", "1 2")),
    ("postfix", {"expression": "a - b - c * -d ^ -e ^ 2"}),
    ("postfix", {"expression": "(f - (007 % h)) * (((2))) / 0"}),
    ("postfix", {"expression": "0" * 100 + "9" * 50}),
    ("postfix", {"expression": "--(a+b)*c/d"}),
    ("postfix", {"expression": "000"}),
    ("postfix", {"expression": "((((x))))^(y)"}),
)

MALFORMED: tuple[Input, ...] = (
    ("calculate", {}),
    ("calculate", {"variables": {"x": 1}}),
    ("calculate", {"expression": None}),
    ("calculate", {"expression": 1}),
    ("calculate", {"expression": ["1"]}),
    ("calculate", {"expression": "1" * 151}),
    ("calculate", {"expression": "1", "variables": None}),
    ("calculate", {"expression": "1", "variables": []}),
    ("calculate", {"expression": "1", "variables": [["x", 1]]}),
    ("calculate", {"expression": "1", "variables": {"x": "1"}}),
    ("calculate", {"expression": "1", "variables": {"x": 1.0}}),
    ("calculate", {"expression": "1", "variables": {"x": True}}),
    ("calculate", {"expression": "1", "variables": {"x": 1, "y": None}}),
    ("calculate", {"expression": "1", "variables": {"x": 10**15 + 1}}),
    ("calculate", {"expression": "1 +", "variables": {"x": -(10**15) - 1}}),
    ("calculate", {"expression": "1", "variables": {f"v{i}": i for i in range(21)}}),
    ("postfix", {}),
    ("postfix", {"expression": True}),
    ("postfix", {"expression": {}}),
    ("postfix", {"expression": "-" * 151}),
    ("calculate", {"expression": wide(151)}),
    ("calculate", {"expression": "q", "variables": {"not a name": None}}),
    ("calculate", {"expression": "1 / 0", "variables": {"": 10**15 + 1}}),
)

FAMILY = Family(
    number=54,
    slug="expression-eval",
    category="parsing",
    title="Expression evaluation",
    purpose="Parses arithmetic expressions with variables, evaluates them in integers of bounded size, and shows "
    "their postfix form.",
    notes=NOTES,
    operations=(EVALUATE, POSTFIX),
    program=program,
    # 2 ^ (3 ^ 2) = 2 ^ 9 = 512. -(512) = -512. -512 / 10 = -51.2, towards zero -51. x - 8 = -1. -1 % 3: the quotient towards
    # zero is 0, so the remainder is -1. -51 - -1 = -50.
    golden=Case(
        op="calculate",
        args={"expression": "-2^3^2 / 10 - (x - 8) % 3", "variables": {"x": 7}},
        expected={"value": -50},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
