"""Programs against 32-bit integers of ctypes and Python's decimal division; heights of the stack by trial."""

from ctypes import c_int32
from decimal import ROUND_DOWN, Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.stack_machine import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "ctypes integers and decimal division; stack heights by trial"
WORDS = ["pop", "dup", "swap", "over", "rot", "add", "sub", "mul", "div", "mod", "eq", "lt", "out", "halt"]
PLAIN = st.sampled_from(WORDS) | st.integers(-(2**31), 2**31 - 1).map("push {}".format) | st.just("push 0")
LINES = PLAIN | st.sampled_from(["a:", "b:", "jump a", "jumpz a", "jumpz b", "jump c", "push -0", "nop", "jumpz"])
VALUES = st.lists(st.integers(-9, 9) | st.integers(-(2**31), 2**31 - 1), max_size=8)


def kind(line: str) -> str:
    """What a line is, by splitting it into words; nothing if it is no line of a program."""
    head, _, tail = line.partition(" ")
    if line.endswith(":") and is_name(line[:-1]):
        return "label"
    if head in {"jump", "jumpz"} and is_name(tail):
        return head
    if head == "push" and tail.lstrip("-").isdecimal() and tail.isascii() and str(int(tail)) == tail:
        return head if c_int32(int(tail)).value == int(tail) else ""
    return line if line in WORDS else ""


def is_name(text: str) -> bool:
    return text != "" and all("a" <= char <= "z" for char in text)


def bad(program: list[str]) -> dict[str, Any]:
    labels = [line for line in program if kind(line) == "label"]
    for number, line in enumerate(program, 1):
        if not kind(line):
            return {"code": "bad_program", "line": number, "reason": "instruction"}
        if kind(line) == "label" and line in program[: number - 1]:
            return {"code": "bad_program", "line": number, "reason": "repeated_label"}
    for number, line in enumerate(program, 1):
        if kind(line).startswith("jump") and line.split()[1] + ":" not in labels:
            return {"code": "bad_program", "line": number, "reason": "unknown_label"}
    return {}


def machine(program: list[str], stack: list[int], most: int) -> dict[str, Any]:
    output: list[int] = []
    stack, steps, line = list(stack), 0, 1
    while line <= len(program):
        what = kind(program[line - 1])
        if what == "label":
            line += 1
            continue
        if steps == most:
            return {"code": "fault", "line": line, "reason": "steps"}
        if what == "halt":
            steps += 1
            break
        try:
            target = instruction(what, program[line - 1], stack, output)
        except IndexError:
            return {"code": "fault", "line": line, "reason": "underflow"}
        except ArithmeticError:
            return {"code": "fault", "line": line, "reason": "division"}
        steps += 1
        line = program.index(target + ":") + 1 if target else line + 1
    return {"output": output, "stack": stack, "steps": steps}


def instruction(what: str, text: str, stack: list[int], output: list[int]) -> str:
    """Do one instruction; the label to jump to, if any. IndexError if the stack is too short."""
    if what == "push":
        stack.append(int(text[5:]))
    elif what == "pop":
        del stack[-1]
    elif what == "dup":
        stack.append(stack[-1])
    elif what == "swap":
        stack[-1], stack[-2] = stack[-2], stack[-1]
    elif what == "over":
        stack.append(stack[-2])
    elif what == "rot":
        stack.append(stack.pop(-3))
    elif what == "out":
        output.append(stack.pop())
    elif what == "jump":
        return text[5:]
    elif what == "jumpz":
        return "" if stack.pop() else text[6:]
    else:
        b, a = stack[-1], stack[-2]
        if what in {"div", "mod"}:
            whole = int((Decimal(a) / Decimal(b)).to_integral_value(ROUND_DOWN))
            value = whole if what == "div" else a - b * whole
        else:
            value = {"add": a + b, "sub": a - b, "mul": a * b, "eq": a == b, "lt": a < b}[what]
        stack[-2:] = [c_int32(value).value]
    return ""


def check_execute(args: dict[str, Any]) -> None:
    expected = bad(args["program"]) or machine(args["program"], args.get("stack", []), args.get("max_steps", 1000))
    assert play(FAMILY, "execute", args) == expected


@settings(max_examples=50, deadline=None)
@given(st.lists(LINES, max_size=12), VALUES, st.integers(1, 60))
def test_any_program(program: list[str], stack: list[int], most: int) -> None:
    check_execute({"program": program, "stack": stack, "max_steps": most})


@settings(max_examples=50, deadline=None)
@given(st.lists(PLAIN, max_size=12), st.lists(st.integers(-99, 99), min_size=8, max_size=12))
def test_straight_programs(program: list[str], stack: list[int]) -> None:
    check_execute({"program": program, "stack": stack})


def test_execute_on_its_own_inputs() -> None:
    for args in of(FAMILY, "execute", 300):
        check_execute(args)


def check_effect(args: dict[str, Any]) -> None:
    """Run it on stacks that grow until it runs; ones everywhere and no `eq`, `lt` or `sub` mean no division by zero."""
    program = args["program"]
    result = play(FAMILY, "effect", args)
    crooked = [n for n, line in enumerate(program, 1) if kind(line) in {"label", "jump", "jumpz"}]
    if failed := bad(program):
        assert result == failed
        return
    if crooked:
        assert result == {"code": "not_straight", "line": crooked[0]}
        return
    safe = ["push 1" if line[:4] == "push" else {2: "mul"}.get(arity(line), line) for line in program]
    needs = 0
    while "code" in machine(safe, [1] * needs, 1000):
        needs += 1
    if "halt" in safe:
        safe = safe[: safe.index("halt")]
    heights = [len(machine(safe[:n], [1] * needs, 1000)["stack"]) for n in range(len(safe) + 1)]
    assert result == {"needs": needs, "leaves": heights[-1], "peak": max(heights)}


def arity(line: str) -> int:
    return 2 if line in {"add", "sub", "mul", "div", "mod", "eq", "lt"} else 0


@settings(max_examples=50, deadline=None)
@given(st.lists(PLAIN, max_size=12))
def test_effect_by_trial(program: list[str]) -> None:
    check_effect({"program": program})


def test_effect_on_its_own_inputs() -> None:
    for args in of(FAMILY, "effect", 300):
        check_effect(args)
