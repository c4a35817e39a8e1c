"""Run-length codes against a recursive-descent reader, and against the shortest of all ways to write each run."""

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.run_length import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a recursive-descent reader; regular expressions for runs"

CODES = st.lists(st.sampled_from([*"ab01239()\\é", "2(", "3a", "(b)"]), max_size=12).map("".join)
GOOD = st.recursive(
    st.sampled_from(["a", "2b", "12\\3", "\\(", "1é"]),
    lambda inner: st.tuples(st.sampled_from(["", "2", "31"]), st.lists(inner, min_size=1, max_size=3)).map(
        lambda t: f"{t[0]}({''.join(t[1])})"
    ),
    max_leaves=6,
)


class StopError(Exception):
    """Where reading comes to a stop."""


class Reader:
    """Reads items from the left; gives the length, the depth and, if it is not too long, the text."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.at = 0

    def items(self, opening: int | None) -> tuple[int, int, str]:
        """Items up to the end, or up to the `)` of the group that began at `opening`."""
        length, depth, text, count_of_items = 0, 0, "", 0
        while self.at < len(self.code) and self.code[self.at] != ")":
            size, level, more = self.item()
            length, depth, count_of_items = length + size, max(depth, level), count_of_items + 1
            text = (text + more)[:2001]
        if self.at < len(self.code) and (opening is None or not count_of_items):
            raise StopError(self.at)
        if self.at == len(self.code) and opening is not None:
            raise StopError(opening)
        return length, depth, text

    def item(self) -> tuple[int, int, str]:
        start = self.at
        while self.code[self.at : self.at + 1] in set("0123456789"):
            self.at += 1
        digits = self.code[start : self.at]
        unit = self.code[self.at : self.at + 1]
        if digits.startswith("0") or unit in {"", ")"}:
            raise StopError(start)
        self.at += 1
        size, level, text = 1, 0, unit
        if unit == "(":
            size, level, text = self.items(start)
            level += 1
            self.at += 1
        if unit == "\\":
            text = self.code[self.at : self.at + 1]
            if not text:
                raise StopError(start)
            self.at += 1
        count = int(digits) if digits else 1
        return size * count, level, (text * min(count, 2001))[:2001]


def check_code(code: str) -> None:
    decoded, measured = play(FAMILY, "decode", {"code": code}), play(FAMILY, "measure", {"code": code})
    try:
        length, depth, text = Reader(code).items(None)
    except StopError as stop:
        assert decoded == measured == {"code": "bad_code", "at": stop.args[0]}
        return
    assert measured == {"length": length, "depth": depth}
    assert decoded == ({"text": text} if length <= 2000 else {"code": "too_long", "length": length})


def check_text(text: str) -> None:
    def shorter(run: re.Match[str]) -> str:
        unit = re.sub(r"[0-9()\\]", r"\\\g<0>", run[1])
        return min([unit * len(run[0]), str(len(run[0])) + unit], key=len)

    code = re.sub(r"(?s)(.)\1*", shorter, text)
    result: dict[str, Any] = play(FAMILY, "encode", {"text": text})
    assert result == {"encoded": code, "saved": len(text) - len(code)}


@settings(max_examples=100)
@given(CODES | GOOD)
def test_codes_by_recursive_descent(code: str) -> None:
    check_code(code)


@settings(max_examples=100)
@given(st.lists(st.sampled_from([*"aab1(\\é", "bbb", "1111111111"]), max_size=12).map("".join))
def test_a_text_is_the_text_of_its_code(text: str) -> None:
    check_text(text)
    code = play(FAMILY, "encode", {"text": text})["encoded"]
    assert play(FAMILY, "decode", {"code": code}) == {"text": text}


def test_own_inputs() -> None:
    for args in of(FAMILY, "encode", 300):
        check_text(args["text"])
    for args in of(FAMILY, "decode", 300) + of(FAMILY, "measure", 300):
        check_code(args["code"])
