"""Values as TOML text, for `task.toml` and `dataset.toml`; the standard library only reads it."""

import datetime
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["toml_text"]

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+\Z")


def toml_text(document: Mapping[str, Any]) -> str:
    """Write a document: plain values first, then tables, then arrays of tables. None is left out.

    Raises:
        ValueError: a value that TOML has no form for.

    """
    return "\n".join(_table(document, ())).strip() + "\n"


def _table(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    plain = {key: value for key, value in table.items() if value is not None and not _is_table(value)}
    for key, value in plain.items():
        yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        if value is None or key in plain:
            continue
        inner = (*path, key)
        name = ".".join(_key(part) for part in inner)
        if isinstance(value, Mapping):
            yield f"\n[{name}]"
            yield from _table(value, inner)
            continue
        for item in value:
            yield f"\n[[{name}]]"
            yield from _table(item, inner)


def _is_table(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(item, Mapping) for item in value)
    return isinstance(value, Mapping)


def _key(key: str) -> str:
    return key if _BARE.match(key) else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise ValueError(f"no TOML value: {value!r}")


def _float(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    text = repr(value)
    return text if "." in text or "e" in text else f"{text}.0"


def _string(text: str) -> str:
    """A basic string: JSON's escapes are TOML's too, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
