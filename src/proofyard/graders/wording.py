"""Evidence for a person: short, printable, one line a value. What a program wrote is hostile and is escaped."""

import re
from collections.abc import Sequence
from typing import Any, Final

from proofyard.core import Mismatch, dumps

__all__ = ["difference", "either", "quoted", "shown", "stderr_tail", "value"]

LONGEST: Final = 4000
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def shown(data: bytes) -> str:
    """Bytes as text: what is not UTF-8 and control characters are escaped, the middle of long text is left out."""
    text = data.decode("utf-8", "backslashreplace")
    return _cut(_CONTROL.sub(lambda found: _escape(found[0]), text))


def quoted(data: bytes) -> str:
    """Bytes as one string literal, so that a blank line is seen; empty for no bytes."""
    return value(data.decode("utf-8", "backslashreplace")) if data else ""


def value(item: Any) -> str:
    """A JSON value on one line."""
    return shown(dumps(item))


def either(items: Sequence[Any]) -> str:
    """One value, or the values of which any would do, one a line."""
    texts = list(dict.fromkeys(value(item) for item in items))
    return "\nor ".join(texts)


def stderr_tail(data: bytes) -> str:
    """The last lines of standard error."""
    return shown(data[-2000:]).strip("\n")


def difference(mismatch: Mismatch) -> str:
    """Say in one line where and how a response differs."""
    where = f"at {mismatch.path}: " if mismatch.path != "$" else ""
    if mismatch.why == "missing":
        return f"{where}missing, expected {_short(mismatch.expected)}"
    if mismatch.why == "an extra key":
        return f"{where}an extra key, with {_short(mismatch.got)}"
    return f"{where}{mismatch.why}: expected {_short(mismatch.expected)}, got {_short(mismatch.got)}"


def _short(item: Any) -> str:
    text = value(item)
    return text if len(text) <= 200 else f"{text[:190]}..."


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]} ...({len(text) - 2 * half} characters left out)... {text[-half:]}"


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
