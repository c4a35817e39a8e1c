"""Applies JSON Patches (RFC 6902) and JSON Merge Patches (RFC 7396) to documents."""

import json
import re
from typing import Any

from ..arguments import anything, array, enum, required, string, structure
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

POINTER = string(high=100)
CHANGE = structure({"op": enum("add", "remove", "replace", "move", "copy", "test"), "path": POINTER})
MOST_GIVEN = 150
MOST_VALUES = 300


def check_apply(args: dict[str, Any]) -> None:
    """Check the arguments of `apply`."""
    check_value(args, "document", dict | list)
    check_value(args, "patch", list)
    required(args, "patch", array(CHANGE, high=20))
    for change in args["patch"]:
        if change["op"] in ("move", "copy"):
            required(change, "from", POINTER)
        elif change["op"] != "remove":
            required(change, "value", anything)


def check_merge(args: dict[str, Any]) -> None:
    """Check the arguments of `merge`."""
    check_value(args, "document", dict | list)
    check_value(args, "patch", dict)


def check_value(args: dict[str, Any], name: str, kinds: Any) -> None:
    """Check that an argument is of one of the kinds, not too large, and that all numbers in it are integers."""
    value = required(args, name, anything)
    found = list(everything(value))
    if not isinstance(value, kinds) or len(found) > MOST_GIVEN or any(isinstance(item, float) for item in found):
        raise InvalidArgsError(f"{name} is of the wrong type, too large, or has a number that is no integer")


def apply(args: dict[str, Any]) -> object:
    """Apply all operations of a patch in turn, or tell which is the first that fails."""
    root = {"": clone(args["document"])}
    for index, change in enumerate(args["patch"]):
        try:
            step(root, change)
        except DomainError as error:
            raise DomainError(error.code, error.message, index=index) from None
        if len(list(everything(root[""]))) > MOST_VALUES:
            raise DomainError("too_large", "the document has become too large", index=index)
    return {"document": root[""]}


def merge(args: dict[str, Any]) -> object:
    """Apply a merge patch."""
    return {"document": merged(args["document"], args["patch"])}


def merged(target: Any, patch: Any) -> Any:
    """What a merge patch makes of a value."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        else:
            target[name] = merged(target.get(name), value)
    return target


def step(root: Any, change: dict[str, Any]) -> None:
    """Apply one operation to the document, which stands in `root` under the empty key."""
    kind, path = change["op"], parse(change["path"])
    value, gone = change.get("value"), path
    if kind in ("move", "copy"):
        gone = parse(change["from"])
        value = at(root, gone)
    if kind == "test" and json.dumps(at(root, path), sort_keys=True) != json.dumps(value, sort_keys=True):
        raise DomainError("test_failed", "the value is another one")
    if kind == "remove" and len(path) == 1:
        raise DomainError("root_removed", "the document itself cannot be removed")
    if kind == "move" and len(path) > len(gone) and path[: len(gone)] == gone:
        raise DomainError("into_itself", "a value cannot be moved into itself")
    value = clone(value)
    if kind in ("move", "remove", "replace"):
        holder, key = find(root, gone, new=False)
        del holder[key]
    if kind not in ("remove", "test"):
        holder, key = find(root, path, new=True)
        if isinstance(holder, list):
            holder.insert(key, None)
        holder[key] = value


def parse(pointer: str) -> list[str]:
    """The tokens of a pointer, unescaped, after the empty key of the document itself."""
    if pointer[:1] not in ("", "/") or re.search("~(?![01])", pointer):
        raise DomainError("bad_pointer", "this is no pointer")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")]


def at(root: Any, path: list[str]) -> Any:
    """The value at a path."""
    holder, key = find(root, path, new=False)
    return holder[key]


def find(root: Any, path: list[str], *, new: bool) -> tuple[Any, Any]:
    """What holds the value at a path, and its key or index there. With `new` the value need not exist yet."""
    holder = root
    for token in path[:-1]:
        holder = holder[place(holder, token, new=False)]
    return holder, place(holder, path[-1], new=new)


def place(holder: Any, token: str, *, new: bool) -> Any:
    """The key or index to which a token leads."""
    if isinstance(holder, list):
        if new and token == "-":
            return len(holder)
        if re.fullmatch("0|[1-9][0-9]*", token) and int(token) < len(holder) + new:
            return int(token)
    elif isinstance(holder, dict) and (new or token in holder):
        return token
    raise DomainError("no_value", f"there is no {token!r}")


def everything(value: Any) -> list[Any]:
    """The value and everything in it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(found for item in inner for found in everything(item))]


def clone(value: Any) -> Any:
    """A copy that shares nothing with the value."""
    return json.loads(json.dumps(value))


OPERATIONS = {
    "apply": Operation(("document", "patch"), check_apply, apply),
    "merge": Operation(("document", "patch"), check_merge, merge),
}
