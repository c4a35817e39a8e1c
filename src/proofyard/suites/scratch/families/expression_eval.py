"""Contract, inputs and the golden case of the family `expression-eval`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import expression_eval as program

__all__ = ["FAMILY"]

NOTES = (
    "**Tokens.** A number is one or more ASCII digits (leading zeros are allowed). A name is an ASCII letter or `_`, "
    "followed by any number of ASCII letters, digits and `_`. Every other character but the space and the tab is a "
    "token of its own. Tokens are as long as possible; spaces and tabs separate tokens and mean nothing else. `2x` "
    "is the number `2` and the name `x`.",
    '**Grammar.** `expression = term { ("+" or "-") term }`, `term = unary { ("*" or "/" or "%") unary }`, `unary = '
    '"-" unary` or `power`, `power = operand` or `operand "^" unary`, `operand = number` or `name` or `name "(" '
    'expression { "," expression } ")"` or `"(" expression ")"`, where `{ }` means any number of times. So `+ - * / '
    "%` group from the left, `^` from the right and tighter than a minus sign before it: `-2^2` is `-(2^2)`, `2^-1` "
    "and `--2` are allowed, a sign `+` is not, nor is a call without arguments.",
    "**Syntax errors.** The whole expression is parsed before anything else. `position` is where the first token "
    "begins that cannot follow the tokens before it in any expression, counted in code points from 0; if the tokens "
    "end too early (or there is none) it is the number of code points of the whole expression, spaces at its end "
    "included.",
    "**Postfix form.** Each operation comes after its operands: numbers and names in their order; an operator after "
    "its left and its right operand; the sign `-` after its operand, written `neg`; a call after its arguments, "
    "written `name/count` with the number of its arguments.",
)

EXPRESSION = Param(
    name="expression",
    type="string, 0 to 150 code points",
    text="the expression (the tests nest parentheses at most 30 deep)",
)
SYNTAX = ErrorDoc(
    code="syntax_error",
    when="the text is not an expression of the grammar",
    extra=(("position", "integer: where the first fault is, as defined above"),),
)

EVALUATE = OperationDoc(
    name="evaluate",
    summary="The value of an expression.",
    parameters=(
        EXPRESSION,
        Param(
            name="variables",
            type="object with 0 to 20 keys, each value an integer, -1000000000000000 to 1000000000000000",
            text="the values of variables by name, case-sensitive; a key that is no name does no harm; default none",
            required=False,
        ),
    ),
    result='`{"value": integer}`.',
    errors=(
        SYNTAX,
        ErrorDoc(code="unknown_variable", when="a variable has no value", extra=(("name", "string: its name"),)),
        ErrorDoc(code="unknown_function", when="there is no such function", extra=(("name", "string: its name"),)),
        ErrorDoc(
            code="wrong_arity",
            when="a function gets too few or too many arguments",
            extra=(("name", "string: its name"),),
        ),
        ErrorDoc(code="division_by_zero", when="the right operand of `/` or `%` is 0"),
        ErrorDoc(code="negative_exponent", when="the right operand of `^` is negative, whatever the left one is"),
        ErrorDoc(code="overflow", when="the value of a step is above 1000000000000000 or below -1000000000000000"),
    ),
    rules=(
        "After the syntax, evaluation goes through the postfix form step by step, from left to right; the first step "
        "that fails decides the error. Each number, variable, operator and call is a step, and the value of each "
        "must be from -1000000000000000 to 1000000000000000; a number beyond that is no syntax error but `overflow` "
        "when its step is reached. The name of a function and the number of its arguments are checked at the step of "
        "the call, after its arguments were evaluated.",
        "All values are integers. `/` rounds towards zero: `-7 / 2` is -3. `a % b` is `a - b * (a / b)`: it has the "
        "sign of `a`, `-7 % 2` is -1 and `7 % -2` is 1. `a ^ 0` is 1 for every `a`, 0 included.",
        "The functions: `abs(x)`; `clamp(x, low, high)` = the greater of `low` and the smaller of `x` and `high`, "
        "also where `low` exceeds `high`; `max` and `min` of one or more arguments. A name directly followed by `(` "
        "is a call, any other a variable, so a variable may be called `max`. Names are case-sensitive.",
    ),
)

POSTFIX = OperationDoc(
    name="postfix",
    summary="The postfix form of an expression.",
    parameters=(EXPRESSION,),
    result='`{"tokens": [string, ...]}`: the steps of the postfix form; numbers are written without leading zeros, '
    "at any size.",
    errors=(SYNTAX,),
    rules=("Nothing is evaluated: variables, functions, numbers of arguments and sizes do not matter.",),
)

VARIABLES = {"x": 7, "y": -3, "_n1": 10, "Total": 250, "max": 4, "z": 0, "X": 2}
OPERATORS = ("+", "-", "*", "*", "/", "/", "%", "%", "^")


def generate(rng: Random) -> Input:
    """One input of a random operation; a few have a fault."""
    op = rng.choice(("evaluate", "evaluate", "evaluate", "postfix"))
    text = _binary(rng, 3)[:150]
    if rng.random() < 0.12:
        spot = rng.randrange(len(text))
        text = text[:spot] + rng.choice(("", "+", ")", "(", "$", " 3 ", ",")) + text[spot + 1 :]
    args: dict[str, Any] = {"expression": text[:150]}
    if op == "evaluate":
        names = sorted(VARIABLES) if rng.random() < 0.9 else ["x", "y"]
        args["variables"] = {name: VARIABLES[name] for name in names}
    return op, args


def _expression(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice((str(rng.randint(0, 9)), str(rng.randint(0, 300)), "007", *sorted(VARIABLES)))
    kind = rng.random()
    if kind < 0.12:
        return "-" + _expression(rng, depth - 1)
    if kind < 0.3:
        return "(" + _expression(rng, depth - 1) + ")"
    if kind < 0.45:
        name, count = rng.choice((("abs", 1), ("min", 2), ("max", 3), ("clamp", 3), ("max", 1)))
        return f"{name}({', '.join(_expression(rng, depth - 2 if depth > 1 else 0) for _ in range(count))})"
    return _binary(rng, depth)


def _binary(rng: Random, depth: int) -> str:
    operator = rng.choice(OPERATORS)
    right = str(rng.randint(0, 4)) if operator == "^" else _expression(rng, depth - 1)
    gap = rng.choice(("", " ", " ", "\t"))
    return _expression(rng, depth - 1) + gap + operator + gap + right


def _value(expression: str, **variables: int) -> Input:
    return "evaluate", {"expression": expression, "variables": variables} if variables else {"expression": expression}


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
        "min()",
        "min(1,)",
        "min(,1)",
    ),
    *(
        "max 3",
        "a(1)(2)",
        "(a)(1)",
        "1 \n+ 2",
        "1 + é",
        "٣",
        "2 ** 3",
        "2 ^",
        "^2",
        "1, 2",
        "x = 1",
        "min(1 2)",
        "4 $ )",
        "- ",
    ),
    *("1--", "a b c", "\u00a01", "2^2^", "((1)", "_", "5%%2", "1 +\u20032", "\U0001f600+", "'a'"),
)

BOUNDARY: tuple[Input, ...] = (
    _value("12 / (3 - x) + y", x=3, y=1),
    *(_value(fault) for fault in FAULTS),
    _value("q + 1 / 0", x=1),
    _value("1 / 0 + q", x=1),
    _value("f(1 / 0)"),
    _value("f(2) + q"),
    _value("abs(1, 2)"),
    _value("clamp(1, 2)"),
    _value("clamp(1, 2, 3, q)", q=5),
    _value("clamp(1, 2, 3, q)"),
    _value("ABS(1)"),
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
    _value("max + max(max, 3) - min(5, max, 2) + min(9)", max=4),
    _value("clamp(9, 1, 5) + 10 * clamp(0, 1, 5) + 100 * clamp(3, 1, 5) + 1000 * clamp(3, 5, 1)"),
    _value("abs(-4) - abs(4) + abs(0)"),
    _value("\t007+\t_a1 * A_ ", _a1=2, A_=3, **{"not a name": 5, "": 6}),
    _value("(" * 30 + "1" + ")" * 30),
    _value("-" * 49 + "1"),
    _value("1" * 150),
    (
        "evaluate",
        {"expression": "a+t+b", "variables": {"a": -(10**15), "b": 10**15, "t": 0, **{f"v{i}": i for i in range(17)}}},
    ),
    *(("postfix", {"expression": fault}) for fault in ("", "1 + )", "f(", "é")),
    ("postfix", {"expression": "a - b - c * -d ^ -e ^ 2"}),
    ("postfix", {"expression": "f(g(1), 007 % h, (2)) / 0"}),
    ("postfix", {"expression": "0" * 100 + "9" * 50}),
    ("postfix", {"expression": "--(a+b)*c/d"}),
    ("postfix", {"expression": "000"}),
    ("postfix", {"expression": "((((x))))^(y)"}),
)

MALFORMED: tuple[Input, ...] = (
    ("evaluate", {}),
    ("evaluate", {"variables": {"x": 1}}),
    ("evaluate", {"expression": None}),
    ("evaluate", {"expression": 1}),
    ("evaluate", {"expression": ["1"]}),
    ("evaluate", {"expression": "1" * 151}),
    ("evaluate", {"expression": "1", "variables": None}),
    ("evaluate", {"expression": "1", "variables": []}),
    ("evaluate", {"expression": "1", "variables": [["x", 1]]}),
    ("evaluate", {"expression": "1", "variables": {"x": "1"}}),
    ("evaluate", {"expression": "1", "variables": {"x": 1.0}}),
    ("evaluate", {"expression": "1", "variables": {"x": True}}),
    ("evaluate", {"expression": "1", "variables": {"x": 1, "y": None}}),
    ("evaluate", {"expression": "1", "variables": {"x": 10**15 + 1}}),
    ("evaluate", {"expression": "1 +", "variables": {"x": -(10**15) - 1}}),
    ("evaluate", {"expression": "1", "variables": {f"v{i}": i for i in range(21)}}),
    ("postfix", {}),
    ("postfix", {"expression": True}),
    ("postfix", {"expression": {}}),
    ("postfix", {"expression": "(" * 151}),
)

FAMILY = Family(
    number=54,
    slug="expression-eval",
    category="parsing",
    title="Expression evaluation",
    purpose="Parses arithmetic expressions with variables and functions, evaluates them in integers of bounded size, "
    "and shows their postfix form.",
    notes=NOTES,
    operations=(EVALUATE, POSTFIX),
    program=program,
    # 2 ^ (3 ^ 2) = 2 ^ 9 = 512. -(512) = -512. -512 / 10 = -51.2, towards zero -51. min(7, 7 - 8) = min(7, -1) = -1.
    # -1 % 3: the quotient towards zero is 0, so the remainder is -1. -51 - -1 = -50.
    golden=Case(
        op="evaluate",
        args={"expression": "-2^3^2 / 10 - min(x, x - 8) % 3", "variables": {"x": 7}},
        expected={"value": -50},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
