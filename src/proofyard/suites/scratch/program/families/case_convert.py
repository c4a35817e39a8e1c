"""Splits identifiers into words and writes them in another style."""

import re
from typing import Any

from ..arguments import array, boolean, enum, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(high=60)
JOINTS = {"camel": "", "pascal": "", "title": " ", "snake": "_", "kebab": "-", "constant": "_"}
"""The styles in their order, and what stands between two words."""

BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def check_convert(args: dict[str, Any]) -> None:
    """Check the arguments of `convert`."""
    required(args, "names", array(NAME, 1, 20))
    required(args, "style", enum(*JOINTS))
    optional(args, "acronyms", array(string(1, 10), high=10))
    optional(args, "unique", boolean)


def check_detect(args: dict[str, Any]) -> None:
    """Check the arguments of `detect`."""
    required(args, "name", NAME)


def convert(args: dict[str, Any]) -> object:
    """All names in one style; with a number after those that would be there twice."""
    style, acronyms = args["style"], args.get("acronyms", [])
    made: list[str] = []
    for number, name in enumerate(args["names"], 1):
        words = split(name)
        if not words:
            raise DomainError("no_words", f"name {number} has no words", name=number)
        new = written(words, style, acronyms)
        count = 1
        while args.get("unique", False) and new in made:
            count += 1
            new = written([*words, str(count)], style, acronyms)
        made.append(new)
    return {"names": made}


def detect(args: dict[str, Any]) -> object:
    """The words of a name, and the styles in which it would be written just so."""
    words = split(args["name"])
    return {
        "words": words,
        "styles": [style for style in JOINTS if words and written(words, style, []) == args["name"]],
    }


def split(name: str) -> list[str]:
    """The words of a name in lower case."""
    return [word.lower() for word in re.findall("[A-Za-z0-9]+", BREAK.sub(" ", name.replace("'", "")))]


def written(words: list[str], style: str, acronyms: list[str]) -> str:
    """Words in a style."""
    if style == "constant":
        words = [word.upper() for word in words]
    if style in {"camel", "pascal", "title"}:
        words = [capital(word, acronyms) for word in words]
    if style == "camel":
        words[0] = words[0].lower()
    return JOINTS[style].join(words)


def capital(word: str, acronyms: list[str]) -> str:
    """A word as the first acronym that is the same has it, else with a capital."""
    same = [acronym for acronym in acronyms if acronym.lower() == word]
    return same[0] if same else word.capitalize()


OPERATIONS = {
    "convert": Operation(("names", "style", "acronyms", "unique"), check_convert, convert),
    "detect": Operation(("name",), check_detect, detect),
}
