"""`trials/<aa>/<id>/`: what is kept of one attempt besides its record. Made only when there is something to keep."""

import os
import shutil
from pathlib import Path

import msgspec

from proofyard.store.disk import infrastructure, write_all
from proofyard.store.events import now

__all__ = ["TrialFolder"]


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
        self._write("steps.jsonl", line, os.O_APPEND)

    def keep(self, name: str, data: bytes) -> None:
        """Keep a file under a plain name. Raises InfrastructureError (`disk_full`, `store_io`)."""
        if "/" in name or name in {"", ".", "..", "steps.jsonl"}:
            raise ValueError(f"not a name to keep a file under: {name!r}")
        self._write(name, data, os.O_TRUNC)

    def _write(self, name: str, data: bytes, how: int) -> None:
        path = self.path / name
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | how, 0o644)
            try:
                write_all(fd, data)
            finally:
                os.close(fd)
        except OSError as error:
            raise infrastructure(error, path) from error
