"""Expression evaluation: a stack of waiting operators turns the tokens into the postfix form, which is then run."""

import re
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "calculate": ("expression", "variables"),
    "postfix": ("expression",),
}

_BOUND = 10**15
_TOKEN = re.compile(r"[0-9]+|[A-Za-z_][A-Za-z0-9_]*|[^ \t]")
_RANK = {"(": 0, "+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "neg sign": 3, "^": 4}


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    expression = args.get("expression")
    if not isinstance(expression, str) or len(expression) > 150:
        return False
    if op == "postfix":
        return True
    variables = args.get("variables", {})
    return (
        isinstance(variables, dict)
        and len(variables) <= 20
        and all(isinstance(each, int) and not isinstance(each, bool) for each in variables.values())
        and all(abs(each) <= _BOUND for each in variables.values())
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    steps = _postfix(args["expression"])
    if op == "postfix":
        return {"tokens": ["neg" if step == "neg sign" else step for step in steps]}
    return {"value": _value(steps, args.get("variables", {}))}


def _postfix(text: str) -> list[str]:
    """The steps of the postfix form; the sign is the step `neg sign`, which is no name."""
    steps: list[str] = []
    waiting: list[str] = []
    complete = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if not complete:
            complete = _begin(token, match.start(), steps, waiting)
        elif token == ")" and "(" in waiting:
            _release(0, steps, waiting)
            waiting.pop()
        elif token in _RANK and token != "(":
            _release(_RANK[token] if token != "^" else 5, steps, waiting)
            waiting.append(token)
            complete = False
        else:
            raise Refused("syntax_error", {"position": match.start()})
    if not complete or "(" in waiting:
        raise Refused("syntax_error", {"position": len(text)})
    return steps + waiting[::-1]


def _begin(token: str, position: int, steps: list[str], waiting: list[str]) -> bool:
    """Take a token where an operand has to begin; whether the operand is then complete."""
    if token[0] in "0123456789":
        steps.append(token.lstrip("0") or "0")
        return True
    if re.match("[A-Za-z_]", token):
        steps.append(token)
        return True
    if token not in ("-", "("):
        raise Refused("syntax_error", {"position": position})
    waiting.append("neg sign" if token == "-" else token)
    return False


def _release(rank: int, steps: list[str], waiting: list[str]) -> None:
    """Move the waiting operators of at least this rank, back to the last open parenthesis, to the steps."""
    while waiting and waiting[-1] != "(" and _RANK[waiting[-1]] >= rank:
        steps.append(waiting.pop())


def _value(steps: list[str], variables: dict[str, int]) -> int:
    """The value of a postfix form."""
    stack: list[int] = []
    for step in steps:
        if step == "neg sign":
            value = -stack.pop()
        elif step in _RANK:
            right = stack.pop()
            value = _operate(step, stack.pop(), right)
        elif step.isdigit():
            value = int(step)
        elif step in variables:
            value = variables[step]
        else:
            raise Refused("unknown_variable", {"name": step})
        if abs(value) > _BOUND:
            raise Refused("overflow")
        stack.append(value)
    return stack[0]


def _operate(operator: str, left: int, right: int) -> int:
    """The value of an operator with two operands."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if operator == "^":
        if right < 0:
            raise Refused("negative_exponent")
        return int(
            left ** (right if right < 50 else 50 + right % 2)
        )  # enough for an overflow, and the same for -1, 0, 1
    if right == 0:
        raise Refused("division_by_zero")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient if operator == "/" else left - right * quotient
