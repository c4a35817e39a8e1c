"""One program at work: its three pipes, the line protocol, limits and faults. The same for every rung."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from proofyard.sandbox.runner.launcher import Handle, StartError
from proofyard.sandbox.runner.listener import Listener
from proofyard.sandbox.runner.loop import Loop
from proofyard.sandbox.runner.outcome import Answer, End, UnconfirmedError

__all__ = ["KILL_SECONDS", "Session"]

KILL_SECONDS = 5.0
"""How long death may take to be confirmed (it took up to 1.6 s after freeing gigabytes)."""
CHUNK = 1 << 16
MUCH_ROOM, SELDOM = 2 << 30, 4
"""With so many bytes below the limit, memory is looked at on every fourth tick: filling them would take 17 GB a second."""
NO_PROGRAM, NOT_FOUND = "bwrap: execvp ", 127
"""What bubblewrap says when the program itself is missing, and the exit code that a shell gives for it."""


@dataclass
class Pipes:
    """Our ends of the program's pipes; -1 when closed."""

    stdin: int
    stdout: int
    stderr: int
    todo: bytearray = field(default_factory=bytearray)
    closing: bool = False
    broken: bool = False


class Session:
    """Reads what the program writes, always and within limits, whether or not anyone waits for it."""

    def __init__(self, loop: Loop, handle: Handle, fds: tuple[int, int, int], limits: Mapping[str, int]) -> None:
        self._loop = loop
        self.handle = handle
        self._limits = limits
        self._pipes = Pipes(*fds)
        self._out = bytearray()
        self._scanned = 0
        self._total = 0
        self._err = bytearray()
        self._watched: set[int] = set()
        self._started = time.monotonic()
        self._wall = self._started + limits["wall_ms"] / 1000
        self.fault: str | None = None
        self._closed = self._lent = False
        self._skips = 0
        self.peak_memory = 0
        self.wall_us = 0
        for fd in fds:
            os.set_blocking(fd, False)
        loop.watch(self._pipes.stdout, self._read_stdout)
        loop.watch(self._pipes.stderr, self._read_stderr)
        loop.ticking.add(self)
        self._listener: Listener | None = None
        if handle.listener is not None:
            self._listener = Listener(handle.listener, handle.roots, self._pipes.stdout, self)
            loop.watch(handle.listener[0], self._listener.serve)
        self.sync()

    @property
    def ended(self) -> bool:
        """Whether every process is dead and all its output was read."""
        return self.handle.exit is not None and self._pipes.stdout < 0 and self._pipes.stderr < 0

    @property
    def closed(self) -> bool:
        """Whether every process is dead and nothing of it is held any more."""
        return self._closed

    # --- what the controller asks

    def wait_started(self, seconds: float) -> None:
        """Wait until the program is under way. Raises StartError if it could not be started."""
        deadline = time.monotonic() + seconds
        if not self._loop.until(lambda: self.handle.started or self.handle.exit is not None, deadline):
            self.fail("timeout")
            raise StartError("the sandbox did not come up in time")
        self._check_start()

    def lend(self) -> list[int]:
        """Let the controller speak to the program directly: its input and output, which is not read here meanwhile.

        Nothing is lent of a program that has closed them, has failed or has said something by now: what was read here
        would be passed over.
        """
        if self.fault is not None or self._total or min(self._pipes.stdin, self._pipes.stdout) < 0:
            return []
        self._lent = True
        self._loop.forget(self._pipes.stdout)
        return [self._pipes.stdin, self._pipes.stdout]

    def take_back(self, data: bytes, total: int) -> None:
        """Read the output here from now on. data: what was read and not used, of `total` bytes read in all."""
        if not self._lent:
            return
        self._lent = False
        self._out += data
        self._total += total
        if self._pipes.stdout >= 0:
            self._loop.watch(self._pipes.stdout, self._read_stdout)
        if self._total > self._limits["output"]:
            self.fail("output_limit")
        self.sync()

    def exchange(
        self, request: bytes, wall_ms: int, kill_at: int | Literal["response"] | None, *, torn: bool = False
    ) -> Answer:
        """Send one line and wait for one line."""
        if self._out and self.fault is None:
            return Answer(fault="unsolicited_output")
        if self._listener is not None:
            self._listener.arm(kill_at, torn=torn)
        self.send(request + b"\n")
        return self.receive(wall_ms)

    def send(self, data: bytes) -> None:
        """Queue bytes for standard input and write what goes without waiting."""
        if self._pipes.stdin >= 0 and not self._pipes.broken:
            self._pipes.todo += data
            self._write_stdin()

    def receive(self, wall_ms: int) -> Answer:
        """Wait for one line."""
        deadline = min(time.monotonic() + wall_ms / 1000, self._wall)
        while True:
            if self._listener is not None and self._listener.fired:
                return self._fired()
            if self.fault is not None:
                self._confirm_dead()
                return self._answer(fault=self.fault)
            line = self._take_line()
            if line is not None and self._listener is not None and self._listener.awaits_response:
                self.fail("tamper")  # it changed what it wrote, or where to, after the look at it
                continue
            if line is not None:
                return self._answer(line)
            if self.ended:
                self._check_start()
                return self._answer(fault="eof")
            if time.monotonic() >= deadline:
                self.fail("stdin_closed" if self._pipes.broken else "timeout")
            else:
                self._loop.turn(deadline)

    def finish(self, wall_ms: int) -> End:
        """Close standard input, read to the end, wait for the exit."""
        self._pipes.closing = True
        self._write_stdin()
        deadline = min(time.monotonic() + wall_ms / 1000, self._wall)
        if not self._loop.until(lambda: self.ended or self.fault is not None, deadline):
            self.fail("timeout")
            stdout, stderr = bytes(self._out), bytes(self._err)
            self._confirm_dead()
            return End(None, None, "timeout", stdout, stderr)
        self._confirm_dead()
        self._check_start()
        done = self.handle.exit
        code, number = (done.code, done.signal) if done else (None, None)
        if self.handle.failed:
            code, number = NOT_FOUND, None
        return End(code, number, self.fault, bytes(self._out), bytes(self._err))

    def kill(self) -> bool:
        """Kill everything; whether all is known to be dead."""
        self.take_back(b"", 0)
        if self.fault is None and self.handle.exit is None:
            self.fault = "killed"
        dead = self._dead()
        if dead:
            self.close()
        return dead

    def close(self) -> None:
        """Free descriptors and scratch storage; every process is dead. What was read stays."""
        if self._closed:
            return
        self._closed = True
        for fd in (self._pipes.stdin, self._pipes.stdout, self._pipes.stderr):
            self._close(fd)
        self._pipes = Pipes(-1, -1, -1, broken=True)
        self._drop_listener()
        for fd in self._watched:
            self._loop.forget(fd)
        self._watched.clear()
        self._loop.ticking.discard(self)
        self.handle.close()

    # --- what happens to it

    def fail(self, fault: str) -> None:
        """Note the first fault; the deadly ones kill."""
        if self.fault is None:
            self.fault = fault
            self.kill_now()

    def kill_now(self) -> None:
        """Send the kill without waiting."""
        self.handle.kill()
        self.sync()

    def tick(self) -> None:
        """Every 30 ms: memory of the tree, wall clock, reaping."""
        if self.handle.exit is None:
            self._look_at_memory()
            if time.monotonic() >= self._wall:
                self.fail("timeout")
            self.handle.check()
        self.sync()

    def _look_at_memory(self) -> None:
        """Kill what is over its limit. Much room is looked at less often: it is not filled in so short a time."""
        self._skips -= 1
        if self._skips > 0:
            return
        used = self.handle.resident()
        self.peak_memory = max(self.peak_memory, used)
        if used > self._limits["tree_memory"]:
            self.fail("oom")
        self._skips = SELDOM if self._limits["tree_memory"] - used > MUCH_ROOM else 0

    def sync(self) -> None:
        """Watch what the handle wants watched now."""
        # The pidfd of what is dead is readable for ever.
        wanted = self.handle.watches() if self.handle.exit is None else {}
        for fd in self._watched - wanted.keys():
            self._loop.forget(fd)
        for fd in wanted.keys() - self._watched:
            self._loop.watch(fd, self._relay(fd))
        self._watched = set(wanted)
        if self.handle.exit is not None:
            self._hang_up()
            self.wall_us = self.wall_us or int((time.monotonic() - self._started) * 1_000_000)
            self._drop_listener()
            if self.ended:
                self._loop.ticking.discard(self)

    def drain(self) -> bytearray:
        """Read all that is in the output pipe now; return the bytes not yet taken."""
        while self._pipes.stdout >= 0 and self._read_stdout():
            pass
        return self._out

    # --- inside

    def _check_start(self) -> None:
        """Whether what ended was the sandbox's own set-up, not the program."""
        if self.handle.failed:
            self._loop.until(lambda: self.ended, time.monotonic() + KILL_SECONDS)
            said = self._err.decode("utf-8", "replace").strip()
            if said.startswith(NO_PROGRAM):
                return  # the sandbox stood, what was to run in it is not there
            raise StartError(f"{self.handle.failed}: {said}" if said else self.handle.failed)

    def _relay(self, fd: int) -> "_Relay":
        return _Relay(self, fd)

    def _answer(self, line: bytes | None = None, fault: str | None = None, killed: bool = False) -> Answer:
        calls = 0
        if self._listener is not None:
            calls = self._listener.calls
            self._listener.arm(None)
        return Answer(line, fault, killed, calls)

    def _fired(self) -> Answer:
        listener = self._listener
        line, extra = (listener.line, listener.extra) if listener else (None, False)
        faulty = self.fault
        self._confirm_dead()
        self.fault = self.fault or "killed"
        self._out.clear()
        if line is not None and len(line) > self._limits["line"]:
            faulty = "line_too_long"
        elif extra:
            faulty = faulty or "unsolicited_output"
        calls = listener.calls if listener else 0
        return Answer(line, faulty, True, calls)

    def _take_line(self) -> bytes | None:
        at = self._out.find(b"\n", self._scanned)
        if at < 0:
            self._scanned = len(self._out)
            if len(self._out) > self._limits["line"]:
                self.fail("line_too_long")
            return None
        line = bytes(self._out[:at])
        del self._out[: at + 1]
        self._scanned = 0
        if len(line) > self._limits["line"]:
            self.fail("line_too_long")
            return None
        return line

    def _hang_up(self) -> None:
        """Read what the dead have written. No end need come: sockets that nobody holds may still carry the other ends."""
        if not self._lent:
            self.drain()
            self._close(self._pipes.stdout)
            self._pipes.stdout = -1
        while self._pipes.stderr >= 0 and self._read_stderr():
            pass
        self._close(self._pipes.stderr)
        self._pipes.stderr = -1

    def _read_stdout(self) -> bool:
        """Read once; whether more may be there."""
        data = self._read(self._pipes.stdout)
        if data is None:
            return False
        if not data:
            self._close(self._pipes.stdout)
            self._pipes.stdout = -1
            self.sync()
            return False
        self._total += len(data)
        if self.fault is None:
            self._out += data
            if self._total > self._limits["output"]:
                del self._out[self._limits["output"] :]
                self.fail("output_limit")
            elif self._listener is not None and self._total > self._listener.announced:
                self.fail("tamper")
        return True

    def _read_stderr(self) -> bool:
        data = self._read(self._pipes.stderr)
        if data == b"":
            self._close(self._pipes.stderr)
            self._pipes.stderr = -1
            self.sync()
        elif data:
            room = self._limits["stderr"] - len(self._err)
            self._err += data[: max(0, room)]
        return bool(data)

    @staticmethod
    def _read(fd: int) -> bytes | None:
        try:
            return os.read(fd, CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _write_stdin(self) -> None:
        pipes = self._pipes
        try:
            while pipes.todo and not pipes.broken and pipes.stdin >= 0:
                del pipes.todo[: os.write(pipes.stdin, pipes.todo)]
        except BlockingIOError:
            self._loop.watch(pipes.stdin, self._write_stdin, write=True)
            return
        except OSError:
            pipes.broken = True
            pipes.todo.clear()
        self._loop.forget(pipes.stdin)
        if pipes.closing:
            self._close(pipes.stdin)
            pipes.stdin = -1

    def _close(self, fd: int) -> None:
        if fd >= 0:
            self._loop.forget(fd)
            os.close(fd)

    def _drop_listener(self) -> None:
        if self._listener is not None and self.handle.listener is not None:
            self._loop.forget(self.handle.listener[0])

    def _dead(self) -> bool:
        if self.handle.exit is None:
            self.kill_now()
        deadline = time.monotonic() + KILL_SECONDS
        return self._loop.until(lambda: self.ended, deadline)

    def _confirm_dead(self) -> None:
        if not self._dead():
            raise UnconfirmedError
        self.close()


class _Relay:
    """Calls what the handle wants called for a descriptor, then looks at what it wants watched."""

    def __init__(self, session: Session, fd: int) -> None:
        self._session = session
        self._fd = fd

    def __call__(self) -> None:
        callback = self._session.handle.watches().get(self._fd)
        if callback is not None:
            callback()
        self._session.sync()
