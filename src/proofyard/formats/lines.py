"""Rows of JSON in a file: one a line (`.jsonl`), or one array of them (`.json`), each also compressed (`.gz`)."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from proofyard.core import UsageError

__all__ = ["Line", "complaint", "content", "read_lines", "read_object"]


class Line(NamedTuple):
    """One object of a file. `where` names file and line (or the row of an array), for complaints."""

    where: str
    fields: dict[str, Any]


def content(path: Path) -> bytes:
    """Return what a file holds, decompressed if its name ends in `.gz`. Raises UsageError if it cannot be read."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
    except (EOFError, zlib.error) as error:
        raise UsageError(f"cannot read {path}: no whole gzip file: {error}") from None


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the objects of a file in order; blank lines are passed over.

    Numbers keep what JSON leaves open: whole ones of any size, `Infinity` and `NaN` as Python writes them.

    Raises:
        UsageError: it cannot be read, or something in it is no JSON object; the message names file and line.

    """
    data = content(path)
    name = path.name.removesuffix(".gz")
    if name.endswith(".json") and data.lstrip()[:1] == b"[":
        rows = _parsed(data, str(path))
        for number, row in enumerate(rows, 1):
            yield _line(row, f"{path} row {number}")
        return
    for number, text in enumerate(data.split(b"\n"), 1):
        if text.strip():
            where = f"{path} line {number}"
            yield _line(_parsed(text, where), where)


def read_object(path: Path) -> Line:
    """Read a file that is one JSON object. Raises UsageError."""
    return _line(_parsed(content(path), str(path)), str(path))


def complaint(line: Line, error: msgspec.ValidationError) -> UsageError:
    """Return what is wrong with a line, as one line that names its place and the field."""
    text = str(error).replace("Object missing required field", "there is no field")
    return UsageError(f"{line.where}: {text}")


def _parsed(text: bytes, where: str) -> Any:
    try:
        return json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: not UTF-8 (byte {error.start})") from None
    except RecursionError:
        raise UsageError(f"{where}: nested too deeply") from None
    except ValueError as error:
        raise UsageError(f"{where}: no JSON: {error}") from None


def _line(row: Any, where: str) -> Line:
    if not isinstance(row, dict):
        raise UsageError(f"{where}: a JSON object is wanted, not {type(row).__name__}")
    return Line(where, row)
