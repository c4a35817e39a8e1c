"""Expressions against Python's own parser, with its arithmetic replaced."""

import ast
import keyword
import operator
from fractions import Fraction
from math import trunc
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.expression_eval import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "Python's own parser"

PIECES = ["1", "20", "x", "f", "(", ")", "(", ")", ",", "+", "-", "-", "*", "/", "%", "^", "$"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join)
SYMBOLS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.Pow: "^"}
BOUND = 10**15


class RefusedError(Exception):
    """Not an expression of ours."""


def tree(text: str) -> ast.expr:
    """Python's tree of an expression whose tokens are set apart by spaces."""
    if any(wrong in text for wrong in ("$", ",", "* *", "/ /")):
        raise RefusedError
    try:
        return ast.parse(text.replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError):
        raise RefusedError from None


def steps(node: ast.expr) -> list[str]:
    """The postfix form of a Python tree."""
    match node:
        case ast.Constant(value=int(value)):
            return [str(value)]
        case ast.Name(id=name):
            return [name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return [*steps(operand), "neg"]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SYMBOLS:
            return [*steps(left), *steps(right), SYMBOLS[type(op)]]
    raise RefusedError


def python_postfix(text: str) -> list[str] | None:
    try:
        return steps(tree(text))
    except RefusedError:
        return None


@settings(max_examples=400)
@given(TEXTS)
def test_same_expressions_and_same_postfix_as_python(text: str) -> None:
    result = play(FAMILY, "postfix", {"expression": text})
    wanted = python_postfix(text)
    if wanted is None:
        assert result["code"] == "syntax_error"
    else:
        assert result == {"tokens": wanted}


def viable(tokens: list[str]) -> bool:
    """Whether some expression begins with these tokens: an operand and closing brackets complete any beginning."""
    depth = tokens.count("(") - tokens.count(")")
    tails = [[*operand, *[")"] * depth] for operand in ([], ["1"], ["(", "1", ")"])]
    return depth >= 0 and any(python_postfix(" ".join([*tokens, *tail])) is not None for tail in tails)


@settings(max_examples=400)
@given(TEXTS)
def test_position_is_the_first_token_that_cannot_follow(text: str) -> None:
    result = play(FAMILY, "postfix", {"expression": text})
    tokens = text.split()
    if "code" not in result:
        return
    good = next((n for n in range(len(tokens)) if not viable(tokens[: n + 1])), len(tokens))
    wanted = len(text) if good == len(tokens) else len(" ".join([*tokens[:good], ""]))
    assert result["position"] == wanted


def compute(node: ast.expr, variables: dict[str, int]) -> int:
    """The value by recursion over Python's tree; an error is a KeyError with the code."""
    match node:
        case ast.Constant(value=int(value)):
            found = value
        case ast.Name(id=name):
            if name not in variables:
                raise KeyError("unknown_variable")
            found = variables[name]
        case ast.UnaryOp(operand=operand):
            found = -compute(operand, variables)
        case ast.BinOp(left=left, op=op, right=right):
            found = binary(SYMBOLS[type(op)], compute(left, variables), compute(right, variables))
        case _:
            raise RefusedError
    if not -BOUND <= found <= BOUND:
        raise KeyError("overflow")
    return found


def binary(symbol: str, a: int, b: int) -> int:
    if symbol in "/%" and b == 0:
        raise KeyError("division_by_zero")
    if symbol == "^" and b < 0:
        raise KeyError("negative_exponent")
    if symbol == "^":
        # Small bases by parity, others by repeated multiplication until out of bounds.
        found = 1
        for _ in range(b if abs(a) > 1 else b % 2 + 2 * (b > 1)):
            found *= a
            if abs(found) > BOUND:
                break
        return found
    if symbol == "/":
        return trunc(Fraction(a, b))
    if symbol == "%":
        return a - b * trunc(Fraction(a, b))
    return int({"+": operator.add, "-": operator.sub, "*": operator.mul}[symbol](a, b))


def spaced(text: str) -> str:
    """The text with single spaces between tokens, numbers without leading zeros."""
    found, rest = [], text
    while rest := rest.strip(" \t"):
        size = 1
        while rest[size : size + 1].isalnum() or rest[size : size + 1] == "_":
            if not (rest[0].isalpha() or rest[0] == "_" or rest[: size + 1].isdigit()):
                break
            size += 1
        found.append(rest[:size].lstrip("0") or "0" if rest[:size].isdigit() else rest[:size])
        rest = rest[size:]
    return " ".join(found)


def test_calculate_on_its_own_inputs() -> None:
    for args in of(FAMILY, "calculate", 1500):
        result = play(FAMILY, "calculate", args)
        text = spaced(args["expression"])
        if any(map(keyword.iskeyword, text.split())):
            continue
        if not text.isascii() or python_postfix(text) is None:
            assert result["code"] == "syntax_error", args
            continue
        try:
            wanted: Any = {"value": compute(tree(text), args.get("variables", {}))}
        except KeyError as error:
            wanted = {"code": error.args[0]}
        assert {k: v for k, v in result.items() if k != "name"} == wanted, args


@given(st.integers(-(10**15), 10**15), st.integers(-(10**15), 10**15))
def test_division_takes_apart(a: int, b: int) -> None:
    text = {"expression": "(a / b) * b + a % b", "variables": {"a": a, "b": b}}
    result = play(FAMILY, "calculate", text)
    assert result == ({"value": a} if b else {"code": "division_by_zero"})


def test_the_first_variable_without_value_is_named() -> None:
    result = play(FAMILY, "calculate", {"expression": "a + b * c", "variables": {"a": 1}})
    assert result == {"code": "unknown_variable", "name": "b"}
