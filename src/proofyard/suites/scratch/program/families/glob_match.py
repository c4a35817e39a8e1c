"""Matches paths against patterns with wildcards."""

import re
from typing import Any

from ..arguments import array, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

PATTERN = string(1, 30)
PATH = string(high=30)

Element = tuple[bool, list[tuple[str, str]]] | None
"""What one character must be: outside or inside of ranges (first and last character). None is any number of characters."""

ELEMENT = re.compile(
    r"\[!(?P<outside>.[^]]*)\]|\[(?P<inside>[^!][^]]*)\]|\\(?P<escaped>.)|(?P<plain>[^[\\])", re.DOTALL
)
RANGE = re.compile(r"(.)-(.)|(.)", re.DOTALL)
DOT = (False, [(".", ".")])


def check_match(args: dict[str, Any]) -> None:
    """Check the arguments of `match`."""
    required(args, "pattern", PATTERN)
    required(args, "paths", array(PATH, high=10))


def check_select(args: dict[str, Any]) -> None:
    """Check the arguments of `select`."""
    required(args, "patterns", array(PATTERN, 1, 4))
    required(args, "paths", array(PATH, high=6))


def match(args: dict[str, Any]) -> object:
    """The paths that match a pattern as a whole."""
    pattern = parsed(args["pattern"], 1)
    return {"paths": [path for path in args["paths"] if fits(pattern, path.split("/"))]}


def select(args: dict[str, Any]) -> object:
    """The paths that a list of patterns selects: the last pattern that fits decides."""
    rules = []
    for number, text in enumerate(args["patterns"], 1):
        rules.append((text[0], "/" in text, parsed(text.removeprefix("!"), number)))
    chosen = []
    for path in args["paths"]:
        segments = path.split("/")
        signs = [sign for sign, whole, pattern in rules if fits(pattern, segments if whole else segments[-1:])]
        if signs and signs[-1] != "!":
            chosen.append(path)
    return {"paths": chosen}


def parsed(pattern: str, number: int) -> list[list[Element] | None]:
    """The segments of a pattern; None for `**`."""
    return [None if text == "**" else elements(text, number) for text in pattern.split("/")]


def elements(text: str, number: int) -> list[Element]:
    """The elements of one segment of a pattern."""
    found: list[Element] = []
    at = 0
    while at < len(text):
        token = ELEMENT.match(text, at)
        if token is None:
            raise DomainError("bad_pattern", "a class or an escape has no end", pattern=number)
        at = token.end()
        kind = str(token.lastgroup)
        if token[0] == "*":
            found.append(None)
        elif token[0] == "?":
            found.append((True, []))
        else:
            ranges = [(low or one, high or one) for low, high, one in RANGE.findall(token[kind])]
            if any(low > high for low, high in ranges):
                raise DomainError("bad_pattern", "a range runs backwards", pattern=number)
            found.append((kind == "outside", ranges))
    return found


def fits(pattern: list[list[Element] | None], segments: list[str]) -> bool:
    """Whether a pattern matches all segments of a path."""
    places = {0}
    for part in pattern:
        if part is None:
            for at, segment in enumerate(segments):
                if at in places and segment[:1] != ".":
                    places.add(at + 1)
        else:
            places = {at + 1 for at in places if at < len(segments) and suits(part, segments[at])}
    return len(segments) in places


def suits(part: list[Element], segment: str) -> bool:
    """Whether the elements of one segment match it."""
    places = {0} if segment[:1] != "." or part[:1] == [DOT] else set()
    for element in part:
        if element is None:
            for at in range(len(segment)):
                if at in places:
                    places.add(at + 1)
        else:
            outside, ranges = element
            places = {
                at + 1
                for at in places
                if at < len(segment) and any(low <= segment[at] <= high for low, high in ranges) != outside
            }
    return len(segment) in places


OPERATIONS = {
    "match": Operation(("pattern", "paths"), check_match, match),
    "select": Operation(("patterns", "paths"), check_select, select),
}
