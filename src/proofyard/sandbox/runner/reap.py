"""Killing and reaping all that is below a child subreaper. Standard library only."""

import contextlib
import os
import signal
import time

from proofyard.sandbox.runner.memory import descendants

__all__ = ["reap", "sweep"]

PAUSE_SECONDS = 0.001


def sweep(top: int, program: int = -1, seconds: float | None = None) -> tuple[int | None, bool]:
    """Kill all below `top` (this process) until no child is left, or for so many seconds.

    Whatever is forked meanwhile is met in the next round: a killed parent's children come to this process.

    Returns:
        The wait status of `program`, if it ended by this, and whether nothing is left.

    """
    found: int | None = None
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        for pid in descendants(top)[1:]:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        status, more = reap(program)
        found = status if status is not None else found
        if not more or (end is not None and time.monotonic() > end):
            return found, not more
        time.sleep(PAUSE_SECONDS)


def reap(program: int) -> tuple[int | None, bool]:
    """Reap all that ended; the wait status of `program` if it is among them, and whether any child is left."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found, False
        if pid == 0:
            return found, True
        if pid == program:
            found = status
