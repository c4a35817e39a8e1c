"""The warm process: imports once, then forks a sample's init whenever the runner hands it a socket.

It never reads what a sample is asked: the request travels over that socket and is read in the fork. So nothing of one
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
from typing import Any

from proofyard.sandbox.runner.kernel import CLONE_NEWNS, CLONE_NEWUSER, MS_PRIVATE, MS_REC, mount, unshare
from proofyard.sandbox.zygote.inside import calls, cell
from proofyard.sandbox.zygote.inside.work import Work, loaded

__all__ = ["REAPED", "Doubt", "serve"]

REAPED = struct.Struct("<cIiQQ")
"""Letter `r`, the sample's number, wait status, CPU in microseconds, largest resident size in bytes."""
ORDER = 64
"""An order is one packet: `f` and the number of the sample, with the sample's socket."""


class Doubt(Exception):  # noqa: N818 (a state, not a mistake)
    """The warm process can no longer be trusted to give every sample the same start."""


def serve(runner: socket.socket, config: dict[str, Any]) -> Work:
    """Serve orders until the runner goes; returns only in a sample's own process, with what it is to run."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # the runner ignores them, samples must not
    own_pids = _enter()
    cell.make_template()
    _preload(config["preload"], config["cpu_seconds"])
    warm = _Warm(runner, own_pids, {**config, **loaded()})
    warm.check()
    gc.collect()
    gc.freeze()
    gc.disable()
    calls.gather_pages()
    runner.send(b"ready")
    while (work := warm.turn()) is None:
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


def _preload(names: list[str], cpu_seconds: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, hard))
    for name in names:
        importlib.import_module(name)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


class _Warm:
    def __init__(self, runner: socket.socket, own_pids: int, config: dict[str, Any]) -> None:
        self._runner = runner
        self._own_pids = own_pids
        self._config = config
        self._poll = select.poll()
        self._poll.register(runner, select.POLLIN)
        self._samples: dict[int, tuple[int, int]] = {}
        self._threads = os.open("/proc/self/task", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def turn(self) -> Work | None:
        """Wait for one event: an order, or the end of a sample."""
        for fd, _ in self._poll.poll():
            if fd in self._samples:
                self._reap(fd)
            elif (work := self._order()) is not None:
                return work
        return None

    def _reap(self, fd: int) -> None:
        pid, number = self._samples.pop(fd)
        self._poll.unregister(fd)
        os.close(fd)
        _, status, usage = os.wait4(pid, 0)
        cpu = int((usage.ru_utime + usage.ru_stime) * 1_000_000)
        self._runner.send(REAPED.pack(b"r", number, status, cpu, usage.ru_maxrss * 1024))

    def _order(self) -> Work | None:
        data, fds, _, _ = socket.recv_fds(self._runner, ORDER, 1)
        if not data:
            os._exit(0)
        number = int.from_bytes(data[1:5], "little")
        self.check()
        calls.unshare_pids()
        pid = os.fork()
        if pid == 0:
            self._runner.close()
            return cell.enter(socket.socket(fileno=fds[0]), self._config)
        calls.set_namespace(self._own_pids, calls.CLONE_NEWPID)
        os.close(fds[0])
        pidfd = os.pidfd_open(pid)
        self._samples[pidfd] = (pid, number)
        self._poll.register(pidfd, select.POLLIN)
        socket.send_fds(self._runner, [b"p" + data[1:5]], [pidfd])
        return None

    def check(self) -> None:
        """Refuse to fork if a thread runs: a fork would copy locks that nobody releases."""
        if len(os.listdir(self._threads)) != 1:
            raise Doubt("a preloaded module started a thread")
