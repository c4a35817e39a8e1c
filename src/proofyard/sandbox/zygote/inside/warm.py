"""Two processes that fork on the runner's order: one that imports once forks samples, one that loads nothing their inits.

Neither reads what a sample is asked: the request travels over a socket of its own and is read in the fork. So nothing of one
sample is ever in the memory that the next one inherits.
"""

# pathlib is not to be among the modules that every sample finds loaded.
# ruff: noqa: PTH208

import gc
import importlib
import os
import resource
import select
import signal
import socket
import struct
import sys
import types
from abc import ABC, abstractmethod
from typing import Any, NoReturn

from proofyard.sandbox.runner.frames import receive_descriptors
from proofyard.sandbox.runner.kernel import CLONE_NEWNS, CLONE_NEWUSER, MS_PRIVATE, MS_REC, mount, unshare
from proofyard.sandbox.zygote.inside import calls, cell
from proofyard.sandbox.zygote.inside.work import Work, compiled, loaded

__all__ = ["NOT_FORKED", "REAPED", "Doubt", "serve"]

REAPED = struct.Struct("<cIiQQ")
"""Letter `r`, the order's number, wait status, CPU in microseconds, largest resident size in bytes."""
ORDER = 64
"""An order is one packet: `f` and its number, with the fork's socket and, for a sample, its namespaces (see `cell.KINDS`)."""
BLOCK, BYTES_HEAD = 512, 42
"""The largest object that the interpreter keeps in its arenas, and more than what comes with each."""
PINNED = 400
"""One block of so many stays: at least one in each arena, of 256 KiB in older interpreters."""
NOT_FORKED = -1
"""The status of a fork that could not be: most often the sample's init is dead."""


class Doubt(Exception):  # noqa: N818 (a state, not a mistake)
    """The warm process can no longer be trusted to give every sample the same start."""


def serve(runner: socket.socket, maker: socket.socket, config: dict[str, Any]) -> Work:
    """Serve orders until the runner goes; returns only in a sample's own process, with what it is to run.

    runner, maker: where samples and where their inits are ordered.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # the runner ignores them, samples must not
    own_pids = _enter()
    cell.make_template()
    if warm := os.fork():
        runner.close()
        _make_inits(maker, own_pids, warm)
    maker.close()
    pins = _arenas(config["arenas"])
    _preload(config["preload"], config["files"], config["cpu_seconds"])
    pins.clear()
    forker = _Warm(runner, own_pids, {**config, **loaded(), "filter": bytes.fromhex(config["filter"])})
    forker.check()
    gc.collect()
    gc.freeze()
    gc.disable()
    calls.join_maps()
    calls.gather_pages()
    runner.send(b"ready")
    while (work := forker.turn()) is None:
        pass
    return work


def _enter() -> int:
    """Enter own user, mount and pid namespaces; return a descriptor of the pid namespace."""
    uid, gid = os.getuid(), os.getgid()
    unshare(CLONE_NEWUSER | CLONE_NEWNS | calls.CLONE_NEWPID)
    calls.map_own_ids(uid, gid)
    if child := os.fork():
        calls.close_from(3)
        os.waitpid(child, 0)
        os._exit(0)
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    return os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)


def _make_inits(maker: socket.socket, own_pids: int, warm: int) -> NoReturn:
    """Fork inits until the warm process has ended, which is reaped: only so is its CPU counted."""
    forker = _Maker(maker, own_pids)
    forker.poll.register(end := os.pidfd_open(warm), select.POLLIN)
    gc.collect()
    gc.freeze()
    gc.disable()
    calls.join_maps()
    calls.gather_pages()
    while not forker.over and not select.select([end], [], [], 0)[0]:
        forker.turn()
    os.waitpid(warm, 0)
    os._exit(0)


def _arenas(megabytes: int) -> list[bytes]:
    """Objects that keep so much of the interpreter's memory in one piece while they live, for what is loaded meanwhile.

    It would lie scattered between libraries otherwise, where it cannot be gathered into large pages. What is unused when the
    objects go is given back to the kernel.
    """
    blocks = [bytes(BLOCK - BYTES_HEAD) for _ in range((megabytes << 20) // BLOCK)]
    return blocks[::PINNED]


def _preload(names: list[str], files: dict[str, str], cpu_seconds: int) -> None:
    """Import modules by their names, and then from files (path -> content, in hexadecimal digits) that are not here yet."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, hard))
    for name in names:
        importlib.import_module(name)
    for path, digits in files.items():
        name = path.rpartition("/")[2].partition(".")[0]
        module = sys.modules[name] = types.ModuleType(name)
        module.__file__ = path
        exec(compiled(bytes.fromhex(digits), path), vars(module))
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


class _Forker(ABC):
    """Forks on order, tells of each birth and end."""

    def __init__(self, runner: socket.socket, own_pids: int) -> None:
        self.over = False
        self.poll = select.poll()
        self.poll.register(runner, select.POLLIN)
        self._runner = runner
        self._own_pids = own_pids
        self._forks: dict[int, tuple[int, int]] = {}

    def turn(self) -> Work | None:
        """Wait for one event: an order, or the end of a fork."""
        for fd, _ in self.poll.poll():
            if fd in self._forks:
                self._reap(fd)
            elif fd == self._runner.fileno() and (work := self._order()) is not None:
                return work
        return None

    def _reap(self, fd: int) -> None:
        pid, number = self._forks.pop(fd)
        self.poll.unregister(fd)
        os.close(fd)
        _, status, usage = os.wait4(pid, 0)
        cpu = int((usage.ru_utime + usage.ru_stime) * 1_000_000)
        self._runner.send(REAPED.pack(b"r", number, status, cpu, usage.ru_maxrss * 1024))

    def _order(self) -> Work | None:
        data, fds = receive_descriptors(self._runner, ORDER, 1 + len(cell.KINDS))
        if not data:
            self._leave()
            return None
        number = int.from_bytes(data[1:5], "little")
        try:
            pid = self._fork(fds)
        except OSError:
            pid = NOT_FORKED
        if pid == 0:
            self._runner.close()
            return self._inside(fds)
        calls.set_namespace(self._own_pids, calls.CLONE_NEWPID)
        for fd in fds:
            os.close(fd)
        if pid == NOT_FORKED:
            self._runner.send(REAPED.pack(b"r", number, NOT_FORKED, 0, 0))
            return None
        pidfd = os.pidfd_open(pid)
        self._forks[pidfd] = (pid, number)
        self.poll.register(pidfd, select.POLLIN)
        socket.send_fds(self._runner, [b"p" + data[1:5]], [pidfd])
        return None

    def _leave(self) -> None:
        self.poll.unregister(self._runner)
        self.over = True

    @abstractmethod
    def _fork(self, fds: list[int]) -> int:
        """Enter the pid namespace of the fork and fork, as `os.fork` does. Raises OSError."""

    @abstractmethod
    def _inside(self, fds: list[int]) -> Work:
        """What the fork does; returns only in a sample's."""


class _Maker(_Forker):
    def _fork(self, fds: list[int]) -> int:
        del fds
        calls.unshare_pids()
        return os.fork()

    def _inside(self, fds: list[int]) -> Work:
        cell.make(socket.socket(fileno=fds[0]))


class _Warm(_Forker):
    def __init__(self, runner: socket.socket, own_pids: int, config: dict[str, Any]) -> None:
        super().__init__(runner, own_pids)
        self._config = config
        self._threads = os.open("/proc/self/task", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def _leave(self) -> None:
        os._exit(0)

    def _fork(self, fds: list[int]) -> int:
        self.check()
        calls.set_namespace(fds[1], calls.CLONE_NEWPID)
        return os.fork()

    def _inside(self, fds: list[int]) -> Work:
        return cell.enter(socket.socket(fileno=fds[0]), fds[1:], self._config)

    def check(self) -> None:
        """Refuse to fork if a thread runs: a fork would copy locks that nobody releases."""
        if len(os.listdir(self._threads)) != 1:
            raise Doubt("a preloaded module started a thread")
