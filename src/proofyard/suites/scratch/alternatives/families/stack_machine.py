"""Stack machine: each word says how many values it takes, and a function that gives the values it puts back."""

import re
from collections.abc import Callable
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "execute": ("program", "stack", "max_steps"),
    "effect": ("program",),
}

_WORDS: dict[str, tuple[int, Callable[..., tuple[int, ...]]]] = {  # what lies on the stack, and what then lies there
    "pop": (1, lambda _: ()),
    "dup": (1, lambda a: (a, a)),
    "swap": (2, lambda a, b: (b, a)),
    "over": (2, lambda a, b: (a, b, a)),
    "rot": (3, lambda a, b, c: (b, c, a)),
    "add": (2, lambda a, b: (a + b,)),
    "sub": (2, lambda a, b: (a - b,)),
    "mul": (2, lambda a, b: (a * b,)),
    "div": (2, lambda a, b: (_quotient(a, b),)),
    "mod": (2, lambda a, b: (a - b * _quotient(a, b),)),
    "eq": (2, lambda a, b: (int(a == b),)),
    "lt": (2, lambda a, b: (int(a < b),)),
    "out": (1, lambda _: ()),
    "jumpz": (1, lambda _: ()),
    "push": (0, lambda: (0,)),
    "jump": (0, lambda: ()),
    "halt": (0, lambda: ()),
}
_LINE = re.compile(
    r"(?P<label>[a-z]+):|(?P<jump>jumpz?) (?P<to>[a-z]+)|push (?P<value>0|-?[1-9][0-9]*)|(?P<bare>[a-z]+)"
)
_HALF = 2**31

Line = tuple[str, Any]  # a word and its operand, or `:` and a label


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    program = args.get("program")
    if not isinstance(program, list) or len(program) > 60:
        return False
    if not all(isinstance(line, str) and len(line) <= 30 for line in program):
        return False
    if op == "effect":
        return True
    stack = args.get("stack", [])
    if not isinstance(stack, list) or len(stack) > 20 or not _is_integer(args.get("max_steps", 1000), 1, 1000):
        return False
    return all(_is_integer(value, -_HALF, _HALF - 1) for value in stack)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    lines, labels = _loaded(args["program"])
    if op == "execute":
        return _executed(lines, labels, list(args.get("stack", [])), args.get("max_steps", 1000))
    for number, (word, _) in enumerate(lines, 1):
        if word in (":", "jump", "jumpz"):
            raise Refused("not_straight", {"line": number})
    return _effect([word for word, _ in lines])


def _loaded(program: list[str]) -> tuple[list[Line], dict[str, int]]:
    """The lines of a program, and the number of lines up to each label."""
    lines: list[Line] = []
    labels: dict[str, int] = {}
    for number, text in enumerate(program, 1):
        line = _line(text)
        if line is None:
            raise Refused("bad_program", {"line": number, "reason": "instruction"})
        if line[0] == ":" and labels.setdefault(line[1], number) != number:
            raise Refused("bad_program", {"line": number, "reason": "repeated_label"})
        lines.append(line)
    for number, (word, operand) in enumerate(lines, 1):
        if word in ("jump", "jumpz") and operand not in labels:
            raise Refused("bad_program", {"line": number, "reason": "unknown_label"})
    return lines, labels


def _line(text: str) -> Line | None:
    """What a line says, None if it is none of a program."""
    found = _LINE.fullmatch(text)
    if not found:
        return None
    if found["label"]:
        return ":", found["label"]
    if found["jump"]:
        return found["jump"], found["to"]
    if found["value"]:
        return ("push", int(found["value"])) if -_HALF <= int(found["value"]) < _HALF else None
    return (text, None) if text in _WORDS and text not in ("push", "jump", "jumpz") else None


def _executed(lines: list[Line], labels: dict[str, int], stack: list[int], most: int) -> dict[str, Any]:
    """The result of `execute`; `stack` is changed."""
    output: list[int] = []
    steps = at = 0
    while at < len(lines):
        word, operand = lines[at]
        at += 1
        if word == ":":
            continue
        takes, gives = _WORDS[word]
        reason = _fault(word, takes, stack, steps == most)
        if reason:
            raise Refused("fault", {"line": at, "reason": reason})
        steps += 1
        taken = [stack.pop() for _ in range(takes)][::-1]
        stack += [operand] if word == "push" else [(value + _HALF) % (2 * _HALF) - _HALF for value in gives(*taken)]
        if word == "out":
            output += taken
        elif word == "halt":
            break
        elif word == "jump" or (word == "jumpz" and taken == [0]):
            at = labels[operand]
    return {"output": output, "stack": stack, "steps": steps}


def _fault(word: str, takes: int, stack: list[int], used_up: bool) -> str:
    """Why an instruction can't be done, empty if it can."""
    if used_up:
        return "steps"
    if len(stack) < takes:
        return "underflow"
    return "division" if word in ("div", "mod") and stack[-1] == 0 else ""


def _effect(words: list[str]) -> dict[str, Any]:
    """The result of `effect`: heights are counted from that at the start."""
    height = lowest = highest = 0
    for word in words:
        if word == "halt":
            break
        takes, gives = _WORDS[word]
        lowest = min(lowest, height - takes)
        height += len(gives(*range(1, takes + 1))) - takes
        highest = max(highest, height)
    return {"needs": -lowest, "leaves": height - lowest, "peak": highest - lowest}


def _quotient(a: int, b: int) -> int:
    """The quotient cut towards zero."""
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Whether a value is an integer of a range."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
