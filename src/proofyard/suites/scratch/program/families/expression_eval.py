"""Parses arithmetic expressions to postfix form and evaluates them in bounded integers."""

import re
from collections.abc import Callable
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
    """A number, a name or a sign, and where it begins. The end of the expression is an empty token."""

    kind: str | None
    text: str
    position: int


class Step(NamedTuple):
    """One step of the postfix form: push a number or a variable, or apply something to the last `taken` values."""

    kind: str
    text: str
    taken: int


def check_evaluate(args: dict[str, Any]) -> None:
    """Check the arguments of `evaluate`."""
    required(args, "expression", EXPRESSION)
    optional(args, "variables", mapping(integer(-LIMIT, LIMIT), high=20))


def check_postfix(args: dict[str, Any]) -> None:
    """Check the arguments of `postfix`."""
    required(args, "expression", EXPRESSION)


def evaluate(args: dict[str, Any]) -> object:
    """The value of an expression."""
    variables = args.get("variables", {})
    stack: list[int] = []
    for step in Parser(args["expression"]).steps:
        given = stack[len(stack) - step.taken :]
        del stack[len(stack) - step.taken :]
        value = apply(step, given, variables)
        if abs(value) > LIMIT:
            raise DomainError("overflow", f"a value exceeds {LIMIT}")
        stack.append(value)
    return {"value": stack.pop()}


def postfix(args: dict[str, Any]) -> object:
    """The postfix form of an expression."""
    steps = Parser(args["expression"]).steps
    return {"tokens": [f"{step.text}/{step.taken}" if step.kind == "call" else step.text for step in steps]}


class Parser:
    """Parses an expression by recursive descent; `steps` is its postfix form."""

    def __init__(self, expression: str) -> None:
        self.tokens = [Token(match.lastgroup, match[0], match.start()) for match in TOKEN.finditer(expression)]
        self.tokens.append(Token("end", "", len(expression)))
        self.at = 0
        self.steps: list[Step] = []
        self.expression()
        self.expect("")

    @property
    def text(self) -> str:
        """The text of the next token."""
        return self.tokens[self.at].text

    def take(self) -> str:
        """The text of the next token, which is passed."""
        self.at += 1
        return self.tokens[self.at - 1].text

    def expect(self, text: str) -> None:
        """Pass the next token, which must be `text`."""
        if self.text != text:
            position = self.tokens[self.at].position
            raise DomainError("syntax_error", f"unexpected token or end at {position}", position=position)
        self.at += 1

    def expression(self) -> None:
        """A whole expression."""
        self.binary(0)

    def binary(self, level: int) -> None:
        """Operators of one level, from left to right, and all that bind tighter."""
        if level == len(LEVELS):
            self.unary()
            return
        self.binary(level + 1)
        while self.text in LEVELS[level]:
            operator = self.take()
            self.binary(level + 1)
            self.steps.append(Step("operator", operator, 2))

    def unary(self) -> None:
        """A minus sign before an operand, or an operand raised to a power."""
        if self.text == "-":
            self.at += 1
            self.unary()
            self.steps.append(Step("operator", "neg", 1))
            return
        self.operand()
        if self.text == "^":
            self.at += 1
            self.unary()
            self.steps.append(Step("operator", "^", 2))

    def operand(self) -> None:
        """A number, a variable, a call, or an expression in parentheses."""
        kind = self.tokens[self.at].kind
        if kind == "number":
            self.steps.append(Step("number", str(int(self.take())), 0))
        elif kind == "name":
            self.named(self.take())
        else:
            self.expect("(")
            self.expression()
            self.expect(")")

    def named(self, name: str) -> None:
        """What follows a name makes it a variable or a call."""
        if self.text != "(":
            self.steps.append(Step("variable", name, 0))
            return
        count = 0
        while count == 0 or self.text == ",":
            self.at += 1
            self.expression()
            count += 1
        self.expect(")")
        self.steps.append(Step("call", name, count))


def apply(step: Step, given: list[int], variables: dict[str, int]) -> int:
    """The value of one step."""
    if step.kind == "number":
        return int(step.text)
    if step.kind == "operator":
        return OPERATORS[step.text](*given)
    if step.kind == "variable":
        if step.text not in variables:
            raise DomainError("unknown_variable", f"{step.text} has no value", name=step.text)
        return variables[step.text]
    if step.text not in FUNCTIONS:
        raise DomainError("unknown_function", f"there is no function {step.text}", name=step.text)
    count, function = FUNCTIONS[step.text]
    if count not in {0, len(given)}:
        raise DomainError("wrong_arity", f"{step.text} takes {count} arguments", name=step.text)
    return function(*given)


def divide(a: int, b: int) -> int:
    """The quotient, rounded towards zero."""
    if b == 0:
        raise DomainError("division_by_zero", "division by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def raise_to(base: int, exponent: int) -> int:
    """A power; one that overflows anyway is not worked out."""
    if exponent < 0:
        raise DomainError("negative_exponent", "the exponent is negative")
    # From 2**50 on every power overflows but those of -1, 0 and 1, for which only the parity of the exponent matters.
    return int(base ** min(exponent, 50 + exponent % 2))


OPERATORS: dict[str, Callable[..., int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "%": lambda a, b: a - b * divide(a, b),
    "^": raise_to,
    "neg": lambda a: -a,
}

# Name -> number of arguments (0: one or more), and the function.
FUNCTIONS: dict[str, tuple[int, Callable[..., int]]] = {
    "abs": (1, abs),
    "clamp": (3, lambda value, low, high: max(low, min(value, high))),
    "max": (0, lambda *values: max(values)),
    "min": (0, lambda *values: min(values)),
}
OPERATIONS = {
    "evaluate": Operation(("expression", "variables"), check_evaluate, evaluate),
    "postfix": Operation(("expression",), check_postfix, postfix),
}
