"""The engine's command that starts a container and holds the input of its first process.

That process waits for the end of its input. So a container lives no longer than this command, and this command, whose own
input is a pipe of ours, no longer than proofyard.
"""

import contextlib
import os
import subprocess
import threading
from typing import Final

__all__ = ["HOLDING", "Hold"]

_WORD: Final = "proofyard: held"
HOLDING: Final = ("/bin/sh", "-c", f"echo '{_WORD}'; exec 3<&0; cat <&3 >/dev/null & exec 3<&-; wait")
"""The first process: says that it is there, waits for the end of its input, and reaps what is left to it meanwhile."""
_DOWN_S: Final = 10.0
_LINE: Final = 4096

_NOWHERE: Final = "/proc" if os.path.isdir("/proc") else "/"  # noqa: PTH112
"""Podman's monitor leaves a file `oom` where it was started, if it can, when a container goes over its memory."""


class Hold:
    """One start of one container. Raises OSError if the command cannot be started."""

    def __init__(self, program: str, name: str) -> None:
        self._up = threading.Event()
        self._said = ""
        self._held = False
        self._process = subprocess.Popen(
            [program, "start", "--attach", "--interactive", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            cwd=_NOWHERE,
        )
        self._reader = threading.Thread(target=self._read, name="proofyard-hold", daemon=True)
        self._reader.start()

    def wait(self, seconds: float) -> str:
        """Wait for the first process to be there: "" if it is, else the last that was said."""
        self._up.wait(seconds)
        return "" if self._held else self._said or f"nothing within {seconds:g} s"

    def alive(self) -> bool:
        """Whether the container was not seen to end."""
        return self._process.poll() is None

    def leave(self) -> None:
        """End the command, and with it the container's first process, if it is there."""
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(_DOWN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()

    def _read(self) -> None:
        """Take what is printed, by what an image starts first too, so that nobody waits for a reader."""
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            while line := stream.readline(_LINE):
                text = line.decode("utf-8", "replace").strip()
                self._said = text or self._said
                if text == _WORD:
                    self._held = True
                    self._up.set()
        self._up.set()
