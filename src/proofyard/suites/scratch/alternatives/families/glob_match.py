"""Glob patterns: characters in a segment and segments in a path are matched by one and the same set of states."""

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "match": ("pattern", "paths"),
    "select": ("patterns", "paths"),
}

Step = tuple[bool, Callable[[str], bool]]  # whether it takes any number of items, and which ones


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "match":
        return _is_text(args.get("pattern"), 1) and _is_texts(args.get("paths"), 0, 10, 0)
    return _is_texts(args.get("patterns"), 1, 4, 1) and _is_texts(args.get("paths"), 0, 6, 0)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "match":
        steps = _steps(args["pattern"], 1)
        return {"paths": [path for path in args["paths"] if _fits(steps, path.split("/"))]}
    rules = []
    for number, pattern in enumerate(args["patterns"], 1):
        proper = pattern.removeprefix("!")
        rules.append((proper == pattern, "/" in proper, _steps(proper, number)))
    selected = []
    for path in args["paths"]:
        segments = path.split("/")
        verdicts = [adds for adds, whole, steps in rules if _fits(steps, segments if whole else segments[-1:])]
        if verdicts and verdicts[-1]:
            selected.append(path)
    return {"paths": selected}


def _fits(steps: list[Step], items: Sequence[str]) -> bool:
    """Whether the steps in order take all items."""
    states = _reached(steps, {0})
    for item in items:
        after = set()
        for state in states:
            if state < len(steps) and steps[state][1](item):
                after.add(state + (not steps[state][0]))
        states = _reached(steps, after)
    return len(steps) in states


def _reached(steps: list[Step], states: set[int]) -> set[int]:
    """These states and all that follow if steps of any number take nothing."""
    found = set(states)
    for state, step in enumerate(steps):
        if state in found and step[0]:
            found.add(state + 1)
    return found


def _steps(pattern: str, number: int) -> list[Step]:
    """The steps of a pattern, an item being a segment."""
    try:
        return [_segment_step(segment) for segment in pattern.split("/")]
    except ValueError:
        raise Refused("bad_pattern", {"pattern": number}) from None


def _segment_step(pattern: str) -> Step:
    """The step of a segment of the pattern; ValueError if it is bad."""
    if pattern == "**":
        return True, lambda segment: not segment.startswith(".")
    steps = []
    at = 0
    while at < len(pattern):
        step, at = _character_step(pattern, at)
        steps.append(step)
    open_to_hidden = pattern.startswith((".", "\\.", "[.]"))
    return False, lambda segment: (open_to_hidden or not segment.startswith(".")) and _fits(steps, segment)


def _character_step(pattern: str, at: int) -> tuple[Step, int]:
    """The step that begins at a position of a segment, and where it ends."""
    sign = pattern[at]
    if sign in "*?":
        return (sign == "*", lambda _: True), at + 1
    if sign == "[":
        negated = pattern.startswith("!", at + 1)
        start = at + 1 + negated
        end = pattern.index("]", start + 1)
        ranges = _ranges(pattern[start:end])
        return (False, lambda item: negated != any(low <= item <= high for low, high in ranges)), end + 1
    if sign == "\\":
        at += 1
        if at == len(pattern):
            raise ValueError(pattern)
        sign = pattern[at]
    return (False, lambda item: item == sign), at + 1


def _ranges(inner: str) -> list[tuple[str, str]]:
    """The ranges of a class, single characters as such too."""
    found = []
    at = 0
    while at < len(inner):
        wide = inner[at + 1 : at + 2] == "-" and at + 2 < len(inner)
        low, high = inner[at], inner[at + 2 * wide]
        if low > high:
            raise ValueError(inner)
        found.append((low, high))
        at += 3 if wide else 1
    return found


def _is_text(value: Any, least: int) -> bool:
    """Whether a value is a string of at most 30 characters."""
    return isinstance(value, str) and least <= len(value) <= 30


def _is_texts(value: Any, low: int, high: int, least: int) -> bool:
    """Whether a value is a list of so many such strings."""
    return isinstance(value, list) and low <= len(value) <= high and all(_is_text(item, least) for item in value)
