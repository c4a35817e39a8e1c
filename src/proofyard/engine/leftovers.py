"""Commands which a killed coordinator left running: they are found by their workspace, and ended before it is swept."""

import contextlib
import os
import signal
import time
from pathlib import Path

__all__ = ["end_commands"]

_LOOKS = 50


def end_commands(work: Path) -> bool:
    """Kill every process which has a workspace below `work` in its environment. Whether none is left.

    Only the holder of the run's lock may call this, before it starts commands of its own.
    """
    needle = b"PROOFYARD_WORKSPACE=" + os.fsencode(work) + b"/"
    for _ in range(_LOOKS):
        found = _having(needle)
        if not found:
            return True
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    return False


def _having(needle: bytes) -> list[int]:
    found = []
    own = os.getpid()
    for environ in Path("/proc").glob("[0-9]*/environ"):
        pid = int(environ.parent.name)
        with contextlib.suppress(OSError):
            if pid != own and any(item.startswith(needle) for item in environ.read_bytes().split(b"\0")):
                found.append(pid)
    return found
