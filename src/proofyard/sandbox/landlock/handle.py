"""One program on the Landlock rung as the runner sees it: its keeper, and a watch over the storage."""

import contextlib
import json
import os
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence

from proofyard.sandbox.landlock import keeper
from proofyard.sandbox.runner.launcher import Exit, exit_of
from proofyard.sandbox.runner.memory import children, descendants, in_descriptors, resident

__all__ = ["KeptHandle", "Storage"]

BLOCK = 512
LOOK_EVERY = 4
"""Ticks between two looks at storage that must be walked through."""


class Storage:
    """What a sandbox has stored, against its limits: the file system itself does not stop a program on this rung.

    mounted: the folder lies on a tmpfs that holds nothing else but this sandbox. Only that also shows files which are
    open but have no name any more.
    """

    def __init__(self, base: str, size: int, inodes: int, *, mounted: bool) -> None:
        self._base = base
        self._size = size
        self._inodes = inodes
        self._mounted = mounted
        self._ticks = 0
        self._before = self._measure() if mounted else (0, 0)

    def is_full(self) -> bool:
        """Called every tick: whether more is stored than the limits allow."""
        self._ticks += 1
        if not self._mounted and self._ticks % LOOK_EVERY:
            return False
        size, inodes = self._measure() if self._mounted else self._walk()
        return size - self._before[0] > self._size or inodes - self._before[1] > self._inodes

    def _measure(self) -> tuple[int, int]:
        info = os.statvfs(self._base)
        return (info.f_blocks - info.f_bfree) * info.f_frsize, info.f_files - info.f_ffree

    def _walk(self) -> tuple[int, int]:
        size = inodes = 0
        for folder, _, names in os.walk(self._base):
            inodes += 1 + len(names)
            for name in names:
                try:
                    size += os.lstat(f"{folder}/{name}").st_blocks * BLOCK
                except OSError:
                    continue
            if size > self._size or inodes > self._inodes:
                break
        return size, inodes


class KeptHandle:
    """The death of the keeper is that of the program and all it started: the keeper ends only when nothing is left."""

    def __init__(self, pid: int, report: int, storage: "Storage", scratch: str) -> None:
        self.started = True
        self.failed = ""
        self.exit: Exit | None = None
        self.listener: tuple[int, int] | None = None
        self._pid = pid
        self._pidfd = os.pidfd_open(pid)
        self._report = report
        self._storage = storage
        self._scratch = scratch
        self._killed = False
        self._status: int | None = None
        self._cpu_us = self._peak = 0
        _keepers.add(pid)

    def watches(self) -> Mapping[int, Callable[[], None]]:
        """The death of the keeper."""
        return {self._pidfd: self._reap} if self.exit is None else {}

    def roots(self) -> Sequence[int]:
        """The keeper's children."""
        return (self._pid,) if self.exit is None else ()

    def resident(self) -> int:
        """Bytes in memory, shared pages counted in each process, and in the kernel's buffers."""
        return sum(resident(root) + in_descriptors(root) for root in self.roots())

    def kill(self) -> None:
        """Tell the keeper to sweep."""
        self._killed = True
        if self.exit is None:
            with contextlib.suppress(ProcessLookupError):  # reaped already
                signal.pidfd_send_signal(self._pidfd, keeper.STOP)

    def check(self) -> None:
        """Reap the keeper if it is gone; otherwise look after the storage."""
        self._reap()
        if self.exit is None and not self._killed and self._storage.is_full():
            self.kill()

    def close(self) -> None:
        """Free the descriptors and the scratch folder."""
        for fd in (self._pidfd, self._report):
            if fd >= 0:
                os.close(fd)
        self._pidfd = self._report = -1
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _reap(self) -> None:
        """Take the keeper's end. One that died without a report was killed itself: what it kept is the runner's now."""
        if self.exit is not None or not self._keeper_is_gone():
            return
        if self._status is None:
            self.failed = self.failed or "the keeper of the program died"
            if _orphans():
                return
        ended = (None, int(signal.SIGKILL)) if self._status is None or self._killed else exit_of(self._status)
        self.exit = Exit(*ended, self._cpu_us, self._peak)

    def _keeper_is_gone(self) -> bool:
        if self._pid not in _keepers:
            return True
        pid, _, used = os.wait4(self._pid, os.WNOHANG)
        if pid == 0:
            return False
        _keepers.discard(pid)
        self._cpu_us = int((used.ru_utime + used.ru_stime) * 1_000_000)
        self._peak = used.ru_maxrss * 1024
        if data := os.read(self._report, 4096):
            self._status = json.loads(data)["status"]
        return True


_keepers: set[int] = set()


def _orphans() -> bool:
    """Kill and reap the runner's children that are no keepers; whether any is left."""
    left = False
    for child in set(children(os.getpid())) - _keepers:
        for pid in descendants(child):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        left = left or os.waitpid(child, os.WNOHANG)[0] == 0
    return left or bool(set(children(os.getpid())) - _keepers)
