"""Turing machine: the tape is two stacks, one for the cells left of the head and one for the others."""

from typing import Any, NamedTuple

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "simulate": ("rules", "start", "blank", "one_way", "tape", "max_steps"),
    "decide": ("rules", "start", "blank", "one_way", "inputs", "accept", "max_steps"),
}

Rules = dict[tuple[str, str], dict[str, Any]]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


class _Run(NamedTuple):
    """How a run ended: `left` and `right` are the cells left of the head and from it on, the nearest ones last."""

    halted: bool
    state: str
    steps: int
    head: int
    left: list[str]
    right: list[str]


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    rules, steps = args.get("rules"), args.get("max_steps", 0)
    if not isinstance(rules, list) or len(rules) > 40 or not all(map(_is_rule, rules)):
        return False
    if not _is_text(args.get("start"), 1, 20) or not _is_text(args.get("blank", "_"), 1, 1):
        return False
    if not isinstance(args.get("one_way", False), bool) or not isinstance(steps, int) or isinstance(steps, bool):
        return False
    if op == "simulate":
        return _is_text(args.get("tape"), 0, 100) and 0 <= steps <= 1000
    inputs, accept = args.get("inputs"), args.get("accept")
    return 0 <= steps <= 100 and _are_texts(inputs, 1, 0, 30) and _are_texts(accept, 0, 1, 20)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    rules: Rules = {}
    for index, rule in enumerate(args["rules"]):
        if rules.setdefault((rule["state"], rule["read"]), rule) is not rule:
            raise Refused("duplicate_rule", {"index": index})
    if op == "simulate":
        return _described(_run(rules, args, args["tape"], args.get("max_steps", 1000)), args.get("blank", "_"))
    results = []
    for text in args["inputs"]:
        end = _run(rules, args, text, args.get("max_steps", 100))
        verdict = ("accept" if end.state in args["accept"] else "reject") if end.halted else "unknown"
        results.append({"verdict": verdict, "steps": end.steps})
    return {"results": results}


def _is_text(value: Any, least: int, most: int) -> bool:
    """Whether a value is a string of `least` to `most` code points."""
    return isinstance(value, str) and least <= len(value) <= most


def _are_texts(value: Any, number: int, least: int, most: int) -> bool:
    """Whether a value is an array of `number` to 10 such strings."""
    return isinstance(value, list) and number <= len(value) <= 10 and all(_is_text(one, least, most) for one in value)


def _is_rule(value: Any) -> bool:
    """Whether a value is a rule."""
    return (
        isinstance(value, dict)
        and all(_is_text(value.get(name), 1, 20) for name in ("state", "next"))
        and all(_is_text(value.get(name), 1, 1) for name in ("read", "write"))
        and value.get("move") in ("L", "R", "S")
    )


def _run(rules: Rules, args: dict[str, Any], text: str, most: int) -> _Run:
    """Runs the machine on a text."""
    blank, one_way = args.get("blank", "_"), args.get("one_way", False)
    left: list[str] = []
    right = [*reversed(text)] or [blank]
    state, steps, head = args["start"], 0, 0
    while True:
        rule = rules.get((state, right[-1])) or rules.get((state, "*"))
        if rule is None or steps == most:
            return _Run(rule is None, state, steps, head, left, right)
        if rule["write"] != "*":
            right[-1] = rule["write"]
        if rule["move"] == "R":
            left.append(right.pop())
            right = right or [blank]
            head += 1
        elif rule["move"] == "L" and not (one_way and head == 0):
            right.append(left.pop() if left else blank)
            head -= 1
        state, steps = rule["next"], steps + 1


def _described(end: _Run, blank: str) -> dict[str, Any]:
    """The result of a simulation."""
    cells = [*end.left, *reversed(end.right)]
    full = [place for place, symbol in enumerate(cells) if symbol != blank]
    first, tape = 0, ""
    if full:
        first = full[0] + end.head - len(end.left)
        tape = "".join(cells[full[0] : full[-1] + 1])
    return {
        "halted": end.halted,
        "state": end.state,
        "steps": end.steps,
        "head": end.head,
        "first": first,
        "tape": tape,
    }
