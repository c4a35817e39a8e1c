"""The runner's side of one warm process: its outer bubblewrap, its socket, and what it tells of its samples."""

import contextlib
import json
import os
import select
import signal
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from proofyard.sandbox.runner import kernel
from proofyard.sandbox.runner.launcher import StartError, spawn
from proofyard.sandbox.runner.root import Options
from proofyard.sandbox.seccomp import filters
from proofyard.sandbox.zygote.inside import calls, cell, warm, wire, work

__all__ = ["BOOT", "Sample", "WarmProcess"]

READY_SECONDS = 120.0
"""Wall time that the preload may take."""
PRELOAD_CPU_SECONDS = 60
LEAVE_SECONDS, END_SECONDS = 1.0, 5.0
LOOK_MS = 200
FD_ARGS, FD_STATUS, FD_SOCKET = 3, 4, 5
LARGEST_PACKET = 4096
PACKAGES = ("proofyard", "proofyard.sandbox", "proofyard.sandbox.runner", "proofyard.sandbox.seccomp",
            "proofyard.sandbox.zygote", "proofyard.sandbox.zygote.inside")  # fmt: skip
# Read now: after the runner has changed its uid the files may be out of reach.
SOURCES = (kernel, filters, calls, wire, work, cell, warm)
MODULES: list[tuple[str, str | None]] = [
    *((name, None) for name in PACKAGES),
    *((module.__name__, Path(str(module.__file__)).read_text(encoding="utf-8")) for module in SOURCES),
]
BOOT = Path(calls.__file__).with_name("boot.py").read_text(encoding="utf-8")


class Sample(Protocol):
    """What hears of a sample's life."""

    def born(self, pidfd: int) -> None:
        """Its init exists; the descriptor is the receiver's to close."""
        ...

    def reaped(self, cpu_us: int, peak_memory: int) -> None:
        """Its init was reaped, so every process of it is dead."""
        ...


class WarmProcess:
    """One warm process. It is `lost` as soon as anything about it is doubtful; then it is killed and never used again."""

    def __init__(self, bwrap: str, options: Options, command: Sequence[str], config: Mapping[str, Any]) -> None:
        self.lost = False
        self._samples: dict[int, Sample] = {}
        self._serial = 0
        self._errors = os.memfd_create("errors", os.MFD_CLOEXEC)
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._init = self._init_fd = -1
        try:
            self._outer = self._spawn(bwrap, options, [*command, str(FD_SOCKET)], theirs)
        finally:
            theirs.close()
        self._outer_fd = os.pidfd_open(self._outer)
        try:
            self._find_init()
            self.socket.send(
                json.dumps({"modules": MODULES, "config": {**config, "cpu_seconds": PRELOAD_CPU_SECONDS}}).encode()
            )
            self._wait_ready()
        except BaseException:
            self.lost = True
            self.end()
            raise
        self.socket.setblocking(False)

    def _spawn(self, bwrap: str, options: Options, command: Sequence[str], theirs: socket.socket) -> int:
        args = os.memfd_create("args", os.MFD_CLOEXEC)
        os.write(args, options.encoded())
        os.lseek(args, 0, os.SEEK_SET)
        null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        self._status, status = os.pipe2(os.O_CLOEXEC)
        fds = [
            (null, 0),
            (null, 1),
            (self._errors, 2),
            (args, FD_ARGS),
            (status, FD_STATUS),
            (theirs.fileno(), FD_SOCKET),
        ]
        try:
            return spawn(bwrap, ["bwrap", "--args", str(FD_ARGS), "--", *command], {}, fds)
        finally:
            for fd in (args, null, status):
                os.close(fd)

    def _find_init(self) -> None:
        """Take hold of the outer namespace's init, whose death is that of everything inside."""
        line = b""
        while b"\n" not in line:
            if not (data := os.read(self._status, 4096)):
                raise StartError(f"the outer bubblewrap ended: {self.said()}")
            line += data
        self._init = json.loads(line.partition(b"\n")[0])["child-pid"]
        self._init_fd = os.pidfd_open(self._init)

    def _wait_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        parent = os.getppid()
        while time.monotonic() < deadline and os.getppid() == parent:
            if not select.select([self.socket], [], [], LOOK_MS / 1000)[0]:
                continue
            if self.socket.recv(LARGEST_PACKET) != b"ready":
                raise StartError(f"the preload failed: {self.said()}")
            return
        raise StartError("the preload did not end in time")

    def said(self) -> str:
        """The last line it wrote to standard error."""
        text = os.pread(self._errors, 1 << 16, 0).decode("utf-8", "replace").strip()
        return text.splitlines()[-1] if text else "without a word"

    def order(self, sample: Sample, theirs: socket.socket) -> int:
        """Ask for a fork that reads its request from `theirs`; return the sample's number. Raises OSError if it is gone."""
        self._serial += 1
        socket.send_fds(self.socket, [b"f" + self._serial.to_bytes(4, "little")], [theirs.fileno()])
        self._samples[self._serial] = sample
        return self._serial

    def serve(self) -> None:
        """Take what it has to tell; never waits."""
        while not self.lost:
            try:
                data, fds, _, _ = socket.recv_fds(self.socket, LARGEST_PACKET, 1)
            except BlockingIOError:
                return
            except OSError:
                data, fds = b"", []
            if data[:1] == b"p" and fds and (sample := self._samples.get(int.from_bytes(data[1:5], "little"))):
                sample.born(fds[0])
            elif data[:1] == b"r" and len(data) == warm.REAPED.size:
                _, number, _, cpu_us, peak = warm.REAPED.unpack(data)
                if sample := self._samples.pop(number, None):
                    sample.reaped(cpu_us, peak)
            else:
                self.give_up()

    def give_up(self) -> None:
        """Never use it again, and kill it with all that is inside."""
        self.lost = True
        if self._init_fd >= 0 and not self.dead():
            signal.pidfd_send_signal(self._init_fd, signal.SIGKILL)

    def dead(self) -> bool:
        """Whether it and every process inside is known to be dead."""
        return self._init_fd >= 0 and _is_dead(self._init_fd, 0)

    def end(self) -> None:
        """Let it go, or kill it with all that is inside; wait for that and reap.

        It leaves by itself when its socket closes: only so is its CPU counted.

        Raises:
            StartError: it is not dead in five seconds.

        """
        self.socket.close()
        deadline = time.monotonic() + END_SECONDS
        if self.lost or not _is_dead(self._outer_fd, LEAVE_SECONDS):
            self.give_up()
            if self._init_fd < 0 and not _is_dead(self._outer_fd, 0):
                signal.pidfd_send_signal(self._outer_fd, signal.SIGKILL)
        self.lost = True
        for pidfd in (self._init_fd, self._outer_fd):
            if pidfd >= 0 and not _is_dead(pidfd, deadline - time.monotonic()):
                raise StartError("the warm process is still alive five seconds after the kill")
        os.waitpid(self._outer, 0)
        if self._init >= 0:
            with contextlib.suppress(ChildProcessError):  # where bubblewrap reaped it itself
                os.waitpid(self._init, 0)
        for fd in (self._errors, self._status, self._init_fd, self._outer_fd):
            if fd >= 0:
                os.close(fd)


def _is_dead(pidfd: int, seconds: float) -> bool:
    return bool(select.select([pidfd], [], [], max(0.0, seconds))[0])
