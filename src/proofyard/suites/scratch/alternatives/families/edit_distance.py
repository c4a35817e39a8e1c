"""Edit distance: the best script of each pair of rests is the least pair of cost and letters, from the end on."""

from itertools import takewhile
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "script": ("left", "right", "replace", "swap", "delete", "insert"),
    "nearest": ("word", "words", "within"),
}

_COSTS = ("replace", "swap", "delete", "insert")
_LETTERS = str.maketrans("01234", "krsdi")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "script":
        texts = all(_is_text(args.get(name), 0, 24) for name in ("left", "right"))
        return texts and all(_is_integer(args.get(name, 1), 100) for name in _COSTS)
    words = args.get("words")
    if not isinstance(words, list) or not 1 <= len(words) <= 10 or not _is_integer(args.get("within", 2), 12):
        return False
    return all(_is_text(word, 1, 12) for word in [args.get("word"), *words])


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "script":
        distance, steps = _best(args["left"], args["right"], [args.get(name, 1) for name in _COSTS])
        return {"distance": distance, "script": steps.translate(_LETTERS)}
    word = args["word"]
    ranked = sorted((_best(word, other, [1] * 4)[0], -_shared(word, other), other) for other in set(args["words"]))
    near = [{"word": other, "distance": cost} for cost, _, other in ranked if cost <= args.get("within", 2)]
    if not near:
        raise Refused("none_near", {"distance": ranked[0][0]})
    return {"words": near}


def _best(left: str, right: str, costs: list[int]) -> tuple[int, str]:
    """The least cost and the first script with it, `0` to `4` being the steps in their order."""
    best = {(len(left), len(right)): (0, "")}
    for i in range(len(left), -1, -1):
        for j in range(len(right), -1, -1):
            ways = []
            for step, wide, high, cost in _steps(left[i : i + 2], right[j : j + 2], costs):
                total, letters = best[i + wide, j + high]
                ways.append((cost + total, step + letters))
            if ways:
                best[i, j] = min(ways)
    return best[0, 0]


def _steps(left: str, right: str, costs: list[int]) -> list[tuple[str, int, int, int]]:
    """The steps that can begin two rests, by their first two characters: step, what it passes of each, and its cost."""
    replace, swap, delete, insert = costs
    found = []
    if left and right:
        found.append(("0", 1, 1, 0) if left[0] == right[0] else ("1", 1, 1, replace))
    if len(left) == 2 and left == right[::-1]:
        found.append(("2", 2, 2, swap))
    if left:
        found.append(("3", 1, 0, delete))
    if right:
        found.append(("4", 0, 1, insert))
    return found


def _shared(word: str, other: str) -> int:
    """The number of characters at the beginning that two words share."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False))))


def _is_text(value: Any, low: int, high: int) -> bool:
    """Whether a value is a string of a length in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _is_integer(value: Any, high: int) -> bool:
    """Whether a value is an integer from 0 to a greatest one."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= high
