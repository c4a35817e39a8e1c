"""Trusted commands on the host: a user's own program, a container engine, git. Nothing is isolated, but nothing is left
behind either: whatever the command started is killed with it.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from proofyard.core import Failure, InfrastructureError, Record, UsageError

__all__ = ["HostResult", "run_command"]

MARK = "PROOFYARD_COMMAND"
"""Names the run in the environment of every process it starts: should its keeper be killed, they are found by it."""
CHUNK = 1 << 16
SWEEPS = 50
LOOK_SECONDS = 0.25
START_SECONDS = 60.0
END_SECONDS = 15.0
"""What the keeper may take to be ready and to kill all, at most."""
BOOT = str(Path(__file__).parent / "runner" / "boot.py")
START = (
    "import runpy, sys; runpy.run_path(sys.argv[1])['stand_in'](); "
    "from proofyard.sandbox.host_keeper import keep; keep(int(sys.argv[2]))"
)


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

    It runs below a keeper (`host_keeper`), a process that takes in whatever leaves its parent or session, and that kills
    all of it when the command has ended or must stop, and also when proofyard itself is killed.

    env: its whole environment. stop: asked four times a second; True kills the command.

    Raises:
        UsageError: the program or the folder is not there, or cannot be run.
        InfrastructureError: the machine can start no process.

    """
    mark = f"{os.getpid()}-{threading.get_ident()}-{time.monotonic_ns()}"
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            process = _start_keeper(theirs)
        with process:
            try:
                _order(ours, argv, cwd, {**env, MARK: mark})
                pump = _Pump(process, ours, stdin, output_limit)
                deadline = None if wall_ms is None else time.monotonic() + wall_ms / 1000
                try:
                    why = pump.run(deadline, stop)
                finally:
                    end = _end(ours)
                    gone = end.get("gone", False) if end else _kill_marked(mark)
                    pump.drain()
            finally:
                _leave(process, ours)
    status = end.get("status")
    return HostResult(
        code=status if status is not None and status >= 0 and not why else None,
        signal=-status if status is not None and status < 0 else None,
        timed_out=why == "timeout",
        stopped=why == "stop",
        stdout=bytes(pump.out[0]),
        stderr=bytes(pump.out[1]),
        cut=pump.cut,
        killed=gone,
    )


def _start_keeper(control: socket.socket) -> "subprocess.Popen[bytes]":
    fd = control.fileno()
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", "-c", START, BOOT, str(fd)],
            cwd="/",
            env={},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(fd,),
            start_new_session=True,
        )
    except OSError as error:
        raise InfrastructureError(
            Failure(code="sandbox_start", message=f"no process can be started: {error}")
        ) from error


def _order(control: socket.socket, argv: Sequence[str], cwd: Path | str, env: Mapping[str, str]) -> None:
    """Have the keeper start the command."""
    order = json.dumps({"argv": list(argv), "cwd": str(cwd), "env": dict(env)}).encode()
    control.settimeout(START_SECONDS)
    try:
        control.sendall(order + b"\n")
        answer = _hear(control)
    except OSError as error:
        raise InfrastructureError(Failure(code="sandbox_start", message=f"no command can be kept: {error}")) from error
    if answer and "error" in answer:  # no answer: the command killed its keeper, which is seen at the end
        raise UsageError(f"cannot run {argv[0] if argv else 'an empty command'}: {answer['error']}")


def _end(control: socket.socket) -> dict[str, Any]:
    """Have the keeper kill all that is left and return what it says of the end; nothing if it is gone itself."""
    control.settimeout(END_SECONDS)
    try:
        control.shutdown(socket.SHUT_WR)
        return _hear(control) or {}
    except OSError:
        return {}


def _leave(process: "subprocess.Popen[bytes]", control: socket.socket) -> None:
    """Let the keeper end; at the end of its socket it does so by itself, and kills first what there still is."""
    control.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _hear(control: socket.socket) -> dict[str, Any] | None:
    """Read the next message, None at the end; byte by byte, since the one after it is another's to read."""
    said = b""
    while not said.endswith(b"\n"):
        byte = control.recv(1)
        if not byte:
            return None
        said += byte
    message: dict[str, Any] = json.loads(said)
    return message


class _Pump:
    """Feeds standard input and reads both outputs until the keeper says how the command ended."""

    def __init__(self, process: "subprocess.Popen[bytes]", control: socket.socket, stdin: bytes, limit: int) -> None:
        self._todo = memoryview(stdin)
        self._limit = limit
        self.out = (bytearray(), bytearray())
        self.cut = False
        self._selector = selectors.DefaultSelector()
        self._control = control.fileno()
        assert process.stdin and process.stdout and process.stderr
        self._stdin = process.stdin.fileno()
        self._close_stdin = process.stdin.close
        for fd, buffer in ((process.stdout.fileno(), self.out[0]), (process.stderr.fileno(), self.out[1])):
            os.set_blocking(fd, False)
            self._selector.register(fd, selectors.EVENT_READ, buffer)
        os.set_blocking(self._stdin, False)
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._selector.register(self._control, selectors.EVENT_READ)

    def run(self, deadline: float | None, stop: Callable[[], bool]) -> str:
        """Serve until the process ends ("") or must be killed ("timeout", "stop")."""
        while True:
            if deadline is not None and time.monotonic() >= deadline:
                return "timeout"
            if stop():
                return "stop"
            wait = LOOK_SECONDS if deadline is None else min(LOOK_SECONDS, max(0.0, deadline - time.monotonic()))
            for key, _ in self._selector.select(wait):
                if key.fd == self._control:
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


def _kill_marked(mark: str) -> bool:
    """The keeper was killed: SIGKILL to all that carries the mark. What cleared its environment may be left, so False."""
    needle = f"{MARK}={mark}".encode()
    for _ in range(SWEEPS):
        found = _marked(needle)
        if not found:
            break
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)
    return False


def _marked(needle: bytes) -> list[int]:
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if needle in environ.read_bytes().split(b"\0"):
                found.append(int(environ.parent.name))
    return found
