"""Resolves JSON Pointers (RFC 6901) and relative ones, and finds the pointers of values."""

import json
import re
from collections.abc import Iterator
from typing import Any

from ..arguments import array, required, string
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

MOST_VALUES = 200
POINTER = r"(?:/(?:[^~/]|~[01])*)*"
RELATIVE = rf"(0|[1-9][0-9]*)([+-][1-9][0-9]*)?(#|{POINTER})"


def check_resolve(args: dict[str, Any]) -> None:
    """Check the arguments of `resolve`."""
    required(args, "document", document)
    required(args, "pointer", string(high=200))


def check_relative(args: dict[str, Any]) -> None:
    """Check the arguments of `relative`."""
    required(args, "document", document)
    required(args, "base", string(high=200))
    required(args, "relative", string(high=100))


def check_locate(args: dict[str, Any]) -> None:
    """Check the arguments of `locate`."""
    required(args, "document", document)
    required(args, "values", array(integral, 1, 5))


def document(value: object, where: str) -> None:
    """Check an object or array of limited size."""
    if not isinstance(value, dict | list):
        raise InvalidArgsError(f"{where} must be an object or an array")
    integral(value, where)


def integral(value: object, where: str) -> None:
    """Check any JSON value of limited size, all numbers in it integers."""
    found = [item for _, item in everything(value)]
    if len(found) > MOST_VALUES:
        raise InvalidArgsError(f"{where} must hold at most {MOST_VALUES} values")
    if any(isinstance(item, float) for item in found):
        raise InvalidArgsError(f"all numbers in {where} must be integers")


def resolve(args: dict[str, Any]) -> object:
    """The value at a pointer."""
    return {"value": walk(args["document"], parse(args["pointer"]))[-1]}


def relative(args: dict[str, Any]) -> object:
    """The value at a pointer that starts from another one, or the name under which that stands."""
    tokens = parse(args["base"])
    match = re.fullmatch(RELATIVE, args["relative"])
    if match is None:
        raise DomainError("bad_relative", "this is no relative pointer")
    levels, shift, rest = match.groups()
    trail = walk(args["document"], tokens)
    if int(levels) > len(tokens):
        raise DomainError("above_root", "there are not so many levels above the base")
    tokens = tokens[: len(tokens) - int(levels)]
    holder = trail[len(tokens) - 1] if tokens else None
    if shift:
        if not isinstance(holder, list):
            raise DomainError("not_in_array", "only an element of an array has neighbours")
        index = int(tokens.pop()) + int(shift)
        if not 0 <= index < len(holder):
            raise DomainError("no_value", "the array has no such neighbour", at=written(tokens))
        tokens.append(str(index))
    if rest != "#":
        return {"value": walk(args["document"], tokens + parse(rest))[-1]}
    if holder is None:
        raise DomainError("no_name", "the document itself has no name")
    return {"value": int(tokens[-1]) if isinstance(holder, list) else tokens[-1]}


def locate(args: dict[str, Any]) -> object:
    """The pointers of all values that are equal to a wanted one."""
    wanted = [canonical(value) for value in args["values"]]
    return {"pointers": [written(path) for path, item in everything(args["document"]) if canonical(item) in wanted]}


def parse(pointer: str) -> list[str]:
    """The tokens of a pointer, unescaped."""
    good = len(re.match(POINTER, pointer)[0])  # type: ignore[index]  # it matches at least the empty string
    if good < len(pointer):
        raise DomainError("bad_pointer", "this is no pointer", position=good)
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def written(path: list[str]) -> str:
    """The pointer of some tokens."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in path)


def walk(value: Any, tokens: list[str]) -> list[Any]:
    """All values on the way, from the document to the one that the tokens lead to."""
    trail = [value]
    for place, token in enumerate(tokens):
        here, at = trail[-1], written(tokens[:place])
        if isinstance(here, list):
            if not re.fullmatch("0|[1-9][0-9]*", token):
                raise DomainError("bad_index", f"{token!r} is no index", at=at)
            here = {str(index): item for index, item in enumerate(here)}
        if not isinstance(here, dict) or token not in here:
            raise DomainError("no_value", f"there is no {token!r} at {at!r}", at=at)
        trail.append(here[token])
    return trail


def everything(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[list[str], Any]]:
    """The value and everything in it with its path, each before what it holds; keys in order of code points."""
    yield list(path), value
    if isinstance(value, dict):
        for name in sorted(value):
            yield from everything(value[name], (*path, name))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from everything(item, (*path, str(index)))


def canonical(value: object) -> str:
    """A text that is the same for equal values only."""
    return json.dumps(value, sort_keys=True)


OPERATIONS = {
    "resolve": Operation(("document", "pointer"), check_resolve, resolve),
    "relative": Operation(("document", "base", "relative"), check_relative, relative),
    "locate": Operation(("document", "values"), check_locate, locate),
}
