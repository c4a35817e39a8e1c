"""Trusted commands on the host: a user's own program, a container engine, git. Nothing is isolated, but nothing is left
behind either: whatever the command started is killed with it.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from proofyard.core import Record, UsageError

__all__ = ["HostResult", "run_command"]

MARK = "PROOFYARD_COMMAND"
"""Names the run in the environment of every process it starts, by which daemons are found that left its session."""
CHUNK = 1 << 16
SWEEPS = 50
LOOK_SECONDS = 0.25


class HostResult(Record, frozen=True, kw_only=True):
    """How a command ended.

    code: exit code, None if a signal ended it (then `signal`). timed_out, stopped: it was killed by its deadline, by the
    caller. stdout, stderr: at most `output_limit` bytes each, `cut` if there was more. killed: every process of it is
    known to be gone.
    """

    code: int | None = None
    signal: int | None = None
    timed_out: bool = False
    stopped: bool = False
    stdout: bytes = b""
    stderr: bytes = b""
    cut: bool = False
    killed: bool = True


def run_command(
    argv: Sequence[str],
    *,
    cwd: Path | str,
    env: Mapping[str, str],
    stdin: bytes = b"",
    wall_ms: int | None = None,
    output_limit: int = 1 << 20,
    stop: Callable[[], bool] = lambda: False,
) -> HostResult:
    """Run a trusted command in a session of its own and wait for it, at most `wall_ms` milliseconds.

    env: its whole environment. stop: asked four times a second; True kills the command.

    Raises:
        UsageError: the program or the folder is not there, or cannot be run.

    """
    mark = f"{os.getpid()}-{threading.get_ident()}-{time.monotonic_ns()}"
    try:
        process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env={**env, MARK: mark},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot run {argv[0] if argv else 'an empty command'}: {error}") from error
    with process:
        pump = _Pump(process, stdin, output_limit)
        try:
            deadline = None if wall_ms is None else time.monotonic() + wall_ms / 1000
            why = pump.run(deadline, stop)
        finally:
            gone = _kill_all(process, mark)
            pump.drain()
    code = process.returncode
    return HostResult(
        code=code if code >= 0 and not why else None,
        signal=-code if code < 0 else None,
        timed_out=why == "timeout",
        stopped=why == "stop",
        stdout=bytes(pump.out[0]),
        stderr=bytes(pump.out[1]),
        cut=pump.cut,
        killed=gone,
    )


class _Pump:
    """Feeds standard input and reads both outputs until the first process ends."""

    def __init__(self, process: "subprocess.Popen[bytes]", stdin: bytes, limit: int) -> None:
        self._process = process
        self._todo = memoryview(stdin)
        self._limit = limit
        self.out = (bytearray(), bytearray())
        self.cut = False
        self._selector = selectors.DefaultSelector()
        self._pidfd = os.pidfd_open(process.pid)
        assert process.stdin and process.stdout and process.stderr
        self._stdin = process.stdin.fileno()
        self._close_stdin = process.stdin.close
        for fd, buffer in ((process.stdout.fileno(), self.out[0]), (process.stderr.fileno(), self.out[1])):
            os.set_blocking(fd, False)
            self._selector.register(fd, selectors.EVENT_READ, buffer)
        os.set_blocking(self._stdin, False)
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._selector.register(self._pidfd, selectors.EVENT_READ)

    def run(self, deadline: float | None, stop: Callable[[], bool]) -> str:
        """Serve until the process ends ("") or must be killed ("timeout", "stop")."""
        while True:
            if deadline is not None and time.monotonic() >= deadline:
                return "timeout"
            if stop():
                return "stop"
            wait = LOOK_SECONDS if deadline is None else min(LOOK_SECONDS, max(0.0, deadline - time.monotonic()))
            for key, _ in self._selector.select(wait):
                if key.fd == self._pidfd:
                    return ""
                if key.fd == self._stdin:
                    self._write()
                else:
                    self._read(key.fd, key.data)

    def drain(self) -> None:
        """Read what is left in the pipes without waiting; free the descriptors."""
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                while self._read(key.fd, key.data):
                    pass
        self._selector.close()
        os.close(self._pidfd)
        with contextlib.suppress(OSError):
            self._close_stdin()

    def _read(self, fd: int, buffer: bytearray) -> bool:
        try:
            data = os.read(fd, CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._selector.unregister(fd)
            return False
        room = self._limit - len(buffer)
        buffer += data[: max(0, room)]
        self.cut = self.cut or len(data) > room
        return True

    def _write(self) -> None:
        with contextlib.suppress(BlockingIOError):
            try:
                while self._todo:
                    self._todo = self._todo[os.write(self._stdin, self._todo) :]
            except BrokenPipeError:
                self._todo = memoryview(b"")
        if not self._todo:
            self._selector.unregister(self._stdin)
            self._close_stdin()


def _kill_all(process: "subprocess.Popen[bytes]", mark: str) -> bool:
    """SIGKILL the session, all descendants, and all that carries the mark, until a look finds none."""
    for _ in range(SWEEPS):
        found = _members(process.pid, mark)
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
        if not found and process.returncode is not None:
            return True
        time.sleep(0.002)
    return False


def _members(leader: int, mark: str) -> list[int]:
    """Live processes of the run."""
    needle = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            state, session = fields[0], int(fields[3])
            if state not in {b"Z", b"X"} and (session == leader or needle in (folder / "environ").read_bytes()):
                found.append(int(folder.name))
        except OSError:
            continue
    return found
