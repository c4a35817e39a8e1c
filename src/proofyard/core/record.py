"""The base of every noun, canonical bytes, and digests.

A digest is the lower-case hexadecimal SHA-256 of canonical bytes: compact UTF-8 JSON with sorted keys, fields that
hold their default left out (so a new field with a default changes no id), and no floating-point number anywhere
(write a decimal string instead, see `decimal_text`).
"""

import hashlib
import math
from decimal import Decimal
from functools import cache
from typing import Any

import msgspec

__all__ = ["Record", "canonical", "decimal_text", "digest_of", "sha256"]


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An immutable noun. Fields that hold their default are left out of its JSON and of its digest."""

    @property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of the canonical bytes of this record."""
        return digest_of(self)


def sha256(data: bytes) -> str:
    """Return the lower-case hexadecimal SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()


def canonical(value: object) -> bytes:
    """Return the canonical JSON bytes of `value`.

    Raises:
        TypeError: `value` holds a float; ids must not depend on how a float is printed.

    """
    return msgspec.json.encode(_plain(value), order="sorted")


def digest_of(value: object) -> str:
    """Return the SHA-256 (hexadecimal) of the canonical bytes of `value`."""
    return sha256(canonical(value))


def decimal_text(number: float | str) -> str:
    """Write a finite number as the shortest plain decimal: 0 -> "0", 0.80 -> "0.8", "1e-3" -> "0.001".

    Raises:
        ValueError: the number is not finite or not a number.

    """
    if isinstance(number, float) and not math.isfinite(number):
        raise ValueError(f"not a finite number: {number!r}")
    try:
        value = Decimal(repr(number) if isinstance(number, float) else str(number))
    except ArithmeticError:
        raise ValueError(f"not a number: {number!r}") from None
    if not value.is_finite():
        raise ValueError(f"not a finite number: {number!r}")
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _plain(value: Any) -> Any:
    """Reduce records to dictionaries without the fields that hold their default.

    Defaults are found by value here: the encoder's own rule goes by identity, and would tell a default written out by
    hand, or read back from a file, from one left out.
    """
    if isinstance(value, float):
        raise TypeError("canonical bytes hold no float: use decimal_text()")
    if isinstance(value, msgspec.Struct):
        plain = {}
        for field, name, default in _fields(type(value)):
            item = getattr(value, field)
            if type(item) is not type(default) or item != default:
                plain[name] = _plain(item)
        return plain
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return msgspec.to_builtins(value)


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, str, Any], ...]:
    """Attribute, name in JSON and default of each field."""
    return tuple(
        (f.name, f.encode_name, f.default if f.default_factory is msgspec.NODEFAULT else f.default_factory())
        for f in msgspec.structs.fields(kind)
    )
