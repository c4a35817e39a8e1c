"""Text wrapping against Python's textwrap where no word is too long, and against a word-by-word filler."""

import textwrap
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.text_wrap import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "Python's textwrap; a word-by-word filler for cut words"

TEXTS = st.lists(st.sampled_from([*"ab-é \t\n \r", "abc", "\n\n", " a", "abcdefgh", "\u00a0"]), max_size=40).map(
    "".join
)


def paragraphs(text: str) -> list[list[str]]:
    """The words of each paragraph, character by character."""
    found: list[list[str]] = [[]]
    ends = 0
    word = ""
    for char in text + "\n":
        if char not in " \t\n":
            if ends >= 2:
                found.append([])
            ends = 0
            word += char
            continue
        if word:
            found[-1].append(word)
            word = ""
        ends += char == "\n"
    return [words for words in found if words]


def fill(words: list[str], width: int, first: int, rest: int) -> tuple[list[str], int]:
    """Lines with their indent, and the number of cuts: one character placed at a time."""
    lines = [" " * first]
    fresh, cuts = True, 0
    for word in words:
        if not fresh and len(lines[-1]) + 1 + len(word) > width:
            lines.append(" " * rest)
            fresh = True
        if not fresh:
            lines[-1] += " "
        left = word
        while len(lines[-1]) + len(left) > width:
            while len(lines[-1]) < width - 1:
                lines[-1] += left[0]
                left = left[1:]
            lines[-1] += "-"
            lines.append(" " * rest)
            cuts += 1
        lines[-1] += left
        fresh = False
    return lines, cuts


def check_wrap(args: dict[str, Any]) -> None:
    width, first, rest = args["width"], args.get("first", 0), args.get("rest", 0)
    result = play(FAMILY, "wrap", args)
    if min(width - first, width - rest) < 2:
        assert result == {"code": "too_narrow"}
        return
    blocks = [fill(words, width, first, rest) for words in paragraphs(args["text"])]
    wanted: list[str] = []
    for lines, _ in blocks:
        wanted += ["", *lines] if wanted else lines
    assert result == {"lines": wanted, "cuts": sum(cuts for _, cuts in blocks)}
    assert all(len(line) <= width and line == line.rstrip(" ") for line in wanted)


def library(text: str, width: int, first: int, rest: int) -> list[str]:
    """Lines of one paragraph by the standard library."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=" " * first,
        subsequent_indent=" " * rest,
        break_on_hyphens=False,
        break_long_words=False,
    )


def spread(line: str, width: int) -> str:
    """A line with spaces added one at a time: a round over all gaps from the right, then another."""
    words = line.split(" ")
    if len(words) == 1:
        return line
    gaps = [" "] * (len(words) - 1)
    turn = len(gaps)
    while sum(map(len, words + gaps)) < width:
        turn = (turn - 1) % len(gaps)
        gaps[turn] += " "
    return "".join(word + gap for word, gap in zip(words, [*gaps, ""], strict=True))


def check_align(args: dict[str, Any]) -> None:
    width, mode = args["width"], args["mode"]
    result = play(FAMILY, "align", args)
    blocks = paragraphs(args["text"])
    long = [word for words in blocks for word in words if len(word) > width]
    if long:
        assert result == {"code": "word_too_long", "word": long[0]}
        return
    wanted: list[str] = []
    for words in blocks:
        *others, last = fill(words, width, 0, 0)[0]
        if mode == "justify":
            lines = [*(spread(line, width) for line in others), last]
        elif mode == "right":
            lines = [line.rjust(width) for line in [*others, last]]
        else:
            lines = [" " * (len(range(0, width - len(line) - 1, 2))) + line for line in [*others, last]]
        wanted += ["", *lines] if wanted else lines
    assert result == {"lines": wanted}


@settings(max_examples=100)
@given(TEXTS, st.integers(2, 9), st.integers(0, 5), st.integers(0, 5))
def test_wrap_word_by_word(text: str, width: int, first: int, rest: int) -> None:
    check_wrap({"text": text, "width": width, "first": first, "rest": rest})


@given(st.lists(st.sampled_from(["a", "bb", "c-c", "dddd"]), min_size=1), st.integers(9, 20), st.integers(0, 5))
def test_wrap_as_the_standard_library(words: list[str], width: int, first: int) -> None:
    for rest in (0, first, 5):
        result = play(FAMILY, "wrap", {"text": "\n".join(words), "width": width, "first": first, "rest": rest})
        assert result == {"lines": library(" ".join(words), width, first, rest), "cuts": 0}


@settings(max_examples=100)
@given(TEXTS, st.integers(2, 20), st.sampled_from(["right", "center", "justify"]))
def test_align_space_by_space(text: str, width: int, mode: str) -> None:
    check_align({"text": text, "width": width, "mode": mode})


def test_own_inputs() -> None:
    for args in of(FAMILY, "wrap", 300):
        check_wrap(args)
    for args in of(FAMILY, "align", 300):
        check_align(args)
