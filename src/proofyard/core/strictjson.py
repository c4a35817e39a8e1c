"""Strict JSON for what a candidate prints, and the one way requests are written.

The standard `json` module alone takes duplicate keys, NaN, 1e400 (as infinity) and lone surrogates; `loads` refuses
them, each with a reason of one line. It runs in linear time and never recurses deeper than `max_depth`.
"""

import json
import math
import re
from typing import Any, Final, NoReturn

__all__ = ["MAX_BYTES", "MAX_DEPTH", "MAX_DIGITS", "BadJSON", "dumps", "loads"]

MAX_BYTES: Final = 1 << 20
"""Largest document read, in bytes."""

MAX_DEPTH: Final = 64
"""Deepest nesting of arrays and objects read."""

MAX_DIGITS: Final = 4300
"""Most characters of one number: above every expected answer, and what Python itself still prints."""

_CHUNK: Final = 600  # below the smallest limit Python allows for its own conversion of digits

# A string (closed or not, so that each byte is looked at once) or one bracket. Possessive: never backtracks.
_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{\]}]', re.DOTALL)
_SURROGATE_ESCAPE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class BadJSON(ValueError):  # noqa: N818 - the name of the fault it stands for
    """The bytes are not one strict JSON document; the message is a reason of one line."""


def loads(data: bytes, *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH, max_digits: int = MAX_DIGITS) -> Any:
    """Read one JSON document of RFC 8259.

    Refused: more than `max_bytes` bytes, a BOM, NUL bytes, invalid UTF-8, nesting over `max_depth`, numbers of more
    than `max_digits` characters, duplicate keys, NaN and Infinity, floats that overflow, lone surrogates (also as
    escapes), anything after the document. Integers are exact at any size within the cap.

    Raises:
        BadJSON: the document is refused.

    """
    text = _text(data, max_bytes)
    _check_depth(data, max_depth)

    def integer(digits: str) -> int:
        if len(digits) > max_digits:
            raise BadJSON(f"a number of {len(digits)} characters (at most {max_digits})")
        return _integer(digits)

    def real(digits: str) -> float:
        if len(digits) > max_digits:
            raise BadJSON(f"a number of {len(digits)} characters (at most {max_digits})")
        value = float(digits)
        if math.isinf(value):
            raise BadJSON(f"a number out of range: {digits[:40]}")
        return value

    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_int=integer, parse_float=real
        )
    except json.JSONDecodeError as error:
        raise BadJSON(f"{error.msg} at character {error.pos}") from None
    except RecursionError:
        raise BadJSON("nested too deep") from None
    if _SURROGATE_ESCAPE.search(data):
        _check_surrogates(value)
    return value


def dumps(value: object) -> bytes:
    """Write a JSON value compactly as UTF-8, keys in their order.

    Raises:
        ValueError: a number is not finite, or a string holds a lone surrogate.

    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _text(data: bytes, max_bytes: int) -> str:
    if len(data) > max_bytes:
        raise BadJSON(f"{len(data)} bytes (at most {max_bytes})")
    if data.startswith(b"\xef\xbb\xbf"):
        raise BadJSON("starts with a byte order mark")
    if b"\0" in data:
        raise BadJSON(f"a NUL byte at byte {data.index(0)}")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BadJSON(f"not UTF-8 at byte {error.start}") from None


def _check_depth(data: bytes, max_depth: int) -> None:
    if data.count(b"[") + data.count(b"{") <= max_depth:
        return
    depth = 0
    for match in _TOKEN.finditer(data):
        first = data[match.start()]
        if first in b"[{":
            depth += 1
            if depth > max_depth:
                raise BadJSON(f"nested deeper than {max_depth}")
        elif first in b"]}":
            depth -= 1


def _integer(digits: str) -> int:
    """Convert digits of any number, whatever limit the interpreter has."""
    if digits.startswith("-"):
        return -_integer(digits[1:])
    value = 0
    for start in range(0, len(digits), _CHUNK):
        part = digits[start : start + _CHUNK]
        value = value * 10 ** len(part) + int(part)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadJSON(f"the key {key[:80]!a} comes twice in one object")
            seen.add(key)
    return value


def _constant(name: str) -> NoReturn:
    raise BadJSON(f"{name} is no JSON number")


def _check_surrogates(value: object) -> None:
    rest = [value]
    while rest:
        item = rest.pop()
        if isinstance(item, str):
            try:
                item.encode()
            except UnicodeEncodeError:
                raise BadJSON("a lone surrogate in a string") from None
        elif isinstance(item, list):
            rest.extend(item)
        elif isinstance(item, dict):
            rest.extend(item.keys())
            rest.extend(item.values())
