"""Glob matching against a matcher that tries every way, one character at a time, straight from the pattern's text."""

from functools import cache
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.glob_match import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a backtracking matcher on the pattern's text"

PATTERNS = st.lists(st.sampled_from([*"ab.*?/[]!-\\", "**", "[a", "[!", "**/", "/**", "a-"]), min_size=1, max_size=9)
PATHS = st.lists(st.sampled_from([*"ab.-]!/\\", "/"]), max_size=7).map("".join)


class BadError(Exception):
    """The pattern is bad."""


def head(text: str) -> tuple[str, str]:
    """The first element of a segment and the rest of it."""
    if text[0] == "\\":
        if len(text) == 1:
            raise BadError
        return text[:2], text[2:]
    if text[0] != "[":
        return text[0], text[1:]
    end = 3 if text.startswith("[!") else 2
    while end < len(text) and text[end] != "]":
        end += 1
    if end >= len(text):
        raise BadError
    return text[: end + 1], text[end + 1 :]


def members(body: str) -> list[tuple[int, int]]:
    """The ranges of a class."""
    if not body:
        return []
    if len(body) >= 3 and body[1] == "-":
        if ord(body[0]) > ord(body[2]):
            raise BadError
        return [(ord(body[0]), ord(body[2])), *members(body[3:])]
    return [(ord(body[0]), ord(body[0])), *members(body[1:])]


def one(element: str, char: str) -> bool:
    if element == "?":
        return True
    if element[0] == "\\":
        return char == element[1]
    if element[0] == "[" and len(element) > 1:
        negated = element[1] == "!"
        inside = any(ord(char) in range(a, b + 1) for a, b in members(element[2 if negated else 1 : -1]))
        return inside is not negated
    return char == element


@cache
def text_fits(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    element, rest = head(pattern)
    if element == "*":
        return any(text_fits(rest, text[skip:]) for skip in range(len(text) + 1))
    return bool(text) and one(element, text[0]) and text_fits(rest, text[1:])


def segment_fits(pattern: str, text: str) -> bool:
    if text.startswith(".") and not pattern.startswith((".", "\\.", "[.]")):
        return False
    return text_fits(pattern, text)


@cache
def path_fits(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        shown = bool(path) and not path[0].startswith(".")
        return path_fits(pattern[1:], path) or (shown and path_fits(pattern, path[1:]))
    return bool(path) and segment_fits(pattern[0], path[0]) and path_fits(pattern[1:], path[1:])


def split(text: str) -> tuple[str, ...]:
    return tuple(text.split("/"))


def bad(pattern: str) -> bool:
    """Whether any segment of a pattern has a fault."""
    try:
        for segment in pattern.split("/"):
            rest = segment
            while rest:
                element, rest = head(rest)
                if len(element) > 1 and element[0] == "[":
                    one(element, "a")
    except BadError:
        return True
    return False


def check_match(args: dict[str, Any]) -> None:
    result = play(FAMILY, "match", args)
    if bad(args["pattern"]):
        assert result == {"code": "bad_pattern", "pattern": 1}
        return
    assert result == {"paths": [p for p in args["paths"] if path_fits(split(args["pattern"]), split(p))]}


def check_select(args: dict[str, Any]) -> None:
    """The patterns are looked at from the last to the first."""
    result = play(FAMILY, "select", args)
    proper = [text[1:] if text.startswith("!") else text for text in args["patterns"]]
    for number, text in enumerate(proper, 1):
        if bad(text):
            assert result == {"code": "bad_pattern", "pattern": number}
            return
    wanted = []
    for path in args["paths"]:
        parts = split(path)
        for given_text, text in reversed(list(zip(args["patterns"], proper, strict=True))):
            seen = parts if text.count("/") else parts[-1:]
            if path_fits(split(text), seen):
                wanted += [] if given_text.startswith("!") else [path]
                break
    assert result == {"paths": wanted}


@settings(max_examples=60)
@given(PATTERNS, st.lists(PATHS, max_size=6))
def test_match_by_trying_every_way(pattern: list[str], paths: list[str]) -> None:
    check_match({"pattern": "".join(pattern), "paths": paths})


@settings(max_examples=60)
@given(st.lists(PATTERNS, min_size=1, max_size=3), st.lists(PATHS, max_size=6))
def test_select_from_the_last_pattern(patterns: list[list[str]], paths: list[str]) -> None:
    check_select({"patterns": ["".join(pattern) for pattern in patterns], "paths": paths})


def test_all_short_patterns_on_all_short_paths() -> None:
    paths = ["".join(chars) for size in range(4) for chars in product("a./", repeat=size)]
    for size in (1, 2, 3):
        for chars in product("a.*?/", repeat=size):
            pattern = "".join(chars)
            for start in range(0, len(paths), 6):
                check_match({"pattern": pattern, "paths": paths[start : start + 6]})


def test_own_inputs() -> None:
    for args in of(FAMILY, "match", 200):
        check_match(args)
    for args in of(FAMILY, "select", 200):
        check_select(args)


def test_many_stars() -> None:
    made = play(FAMILY, "match", {"pattern": "*a" * 14 + "*b", "paths": ["a" * 14 + "b", "a" * 13 + "b", "a" * 20]})
    assert made == {"paths": ["a" * 14 + "b"]}
    made = play(FAMILY, "match", {"pattern": "*?" * 15, "paths": ["x" * 15, "x" * 14]})
    assert made == {"paths": ["x" * 15]}
    made = play(FAMILY, "match", {"pattern": "**/" * 9 + "*a", "paths": ["b/a", "a/b", "a"]})
    assert made == {"paths": ["b/a", "a"]}
