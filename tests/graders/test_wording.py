import pytest

from proofyard.core import Mismatch
from proofyard.graders import wording


def test_hostile_bytes_are_escaped() -> None:
    assert wording.shown(b"a\tb\nc\x1b[2J\xff\x00\r\xe2\x80\xae") == "a\tb\nc\\x1b[2J\\xff\\x00\\x0d\\u202e"
    assert wording.shown("caf\u00e9 \U0001f600".encode()) == "caf\u00e9 \U0001f600"


def test_bytes_quoted() -> None:
    assert wording.quoted(b"\n") == '"\\n"'
    assert wording.quoted(b"a\xff\x7f") == '"a\\\\xff\\x7f"'
    assert wording.quoted(b"") == ""


def test_long_text_loses_its_middle() -> None:
    text = wording.shown(b"a" * 5000 + b"z")
    assert text.startswith("aaa") and text.endswith("az")
    assert "(1001 characters left out)" in text
    assert len(text) < 4100


def test_values_of_several_worlds() -> None:
    assert wording.either([{"a": 1}, {"a": 1}]) == '{"a":1}'
    assert wording.either([1, 2]) == "1\nor 2"


def test_the_tail_of_standard_error() -> None:
    assert wording.stderr_tail(b"x" * 3000 + b"\nlast\n\n").endswith("x\nlast")


@pytest.mark.parametrize(
    ("mismatch", "text"),
    [
        (Mismatch("$.a", 1, 2, "another value"), "at $.a: another value: expected 1, got 2"),
        (Mismatch("$", {}, 2, "the response is not an object"), "the response is not an object: expected {}, got 2"),
        (Mismatch("$.a", [1], None, "missing"), "at $.a: missing, expected [1]"),
        (Mismatch("$.a", None, "\u00e9", "an extra key"), 'at $.a: an extra key, with "\u00e9"'),
        (
            Mismatch("$", "x" * 300, 1, "another value"),
            'another value: expected "' + "x" * 189 + "..., got 1",
        ),
    ],
)
def test_difference(mismatch: Mismatch, text: str) -> None:
    assert wording.difference(mismatch) == text
