"""Parses arithmetic expressions to postfix form and evaluates them in bounded integers."""

import math
import re
from typing import Any, NamedTuple

from ..arguments import integer, mapping, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

LIMIT = 10**15
EXPRESSION = string(high=150)
TOKEN = re.compile(r"(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>[^ \t])")
LEVELS = (("+", "-"), ("*", "/", "%"))


class Token(NamedTuple):
    """A number, a name or a sign, and where it begins. The end of the expression is an empty sign."""

    kind: str
    text: str
    position: int


def check_calculate(args: dict[str, Any]) -> None:
    """Check the arguments of `calculate`."""
    required(args, "expression", EXPRESSION)
    optional(args, "variables", mapping(integer(-LIMIT, LIMIT), high=20))


def check_postfix(args: dict[str, Any]) -> None:
    """Check the arguments of `postfix`."""
    required(args, "expression", EXPRESSION)


def calculate(args: dict[str, Any]) -> object:
    """The value of an expression."""
    variables = args.get("variables", {})
    stack: list[int] = []
    for kind, text in Parser(args["expression"]).steps:
        if kind == "sign":
            right = stack.pop()
            value = -right if text == "neg" else apply(text, stack.pop(), right)
        elif kind == "number":
            value = int(text)
        else:
            if text not in variables:
                raise DomainError("unknown_variable", f"{text} has no value", name=text)
            value = variables[text]
        if abs(value) > LIMIT:
            raise DomainError("overflow", f"a value exceeds {LIMIT}")
        stack.append(value)
    return {"value": stack.pop()}


def postfix(args: dict[str, Any]) -> object:
    """The postfix form of an expression."""
    return {"tokens": [text for _, text in Parser(args["expression"]).steps]}


class Parser:
    """Parses an expression by recursive descent; `steps` is its postfix form, each step a kind of token and a text."""

    def __init__(self, expression: str) -> None:
        self.tokens = [Token(str(match.lastgroup), match[0], match.start()) for match in TOKEN.finditer(expression)]
        self.tokens.append(Token("sign", "", len(expression)))
        self.steps: list[tuple[str, str]] = []
        self.expression()
        self.expect("")

    def accept(self, *wanted: str) -> str:
        """Pass the next token if it is one of the signs `wanted`, and return it; else return nothing."""
        return self.tokens.pop(0).text if self.tokens[0].text in wanted else ""

    def expect(self, text: str) -> None:
        """Pass the next token, which must be `text`."""
        kind, found, position = self.tokens.pop(0)
        if found != text:
            raise DomainError("syntax_error", f"unexpected {kind} or end at {position}", position=position)

    def expression(self) -> None:
        """A whole expression."""
        self.binary(LEVELS)

    def binary(self, levels: tuple[tuple[str, ...], ...]) -> None:
        """Operators of the first of some levels, from left to right, and all that bind tighter."""
        if not levels:
            self.unary()
            return
        self.binary(levels[1:])
        while operator := self.accept(*levels[0]):
            self.binary(levels[1:])
            self.steps.append(("sign", operator))

    def unary(self) -> None:
        """A minus sign before an operand, or an operand raised to a power."""
        if self.accept("-"):
            self.unary()
            self.steps.append(("sign", "neg"))
            return
        self.operand()
        if self.accept("^"):
            self.unary()
            self.steps.append(("sign", "^"))

    def operand(self) -> None:
        """A number, a variable, or an expression in parentheses."""
        kind, text, _ = self.tokens[0]
        if kind == "sign":
            self.expect("(")
            self.expression()
            self.expect(")")
            return
        self.tokens.pop(0)
        self.steps.append((kind, str(int(text)) if kind == "number" else text))


def apply(operator: str, a: int, b: int) -> int:
    """The value of an operator with two operands. `/` rounds towards zero, and `%` goes with it."""
    if operator == "+":
        return a + b
    if operator == "-":
        return a - b
    if operator == "*":
        return a * b
    if operator == "^":
        if b < 0:
            raise DomainError("negative_exponent", "the exponent is negative")
        # From 2**50 on every power overflows but those of -1, 0 and 1, for which only the parity of the exponent matters.
        return int(a ** min(b, 50 + b % 2))
    if b == 0:
        raise DomainError("division_by_zero", "division by zero")
    # fmod keeps the sign of a, and is exact: values are below 2**53.
    rest = int(math.fmod(a, b))
    return rest if operator == "%" else (a - rest) // b


OPERATIONS = {
    "calculate": Operation(("expression", "variables"), check_calculate, calculate),
    "postfix": Operation(("expression",), check_postfix, postfix),
}
