"""Journal lines: how a trial and a verdict are written, and how a file of them is read.

A line is `{"schema":1,"trial":{...}}` or `{"schema":1,"verdict":{...}}`. A file may end in a torn line after a crash:
whatever follows the last line feed is no record, readers pass over it and the writer cuts it off.
"""

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from proofyard.core import Outcome, Plan, Trial, UsageError, Verdict
from proofyard.store.disk import regular

__all__ = [
    "SCHEMA",
    "PlanLine",
    "TrialLine",
    "VerdictLine",
    "cut_torn_tail",
    "encode_plan",
    "encode_trial",
    "encode_verdict",
    "read_document",
    "read_lines",
    "terminal_trial",
    "terminal_verdict",
]

SCHEMA: Final = 1
"""The schema this version writes. A record of a newer one is refused, never guessed at."""


class TrialLine(msgspec.Struct, frozen=True):
    """A line of trials.jsonl."""

    schema: int
    trial: Trial


class VerdictLine(msgspec.Struct, frozen=True):
    """A line of verdicts.jsonl."""

    schema: int
    verdict: Verdict


class PlanLine(msgspec.Struct, frozen=True):
    """A line of revisions.jsonl: the whole plan as it is from here on."""

    schema: int
    at: str
    plan: Plan


class _Head(msgspec.Struct):
    schema: int


_Line = TypeVar("_Line", bound=msgspec.Struct)
_encoder = msgspec.json.Encoder()


def encode_trial(trial: Trial) -> bytes:
    """Return the line of a trial, with its line feed."""
    return _encoder.encode(TrialLine(SCHEMA, trial)) + b"\n"


def encode_verdict(verdict: Verdict) -> bytes:
    """Return the line of a verdict, with its line feed.

    Raises:
        ValueError: a number is not finite (JSON has no such numbers).

    """
    numbers = list(verdict.metrics.values())
    if verdict.score is not None:
        numbers.append(verdict.score)
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError(f"verdict {verdict.id}: a number is not finite")
    return _encoder.encode(VerdictLine(SCHEMA, verdict)) + b"\n"


def encode_plan(plan: Plan, at: str) -> bytes:
    """Return the line of a plan's revision, with its line feed."""
    return _encoder.encode(PlanLine(SCHEMA, at, plan)) + b"\n"


def terminal_trial(trial: Trial) -> bool:
    """Whether the trial is over: it has a submission, or failed in a way which does not run again."""
    return trial.failure is None or bool(trial.submissions) or not trial.failure.retry


def terminal_verdict(verdict: Verdict) -> bool:
    """Whether the grading is over: anything but an infrastructure error which is tried again."""
    return verdict.outcome is not Outcome.ERROR or verdict.failure is None or not verdict.failure.retry


def read_lines(path: Path, kind: type[_Line]) -> Iterator[_Line]:
    """Yield the records of a journal file; none if it is not there.

    Raises:
        UsageError: a line is damaged, or was written by a newer version; the message names file and line.

    """
    decoder = msgspec.json.Decoder(kind)
    try:
        handle = open(path, "rb", opener=regular)  # noqa: SIM115 - closed below
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    with handle:
        for number, line in enumerate(handle, 1):
            if not line.endswith(b"\n"):
                return
            yield _decode(decoder, line, f"{path} line {number}")


def read_document(path: Path, kind: type[_Line]) -> _Line:
    """Read a file which is one JSON document with a `schema` field, as `read_lines` reads a line."""
    try:
        with open(path, "rb", opener=regular) as file:
            data = file.read()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    return _decode(msgspec.json.Decoder(kind), data, str(path))


def _decode(decoder: msgspec.json.Decoder[_Line], data: bytes, where: str) -> _Line:
    try:
        record = decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        newer = _newer(data)
        if newer is not None:
            raise _too_new(where, newer) from None
        raise UsageError(f"{where} is no proofyard record ({_one_line(error)}); the run folder is damaged") from None
    schema = getattr(record, "schema", 0)
    if schema > SCHEMA:
        raise _too_new(where, schema)
    if schema < 1:
        raise UsageError(f"{where} is no proofyard record (schema {schema}); the run folder is damaged")
    return record


def _newer(data: bytes) -> int | None:
    try:
        schema = msgspec.json.decode(data, type=_Head).schema
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return schema if schema > SCHEMA else None


def _too_new(where: str, schema: int) -> UsageError:
    return UsageError(
        f"{where} was written by a newer proofyard (schema {schema}); this one reads up to schema {SCHEMA}"
    )


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def cut_torn_tail(path: Path) -> int:
    """Cut what follows the last line feed; return how many bytes went. Only the holder of the run's lock may call this."""
    if not path.exists():
        return 0
    with path.open("r+b") as handle:
        size = handle.seek(0, os.SEEK_END)
        end = size
        while end:
            start = max(0, end - 65536)
            handle.seek(start)
            found = handle.read(end - start).rfind(b"\n")
            if found >= 0:
                end = start + found + 1
                break
            end = start
        if end < size:
            handle.truncate(end)
            os.fsync(handle.fileno())
        return size - end
