"""One sample as the runner sees it: the pidfd of its init and the socket on which the init reports."""

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from proofyard.sandbox.runner.launcher import Exit, exit_of
from proofyard.sandbox.runner.memory import cpu_below, descendants, in_sockets, resident
from proofyard.sandbox.zygote.process import WarmProcess

__all__ = ["SampleHandle"]

REAP_SECONDS = 2.0
"""After a kill the warm process tells within this time that it reaped the init, or it is in doubt."""


class SampleHandle:
    """Killed through the pidfd, which the warm process cannot hinder; `exit` is set when the init was reaped."""

    def __init__(self, process: WarmProcess, channel: socket.socket, limits: Mapping[str, int]) -> None:
        self.started = False
        self.failed = ""
        self.exit: Exit | None = None
        self.listener: tuple[int, int] | None = None
        self._process = process
        self._channel = channel
        self._open = True
        self._limits = limits
        self._said = b""
        self._status: int | None = None
        self._pidfd = self._pid = -1
        self._killed = False
        self._cpu_seen = 0
        self._kill_time = 0.0

    def born(self, pidfd: int) -> None:
        """Take hold of the init; a kill that came before it was known is made good."""
        self._pidfd = pidfd
        self._pid = _pid_of(pidfd)
        if self._killed:
            self.kill()

    def reaped(self, cpu_us: int, peak_memory: int) -> None:
        """Every process is dead and counted."""
        self._listen()
        self._settle(max(cpu_us, self._cpu_seen), peak_memory)

    def watches(self) -> Mapping[int, Callable[[], None]]:
        """The warm process's socket and the init's."""
        if self.exit is not None:
            return {}
        wanted: dict[int, Callable[[], None]] = {}
        if not self._process.lost:
            wanted[self._process.socket.fileno()] = self.check
        if self._open:
            wanted[self._channel.fileno()] = self._listen
        if self._process.lost and self._pidfd >= 0:
            wanted[self._pidfd] = self.check
        return wanted

    def roots(self) -> Sequence[int]:
        """The init, as the host numbers it."""
        return (self._pid,) if self._pid > 0 else ()

    def resident(self) -> int:
        """Bytes in memory. What is shared with the warm process counts in part, once the plain sum is over the limit."""
        if self._pid < 0 or self.exit is not None:
            return 0
        plain, buffers = resident(self._pid), in_sockets(self._pid)
        if plain + buffers <= self._limits["tree_memory"]:
            return plain + buffers
        return sum(map(_proportional, descendants(self._pid))) + buffers

    def kill(self) -> None:
        """SIGKILL to the init: the kernel ends all of its namespace with it."""
        if not self._killed:
            self._kill_time = time.monotonic()
        self._killed = True
        if self._pidfd >= 0 and self.exit is None:
            # The kernel does not add up the CPU of what dies with the namespace.
            self._cpu_seen = max(self._cpu_seen, cpu_below(self._pid))
            with contextlib.suppress(ProcessLookupError):  # reaped already, not yet heard of
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def check(self) -> None:
        """Hear the warm process; where it is gone, its samples die with it and nobody reaps them for us."""
        self._process.serve()
        if self.exit is None and self._killed and time.monotonic() - self._kill_time > REAP_SECONDS:
            self._process.give_up()
        if self.exit is None and self._process.lost:
            self._listen()
            if self._process.dead():
                self.failed = self.failed or (
                    "" if self._killed else f"the warm process was lost: {self._process.said()}"
                )
                self._settle(self._cpu_seen, 0)

    def close(self) -> None:
        """Free the descriptors."""
        self._channel.close()
        self._open = False
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1

    def _settle(self, cpu_us: int, peak_memory: int) -> None:
        code, number = (None, int(signal.SIGKILL)) if self._status is None or self._killed else exit_of(self._status)
        if self._status is None and not self.started and not self._killed:
            self.failed = self.failed or "the sample's namespaces could not be made"
        self.exit = Exit(code, number, cpu_us, peak_memory)

    def _listen(self) -> None:
        while self._open:
            try:
                data = self._channel.recv(1 << 16)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self._open = False
            self._said += data
        *lines, self._said = self._said.split(b"\n")
        for line in lines:
            message = json.loads(line)
            self.started = self.started or "started" in message
            self._status = message.get("status", self._status)
            self.failed = message.get("failed", self.failed)


def _pid_of(pidfd: int) -> int:
    lines = Path(f"/proc/self/fdinfo/{pidfd}").read_bytes().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(b"Pid:"))


def _proportional(pid: int) -> int:
    """Bytes of one process, each page divided by the number of processes that share it; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith(b"Pss:")), 0)
