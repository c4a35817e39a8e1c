"""A stack machine with 32-bit integers: runs programs, and tells what straight ones do to the stack."""

import re
from collections.abc import Callable
from fractions import Fraction
from math import trunc
from typing import Any

from ..arguments import array, integer, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

SIGN = 2**31
PROGRAM = array(string(high=30), high=60)
SYNTAX = re.compile(
    "(?P<label>[a-z]+):|push (?P<number>0|-?[1-9][0-9]*)|(?P<jump>jumpz?) (?P<target>[a-z]+)|"
    "(?P<plain>pop|dup|swap|over|rot|add|sub|mul|div|mod|eq|lt|out|halt)"
)
POPS = {"pop": 1, "dup": 1, "rot": 3, "out": 1, "jumpz": 1, "jump": 0, "push": 0, "halt": 0}
EFFECTS: dict[str, Callable[..., list[int]]] = {
    "pop": lambda _: [],
    "dup": lambda a: [a, a],
    "swap": lambda a, b: [b, a],
    "over": lambda a, b: [a, b, a],
    "rot": lambda a, b, c: [b, c, a],
    "add": lambda a, b: [a + b],
    "sub": lambda a, b: [a - b],
    "mul": lambda a, b: [a * b],
    "div": lambda a, b: [trunc(Fraction(a, b))],
    "mod": lambda a, b: [a - b * trunc(Fraction(a, b))],
    "eq": lambda a, b: [int(a == b)],
    "lt": lambda a, b: [int(a < b)],
}
PUSHES = {"pop": 0, "dup": 2, "swap": 2, "over": 3, "rot": 3, "out": 0}
HALT = ("halt", "")


def check_execute(args: dict[str, Any]) -> None:
    """Check the arguments of `execute`."""
    required(args, "program", PROGRAM)
    optional(args, "stack", array(integer(-SIGN, SIGN - 1), high=20))
    optional(args, "max_steps", integer(1, 1000))


def check_effect(args: dict[str, Any]) -> None:
    """Check the arguments of `effect`."""
    required(args, "program", PROGRAM)


def execute(args: dict[str, Any]) -> object:
    """Run a program to its end."""
    code, labels = load(args["program"])
    stack = list(args.get("stack", []))
    output: list[int] = []
    at = steps = 0
    while at < len(code):
        name, operand = code[at]
        at += 1
        if name == "label":
            continue
        if steps == args.get("max_steps", 1000):
            raise failure("fault", at, "steps")
        steps += 1
        if len(stack) < POPS.get(name, 2):
            raise failure("fault", at, "underflow")
        taken = [stack.pop() for _ in range(POPS.get(name, 2))][::-1]
        if name == "push":
            stack.append(int(operand))
        elif name == "out":
            output += taken
        elif name in EFFECTS:
            stack += calculated(name, taken, at)
        elif not any(taken):  # halt, jump, or jumpz at 0
            at = labels.get(operand, len(code))
    return {"output": output, "stack": stack, "steps": steps}


def calculated(name: str, taken: list[int], line: int) -> list[int]:
    """What an instruction pushes, wrapped to 32 bits."""
    try:
        return [(value + SIGN) % (2 * SIGN) - SIGN for value in EFFECTS[name](*taken)]
    except ZeroDivisionError:
        raise failure("fault", line, "division") from None


def effect(args: dict[str, Any]) -> object:
    """How many values a straight program needs on the stack, leaves there and has there at most."""
    code, _ = load(args["program"])
    depth = needs = peak = 0
    for line, (name, _) in enumerate(code, start=1):
        if name in {"label", "jump", "jumpz"}:
            raise DomainError("not_straight", "the program has a label or a jump", line=line)
    for name, _ in code[: code.index(HALT) if HALT in code else None]:
        needs = max(needs, POPS.get(name, 2) - depth)
        depth += PUSHES.get(name, 1) - POPS.get(name, 2)
        peak = max(peak, depth)
    return {"needs": needs, "leaves": needs + depth, "peak": needs + peak}


def load(program: list[str]) -> tuple[list[tuple[str, str]], dict[str, int]]:
    """Name and operand of each line, and the line of each label."""
    code: list[tuple[str, str]] = []
    labels: dict[str, int] = {}
    for line, text in enumerate(program, start=1):
        found = SYNTAX.fullmatch(text)
        if found is None or not -SIGN <= int(found["number"] or 0) < SIGN:
            raise failure("bad_program", line, "instruction")
        if found["label"] in labels:
            raise failure("bad_program", line, "repeated_label")
        if found["label"]:
            labels[found["label"]] = line
        name = found["plain"] or found["jump"] or ("label" if found["label"] else "push")
        code.append((name, found["target"] or found["number"] or ""))
    for line, (name, target) in enumerate(code, start=1):
        if name in {"jump", "jumpz"} and target not in labels:
            raise failure("bad_program", line, "unknown_label")
    return code, labels


def failure(code: str, line: int, reason: str) -> DomainError:
    """The error of a program that is wrong or has to stop."""
    return DomainError(code, f"line {line}: {reason}", line=line, reason=reason)


OPERATIONS = {
    "execute": Operation(("program", "stack", "max_steps"), check_execute, execute),
    "effect": Operation(("program",), check_effect, effect),
}
