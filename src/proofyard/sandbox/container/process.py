"""A program in a container: the pipes of the engine's command, the line protocol, limits and faults."""

import contextlib
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

from proofyard.core import Ended, Failure, Fault, InfrastructureError, KillPoint, Limits, Reply, UsageError

__all__ = ["ContainerProcess", "Report", "Watcher"]

CHUNK: Final = 1 << 16
COMING_UP_S: Final = 60.0
"""What the engine may take to start a container, on top of the program's own time."""
LAST_WORDS_S: Final = 10.0
TAIL: Final = 1 << 10
ENGINE_FAILED: Final = (125, 126, 127)
KILLED: Final = 9


class Report(msgspec.Struct):
    """What the container's first process said of the program's end."""

    code: int | None
    signal: int | None
    cpu_us: int
    peak: int


class Watcher(Protocol):
    """The sandbox, as its processes need it."""

    def remove(self) -> bool:
        """Kill the container; whether it is known to be gone."""
        ...

    def was_out_of_memory(self) -> bool:
        """Whether processes of the container were killed for want of memory."""
        ...


class ContainerProcess:
    """One program in one container. `report` is there once it has ended by itself."""

    coming_up_s = COMING_UP_S

    def __init__(
        self,
        argv: Sequence[str],
        order: bytes,
        word: str,
        limits: Limits,
        watcher: Watcher,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> None:
        self._limits = limits
        self._word = word.encode()
        self._watcher = watcher
        self._todo = bytearray(order)
        self._out, self._err, self._tail = bytearray(), bytearray(), bytearray()
        self._total = 0
        self._closing = self._writing = False
        self._reading = 2
        self._fault: Fault | None = None
        self._started = time.monotonic()
        self._wall = self._started + self.coming_up_s + limits.wall_ms / 1000
        self.report: Report | None = None
        self.wall_us = 0
        try:
            self._popen = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=env,
                cwd=cwd,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise _failure(f"{argv[0]}: {error}") from error
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._selector = selectors.DefaultSelector()
        for stream, call in ((self._popen.stdout, self._read_stdout), (self._popen.stderr, self._read_stderr)):
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ, call)
        os.set_blocking(self._popen.stdin.fileno(), False)
        self._watch_input()

    def exchange(self, request: bytes, wall_ms: int, kill_at: KillPoint | None = None, *, torn: bool = False) -> Reply:
        """Send one line and wait for one line back. A container has no kill points."""
        if kill_at is not None or torn:
            raise UsageError("a container has no kill points")
        self._turn(0.0)
        if self._out and self._fault is None:
            return Reply(fault="unsolicited_output")
        self.send(request + b"\n")
        return self.receive(wall_ms)

    def send(self, data: bytes) -> None:
        """Write bytes to standard input as they are."""
        self._todo += data
        self._watch_input()

    def receive(self, wall_ms: int) -> Reply:
        """Wait for one line."""
        deadline = min(time.monotonic() + wall_ms / 1000, self._wall)
        while True:
            line, feed, rest = self._out.partition(b"\n")
            if len(line) > self._limits.line:
                self._fail("line_too_long")
            if self._fault is not None:
                self._end()
                return Reply(fault=self._fault)
            if feed:
                self._out = rest
                return Reply(line=bytes(line))
            if self._ended:
                self._end()
                return Reply(fault=self._fault or "eof")
            if time.monotonic() >= deadline:
                self._fail("timeout")
            else:
                self._turn(deadline - time.monotonic())

    def finish(self, wall_ms: int) -> Ended:
        """Close standard input, read to the end of output, wait for the exit; what does not exit is killed."""
        self._closing = True
        if not self._todo:
            self._close_input()
        deadline = min(time.monotonic() + self.coming_up_s + wall_ms / 1000, self._wall)
        while not self._ended and self._fault is None:
            if time.monotonic() >= deadline:
                self._fail("timeout")
            else:
                self._turn(deadline - time.monotonic())
        self._end()
        said = self.report
        stdout, stderr = bytes(self._out), self._stderr()
        if said is None:
            late = self._fault == "timeout"
            return Ended(signal=None if late else KILLED, fault=self._fault, stdout=stdout, stderr=stderr)
        return Ended(code=said.code, signal=said.signal, fault=self._fault, stdout=stdout, stderr=stderr)

    def kill(self) -> bool:
        """Kill everything; whether it is known to be dead."""
        self._fault = self._fault or (None if self.wall_us else "killed")
        return self._end()

    # --- inside

    @property
    def _ended(self) -> bool:
        return not self._reading

    def _turn(self, seconds: float) -> None:
        for key, _ in self._selector.select(max(0.0, min(seconds, 1.0))):
            call: Callable[[Any], None] = key.data
            call(key.fileobj)

    def _read_stdout(self, stream: Any) -> None:
        data = self._read(stream)
        self._total += len(data)
        if self._fault is None:
            self._out += data
            if self._total > self._limits.output:
                del self._out[self._limits.output :]
                self._fail("output_limit")

    def _read_stderr(self, stream: Any) -> None:
        data = self._read(stream)
        self._err += data[: max(0, self._limits.stderr - len(self._err))]
        self._tail = (self._tail + data)[-TAIL:]

    def _read(self, stream: Any) -> bytes:
        try:
            data = os.read(stream.fileno(), CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(stream)
            self._reading -= 1
            stream.close()
        return data

    def _write(self, stream: Any) -> None:
        try:
            while self._todo:
                del self._todo[: os.write(stream.fileno(), self._todo[:CHUNK])]
        except BlockingIOError:
            return
        except OSError:
            self._todo.clear()
        self._selector.unregister(stream)
        self._writing = False
        if self._closing:
            self._close_input()

    def _watch_input(self) -> None:
        stream = self._popen.stdin
        if not self._writing and stream is not None and not stream.closed:
            self._selector.register(stream, selectors.EVENT_WRITE, self._write)
            self._writing = True

    def _close_input(self) -> None:
        stream = self._popen.stdin
        if stream is not None and not stream.closed:
            if self._writing:
                self._selector.unregister(stream)
                self._writing = False
            with contextlib.suppress(OSError):
                stream.close()

    def _fail(self, fault: Fault) -> None:
        self._fault = self._fault or fault

    def _end(self) -> bool:
        """Have the container gone and its last words read; whether it is known to be gone."""
        if self.wall_us:
            return True
        by_itself = self._fault is None
        short = False
        if by_itself:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(LAST_WORDS_S)
            self._hear()
            short = (self.report is None or self.report.signal == KILLED) and self._watcher.was_out_of_memory()
        gone = self._watcher.remove()
        self._drain(gone)
        code, stopped = self._stop()
        if stopped or not gone:  # the engine may have made it only after it was asked to remove it
            gone = self._watcher.remove()
        self._note_wall()
        self._hear()
        if short:
            self._fault = "oom"
        elif self.report is None and by_itself and code in ENGINE_FAILED:
            lines = self._stderr().decode("utf-8", "replace").strip().splitlines()
            raise _failure(f"the container engine: {lines[-1] if lines else f'exit code {code}'}")
        if not gone:
            raise InfrastructureError(Failure(code="kill_unconfirmed", message="a container may still be there"))
        return gone

    def _drain(self, gone: bool) -> None:
        """Read what the program said until it was dead."""
        deadline = time.monotonic() + LAST_WORDS_S
        while gone and not self._ended and time.monotonic() < deadline:
            self._turn(deadline - time.monotonic())
        self._close_input()

    def _note_wall(self) -> None:
        self.wall_us = max(1, int((time.monotonic() - self._started) * 1_000_000))

    def _stop(self) -> tuple[int, bool]:
        """End the engine's command; its exit code, and whether it had to be killed."""
        stopped = False
        try:
            code = self._popen.wait(LAST_WORDS_S if self._ended else 0)
        except subprocess.TimeoutExpired:
            stopped = True
            self._popen.kill()
            code = self._popen.wait()
        for key in list(self._selector.get_map().values()):
            key.data(key.fileobj)  # what a killed command left in its pipes
        self._selector.close()
        for stream in (self._popen.stdout, self._popen.stderr):
            if stream is not None:
                stream.close()
        return code, stopped

    def _hear(self) -> None:
        """Read what the container's first process said last."""
        found = self._tail.rpartition(b"\n" + self._word + b" ")
        if found[1]:
            with contextlib.suppress(msgspec.DecodeError):
                self.report = msgspec.json.decode(bytes(found[2]), type=Report)

    def _stderr(self) -> bytes:
        return bytes(self._err).partition(b"\n" + self._word + b" ")[0]


def _failure(message: str) -> InfrastructureError:
    return InfrastructureError(Failure(code="sandbox_start", message=message))
