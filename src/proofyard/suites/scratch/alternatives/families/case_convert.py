"""Case conversion: names are cut by one pattern of empty places, and each style is a way to write a word and a joint."""

import re
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "convert": ("names", "style", "acronyms", "unique"),
    "detect": ("name",),
}

_CUT = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINTS = {"camel": "", "pascal": "", "title": " ", "snake": "_", "kebab": "-", "constant": "_"}
_CAPITALISED = ("camel", "pascal", "title")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "detect":
        return _is_text(args.get("name"), 0, 60)
    style = args.get("style")
    if not isinstance(style, str) or style not in _JOINTS or not isinstance(args.get("unique", False), bool):
        return False
    names, acronyms = args.get("names"), args.get("acronyms", [])
    if not isinstance(names, list) or not isinstance(acronyms, list) or not 1 <= len(names) <= 20:
        return False
    texts = all(_is_text(name, 0, 60) for name in names) and all(_is_text(word, 1, 10) for word in acronyms)
    return texts and len(acronyms) <= 10


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "detect":
        words = _words(args["name"])
        styles = [style for style in _JOINTS if words and _written(words, style, {}) == args["name"]]
        return {"words": words, "styles": styles}
    all_words = [_words(name) for name in args["names"]]
    if [] in all_words:
        raise Refused("no_words", {"name": all_words.index([]) + 1})
    spellings = {acronym.lower(): acronym for acronym in reversed(args.get("acronyms", []))}
    made: list[str] = []
    for words in all_words:
        name = _written(words, args["style"], spellings)
        number = 2
        while args.get("unique", False) and name in made:
            name = _written([*words, str(number)], args["style"], spellings)
            number += 1
        made.append(name)
    return {"names": made}


def _words(name: str) -> list[str]:
    """The words of a name."""
    return [piece.lower() for piece in _CUT.split(name.replace("'", "")) if piece]


def _written(words: list[str], style: str, spellings: dict[str, str]) -> str:
    """Words in a style, with acronyms by their small letters."""
    if style in _CAPITALISED:
        written = [spellings.get(word, word.capitalize()) for word in words]
        if style == "camel":
            written[0] = words[0]
    else:
        written = [word.upper() if style == "constant" else word for word in words]
    return _JOINTS[style].join(written)


def _is_text(value: Any, low: int, high: int) -> bool:
    """Whether a value is a string of a length in a range."""
    return isinstance(value, str) and low <= len(value) <= high
