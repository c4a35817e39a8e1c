"""JSON flatten: paths are tuples of steps; conflicts are found by pairs, and a document is grouped from sorted tuples."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"flatten": ("document", "depth", "arrays"), "unflatten": ("entries",)}

_STEP = r"\.((?:[^.\[\]\\]|\\[.\[\]\\])*+)|\[(0|[1-9][0-9]*)\]"
_PATH = re.compile(f"(?:{_STEP})*+")

Steps = tuple[Any, ...]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "flatten":
        document, depth = args.get("document"), args.get("depth", 20)
        return (
            isinstance(document, dict | list)
            and _weight(document) <= 300
            and isinstance(depth, int)
            and not isinstance(depth, bool)
            and 1 <= depth <= 20
            and isinstance(args.get("arrays", True), bool)
        )
    entries = args.get("entries")
    return (
        isinstance(entries, list)
        and 1 <= len(entries) <= 60
        and _weight(entries) <= 300
        and all(
            isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) and len(entry[0]) <= 200
            for entry in entries
        )
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "flatten":
        leaves = _leaves(args["document"], (), args.get("depth"), args.get("arrays", True))
        return {"entries": [[_written(steps), value] for steps, value in leaves]}
    return {"document": _unflatten(args["entries"])}


def _weight(value: Any) -> float:
    """The number of values in a value; infinite if a number in it is no integer."""
    if isinstance(value, float):
        return float("inf")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_weight, inner))


def _leaves(value: Any, steps: Steps, depth: int | None, arrays: bool) -> Iterator[tuple[Steps, Any]]:
    """The leaves in a value with their steps, in order."""
    inner: list[tuple[Any, Any]] = []
    if len(steps) != depth:
        if isinstance(value, dict):
            inner = sorted(value.items(), key=lambda item: item[0])
        elif isinstance(value, list) and arrays:
            inner = list(enumerate(value))
    if not inner:
        yield steps, value
    for step, element in inner:
        yield from _leaves(element, (*steps, step), depth, arrays)


def _written(steps: Steps) -> str:
    """Steps as a path."""
    return "".join(f"[{s}]" if isinstance(s, int) else "." + re.sub(r"([.\[\]\\])", r"\\\1", s) for s in steps)


def _steps(path: str) -> Steps | None:
    """A path as steps, None if it is none."""
    if not _PATH.fullmatch(path):
        return None
    return tuple(
        re.sub(r"\\(.)", r"\1", match[1]) if match[2] is None else int(match[2]) for match in re.finditer(_STEP, path)
    )


def _clash(one: Steps, other: Steps) -> bool:
    """Whether no document can have values at both places."""
    for mine, its in zip(one, other, strict=False):
        if mine != its:
            return isinstance(mine, int) is not isinstance(its, int)
    return True


def _unflatten(entries: list[list[Any]]) -> Any:
    """The document with the given values at the given paths."""
    places: list[Steps] = []
    for index, (path, _) in enumerate(entries):
        steps = _steps(path)
        if steps is None:
            raise Refused("bad_path", {"index": index})
        places.append(steps)
    for index, place in enumerate(places):
        if any(_clash(place, before) for before in places[:index]):
            raise Refused("path_conflict", {"index": index})
    arrays: dict[Steps, set[int]] = defaultdict(set)
    for place in places:
        for length, step in enumerate(place):
            if isinstance(step, int):
                arrays[place[:length]].add(step)
    for array in sorted(arrays):
        if max(arrays[array]) >= len(arrays[array]):
            raise Refused("missing_index", {"path": _written(array)})
    values = zip(places, (value for _, value in entries), strict=True)
    return _built(sorted(values, key=lambda item: item[0]), 0)


def _built(leaves: list[tuple[Steps, Any]], done: int) -> Any:
    """The value that has these leaves, whose first `done` steps are the same and lead to it."""
    first, value = leaves[0]
    if len(first) == done:
        return value
    groups = groupby(leaves, key=lambda leaf: leaf[0][done])
    inner = {step: _built(list(group), done + 1) for step, group in groups}
    return list(inner.values()) if isinstance(first[done], int) else inner
