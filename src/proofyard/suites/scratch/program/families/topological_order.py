"""Orders of things of which some must come before others: sequences, levels, and the constraints that say something."""

from collections.abc import Callable, Iterable
from typing import Any

from ..arguments import array, enum, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)

Sets = dict[str, set[str]]
"""For each item those that must be placed before it can be."""


def check_items(args: dict[str, Any]) -> None:
    """Check the arguments that all operations have."""
    required(args, "items", array(NAME, 1, 30))
    required(args, "pairs", array(array(NAME, 2, 2), high=80))


def check_sequence(args: dict[str, Any]) -> None:
    """Check the arguments of `sequence`."""
    check_items(args)
    optional(args, "fill", enum("front", "back"))


def sequence(args: dict[str, Any]) -> object:
    """All items in one row."""
    before = read(args)
    if args.get("fill", "front") == "front":
        return {"order": place(before, min)}
    after = {item: {other for other in before if item in before[other]} for item in before}
    return {"order": place(after, max)[::-1]}


def levels(args: dict[str, Any]) -> object:
    """The items in groups, each as early as it can be."""
    before = read(args)
    groups: list[list[str]] = []
    placed: set[str] = set()
    while len(placed) < len(before):
        groups.append(sorted(item for item in before if item not in placed and before[item] <= placed))
        placed.update(groups[-1])
    return {"levels": groups}


def reduce(args: dict[str, Any]) -> object:
    """The pairs that do not follow from others."""
    before = read(args)
    kept = [
        [first, second]
        for second in before
        for first in before[second]
        if not any(first in ancestors(before, other) for other in before[second])
    ]
    return {"pairs": sorted(kept), "removed": len(args["pairs"]) - len(kept)}


def read(args: dict[str, Any]) -> Sets:
    """For each item those directly before it, once all is known to be in order."""
    before: Sets = {item: set() for item in args["items"]}
    if len(before) < len(args["items"]):
        raise DomainError("duplicate_item", "an item is listed twice")
    for first, second in args["pairs"]:
        if first not in before or second not in before:
            raise DomainError("unknown_item", "a pair names something that is not among the items")
        before[second].add(first)
    looped = sorted(item for item in before if item in ancestors(before, item))
    if looped:
        raise DomainError("cycle", "some items would have to come before themselves", items=looped)
    return before


def ancestors(before: Sets, item: str) -> set[str]:
    """All that must come before `item`, over any number of steps."""
    found: set[str] = set()
    coming = [item]
    while coming:
        new = before[coming.pop()] - found
        found |= new
        coming += new
    return found


def place(waits: Sets, choose: Callable[[Iterable[str]], str]) -> list[str]:
    """All items, each chosen among those that wait for none that is still missing."""
    placed: list[str] = []
    while len(placed) < len(waits):
        placed.append(choose(item for item in waits if item not in placed and waits[item].issubset(placed)))
    return placed


OPERATIONS = {
    "sequence": Operation(("items", "pairs", "fill"), check_sequence, sequence),
    "levels": Operation(("items", "pairs"), check_items, levels),
    "reduce": Operation(("items", "pairs"), check_items, reduce),
}
