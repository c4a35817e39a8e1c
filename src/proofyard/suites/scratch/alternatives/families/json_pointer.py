"""JSON pointers: a place is the list of tokens and the values on the way, so that going up is cutting the lists."""

import json
import re
from collections.abc import Iterator
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "resolve": ("document", "pointer"),
    "relative": ("document", "base", "relative"),
    "locate": ("document", "values"),
}

_POINTER = re.compile(r"(?:/(?:[^/~]|~[01])*+)*+")
_RELATIVE = re.compile(r"(0|[1-9][0-9]*)([+-][1-9][0-9]*)?(#|(?:/(?:[^/~]|~[01])*+)*+)")
_INDEX = re.compile(r"0|[1-9][0-9]*")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    document = args.get("document")
    if not isinstance(document, dict | list) or _weight(document) > 200:
        return False
    if op == "resolve":
        return _is_text(args.get("pointer"), 200)
    if op == "relative":
        return _is_text(args.get("base"), 200) and _is_text(args.get("relative"), 100)
    values = args.get("values")
    return isinstance(values, list) and 1 <= len(values) <= 5 and all(_weight(value) <= 200 for value in values)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    document = args["document"]
    if op == "resolve":
        return {"value": _follow([], [document], _tokens(args["pointer"]))}
    if op == "relative":
        return {"value": _relative(document, args["base"], args["relative"])}
    wanted = {_canonical(value) for value in args["values"]}
    return {"pointers": [pointer for pointer, value in _walk("", document) if _canonical(value) in wanted]}


def _is_text(value: Any, most: int) -> bool:
    """Whether a value is a string of at most that many code points."""
    return isinstance(value, str) and len(value) <= most


def _weight(value: Any) -> float:
    """The number of values in a value; infinite if a number in it is no integer."""
    if isinstance(value, float):
        return float("inf")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_weight, inner))


def _canonical(value: Any) -> str:
    """A text that equal values share, and only these."""
    return json.dumps(value, sort_keys=True)


def _tokens(pointer: str) -> list[str]:
    """The tokens of a pointer."""
    match = _POINTER.match(pointer)
    end = match.end() if match else 0
    if end < len(pointer):
        raise Refused("bad_pointer", {"position": end})
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _escaped(token: str) -> str:
    """A token as it is written in a pointer."""
    return "/" + token.replace("~", "~0").replace("/", "~1")


def _follow(tokens: list[str], values: list[Any], more: list[str]) -> Any:
    """Follows further tokens from the last value; both lists grow on the way."""
    for token in more:
        at = {"at": "".join(map(_escaped, tokens))}
        value = values[-1]
        if isinstance(value, list):
            if not _INDEX.fullmatch(token):
                raise Refused("bad_index", at)
            if int(token) >= len(value):
                raise Refused("no_value", at)
            values.append(value[int(token)])
        elif isinstance(value, dict) and token in value:
            values.append(value[token])
        else:
            raise Refused("no_value", at)
        tokens.append(token)
    return values[-1]


def _relative(document: Any, base: str, relative: str) -> Any:
    """The value, or the name, at a relative pointer."""
    start = _tokens(base)
    form = _RELATIVE.fullmatch(relative)
    if form is None:
        raise Refused("bad_relative")
    levels, shift, rest = form.groups()
    tokens: list[str] = []
    values: list[Any] = [document]
    _follow(tokens, values, start)
    keep = len(tokens) - int(levels)
    if keep < 0:
        raise Refused("above_root")
    del tokens[keep:], values[keep + 1 :]
    if shift:
        _shift(tokens, values, int(shift))
    if rest != "#":
        return _follow(tokens, values, _tokens(rest))
    if not tokens:
        raise Refused("no_name")
    return int(tokens[-1]) if isinstance(values[-2], list) else tokens[-1]


def _shift(tokens: list[str], values: list[Any], by: int) -> None:
    """Goes to another element of the same array."""
    if not tokens or not isinstance(values[-2], list):
        raise Refused("not_in_array")
    index = int(tokens.pop()) + by
    values.pop()
    if index < 0:
        raise Refused("no_value", {"at": "".join(map(_escaped, tokens))})
    _follow(tokens, values, [str(index)])


def _walk(pointer: str, value: Any) -> Iterator[tuple[str, Any]]:
    """All values with their pointers, in order."""
    yield pointer, value
    steps: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        steps = sorted(value.items(), key=lambda item: item[0])
    elif isinstance(value, list):
        steps = [(str(index), element) for index, element in enumerate(value)]
    for token, inner in steps:
        yield from _walk(pointer + _escaped(token), inner)
