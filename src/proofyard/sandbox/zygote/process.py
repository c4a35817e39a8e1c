"""The runner's side of one warm process and its maker of inits: their outer bubblewrap, their sockets, what they tell."""

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

from proofyard.sandbox.runner import frames, kernel
from proofyard.sandbox.runner.launcher import StartError, spawn
from proofyard.sandbox.runner.root import Options
from proofyard.sandbox.seccomp import filters
from proofyard.sandbox.zygote.inside import calls, cell, warm, wire, work

__all__ = ["BOOT", "Fork", "WarmProcess"]

READY_SECONDS = 120.0
"""Wall time that the preload may take."""
PRELOAD_CPU_SECONDS = 60
LEAVE_SECONDS, END_SECONDS = 1.0, 5.0
LOOK_MS = 200
FD_ARGS, FD_STATUS, FD_WARM, FD_MAKER, FD_PARCEL = 3, 4, 5, 6, 7
LARGEST_PACKET = 4096
PACKAGES = ("proofyard", "proofyard.sandbox", "proofyard.sandbox.runner", "proofyard.sandbox.seccomp",
            "proofyard.sandbox.zygote", "proofyard.sandbox.zygote.inside")  # fmt: skip
# Read now: after the runner has changed its uid the files may be out of reach.
SOURCES = (frames, kernel, filters, calls, wire, work, cell, warm)
MODULES: list[tuple[str, str | None]] = [
    *((name, None) for name in PACKAGES),
    *((module.__name__, Path(str(module.__file__)).read_text(encoding="utf-8")) for module in SOURCES),
]
BOOT = Path(calls.__file__).with_name("boot.py").read_text(encoding="utf-8")


class Fork(Protocol):
    """What hears of the life of one fork: a sample's init, or the sample."""

    def born(self, pidfd: int) -> None:
        """It exists; the descriptor is the receiver's to close."""
        ...

    def reaped(self, status: int, cpu_us: int, peak_memory: int) -> None:
        """It was reaped (with an init: every process of its namespace). status: as of wait(2), NOT_FORKED if it never was."""
        ...


class WarmProcess:
    """One warm process. It is `lost` as soon as anything about it is doubtful; then it is killed and never used again."""

    def __init__(self, bwrap: str, options: Options, command: Sequence[str], config: Mapping[str, Any]) -> None:
        self.lost = False
        self._forks: dict[int, Fork] = {}
        self._serial = 0
        self._errors = os.memfd_create("errors", os.MFD_CLOEXEC)
        self.warm, warm_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.maker, maker_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._init = self._init_fd = -1
        parcel = _filled(
            "parcel",
            json.dumps({"modules": MODULES, "config": {**config, "cpu_seconds": PRELOAD_CPU_SECONDS}}).encode(),
        )
        try:
            with warm_end, maker_end:
                ends = [(warm_end.fileno(), FD_WARM), (maker_end.fileno(), FD_MAKER), (parcel, FD_PARCEL)]
                self._outer = self._spawn(bwrap, options, [*command, *(str(inside) for _, inside in ends)], ends)
        finally:
            os.close(parcel)
        self._outer_fd = os.pidfd_open(self._outer)
        try:
            self._find_init()
            self._wait_ready()
        except BaseException:
            self.lost = True
            self.end()
            raise
        self._told = select.poll()
        for sock in (self.warm, self.maker):
            sock.setblocking(False)
            self._told.register(sock, select.POLLIN)

    def _spawn(self, bwrap: str, options: Options, command: Sequence[str], ends: Sequence[tuple[int, int]]) -> int:
        args = _filled("args", options.encoded())
        null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        self._status, status = os.pipe2(os.O_CLOEXEC)
        fds = [
            (null, 0),
            (null, 1),
            (self._errors, 2),
            (args, FD_ARGS),
            (status, FD_STATUS),
            *ends,
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
            if not select.select([self.warm], [], [], LOOK_MS / 1000)[0]:
                continue
            if self.warm.recv(LARGEST_PACKET) != b"ready":
                raise StartError(f"the preload failed: {self.said()}")
            return
        raise StartError("the preload did not end in time")

    def said(self) -> str:
        """The last line it wrote to standard error."""
        text = os.pread(self._errors, 1 << 16, 0).decode("utf-8", "replace").strip()
        return text.splitlines()[-1] if text else "without a word"

    def order(self, which: socket.socket, fork: Fork, fds: Sequence[int]) -> None:
        """Ask `warm` or `maker` for a fork that reads its request from the first of `fds`. Raises OSError if it is gone."""
        self._serial += 1
        socket.send_fds(which, [b"f" + self._serial.to_bytes(4, "little")], fds)
        self._forks[self._serial] = fork

    def serve(self) -> None:
        """Take what they have to tell; never waits."""
        while not self.lost and (told := self._told.poll(0)):
            fd, _ = told[0]
            self._take(self.warm if fd == self.warm.fileno() else self.maker)

    def _take(self, sock: socket.socket) -> None:
        """Take one packet that is there."""
        try:
            data, fds = frames.receive_descriptors(sock, LARGEST_PACKET, 1)
        except OSError:
            data, fds = b"", []
        if data[:1] == b"p" and fds and (fork := self._forks.get(int.from_bytes(data[1:5], "little"))):
            fork.born(fds[0])
        elif data[:1] == b"r" and len(data) == warm.REAPED.size:
            _, number, status, cpu_us, peak = warm.REAPED.unpack(data)
            if fork := self._forks.pop(number, None):
                fork.reaped(status, cpu_us, peak)
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

        It leaves by itself when its sockets close: only so is its CPU counted.

        Raises:
            StartError: it is not dead in five seconds.

        """
        self.warm.close()
        self.maker.close()
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


def _filled(name: str, data: bytes) -> int:
    """A descriptor of memory with this content, to be read from its beginning."""
    fd = os.memfd_create(name, os.MFD_CLOEXEC)
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _is_dead(pidfd: int, seconds: float) -> bool:
    return bool(select.select([pidfd], [], [], max(0.0, seconds))[0])
