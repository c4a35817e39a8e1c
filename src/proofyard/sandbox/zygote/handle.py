"""One sample as the runner sees it: its init, which is killed, and the sample, whose end it waits for."""

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from proofyard.sandbox.runner.frames import receive_descriptors
from proofyard.sandbox.runner.launcher import Exit, exit_of
from proofyard.sandbox.runner.memory import cpu_below, descendants, in_sockets, resident
from proofyard.sandbox.zygote.inside.cell import KINDS
from proofyard.sandbox.zygote.inside.warm import NOT_FORKED
from proofyard.sandbox.zygote.process import WarmProcess

__all__ = ["SampleHandle"]

REAP_SECONDS = 2.0
"""After a kill both processes tell within this time that they reaped what they had forked, or they are in doubt."""


class SampleHandle:
    """Killed through the init's pidfd, which nothing inside can hinder; `exit` is set when init and sample were reaped.

    The init is ordered first; once it has made the namespaces, the sample is ordered into them.
    """

    def __init__(
        self,
        process: WarmProcess,
        init: socket.socket,
        sample: tuple[socket.socket, socket.socket],
        limits: Mapping[str, int],
    ) -> None:
        """init: where the init reports. sample: where the sample reports, and its own end."""
        self.started = False
        self.failed = ""
        self.exit: Exit | None = None
        self.listener: tuple[int, int] | None = None
        self._process = process
        self._channels = {init.fileno(): _Channel(init), sample[0].fileno(): _Channel(sample[0])}
        self._theirs = sample[1]
        self._limits = limits
        self._status: int | None = None
        self._pidfd = self._pid = self._sample_pid = -1
        self._cell_over = self._killed = False
        self._waits = False
        self._cpu_us = self._cpu_seen = self._peak = 0
        self._kill_time = 0.0

    def born(self, pidfd: int) -> None:
        """Take hold of the init; a kill that came before it was known is made good."""
        self._pidfd = pidfd
        self._pid = _pid_of(pidfd)
        if self._killed:
            self.kill()

    def reaped(self, status: int, cpu_us: int, peak_memory: int) -> None:
        """Every process is dead, and those that the init reaped are counted."""
        del status
        self._count(cpu_us, peak_memory)
        self._cell_over = True
        self._settle_if_over()

    def sample_born(self, pidfd: int) -> None:
        """Take down its number, for looks at what it uses."""
        self._sample_pid = _pid_of(pidfd)
        os.close(pidfd)

    def sample_reaped(self, status: int, cpu_us: int, peak_memory: int) -> None:
        """End what the sample has left behind."""
        self._count(cpu_us, peak_memory)
        self._waits = False
        self._sample_pid = -1
        if status != NOT_FORKED:
            self._status = status
        elif not self._killed:
            self.failed = self.failed or "the sample could not be forked"
        self._signal()
        self._settle_if_over()

    def watches(self) -> Mapping[int, Callable[[], None]]:
        """The sockets of both processes, and those of init and sample."""
        if self.exit is not None:
            return {}
        wanted: dict[int, Callable[[], None]] = {}
        if not self._process.lost:
            wanted[self._process.maker.fileno()] = wanted[self._process.warm.fileno()] = self.check
        for fd, channel in self._channels.items():
            if channel.open:
                wanted[fd] = self._listen
        if self._process.lost and self._pidfd >= 0:
            wanted[self._pidfd] = self.check
        return wanted

    def roots(self) -> Sequence[int]:
        """The init and the sample, as the host numbers them."""
        return tuple(pid for pid in (self._pid, self._sample_pid) if pid > 0)

    def resident(self) -> int:
        """Bytes in memory. What is shared with the warm process counts in part, once the plain sum is over the limit."""
        if self._pid < 0 or self.exit is not None:
            return 0
        plain, buffers = sum(map(resident, self.roots())), in_sockets(self._pid)
        if plain + buffers <= self._limits["tree_memory"]:
            return plain + buffers
        return sum(_proportional(pid) for root in self.roots() for pid in descendants(root)) + buffers

    def kill(self) -> None:
        """SIGKILL to the init: the kernel ends all of its namespace with it."""
        if not self._killed:
            self._kill_time = time.monotonic()
        self._killed = True
        if self._pidfd >= 0 and self.exit is None:
            # The kernel does not add up the CPU of what dies with the namespace.
            self._cpu_seen = max(self._cpu_seen, sum(map(cpu_below, self.roots())))
            self._signal()

    def check(self) -> None:
        """Hear both processes; where they are gone, what they forked dies with them and nobody reaps it for us."""
        self._process.serve()
        if self.exit is None and self._killed and time.monotonic() - self._kill_time > REAP_SECONDS:
            self._process.give_up()
        if self.exit is None and self._process.lost:
            self._listen()
            if self._process.dead():
                self.failed = self.failed or (
                    "" if self._killed else f"the warm process was lost: {self._process.said()}"
                )
                self._settle()

    def close(self) -> None:
        """Free the descriptors."""
        for channel in self._channels.values():
            channel.close()
        self._theirs.close()
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1

    def _signal(self) -> None:
        if self._pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):  # reaped already, not yet heard of
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def _count(self, cpu_us: int, peak_memory: int) -> None:
        self._cpu_us += cpu_us
        self._peak = max(self._peak, peak_memory)

    def _settle_if_over(self) -> None:
        if self._cell_over and not self._waits and self.exit is None:
            self._listen()
            self._settle()

    def _settle(self) -> None:
        code, number = (None, int(signal.SIGKILL)) if self._status is None or self._killed else exit_of(self._status)
        if self._status is None and not self.started and not self._killed:
            self.failed = self.failed or "the sample's namespaces could not be made"
        self.exit = Exit(code, number, max(self._cpu_us, self._cpu_seen), self._peak)

    def _listen(self) -> None:
        for channel in self._channels.values():
            for line in channel.take():
                message = json.loads(line)
                self.started = self.started or "started" in message
                self.failed = message.get("failed", self.failed)
                if "built" in message:
                    self._order_sample(channel.fds)
                    channel.fds = []

    def _order_sample(self, spaces: list[int]) -> None:
        try:
            if not self._killed and not self._process.lost:
                self._process.order(self._process.warm, _SampleLife(self), [self._theirs.fileno(), *spaces])
                self._waits = True
        except OSError:
            self._process.give_up()
        finally:
            self._theirs.close()
            for fd in spaces:
                os.close(fd)


class _SampleLife:
    """Hears of the sample itself, for its handle."""

    def __init__(self, handle: SampleHandle) -> None:
        self.born = handle.sample_born
        self.reaped = handle.sample_reaped


class _Channel:
    """Lines, and descriptors, that come from one of the two forks."""

    def __init__(self, sock: socket.socket) -> None:
        self.open = True
        self.fds: list[int] = []
        self._sock = sock
        self._said = b""

    def take(self) -> list[bytes]:
        """Read what is there; the whole lines of it."""
        while self.open:
            try:
                data, fds = receive_descriptors(self._sock, 1 << 16, len(KINDS))
                self.fds += fds
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self.open = False
            self._said += data
        *lines, self._said = self._said.split(b"\n")
        return lines

    def close(self) -> None:
        """Free the descriptors."""
        self.open = False
        self._sock.close()
        for fd in self.fds:
            os.close(fd)
        self.fds = []


def _pid_of(pidfd: int) -> int:
    fd = os.open(f"/proc/self/fdinfo/{pidfd}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        text = os.read(fd, 4096)
    finally:
        os.close(fd)
    return int(text.partition(b"\nPid:")[2].split(None, 1)[0])


def _proportional(pid: int) -> int:
    """Bytes of one process, each page divided by the number of processes that share it; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith(b"Pss:")), 0)
