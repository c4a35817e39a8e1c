"""The one thread that writes a run's journal, by group commit: whatever is queued is written together and synced once.

Blobs are made durable before the trials that name them, trials before their verdicts, so that after a power cut no
record refers to something that is gone. When a write fails (a full disk) the files are cut back to their last whole
batch, nothing more is written, and every later call raises the failure.
"""

import os
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from proofyard.core import InfrastructureError, ProofyardError
from proofyard.store.blobs import FileBlobs
from proofyard.store.disk import infrastructure, sync_data, sync_folder, unwritable, write_all

__all__ = ["JOURNALS", "JournalWriter"]

JOURNALS: Final = ("trials.jsonl", "verdicts.jsonl")
"""In the order in which they are made durable."""

_MOST = 4096
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC


class JournalWriter:
    """Appends lines to the journals of one run folder, from any thread."""

    def __init__(self, folder: Path, blobs: FileBlobs) -> None:
        self._folder = folder
        self._blobs = blobs
        self._queue: SimpleQueue[tuple[str, bytes] | threading.Event | None] = SimpleQueue()
        self._error: InfrastructureError | None = None
        self._fds: dict[str, int] = {}
        try:
            for name in JOURNALS:
                with unwritable(folder / name):
                    self._fds[name] = os.open(folder / name, _FLAGS, 0o644)
            with unwritable(folder):
                sync_folder(folder)
        except ProofyardError:
            self._close_files()
            raise
        self._thread = threading.Thread(target=self._work, name="proofyard-journal", daemon=True)
        self._thread.start()

    def append(self, name: str, line: bytes) -> None:
        """Queue a line. Raises InfrastructureError if an earlier write failed."""
        if self._error is not None:
            raise self._error
        self._queue.put((name, line))

    def flush(self) -> None:
        """Wait until everything queued is durable. Raises InfrastructureError if it is not."""
        done = threading.Event()
        self._queue.put(done)
        while not done.wait(1.0):
            if not self._thread.is_alive():
                break
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Write what is queued and end the thread; a failure is not raised here (see `flush`)."""
        self._queue.put(None)
        self._thread.join()
        self._close_files()

    def _close_files(self) -> None:
        for fd in self._fds.values():
            os.close(fd)

    def _work(self) -> None:
        more = True
        while more:
            batch = [self._queue.get()]
            while len(batch) < _MOST:
                try:
                    batch.append(self._queue.get_nowait())
                except Empty:
                    break
            more = None not in batch
            if self._error is None:
                self._commit([item for item in batch if isinstance(item, tuple)])
            for item in batch:
                if isinstance(item, threading.Event):
                    item.set()

    def _commit(self, lines: list[tuple[str, bytes]]) -> None:
        path = self._folder
        try:
            if lines:
                self._blobs.sync()
            for name in JOURNALS:
                data = b"".join(line for journal, line in lines if journal == name)
                path = self._folder / name
                if data:
                    self._append(self._fds[name], data)
        except OSError as error:
            self._error = infrastructure(error, path)

    @staticmethod
    def _append(fd: int, data: bytes) -> None:
        size = os.fstat(fd).st_size
        try:
            write_all(fd, data)
            sync_data(fd)
        except OSError:
            os.ftruncate(fd, size)
            raise
