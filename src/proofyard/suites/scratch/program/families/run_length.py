"""Run-length codes: repeated characters and groups as a count and what is repeated."""

import re
from itertools import groupby
from typing import Any

from ..arguments import required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

CODE = string(high=200)
LONGEST = 2000
TOKEN = re.compile(r"(?s)([1-9][0-9]*)?(?:(\()|\\(.)|([^0-9()\\]))|(\))")

Item = tuple[int, Any]
"""How often, and the character or the list of items that is repeated."""


def check_encode(args: dict[str, Any]) -> None:
    """Check the arguments of `encode`."""
    required(args, "text", string(high=1000))


def check_code(args: dict[str, Any]) -> None:
    """Check the arguments of `decode` and `measure`."""
    required(args, "code", CODE)


def encode(args: dict[str, Any]) -> object:
    """The code of a text; runs are counted where that is shorter."""
    code = ""
    for char, run in groupby(args["text"]):
        unit = "\\" + char if char in "0123456789()\\" else char
        count = len(list(run))
        plain, counted = unit * count, f"{count}{unit}"
        code += counted if len(counted) < len(plain) else plain
    return {"encoded": code, "saved": len(args["text"]) - len(code)}


def decode(args: dict[str, Any]) -> object:
    """The text of a code."""
    items = parsed(args["code"])
    size = length(items)
    if size > LONGEST:
        raise DomainError("too_long", f"the text has {size} characters", length=size)
    return {"text": expanded(items)}


def measure(args: dict[str, Any]) -> object:
    """What a code stands for, without writing it out."""
    items = parsed(args["code"])
    return {"length": length(items), "depth": depth(items)}


def parsed(code: str) -> list[Item]:
    """The items of a code."""
    items: list[Item] = []
    outer: list[tuple[list[Item], int, int]] = []
    at = 0
    while at < len(code):
        token = TOKEN.match(code, at)
        if token is None or (token[5] and not (outer and items)):
            raise DomainError("bad_code", "no item can begin here", at=at)
        count = int(token[1] or 1)
        if token[2]:
            outer.append((items, count, at))
            items = []
        elif token[5]:
            group = items
            items, count, _ = outer.pop()
            items.append((count, group))
        else:
            items.append((count, token[3] or token[4]))
        at = token.end()
    if outer:
        raise DomainError("bad_code", "a group is not closed", at=outer[-1][2])
    return items


def length(items: list[Item]) -> int:
    """How many characters items stand for."""
    return sum(count * (1 if isinstance(inner, str) else length(inner)) for count, inner in items)


def depth(items: list[Item]) -> int:
    """How deep groups are nested."""
    return max((0 if isinstance(inner, str) else 1 + depth(inner) for _, inner in items), default=0)


def expanded(items: list[Item]) -> str:
    """The text of items."""
    return "".join(count * (inner if isinstance(inner, str) else expanded(inner)) for count, inner in items)


OPERATIONS = {
    "encode": Operation(("text",), check_encode, encode),
    "decode": Operation(("code",), check_code, decode),
    "measure": Operation(("code",), check_code, measure),
}
