"""Packs items into bins by a simple method, and finds the least number of bins."""

from collections import Counter
from typing import Any

from ..arguments import array, enum, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

SIZE = integer(1, 1000)
NAME = string(1, 20)
ITEM = structure({"name": NAME, "size": SIZE}, {"group": NAME})
METHODS = ("next_fit", "first_fit", "best_fit", "worst_fit")
Item = dict[str, Any]
Bin = list[Item]


def check_pack(args: dict[str, Any]) -> None:
    """Check the arguments of `pack`."""
    required(args, "items", array(ITEM, high=60))
    required(args, "capacity", SIZE)
    required(args, "method", enum(*METHODS))
    optional(args, "order", enum("given", "decreasing"))


def check_minimum(args: dict[str, Any]) -> None:
    """Check the arguments of `minimum`."""
    required(args, "items", array(ITEM, high=7))
    required(args, "capacity", SIZE)


def pack(args: dict[str, Any]) -> object:
    """Pack items by one method."""
    items, capacity = args["items"], args["capacity"]
    require_small(items, capacity)
    if args.get("order") == "decreasing":
        items = decreasing(items)
    bins = packed(items, capacity, args["method"])
    rows = [{"items": [item["name"] for item in own], "free": capacity - filled(own)} for own in bins]
    return {"count": len(bins), "bins": rows}


def minimum(args: dict[str, Any]) -> object:
    """The least number of bins, beside what the methods need."""
    items, capacity = args["items"], args["capacity"]
    require_small(items, capacity)
    groups = Counter(item["group"] for item in items if "group" in item)
    return {
        "bins": fewest(items, [], capacity),
        "lower_bound": max([-(-filled(items) // capacity), *groups.values()]),
        "decreasing": {method: len(packed(decreasing(items), capacity, method)) for method in METHODS},
    }


def require_small(items: list[Item], capacity: int) -> None:
    """Refuse items that fit into no bin."""
    for index, item in enumerate(items):
        if item["size"] > capacity:
            raise DomainError("too_large", f"item {index} is larger than a bin", index=index)


def packed(items: list[Item], capacity: int, method: str) -> list[Bin]:
    """The bins that a method makes of items in their order."""
    bins: list[Bin] = []
    for item in items:
        tried = bins[-1:] if method == "next_fit" else bins
        fitting = [own for own in tried if fits(item, own, capacity)]
        if not fitting:
            bins.append([item])
        elif method == "best_fit":
            max(fitting, key=filled).append(item)
        elif method == "worst_fit":
            min(fitting, key=filled).append(item)
        else:
            fitting[0].append(item)
    return bins


def fewest(items: list[Item], bins: list[Bin], capacity: int) -> int:
    """The least number of bins if some bins are there already and `items` are still to be packed."""
    if not items:
        return len(bins)
    item, *rest = items
    options = [
        [*bins[:place], [*own, item], *bins[place + 1 :]] for place, own in enumerate(bins) if fits(item, own, capacity)
    ]
    return min(fewest(rest, option, capacity) for option in [*options, [*bins, [item]]])


def fits(item: Item, own: Bin, capacity: int) -> bool:
    """Whether a bin has room for an item and holds none of its group."""
    groups = [other["group"] for other in own if "group" in other]
    return filled(own) + item["size"] <= capacity and item.get("group") not in groups


def filled(items: list[Item]) -> int:
    """The sizes of some items together."""
    return sum(item["size"] for item in items)


def decreasing(items: list[Item]) -> list[Item]:
    """The items, the largest first."""
    return sorted(items, key=lambda item: -item["size"])


OPERATIONS = {
    "pack": Operation(("items", "capacity", "method", "order"), check_pack, pack),
    "minimum": Operation(("items", "capacity"), check_minimum, minimum),
}
