"""The result file of one evaluation: what `evaluate --output` writes and `score` reads."""

import os
from pathlib import Path
from typing import Final, Literal

import msgspec

from proofyard.core import Record, Trial, UsageError, Verdict

__all__ = ["SCHEMA", "ResultFile", "read_result", "write_result"]

SCHEMA: Final = 1


class ResultFile(Record, frozen=True, kw_only=True):
    """One graded solution. `subset` is the task's tier; `seed` of a private set; `public_only` results are no scores."""

    format: Literal["proofyard.result"]
    schema: int
    suite: str
    version: str
    trial: Trial
    verdict: Verdict
    seed: int | None = None
    subset: str = ""
    public_only: bool = False


class _Head(msgspec.Struct):
    format: str = ""
    schema: int = 0


def write_result(path: Path, result: ResultFile) -> None:
    """Write a result file whole or not at all.

    Raises:
        UsageError: the place cannot be written.
    """
    data = msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another --output") from None


def read_result(path: Path) -> ResultFile:
    """Read a result file.

    Raises:
        UsageError: it cannot be read, is something else, or was written by a newer version.
    """
    try:
        data = path.read_bytes()
        head = msgspec.json.decode(data, type=_Head)
        if head.format != "proofyard.result":
            raise UsageError(f"{path}: no result file of proofyard evaluate")
        if head.schema > SCHEMA:
            raise UsageError(f"{path}: written by a newer proofyard (schema {head.schema}, this one reads {SCHEMA})")
        return msgspec.json.decode(data, type=ResultFile)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise UsageError(f"{path}: no result file of proofyard evaluate: {error}") from None
