"""Counts the words of a text, its pairs of neighbouring words, and compares two texts."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any

from ..arguments import array, integer, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

TEXT = string(high=5000)
LIMIT = integer(1, 100)
DIGITS = "0123456789"
JOINERS = "'\u2019-"


def check_top(args: dict[str, Any]) -> None:
    """Check the arguments of `top`."""
    required(args, "text", TEXT)
    optional(args, "limit", LIMIT)
    optional(args, "min_length", integer(1, 50))
    optional(args, "stopwords", array(string(1, 50), high=50))


def check_pairs(args: dict[str, Any]) -> None:
    """Check the arguments of `pairs`."""
    required(args, "text", TEXT)
    optional(args, "limit", LIMIT)


def check_compare(args: dict[str, Any]) -> None:
    """Check the arguments of `compare`."""
    required(args, "left", TEXT)
    required(args, "right", TEXT)


def top(args: dict[str, Any]) -> object:
    """Count the words that are long enough and not stopped; the most frequent first."""
    stopped = {fold(word) for word in args.get("stopwords", []) if words(word) == [fold(word)]}
    shortest = args.get("min_length", 1)
    counts = Counter(w for w in words(args["text"]) if len(w) >= shortest and w not in stopped)
    most = ranked(counts)[: args.get("limit", 10)]
    return {
        "total": counts.total(),
        "distinct": len(counts),
        "words": [{"word": word, "count": count} for word, count in most],
    }


def pairs(args: dict[str, Any]) -> object:
    """Count the pairs of neighbouring words within a sentence; the most frequent first."""
    counts: Counter[tuple[str, str]] = Counter()
    for sentence in re.split("[.!?]", args["text"]):
        counts.update(pairwise(words(sentence)))
    most = ranked(counts)[: args.get("limit", 10)]
    return {
        "total": counts.total(),
        "pairs": [{"first": first, "second": second, "count": count} for (first, second), count in most],
    }


def compare(args: dict[str, Any]) -> object:
    """Tell the words of one text only from those of both, and how far the two overlap."""
    left, right = Counter(words(args["left"])), Counter(words(args["right"]))
    union = (left | right).total()
    if union == 0:
        raise DomainError("no_words", "neither text has a word")
    shared = (left & right).total()
    return {
        "left_only": sorted(left.keys() - right.keys()),
        "right_only": sorted(right.keys() - left.keys()),
        "common": [{"word": w, "left": left[w], "right": right[w]} for w in sorted(left.keys() & right.keys())],
        "overlap": (200 * shared + union) // (2 * union),
    }


def words(text: str) -> list[str]:
    """All words of `text` in order, folded."""
    found = [""]
    for index, char in enumerate(text):
        joins = char in JOINERS and found[-1] != "" and of_word(text[index + 1 : index + 2])
        if of_word(char) or joins:
            found[-1] += char
        else:
            found.append("")
    return [fold(word) for word in found if any(char.isalpha() for char in word)]


def of_word(char: str) -> bool:
    """Whether `char` is a letter or an ASCII digit; an empty string is neither."""
    return char != "" and (char.isalpha() or char in DIGITS)


def fold(word: str) -> str:
    """The form in which words are compared and reported."""
    return word.replace("\u2019", "'").casefold()


def ranked(counts: Counter[Any]) -> list[tuple[Any, int]]:
    """The items of `counts`, the greatest count first; equal ones by code point."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


OPERATIONS = {
    "top": Operation(("text", "limit", "min_length", "stopwords"), check_top, top),
    "pairs": Operation(("text", "limit"), check_pairs, pairs),
    "compare": Operation(("left", "right"), check_compare, compare),
}
