import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofyard.core import BadJSON, dumps, loads

TEXT = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Expecting value at character 0"),
        (b"   ", "Expecting value at character 3"),
        (b"\xef\xbb\xbf{}", "starts with a byte order mark"),
        (b'"a\0b"', "a NUL byte at byte 2"),
        (b'"\xff"', "not UTF-8 at byte 1"),
        (b'"\xed\xa0\x80"', "not UTF-8 at byte 1"),
        (b'"\xc0\x80"', "not UTF-8 at byte 1"),
        (b"NaN", "NaN is no JSON number"),
        (b"[Infinity]", "Infinity is no JSON number"),
        (b'{"a":-Infinity}', "-Infinity is no JSON number"),
        (b"1e999", "a number out of range: 1e999"),
        (b"[-1e400]", "a number out of range: -1e400"),
        (b'{"a":1,"b":2,"a":1}', "the key 'a' comes twice in one object"),
        (b'[{"a":1,"\\u0061":2}]', "the key 'a' comes twice in one object"),
        (b'"\\ud800"', "a lone surrogate in a string"),
        (b'["\\udc00x"]', "a lone surrogate in a string"),
        (b'{"\\uD83D":1}', "a lone surrogate in a string"),
        (b'{"a":{"b":["\\udE00\\ud83d"]}}', "a lone surrogate in a string"),
        (b"{} {}", "Extra data at character 3"),
        (b"01", "Extra data at character 1"),
        (b"1.", "Extra data at character 1"),
        (b"+1", "Expecting value at character 0"),
        (b"'a'", "Expecting value at character 0"),
        (b"[1,]", "Expecting value at character 3"),
        (b'{"a":1,}', "Expecting property name enclosed in double quotes at character 7"),
        (b'"a\tb"', "Invalid control character at at character 2"),
        (b'"open', "Unterminated string starting at at character 0"),
        (b"[" * 65 + b"]" * 65, "nested deeper than 64"),
        (b"[" * 200_000, "nested deeper than 64"),
        (b'{"a":' * 100_000, "nested deeper than 64"),
        (b"9" * 4301, "a number of 4301 characters (at most 4300)"),
        (b"9" * 100_000, "a number of 100000 characters (at most 4300)"),
        (b"0." + b"1" * 4300, "a number of 4302 characters (at most 4300)"),
        (b" " * (1 << 20) + b"1", "1048577 bytes (at most 1048576)"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadJSON) as caught:
        loads(data)
    # Newer interpreters word some syntax errors differently; everything this module says itself is fixed.
    if "at character" not in reason:
        assert str(caught.value) == reason
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"[" * 64 + b"]" * 64, None),
        (b'"' + b"[{" * 1000 + b'"', "[{" * 1000),
        (b'["' + b'\\"[' * 500 + b'"]', ['"[' * 500]),
        (b'{"a":1}\r', {"a": 1}),
        (b" \t\n\r1 \t\n\r", 1),
        (b'"\\u0000"', "\0"),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b"123456789012345678901234567890123456789", 123456789012345678901234567890123456789),
        (b"-0", 0),
        (b"1e-400", 0.0),
        (b"[]", []),
        (b"null", None),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_accepted(data: bytes, value: object) -> None:
    got = loads(data)
    if value is not None:
        assert got == value
        assert type(got) is type(value)


def test_bracket_count_is_not_depth() -> None:
    assert loads(b"[" + b"[]," * 500 + b"[]]") == [[]] * 501


def test_many_escaped_quotes_in_an_open_string_take_linear_time() -> None:
    # Quadratic scanning would take minutes here; the suite's time limit would end it.
    with pytest.raises(BadJSON):
        loads(b"[" * 65 + b'"' + b'\\"' * 500_000)


def test_long_integers_are_exact_above_the_interpreters_own_limit() -> None:
    assert loads(b"-" + b"9" * 6000, max_digits=7000) == 1 - 10**6000


def test_limits_are_parameters() -> None:
    assert loads(b"[[1]]", max_depth=2) == [[1]]
    with pytest.raises(BadJSON, match="deeper than 1"):
        loads(b"[[1]]", max_depth=1)
    with pytest.raises(BadJSON, match=r"5 bytes \(at most 4\)"):
        loads(b"[[1]]", max_bytes=4)
    with pytest.raises(BadJSON, match=r"2 characters \(at most 1\)"):
        loads(b"12", max_digits=1)


@given(VALUES)
def test_what_is_written_is_read_back(value: object) -> None:
    assert loads(dumps(value)) == value


@given(st.binary(max_size=200) | st.text('[]{}",:\\ud8x0123456789.eE+-NaIfity \0', max_size=60).map(str.encode))
def test_any_bytes_are_read_as_json_reads_them_or_refused(data: bytes) -> None:
    try:
        value = loads(data)
    except BadJSON:
        return
    assert value == json.loads(data)
    assert dumps(value) is not None


@given(st.integers(0, 64), st.integers(1, 3))
def test_depth_is_counted_exactly(depth: int, over: int) -> None:
    assert dumps(loads(b'{"":' * depth + b"0" + b"}" * depth)) == b'{"":' * depth + b"0" + b"}" * depth
    with pytest.raises(BadJSON, match="deeper"):
        loads(b"[" * (64 + over) + b"]" * (64 + over))


@pytest.mark.parametrize("value", [math.nan, math.inf, [-math.inf], "\ud800"])
def test_what_cannot_be_written(value: object) -> None:
    with pytest.raises(ValueError, match=r"Out of range|surrogates"):
        dumps(value)
