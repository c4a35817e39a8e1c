"""Run-length codes: a pattern reads one item at a time into nested lists, and lengths are summed before writing."""

import re
from itertools import groupby
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "encode": ("text",),
    "decode": ("code",),
    "measure": ("code",),
}

_ITEM = re.compile(r"((?:[1-9][0-9]*)?)(\\.|[^0-9)\\])", re.DOTALL)

Items = list[tuple[int, Any]]  # how often, and a character or the items of a group


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether the argument of the operation is there and has the right type and range."""
    name, most = ("text", 1000) if op == "encode" else ("code", 200)
    value = args.get(name)
    return isinstance(value, str) and len(value) <= most


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "encode":
        text = args["text"]
        encoded = "".join(_run(character, len(list(group))) for character, group in groupby(text))
        return {"encoded": encoded, "saved": len(text) - len(encoded)}
    items = _parsed(args["code"])
    length = _length(items)
    if op == "measure":
        return {"length": length, "depth": _depth(items)}
    if length > 2000:
        raise Refused("too_long", {"length": length})
    return {"text": _text(items)}


def _run(character: str, count: int) -> str:
    """The code of a run."""
    unit = re.sub(r"[0-9()\\]", r"\\\g<0>", character)
    return min(unit * count, f"{count}{unit}", key=len)


def _parsed(code: str) -> Items:
    """The items of a code."""
    at = 0
    open_groups: list[tuple[int, Items]] = [(0, [])]  # where each begins, and the items so far
    while at < len(code):
        items = open_groups[-1][1]
        if code[at] == ")":
            if len(open_groups) == 1 or not items:
                raise Refused("bad_code", {"at": at})
            open_groups.pop()
            at += 1
            continue
        found = _ITEM.match(code, at)
        if not found:
            raise Refused("bad_code", {"at": at})
        unit: Any = [] if found[2] == "(" else found[2][-1]
        items.append((int(found[1] or 1), unit))
        if unit == []:
            open_groups.append((at, unit))
        at = found.end()
    if len(open_groups) > 1:
        raise Refused("bad_code", {"at": open_groups[-1][0]})
    return open_groups[0][1]


def _length(items: Items) -> int:
    """The number of characters that items stand for."""
    return sum(count * (1 if isinstance(unit, str) else _length(unit)) for count, unit in items)


def _depth(items: Items) -> int:
    """How deep groups are nested in items."""
    return max((1 + _depth(unit) for _, unit in items if isinstance(unit, list)), default=0)


def _text(items: Items) -> str:
    """The text that items stand for."""
    return "".join(count * (unit if isinstance(unit, str) else _text(unit)) for count, unit in items)
