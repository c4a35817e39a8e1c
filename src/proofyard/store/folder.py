"""`trials/<aa>/<id>/`: what is kept of one attempt besides its record. Made only when there is something to keep."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from proofyard.core import Move
from proofyard.store.disk import infrastructure, write_all
from proofyard.store.events import now

__all__ = ["TrialFolder", "read_moves", "read_steps"]

_STEPS = "steps.jsonl"
_MOVE = "move"


class TrialFolder:
    """The recorder of one attempt: steps go to `steps.jsonl` as they happen, kept files beside it."""

    def __init__(self, run: Path, trial: str) -> None:
        self.path = run / "trials" / trial[:2] / trial

    def clear(self) -> None:
        """Drop what an earlier, unfinished attempt under the same id left. Raises InfrastructureError (`store_io`)."""
        try:
            if self.path.exists():
                shutil.rmtree(self.path)
        except OSError as error:
            raise infrastructure(error, self.path) from error

    def step(self, kind: str, **data: object) -> None:
        """Append one step. Raises InfrastructureError (`disk_full`, `store_io`)."""
        line = msgspec.json.encode({"at": now(), "kind": kind, **data}) + b"\n"
        self._write(_STEPS, line, os.O_APPEND)

    def move(self, move: Move) -> None:
        """Append one move as a step of kind `move`, stamped with the time if it has none.

        Raises InfrastructureError (`disk_full`, `store_io`).
        """
        self.step(_MOVE, move=move if move.at else msgspec.structs.replace(move, at=now()))

    def keep(self, name: str, data: bytes) -> None:
        """Keep a file under a plain name. Raises InfrastructureError (`disk_full`, `store_io`)."""
        if "/" in name or name in {"", ".", "..", _STEPS}:
            raise ValueError(f"not a name to keep a file under: {name!r}")
        self._write(name, data, os.O_TRUNC)

    def _write(self, name: str, data: bytes, how: int) -> None:
        path, flags = self.path / name, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | how
        try:
            try:
                fd = os.open(path, flags, 0o644)
            except FileNotFoundError:
                self.path.mkdir(parents=True, exist_ok=True)
                fd = os.open(path, flags, 0o644)
            try:
                write_all(fd, data)
            finally:
                os.close(fd)
        except OSError as error:
            raise infrastructure(error, path) from error


def read_steps(run: Path, trial: str) -> Iterator[dict[str, Any]]:
    """Yield the steps logged of an attempt, each with `at` and `kind`; none where nothing was logged.

    The attempt may be under way: a line that is not whole yet, or was torn by a kill, is passed over.
    """
    try:
        lines = (TrialFolder(run, trial).path / _STEPS).read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        with contextlib.suppress(msgspec.MsgspecError):
            yield msgspec.json.decode(line, type=dict[str, Any])


def read_moves(run: Path, trial: str) -> tuple[Move, ...]:
    """Return the trajectory of an attempt, in order; empty for agents that log none. See `read_steps`."""
    return tuple(
        msgspec.convert(step["move"], type=Move) for step in read_steps(run, trial) if step.get("kind") == _MOVE
    )
