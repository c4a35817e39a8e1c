"""Topological order: the items are bits, numbered by name, and each item knows the set of all that lead to it."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "sequence": ("items", "pairs", "fill"),
    "levels": ("items", "pairs"),
    "reduce": ("items", "pairs"),
}


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    items, pairs = args.get("items"), args.get("pairs")
    return (
        isinstance(items, list)
        and 1 <= len(items) <= 30
        and all(map(_is_name, items))
        and isinstance(pairs, list)
        and len(pairs) <= 80
        and all(isinstance(pair, list) and len(pair) == 2 and all(map(_is_name, pair)) for pair in pairs)
        and (op != "sequence" or args.get("fill", "front") in ("front", "back"))
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    names: list[str] = sorted(args["items"])
    pairs: list[list[str]] = args["pairs"]
    before = _closure(names, pairs)
    if op == "sequence":
        return {"order": _row(names, before, args.get("fill", "front") == "back")}
    if op == "levels":
        return {"levels": _levels(names, before)}
    kept = []
    for first, second in sorted({(first, second) for first, second in pairs}):
        start, end = names.index(first), names.index(second)
        if not any(before[end] >> middle & 1 and before[middle] >> start & 1 for middle in range(len(names))):
            kept.append([first, second])
    return {"pairs": kept, "removed": len(pairs) - len(kept)}


def _is_name(value: Any) -> bool:
    """Whether a value is a string of 1 to 30 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 30


def _closure(names: list[str], pairs: list[list[str]]) -> list[int]:
    """For each item the set, as bits, of all items that lead to it; refuses what is no order."""
    number = {name: at for at, name in enumerate(names)}
    if len(number) < len(names):
        raise Refused("duplicate_item")
    if any(name not in number for pair in pairs for name in pair):
        raise Refused("unknown_item")
    before = [0] * len(names)
    for first, second in pairs:
        before[number[second]] |= 1 << number[first]
    for middle in range(len(names)):
        before = [mask | before[middle] if mask >> middle & 1 else mask for mask in before]
    looping = [name for at, name in enumerate(names) if before[at] >> at & 1]
    if looping:
        raise Refused("cycle", {"items": looping})
    return before


def _row(names: list[str], before: list[int], backwards: bool) -> list[str]:
    """All items in one row, filled from the front or from the back."""
    left, row = list(range(len(names))), []
    while left:
        if backwards:
            chosen = max(at for at in left if not any(before[other] >> at & 1 for other in left))
        else:
            chosen = min(at for at in left if not any(before[at] >> other & 1 for other in left))
        left.remove(chosen)
        row.append(names[chosen])
    return row[::-1] if backwards else row


def _levels(names: list[str], before: list[int]) -> list[list[str]]:
    """The groups: over and over all items that wait for none of those that are left."""
    left, groups = (1 << len(names)) - 1, []
    while left:
        group = [at for at in range(len(names)) if left >> at & 1 and not before[at] & left]
        groups.append([names[at] for at in group])
        left -= sum(1 << at for at in group)
    return groups
