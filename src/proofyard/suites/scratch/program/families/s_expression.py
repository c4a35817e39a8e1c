"""S-expressions: read into JSON, and laid out within a width."""

import re
from typing import Any

from ..arguments import integer, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

TEXT = string(high=1000)
DEEPEST = 16
CLOSING = {"(": ")", "[": "]"}
BLANK = re.compile(r"(?:[ \t\r\n]|;[^\n]*)*")
STRING = re.compile(r'"((?:[^"\\]|\\["\\nt])*)')
ATOM = re.compile(r"""[^] \t\r\n()["';]+""")
INTEGER = re.compile(r"[+-]?[0-9]+")
ESCAPES = {"\n": r"\n", "\t": r"\t", '"': r"\"", "\\": r"\\"}
PLAIN = {written: char for char, written in ESCAPES.items()}


def check_parse(args: dict[str, Any]) -> None:
    """Check the arguments of `parse`."""
    required(args, "text", TEXT)


def check_layout(args: dict[str, Any]) -> None:
    """Check the arguments of `layout`."""
    required(args, "text", TEXT)
    optional(args, "width", integer(10, 100))


def parse(args: dict[str, Any]) -> object:
    """All expressions of a text."""
    return {"values": read_all(args["text"])}


def layout(args: dict[str, Any]) -> object:
    """All expressions of a text, on lines of their own."""
    width = args.get("width", 40)
    return {"lines": [line for value in read_all(args["text"]) for line in laid_out(value, 0, width)]}


def read_all(text: str) -> list[Any]:
    """The expressions of a text: integers, symbols as strings, strings as objects, lists."""
    values = []
    position = skipped(text, 0)
    while position < len(text):
        value, position = read_one(text, position, 1)
        position = skipped(text, position)
        values.append(value)
    return values


def read_one(text: str, position: int, depth: int) -> tuple[Any, int]:
    """The expression that begins at a position, and where it ends."""
    char = text[position : position + 1]
    if char not in {"(", "[", "'"}:
        return read_atom(text, position)
    if depth > DEEPEST:
        raise DomainError("too_deep", f"a list at position {position} is nested too deep", position=position)
    position = skipped(text, position + 1)
    if char == "'":
        value, position = read_one(text, position, depth + 1)
        return ["quote", value], position
    values = []
    while text[position : position + 1] != CLOSING[char]:
        value, position = read_one(text, position, depth + 1)
        position = skipped(text, position)
        values.append(value)
    return values, position + 1


def read_atom(text: str, position: int) -> tuple[Any, int]:
    """The string, integer or symbol that begins at a position, and where it ends."""
    found = STRING.match(text, position)
    if found and text[found.end() : found.end() + 1] == '"':
        return {"string": re.sub(r"\\.", lambda escape: PLAIN[escape[0]], found[1])}, found.end() + 1
    atom = ATOM.match(text, position)
    if not atom:
        fault = found.end() if found else position
        raise DomainError("syntax_error", f"position {fault} cannot be read", position=fault)
    return int(atom[0]) if INTEGER.fullmatch(atom[0]) else atom[0], atom.end()


def skipped(text: str, position: int) -> int:
    """Where the spaces and comments end that begin at a position."""
    found = BLANK.match(text, position)
    return found.end() if found else position


def quoted(value: Any) -> bool:
    """Whether a value is a list of the symbol `quote` and one more."""
    return isinstance(value, list) and len(value) == 2 and value[0] == "quote"


def flat(value: Any) -> str:
    """An expression on one line."""
    if quoted(value):
        return "'" + flat(value[1])
    if isinstance(value, list):
        return f"({' '.join(map(flat, value))})"
    if isinstance(value, dict):
        return '"' + "".join(ESCAPES.get(char, char) for char in value["string"]) + '"'
    return str(value)


def laid_out(value: Any, column: int, width: int) -> list[str]:
    """The lines of an expression that begins at a column; the first without its indentation."""
    if column + len(flat(value)) <= width or not isinstance(value, list) or not value:
        return [flat(value)]
    if quoted(value):
        first, *others = laid_out(value[1], column + 1, width)
        return ["'" + first, *others]
    first, *others = laid_out(value[0], column + 1, width)
    for item in value[1:]:
        start, *more = laid_out(item, column + 2, width)
        others += [" " * (column + 2) + start, *more]
    lines = ["(" + first, *others]
    return [*lines[:-1], lines[-1] + ")"]


OPERATIONS = {
    "parse": Operation(("text",), check_parse, parse),
    "layout": Operation(("text", "width"), check_layout, layout),
}
