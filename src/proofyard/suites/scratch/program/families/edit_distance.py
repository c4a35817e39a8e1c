"""The cheapest way to turn one text into another, and the words nearest to a word."""

from functools import cache
from itertools import takewhile
from operator import itemgetter
from typing import Any

from ..arguments import array, integer, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

TEXT = string(high=24)
WORD = string(1, 12)
COST = integer(0, 100)
KINDS = ("replace", "swap", "delete", "insert")


def check_script(args: dict[str, Any]) -> None:
    """Check the arguments of `script`."""
    required(args, "left", TEXT)
    required(args, "right", TEXT)
    for kind in KINDS:
        optional(args, kind, COST)


def check_nearest(args: dict[str, Any]) -> None:
    """Check the arguments of `nearest`."""
    required(args, "word", WORD)
    required(args, "words", array(WORD, 1, 10))
    optional(args, "within", integer(0, 12))


def script(args: dict[str, Any]) -> object:
    """The cheapest script; of several the first one in the order k, r, s, d, i."""
    distance, letters = cheapest(args["left"], args["right"], *(args.get(kind, 1) for kind in KINDS))
    return {"distance": distance, "script": letters}


def nearest(args: dict[str, Any]) -> object:
    """The words with the least distance, a longer common beginning first."""
    word, within = args["word"], args.get("within", 2)
    rows = []
    for other in set(args["words"]):
        distance, _ = cheapest(word, other, 1, 1, 1, 1)
        rows.append((distance, -shared(word, other), other))
    rows.sort()
    if rows[0][0] > within:
        raise DomainError("none_near", "no word is near enough", distance=rows[0][0])
    return {"words": [{"word": other, "distance": distance} for distance, _, other in rows if distance <= within]}


def cheapest(left: str, right: str, replace: int, swap: int, delete: int, insert: int) -> tuple[int, str]:
    """The least cost, and the first script that has it."""

    @cache
    def rest(left: str, right: str) -> tuple[int, str]:
        if left == right:
            return 0, "k" * len(left)
        moves = []
        if left and right:
            moves.append((0, "k", 1, 1) if left[0] == right[0] else (replace, "r", 1, 1))
        if left[:2] == right[:2][::-1]:
            moves.append((swap, "s", 2, 2))
        if left:
            moves.append((delete, "d", 1, 0))
        if right:
            moves.append((insert, "i", 0, 1))
        ways = []
        for cost, letter, down, across in moves:
            distance, letters = rest(left[down:], right[across:])
            ways.append((distance + cost, letter + letters))
        return min(ways, key=itemgetter(0))

    return rest(left, right)


def shared(word: str, other: str) -> int:
    """How many characters two words have in common before the first difference."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False))))


OPERATIONS = {
    "script": Operation(("left", "right", *KINDS), check_script, script),
    "nearest": Operation(("word", "words", "within"), check_nearest, nearest),
}
