"""Takes JSON documents apart into paths with values, and builds documents from them."""

import re
from itertools import pairwise
from typing import Any

from ..arguments import anything, array, boolean, integer, optional, required, string
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

MOST_VALUES = 300
PATH = string(high=200)
STEP = re.compile(r"\.((?:[^.\[\]\\]|\\[.\[\]\\])*)|\[(0|[1-9][0-9]*)\]")


def check_flatten(args: dict[str, Any]) -> None:
    """Check the arguments of `flatten`."""
    if not isinstance(required(args, "document", anything), dict | list):
        raise InvalidArgsError("document must be an object or an array")
    check_values(args["document"])
    optional(args, "depth", integer(1, 20))
    optional(args, "arrays", boolean)


def check_unflatten(args: dict[str, Any]) -> None:
    """Check the arguments of `unflatten`."""
    for entry in required(args, "entries", array(array(anything, 2, 2), 1, 60)):
        PATH(entry[0], "path")
    check_values(args["entries"])


def check_values(value: object) -> None:
    """Check that there are not too many values and that all numbers are integers."""
    found = everything(value)
    if len(found) > MOST_VALUES or any(isinstance(item, float) for item in found):
        raise InvalidArgsError("there are too many values, or a number that is no integer")


def everything(value: Any) -> list[Any]:
    """The value and everything in it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(found for item in inner for found in everything(item))]


def flatten(args: dict[str, Any]) -> object:
    """The paths and values of all leaves."""
    return {"entries": leaves(args["document"], "", args.get("depth"), args.get("arrays", True))}


def leaves(value: Any, path: str, depth: int | None, arrays: bool) -> list[Any]:
    """The leaves of a value that stands at a path, taken apart at most `depth` times."""
    inner: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        inner = [(f"{path}.{escaped(name)}", value[name]) for name in sorted(value)]
    if isinstance(value, list) and arrays:
        inner = [(f"{path}[{index}]", item) for index, item in enumerate(value)]
    if depth == 0 or not inner:
        return [[path, value]]
    below = None if depth is None else depth - 1
    return [leaf for longer, item in inner for leaf in leaves(item, longer, below, arrays)]


def escaped(name: str) -> str:
    """A key as it is written in a path."""
    return re.sub(r"([.\[\]\\])", r"\\\1", name)


def unflatten(args: dict[str, Any]) -> object:
    """The document that has the given values at the given paths, and nothing else."""
    paths = [steps(path, index) for index, (path, _) in enumerate(args["entries"])]
    root: Any = {}
    for index, path in enumerate(paths):
        holder = root
        for step, below in pairwise(path):
            holder = holder.setdefault(step, {})
            if isinstance(holder, list) or any(type(name) is not type(below) for name in holder):
                raise DomainError("path_conflict", "a place would have to be two things at once", index=index)
        if path[-1] in holder:
            raise DomainError("path_conflict", "there is something at the path already", index=index)
        holder[path[-1]] = [args["entries"][index][1]]
    return {"document": built(root[""], "")}


def steps(path: str, index: int) -> list[str | int]:
    """The keys and indices of a path, after the empty key under which the document itself is put."""
    if re.fullmatch(f"(?:{STEP.pattern})*", path) is None:
        raise DomainError("bad_path", "this is no path", index=index)
    return ["", *(int(m[2]) if m[2] else re.sub(r"\\(.)", r"\1", m[1]) for m in STEP.finditer(path))]


def built(node: Any, path: str) -> Any:
    """The value of a node: a list with the value itself, or all that is below it by key or index."""
    if isinstance(node, list):
        return node[0]
    names = sorted(node)
    if isinstance(names[0], str):
        return {name: built(node[name], f"{path}.{escaped(name)}") for name in names}
    if names[-1] >= len(names):
        raise DomainError("missing_index", "an array has a gap", path=path)
    return [built(node[index], f"{path}[{index}]") for index in names]


OPERATIONS = {
    "flatten": Operation(("document", "depth", "arrays"), check_flatten, flatten),
    "unflatten": Operation(("entries",), check_unflatten, unflatten),
}
