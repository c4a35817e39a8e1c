"""JSON Patch: documents are never changed, every operation builds a new one that shares what stays the same."""

import json
import re
from collections.abc import Callable
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"apply": ("document", "patch"), "merge": ("document", "patch")}

_POINTER = re.compile(r"(?:/(?:[^/~]|~[01])*+)*+")
_INDEX = re.compile(r"0|[1-9][0-9]*")
_KINDS = ("add", "remove", "replace", "move", "copy", "test")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    document, patch = args.get("document"), args.get("patch")
    if not isinstance(document, dict | list) or _weight(document) > 150 or _weight(patch) > 150:
        return False
    if op == "merge":
        return isinstance(patch, dict)
    return isinstance(patch, list) and len(patch) <= 20 and all(map(_is_operation, patch))


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "merge":
        return {"document": _merge(args["document"], args["patch"])}
    document = args["document"]
    for index, operation in enumerate(args["patch"]):
        try:
            document = _apply(document, operation)
            if _weight(document) > 300:
                raise Refused("too_large")
        except Refused as refused:
            raise Refused(refused.code, {"index": index}) from None
    return {"document": document}


def _weight(value: Any) -> float:
    """The number of values in a value; infinite if a number in it is no integer."""
    if isinstance(value, float):
        return float("inf")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_weight, inner))


def _is_operation(value: Any) -> bool:
    """Whether a value is an operation of a patch."""
    if not isinstance(value, dict) or value.get("op") not in _KINDS or not _is_text(value.get("path")):
        return False
    if value["op"] in ("move", "copy"):
        return _is_text(value.get("from"))
    return value["op"] == "remove" or "value" in value


def _is_text(value: Any) -> bool:
    """Whether a value is a string that may be a pointer."""
    return isinstance(value, str) and len(value) <= 100


def _tokens(pointer: str) -> list[str]:
    """The tokens of a pointer."""
    if not _POINTER.fullmatch(pointer):
        raise Refused("bad_pointer")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _step(value: Any, token: str) -> Any:
    """The key or index of something that is in a value."""
    if isinstance(value, dict) and token in value:
        return token
    if isinstance(value, list) and _INDEX.fullmatch(token) and int(token) < len(value):
        return int(token)
    raise Refused("no_value")


def _get(value: Any, tokens: list[str]) -> Any:
    """The value at a place."""
    for token in tokens:
        value = value[_step(value, token)]
    return value


def _edited(value: Any, tokens: list[str], edit: Callable[[Any, str], Any]) -> Any:
    """A value like this one, but with `edit` done to the object or array in which the last token is looked for."""
    if len(tokens) == 1:
        if not isinstance(value, dict | list):
            raise Refused("no_value")
        return edit(value.copy(), tokens[0])
    step = _step(value, tokens[0])
    changed = value.copy()
    changed[step] = _edited(value[step], tokens[1:], edit)
    return changed


def _without(value: Any, tokens: list[str]) -> Any:
    """The value without what is at a place."""

    def edit(holder: Any, token: str) -> Any:
        del holder[_step(holder, token)]
        return holder

    return _edited(value, tokens, edit)


def _with(value: Any, tokens: list[str], new: Any) -> Any:
    """The value with something added at a place."""

    def edit(holder: Any, token: str) -> Any:
        if isinstance(holder, dict):
            holder[token] = new
            return holder
        if token == "-":
            return [*holder, new]
        if not _INDEX.fullmatch(token) or int(token) > len(holder):
            raise Refused("no_value")
        return [*holder[: int(token)], new, *holder[int(token) :]]

    return _edited(value, tokens, edit) if tokens else new


def _replaced(value: Any, tokens: list[str], new: Any) -> Any:
    """The value with something else at a place."""

    def edit(holder: Any, token: str) -> Any:
        holder[_step(holder, token)] = new
        return holder

    return _edited(value, tokens, edit) if tokens else new


def _apply(document: Any, operation: dict[str, Any]) -> Any:
    """The document after one operation."""
    kind, path = operation["op"], _tokens(operation["path"])
    if kind in ("move", "copy"):
        return _transfer(document, kind, _tokens(operation["from"]), path)
    if kind == "add":
        return _with(document, path, operation["value"])
    if kind == "replace":
        return _replaced(document, path, operation["value"])
    if kind == "remove":
        if not path:
            raise Refused("root_removed")
        return _without(document, path)
    if json.dumps(_get(document, path), sort_keys=True) != json.dumps(operation["value"], sort_keys=True):
        raise Refused("test_failed")
    return document


def _transfer(document: Any, kind: str, origin: list[str], path: list[str]) -> Any:
    """The document after a copy or move."""
    value = _get(document, origin)
    if kind == "move":
        if origin == path:
            return document
        if path[: len(origin)] == origin:
            raise Refused("into_itself")
        document = _without(document, origin)
    return _with(document, path, value)


def _merge(value: Any, patch: dict[str, Any]) -> dict[str, Any]:
    """The value after the merge of an object into it."""
    merged = dict(value) if isinstance(value, dict) else {}
    for key, new in patch.items():
        if new is None:
            merged.pop(key, None)
        else:
            merged[key] = _merge(merged.get(key), new) if isinstance(new, dict) else new
    return merged
