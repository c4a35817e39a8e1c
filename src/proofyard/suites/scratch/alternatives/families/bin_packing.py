"""Bin packing: a method is a rank of bins, and the least number comes from the sets of items that fill one bin."""

from collections import Counter
from collections.abc import Callable
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

Test = Callable[[Any], bool]
Items = list[dict[str, Any]]

_METHODS = ("next_fit", "first_fit", "best_fit", "worst_fit")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _integer(least: int, most: int) -> Test:
    """Integers from `least` to `most`."""
    return lambda value: type(value) is int and least <= value <= most


def _text(most: int) -> Test:
    """Strings of 1 to `most` code points."""
    return lambda value: isinstance(value, str) and 1 <= len(value) <= most


def _word(*words: str) -> Test:
    """Some words and nothing else."""
    return lambda value: value in words


def _array(least: int, most: int, item: Test) -> Test:
    """Arrays of so many items, each of them right."""
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(item, value))


def _keys(needed: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    """Objects with all needed keys, where these and the optional ones are right."""
    tests = needed | (optional or {})
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in needed)
        and all(test(value[name]) for name, test in tests.items() if name in value)
    )


_ITEM = _keys({"name": _text(20), "size": _integer(1, 1000)}, {"group": _text(20)})
_NEEDED: dict[str, dict[str, Test]] = {
    "pack": {"items": _array(0, 60, _ITEM), "capacity": _integer(1, 1000), "method": _word(*_METHODS)},
    "minimum": {"items": _array(0, 7, _ITEM), "capacity": _integer(1, 1000)},
}
_OPTIONAL: dict[str, dict[str, Test]] = {"pack": {"order": _word("given", "decreasing")}, "minimum": {}}

OPS: dict[str, tuple[str, ...]] = {op: (*_NEEDED[op], *_OPTIONAL[op]) for op in _NEEDED}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_NEEDED[op], _OPTIONAL[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    items, capacity = args["items"], args["capacity"]
    for index, item in enumerate(items):
        if item["size"] > capacity:
            raise Refused("too_large", index=index)
    decreasing = sorted(items, key=lambda item: -item["size"])
    if op == "minimum":
        return {
            "bins": _least(items, capacity),
            "lower_bound": max(-(-sum(item["size"] for item in items) // capacity), _largest_group(items)),
            "decreasing": {method: len(_pack(decreasing, capacity, method)) for method in _METHODS},
        }
    bins = _pack(decreasing if args.get("order") == "decreasing" else items, capacity, args["method"])
    named = [{"items": [item["name"] for item in held], "free": _free(held, capacity)} for held in bins]
    return {"count": len(bins), "bins": named}


def _free(held: Items, capacity: int) -> int:
    """What is free in a bin that holds some items."""
    taken: int = sum(item["size"] for item in held)
    return capacity - taken


def _largest_group(items: Items) -> int:
    """The number of items in the largest group."""
    return max(Counter(item["group"] for item in items if "group" in item).values(), default=0)


def _allowed(held: Items, capacity: int) -> bool:
    """Whether some items can share a bin."""
    return _free(held, capacity) >= 0 and _largest_group(held) <= 1


def _pack(items: Items, capacity: int, method: str) -> list[Items]:
    """The bins that a method fills."""
    bins: list[Items] = []
    for item in items:
        seen = bins[-1:] if method == "next_fit" else bins
        fitting = [held for held in seen if _allowed([*held, item], capacity)]
        if not fitting:
            bins.append([item])
        elif method in ("best_fit", "worst_fit"):
            sign = 1 if method == "best_fit" else -1
            min(fitting, key=lambda held: sign * _free(held, capacity)).append(item)
        else:
            fitting[0].append(item)
    return bins


def _least(items: Items, capacity: int) -> int:
    """The least number of bins: sets of items are numbers with one bit for each item."""
    sets = range(1, 1 << len(items))
    whole = {chosen: [item for at, item in enumerate(items) if chosen >> at & 1] for chosen in sets}
    fills = [chosen for chosen in sets if _allowed(whole[chosen], capacity)]
    least: dict[int, int] = {0: 0}
    for chosen in sets:
        least[chosen] = 1 + min(least[chosen - fill] for fill in fills if fill & chosen == fill)
    return least[(1 << len(items)) - 1]
