"""Word frequency: a text is turned into a string of character classes, in which a pattern finds the tokens."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

OPS: dict[str, tuple[str, ...]] = {
    "top": ("text", "limit", "min_length", "stopwords"),
    "pairs": ("text", "limit"),
    "compare": ("left", "right"),
}

_DIGITS = frozenset("0123456789")
_JOINERS = frozenset("'\u2019-")
_STOPS = frozenset(".!?")
_TOKEN = re.compile("[ad]+(?:j[ad]+)*")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "compare":
        return all(_is_text(args.get(side), 0, 5000) for side in ("left", "right"))
    if not _is_text(args.get("text"), 0, 5000) or not _is_integer(args.get("limit", 10), 100):
        return False
    if op == "pairs":
        return True
    stopwords = args.get("stopwords", [])
    return (
        _is_integer(args.get("min_length", 1), 50)
        and isinstance(stopwords, list)
        and len(stopwords) <= 50
        and all(_is_text(word, 1, 50) for word in stopwords)
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "top":
        return _top(args["text"], args.get("limit", 10), args.get("min_length", 1), args.get("stopwords", []))
    if op == "pairs":
        return _pairs(args["text"], args.get("limit", 10))
    return _compare(args["left"], args["right"])


def _is_text(value: Any, least: int, most: int) -> bool:
    """Whether a value is a string of `least` to `most` code points."""
    return isinstance(value, str) and least <= len(value) <= most


def _is_integer(value: Any, most: int) -> bool:
    """Whether a value is an integer of 1 to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def _class_of(char: str) -> str:
    """The class of a character: `a` letter, `d` digit, `j` joiner, `s` end of a sentence, a space for all others."""
    if char.isalpha():
        return "a"
    if char in _DIGITS:
        return "d"
    if char in _JOINERS:
        return "j"
    return "s" if char in _STOPS else " "


def _fold(word: str) -> str:
    """The form in which words are compared and reported."""
    return word.replace("\u2019", "'").casefold()


def _words(text: str) -> Iterator[tuple[int, str]]:
    """The words of a text in order, each with the number of sentence ends before it."""
    classes = "".join(map(_class_of, text))
    stops, seen = 0, 0
    for match in _TOKEN.finditer(classes):
        stops += classes.count("s", seen, match.start())
        seen = match.end()
        if "a" in match.group():
            yield stops, _fold(text[match.start() : match.end()])


def _top(text: str, limit: int, min_length: int, stopwords: list[str]) -> dict[str, Any]:
    """The most frequent words."""
    stopped: set[str] = set()
    for stopword in stopwords:
        classes = "".join(map(_class_of, stopword))
        if _TOKEN.fullmatch(classes) and "a" in classes:
            stopped.add(_fold(stopword))
    counts = Counter(word for _, word in _words(text) if len(word) >= min_length and word not in stopped)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {
        "total": counts.total(),
        "distinct": len(counts),
        "words": [{"word": word, "count": count} for word, count in ranked[:limit]],
    }


def _pairs(text: str, limit: int) -> dict[str, Any]:
    """The most frequent pairs of words with no sentence end between them."""
    counts = Counter((first, second) for (at, first), (then, second) in pairwise(_words(text)) if at == then)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {
        "total": counts.total(),
        "pairs": [{"first": pair[0], "second": pair[1], "count": count} for pair, count in ranked[:limit]],
    }


def _compare(left_text: str, right_text: str) -> dict[str, Any]:
    """What two vocabularies share."""
    left = Counter(word for _, word in _words(left_text))
    right = Counter(word for _, word in _words(right_text))
    union = (left | right).total()
    if not union:
        raise Refused("no_words")
    shared = (left & right).total()
    return {
        "left_only": sorted(left.keys() - right.keys()),
        "right_only": sorted(right.keys() - left.keys()),
        "common": [{"word": word, "left": left[word], "right": right[word]} for word in sorted(left & right)],
        "overlap": (200 * shared + union) // (2 * union),
    }
