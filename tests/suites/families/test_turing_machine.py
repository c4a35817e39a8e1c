"""Machines against a tape of two stacks, the known busy beavers, and languages decided by Python."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.turing_machine import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a tape of two stacks; busy beavers; strings reversed and counted by Python"
STATES, SYMBOLS = st.sampled_from(["a", "b", "c"]), st.sampled_from(["0", "1", "_", "*"])
RULES = st.lists(
    st.fixed_dictionaries(
        {"state": STATES, "read": SYMBOLS, "write": SYMBOLS, "move": st.sampled_from("LRS"), "next": STATES}
    ),
    max_size=9,
    unique_by=lambda rule: (rule["state"], rule["read"]),
)
MACHINES = st.fixed_dictionaries(
    {"rules": RULES, "start": STATES}, optional={"blank": SYMBOLS, "one_way": st.booleans()}
)


def repeated(rules: list[dict[str, str]]) -> dict[str, Any]:
    for n, rule in enumerate(rules):
        if any(rule["state"] == r["state"] and rule["read"] == r["read"] for r in rules[:n]):
            return {"code": "duplicate_rule", "index": n}
    return {}


def stacks(args: dict[str, Any], text: str, most: int) -> dict[str, Any]:
    """The tape as what is left of the head, nearest last, and what is under and right of it, nearest last."""
    blank = args.get("blank", "_")
    left: list[str] = []
    right = list(reversed(text))
    origin, state, steps = 0, args["start"], 0
    while True:
        right = right or [blank]
        fits = [r for r in args["rules"] if r["state"] == state and r["read"] in {right[-1], "*"}]
        fits.sort(key=lambda rule: rule["read"] != right[-1])
        if not fits or steps == most:
            break
        rule, steps = fits[0], steps + 1
        if rule["write"] != "*":
            right[-1] = rule["write"]
        if rule["move"] == "R":
            left.append(right.pop())
        elif rule["move"] == "L" and left:
            right.append(left.pop())
        elif rule["move"] == "L" and not args.get("one_way"):
            right.append(blank)
            origin -= 1
        state = rule["next"]
    cells = [*left, *reversed(right)]
    head, first = origin + len(left), origin
    while cells and cells[-1] == blank:
        cells.pop()
    while cells and cells[0] == blank:
        cells.pop(0)
        first += 1
    tape = {"first": first if cells else 0, "tape": "".join(cells)}
    return {"halted": not fits, "state": state, "steps": steps, "head": head, **tape}


def check_simulate(args: dict[str, Any]) -> None:
    expected = repeated(args["rules"]) or stacks(args, args["tape"], args.get("max_steps", 1000))
    assert play(FAMILY, "simulate", args) == expected


def check_decide(args: dict[str, Any]) -> None:
    rows = []
    for text in args["inputs"]:
        end = stacks(args, text, args.get("max_steps", 100))
        told = ("reject", "accept")[end["state"] in args["accept"]] if end["halted"] else "unknown"
        rows.append({"verdict": told, "steps": end["steps"]})
    assert play(FAMILY, "decide", args) == (repeated(args["rules"]) or {"results": rows})


@settings(max_examples=50, deadline=None)
@given(MACHINES, st.text("01_*", max_size=6), st.integers(0, 30))
def test_any_machine(machine: dict[str, Any], tape: str, most: int) -> None:
    check_simulate({**machine, "tape": tape, "max_steps": most})
    check_decide({**machine, "inputs": [tape, tape[::-1]], "accept": ["b"], "max_steps": most})


def test_simulate_on_its_own_inputs() -> None:
    for args in of(FAMILY, "simulate", 250):
        check_simulate(args)


def test_decide_on_its_own_inputs() -> None:
    for args in of(FAMILY, "decide", 250):
        check_decide(args)


def machine(rules: str) -> dict[str, Any]:
    keys = ("state", "read", "write", "move", "next")
    return {"rules": [dict(zip(keys, text, strict=True)) for text in rules.split()], "start": "a"}


@pytest.mark.parametrize(
    ("rules", "steps", "ones"),
    [
        ("a01Rb a11Lb b01La b11Rh", 6, 4),
        ("a01Rb a11Rh b00Rc b11Rb c01Lc c11La", 14, 6),
        ("a01Rb a11Lb b01La b10Lc c01Rh c11Ld d01Rd d10Ra", 107, 13),
    ],
)
def test_busy_beavers(rules: str, steps: int, ones: int) -> None:
    result = play(FAMILY, "simulate", {**machine(rules), "blank": "0", "tape": ""})
    assert (result["steps"], result["tape"].count("1")) == (steps, ones)


def test_palindromes_as_python_tells_them() -> None:
    rules = "a0_Rb a1_Rc a__Sy b**Rb b__Ld c**Rc c__Le d0_Lf e1_Lf d__Sy e__Sy f**Lf f__Ra"
    for size in range(6):
        words = ["".join(word) for word in product("01", repeat=size)]
        for word in words:
            result = play(FAMILY, "decide", {**machine(rules), "inputs": [word], "accept": ["y"]})
            assert result["results"][0]["verdict"] == ("accept" if word == word[::-1] else "reject")
