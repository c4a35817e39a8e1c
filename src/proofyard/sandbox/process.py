"""A program in a local sandbox. The runner holds its pipes and judges all that goes wrong; where all goes well, a request
and its answer go directly, without the runner, so that isolation adds next to nothing to a session.
"""

import os
import select
import time
from typing import Any, Protocol

from proofyard.core import Ended, KillPoint, Limits, Reply, UsageError

__all__ = ["Direct", "LocalProcess"]

ATOMIC = select.PIPE_BUF
"""A write of so many bytes to a pipe is whole or not at all."""
CHUNK = 1 << 16


class Asking(Protocol):
    """The sandbox, as its processes need it."""

    armed: bool

    def ask(self, op: str, payload: bytes = b"", wall_ms: int = 0, /, **fields: Any) -> tuple[dict[str, Any], bytes]:
        """Put one question to the runner."""
        ...

    def note_used(self, used: dict[str, int]) -> None:
        """Every process is known to be dead, having used this."""
        ...

    def abandon(self) -> None:
        """End the runner at once."""
        ...


class Direct:
    """Our own copies of a program's standard input and output. Whatever is not plain is left to the runner."""

    def __init__(self, stdin: int, stdout: int, limits: Limits) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._limits = limits
        self._poll = select.poll()
        self._poll.register(stdout, select.POLLIN)
        self.rest = b""
        self.total = 0

    def send(self, line: bytes) -> bool:
        """Write a request, if nothing waits to be read and it can be written at once and whole."""
        if len(line) > ATOMIC or self.rest or self._stdin < 0 or self._poll.poll(0):
            return False
        try:
            os.write(self._stdin, line)
        except OSError:
            return False
        return True

    def receive(self, deadline: float) -> bytes | None:
        """Wait for one line; None if there is anything to judge: what was read is in `rest` then."""
        data = b""
        while True:
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not self._poll.poll(int(remaining * 1000) + 1):
                break
            try:
                piece = os.read(self._stdout, CHUNK)
            except BlockingIOError:
                continue  # the program can open its own output for reading, and has taken back what it wrote
            self.total += len(piece)
            data += piece
            line, feed, rest = data.partition(b"\n")
            if len(line) > self._limits.line or self.total > self._limits.output or not piece:
                break
            if feed:
                self.rest = rest
                return line
        self.rest = data
        return None

    def close(self) -> None:
        """Give both copies up."""
        for fd in (self._stdin, self._stdout):
            if fd >= 0:
                os.close(fd)
        self._stdin = self._stdout = -1


class LocalProcess:
    """One program in a local sandbox."""

    def __init__(self, sandbox: Asking, number: int, direct: Direct | None) -> None:
        self._sandbox = sandbox
        self._number = number
        self._direct = direct

    def exchange(self, request: bytes, wall_ms: int, kill_at: KillPoint | None = None, *, torn: bool = False) -> Reply:
        """Send one line (a line feed is added) and wait for one line back, at most `wall_ms` milliseconds.

        torn: half of the bytes of the write to a file that the kill point falls on are stored before the kill.
        """
        if kill_at is not None and not self._sandbox.armed:
            raise UsageError("a kill point needs a sandbox that was opened with armed=True")
        direct = self._direct
        if direct is not None:
            deadline = time.monotonic() + wall_ms / 1000
            if direct.send(request + b"\n"):
                line = self._listen(direct, deadline)
                if line is not None:
                    return Reply(line=line)
                return self.receive(max(0, int((deadline - time.monotonic()) * 1000)))
        self._give_back()
        fields: dict[str, Any] = {"p": self._number, "w": wall_ms}
        if kill_at is not None:
            fields["k"] = kill_at
            if torn:
                fields["h"] = True
        return _reply(*self._sandbox.ask("exchange", request, wall_ms, **fields))

    def send(self, data: bytes) -> None:
        """Write bytes to standard input as they are."""
        self._give_back()
        self._sandbox.ask("send", data, 0, p=self._number)

    def receive(self, wall_ms: int) -> Reply:
        """Wait for one line."""
        self._give_back()
        return _reply(*self._sandbox.ask("receive", b"", wall_ms, p=self._number, w=wall_ms))

    def finish(self, wall_ms: int) -> Ended:
        """Close standard input, read to the end of output, wait for the exit; what does not exit is killed."""
        self._give_back()
        header, data = self._sandbox.ask("finish", b"", wall_ms, p=self._number, w=wall_ms)
        at = header["out"]
        if "used" in header:
            self._sandbox.note_used(header["used"])
        return Ended(
            code=header["code"], signal=header["signal"], fault=header["fault"], stdout=data[:at], stderr=data[at:]
        )

    def _listen(self, direct: Direct, deadline: float) -> bytes | None:
        try:
            return direct.receive(deadline)
        except BaseException:
            self._sandbox.abandon()  # interrupted: nobody knows what was answered
            raise

    def _give_back(self) -> None:
        """Leave the rest of the session to the runner."""
        direct, self._direct = self._direct, None
        if direct is not None:
            direct.close()
            if direct.total:
                self._sandbox.ask("back", direct.rest, 0, p=self._number, t=direct.total)


def _reply(header: dict[str, Any], data: bytes) -> Reply:
    line = data if "l" in header else None
    return Reply(line=line, fault=header.get("f"), killed="d" in header, calls=header["n"])
