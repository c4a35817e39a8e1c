"""One coordinator a run folder: an advisory lock that the kernel drops when its holder dies."""

import contextlib
import fcntl
import os
from pathlib import Path

from proofyard.core import UsageError
from proofyard.store.disk import unwritable

__all__ = ["RunLock"]


class RunLock:
    """The lock of a run folder, held from construction to `release`."""

    def __init__(self, folder: Path) -> None:
        path = folder / "lock"
        with unwritable(path):
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._fd, 32).decode("ascii", "replace").strip()
            os.close(self._fd)
            who = f" (process {holder})" if holder else ""
            raise UsageError(
                f"{folder} is in use by another proofyard{who}; wait for it or choose another folder"
            ) from None
        # Who holds the lock is a courtesy to the reader of the message; on a full disk the lock still holds.
        with contextlib.suppress(OSError):
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let go of the lock; the file stays."""
        os.close(self._fd)
