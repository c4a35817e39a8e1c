"""calls.jsonl: every call of a model that a run made, put down before it goes out and again when it is over.

It is the run's account: nothing is ever taken out of it, also not when an attempt is made again. After a kill, a call that
was put down and has no end was in flight.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from proofyard.store.disk import infrastructure, sync_data, write_all
from proofyard.store.events import now

__all__ = ["CALLS", "CallNote", "CallRecord", "call_note", "read_calls"]

CALLS: Final = "calls.jsonl"
"""Its name in the run's folder."""
_SEND: Final = "model_send"
_END: Final = "model_end"


class CallNote(Protocol):
    """Takes what happens to a call, as it happens."""

    def __call__(self, kind: str, **data: object) -> None:
        """Append one line; `data` are JSON values. Raises InfrastructureError (`disk_full`, `store_io`)."""
        ...


class CallRecord(NamedTuple):
    """One call. `sent` and `end` are what was noted of it; `end` is None while it is in flight, and after a kill."""

    trial: str
    tries: int
    call: str
    sent: dict[str, Any]
    end: dict[str, Any] | None


def call_note(run: Path, trial: str, tries: int) -> CallNote:
    """Return what notes the calls of one attempt. A call that goes out is on the disk before it does."""

    def note(kind: str, **data: object) -> None:
        line = msgspec.json.encode({"at": now(), "kind": kind, "trial": trial, "tries": tries, **data}) + b"\n"
        path = run / CALLS
        try:
            fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                write_all(fd, line)
                if kind == _SEND:
                    sync_data(fd)
            finally:
                os.close(fd)
        except OSError as error:
            raise infrastructure(error, path) from error

    return note


def read_calls(run: Path) -> list[CallRecord]:
    """Return every call of a run in the order in which they went out; lines torn by a kill are passed over."""
    found: dict[tuple[str, int, str], CallRecord] = {}
    _each(run / CALLS, lambda line: _enter(found, line))
    return list(found.values())


def _enter(found: dict[tuple[str, int, str], CallRecord], line: dict[str, Any]) -> None:
    key = (str(line.get("trial")), int(line.get("tries") or 0), str(line.get("call")))
    if line.get("kind") == _SEND:
        found[key] = CallRecord(*key, line, None)
    elif line.get("kind") == _END and key in found:
        found[key] = found[key]._replace(end=line)


def _each(path: Path, enter: Callable[[dict[str, Any]], None]) -> None:
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        with contextlib.suppress(msgspec.MsgspecError):
            enter(msgspec.json.decode(line, type=dict[str, Any]))
