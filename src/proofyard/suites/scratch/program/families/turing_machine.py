"""Runs Turing machines: one tape to its end, or many inputs for their verdict."""

from typing import Any

from ..arguments import array, boolean, enum, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

STATE = string(1, 20)
SYMBOL = string(1, 1)
RULE = structure({"state": STATE, "read": SYMBOL, "write": SYMBOL, "move": enum("L", "R", "S"), "next": STATE})
MOVES = {"L": -1, "R": 1, "S": 0}


def check_machine(args: dict[str, Any]) -> None:
    """Check the arguments that both operations have."""
    required(args, "rules", array(RULE, high=40))
    required(args, "start", STATE)
    optional(args, "blank", SYMBOL)
    optional(args, "one_way", boolean)


def check_simulate(args: dict[str, Any]) -> None:
    """Check the arguments of `simulate`."""
    check_machine(args)
    required(args, "tape", string(high=100))
    optional(args, "max_steps", integer(0, 1000))


def check_decide(args: dict[str, Any]) -> None:
    """Check the arguments of `decide`."""
    check_machine(args)
    required(args, "inputs", array(string(high=30), 1, 10))
    required(args, "accept", array(STATE, high=10))
    optional(args, "max_steps", integer(0, 100))


def simulate(args: dict[str, Any]) -> object:
    """Run on one tape."""
    blank = args.get("blank", "_")
    tape = dict(enumerate(args["tape"]))
    halted, state, steps, head = run(args, rules_of(args), tape, args.get("max_steps", 1000))
    used = [place for place, symbol in tape.items() if symbol != blank]
    first, last = (min(used), max(used)) if used else (0, -1)
    return {
        "halted": halted,
        "state": state,
        "steps": steps,
        "head": head,
        "first": first,
        "tape": "".join(tape.get(place, blank) for place in range(first, last + 1)),
    }


def decide(args: dict[str, Any]) -> object:
    """Run on many inputs."""
    rules = rules_of(args)
    results = []
    for text in args["inputs"]:
        halted, state, steps, _ = run(args, rules, dict(enumerate(text)), args.get("max_steps", 100))
        verdict = "accept" if state in args["accept"] else "reject"
        results.append({"verdict": verdict if halted else "unknown", "steps": steps})
    return {"results": results}


def rules_of(args: dict[str, Any]) -> dict[tuple[str, str], dict[str, str]]:
    """The rules by state and symbol."""
    rules: dict[tuple[str, str], dict[str, str]] = {}
    for index, rule in enumerate(args["rules"]):
        key = (rule["state"], rule["read"])
        if key in rules:
            raise DomainError("duplicate_rule", "two rules are for the same state and symbol", index=index)
        rules[key] = rule
    return rules


def run(
    args: dict[str, Any], rules: dict[tuple[str, str], dict[str, str]], tape: dict[int, str], most: int
) -> tuple[bool, str, int, int]:
    """Run on a tape, which is changed; whether it halted, the last state, the number of steps and where the head is."""
    state: str = args["start"]
    steps = head = 0
    while True:
        symbol = tape.get(head, args.get("blank", "_"))
        rule = rules.get((state, symbol)) or rules.get((state, "*"))
        if rule is None or steps == most:
            return rule is None, state, steps, head
        steps += 1
        tape[head] = symbol if rule["write"] == "*" else rule["write"]
        head += MOVES[rule["move"]]
        if args.get("one_way"):
            head = max(head, 0)
        state = rule["next"]


OPERATIONS = {
    "simulate": Operation(("rules", "start", "blank", "one_way", "tape", "max_steps"), check_simulate, simulate),
    "decide": Operation(("rules", "start", "blank", "one_way", "inputs", "accept", "max_steps"), check_decide, decide),
}
