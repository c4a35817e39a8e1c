"""Rung 1: every program in its own bubblewrap, started unprivileged inside the runner's user namespace."""

import contextlib
import json
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from proofyard.sandbox.runner import kernel
from proofyard.sandbox.runner.launcher import Box, Exit, Program, StartError, exit_of, spawn
from proofyard.sandbox.runner.listener import filter_program
from proofyard.sandbox.runner.memory import cpu_below, in_sockets, resident
from proofyard.sandbox.runner.root import Options, Root, environment, interpreter_argv, mount_tmpfs
from proofyard.sandbox.runner.setup import Layout

__all__ = ["BubblewrapHandle", "BubblewrapLauncher", "limit_process"]

FD_ARGS, FD_STATUS, FD_BLOCK, FD_SECCOMP = 3, 4, 5, 6
SIGNAL_BASE = 128
OPTIONS = (
    "--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent", "--new-session", "--uid", "1000",
    "--gid", "1000", "--hostname", "sandbox", "--json-status-fd", str(FD_STATUS), "--block-fd", str(FD_BLOCK),
    "--seccomp", str(FD_SECCOMP),
)  # fmt: skip


LIMITED = (
    resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU,
    resource.RLIMIT_CORE, resource.RLIMIT_MSGQUEUE, resource.RLIMIT_MEMLOCK,
)  # fmt: skip
OWN_HARD = {what: hard if (hard := resource.getrlimit(what)[1]) >= 0 else sys.maxsize for what in LIMITED}
"""The runner's own hard limits, above which it can set none."""


def limit_process(pid: int, limits: Mapping[str, int], extra_pids: int = 0) -> None:
    """Set the rlimits of a process that has not begun: soft and hard alike, so that it cannot raise them."""
    cpu = max(1, -(-limits["cpu_ms"] // 1000))
    for what, soft, hard in (
        (resource.RLIMIT_AS, limits["memory"], limits["memory"]),
        (resource.RLIMIT_NPROC, limits["pids"] + extra_pids, limits["pids"] + extra_pids),
        (resource.RLIMIT_NOFILE, limits["files"], limits["files"]),
        (resource.RLIMIT_FSIZE, limits["file_size"], limits["file_size"]),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        (resource.RLIMIT_MEMLOCK, 0, 0),
    ):
        allowed = OWN_HARD[what]
        resource.prlimit(pid, what, (min(soft, allowed), min(hard, allowed)))


class BubblewrapLauncher:
    """Makes bubblewrap sandboxes. A box's storage is one tmpfs with a byte and an inode quota."""

    rung = "bubblewrap"

    def __init__(self, config: Mapping[str, Any], layout: Layout, filter_bytes: bytes) -> None:
        self._config = config
        self._layout = layout
        self._serial = self._live = 0
        self._top = f"{layout.box}/root"
        self._root = Root(self._top, config, layout)
        self._filter = os.memfd_create("filter", os.MFD_CLOEXEC)
        os.write(self._filter, filter_bytes)
        self._armed_filter = filter_program(os.uname().machine)

    def make_base(self, limits: Mapping[str, int]) -> str:
        """Mount the storage of one sandbox."""
        self._serial += 1
        folder = f"{self._layout.box}/b{self._serial}"
        os.mkdir(folder)  # noqa: PTH102 - at every open
        mount_tmpfs(folder, limits)
        return folder

    def open(self, box: Box) -> None:
        """Mount what the box adds to the root."""
        self._root.open(box)

    def start(self, box: Box, program: Program) -> "BubblewrapHandle":
        """Start one program in a fresh bubblewrap with a fresh `/tmp` and `/dev/shm`."""
        self._root.freshen(box.limits, alone=self._live == 0)
        handle = BubblewrapHandle(self, box, program)
        self._live += 1
        return handle

    def ended(self) -> None:
        """One program is gone."""
        self._live -= 1

    def close(self, box: Box) -> None:
        """Unmount what the box added, and the storage."""
        self._root.close()
        kernel.umount(box.base)
        os.rmdir(box.base)  # noqa: PTH106 - at every close

    def command(self, box: Box, program: Program) -> tuple[bytes, list[str]]:
        """Options as `--args` reads them, and the command that follows."""
        options = Options()
        options.add(*OPTIONS, "--dev-bind", self._top, "/", "--proc", "/proc")
        for name, value in environment(self._config, box, program).items():
            options.add("--setenv", name, value)
        options.add("--chdir", program.cwd or box.image["workdir"])
        argv = interpreter_argv(self._config, program.argv, bool(self._config["packages"]))
        return options.encoded(), argv

    def launch(self, argv: Sequence[str], fds: Sequence[tuple[int, int]]) -> int:
        """Start bubblewrap itself, with an empty environment."""
        again = os.open(f"/proc/self/fd/{self._filter}", os.O_RDONLY | os.O_CLOEXEC)  # with a position of its own
        try:
            return spawn(self._config["bwrap"], argv, {}, _apart([*fds, (again, FD_SECCOMP)]))
        finally:
            os.close(again)

    def launch_armed(
        self, argv: Sequence[str], fds: Sequence[tuple[int, int]], over: threading.Event
    ) -> tuple[int, int]:
        """Start it from a thread that carries the notification filter; return its pid and the listener.

        The thread lives until `over`: bubblewrap dies with the thread that started it, not with the process.
        """
        result: list[int | BaseException] = []
        ready = threading.Event()

        def carry() -> None:
            try:
                kernel.set_no_new_privs()
                listener = kernel.seccomp_listener(self._armed_filter)
                result.extend((self.launch(argv, fds), listener))
            except BaseException as error:
                result.append(error)
            ready.set()
            over.wait()

        threading.Thread(target=carry, daemon=True).start()
        ready.wait()
        if isinstance(result[-1], BaseException):
            over.set()
            raise StartError(f"no notification filter: {result[-1]}")
        pid, listener = (item for item in result if isinstance(item, int))
        return pid, listener


def _apart(fds: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Check that no duplication overwrites a descriptor still to be duplicated (ours are all above the targets)."""
    top = max(its for _, its in fds)
    for ours, _ in fds:
        if ours <= top:
            raise StartError(f"descriptor {ours} is too low to be handed over")
    return list(fds)


class BubblewrapHandle:
    """One program in one bubblewrap: the outer process, the namespace's init, and all below it."""

    def __init__(self, launcher: BubblewrapLauncher, box: Box, program: Program) -> None:
        self.started = False
        self.failed = ""
        self.exit: Exit | None = None
        self.listener: tuple[int, int] | None = None
        self._launcher = launcher
        self._limits = box.limits
        self._over = threading.Event()
        self._init = self._init_fd = -1
        self._status = b""
        self._code: int | None = None
        self._killed = False
        self._cpu_us = self._peak = 0
        self._outer_status: int | None = None
        self._status_fd = self._block = self._outer_fd = -1
        self._spawn(box, program)

    def _spawn(self, box: Box, program: Program) -> None:
        options, argv = self._launcher.command(box, program)
        args = os.memfd_create("args", os.MFD_CLOEXEC)
        os.write(args, options)
        os.lseek(args, 0, os.SEEK_SET)
        self._status_fd, status = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        block, self._block = os.pipe2(os.O_CLOEXEC)
        fds = [
            (program.stdin, 0), (program.stdout, 1), (program.stderr, 2), (args, FD_ARGS), (status, FD_STATUS),
            (block, FD_BLOCK),
        ]  # fmt: skip
        command = ["bwrap", "--args", str(FD_ARGS), "--", *argv]
        try:
            if box.armed:
                self._outer, listener = self._launcher.launch_armed(command, fds, self._over)
                self.listener = (listener, self._outer)
            else:
                self._outer = self._launcher.launch(command, fds)
        except (OSError, StartError):
            self._over.set()
            os.close(self._status_fd)
            os.close(self._block)
            raise
        finally:
            for fd in (args, status, block):
                os.close(fd)
        self._outer_fd = os.pidfd_open(self._outer)

    def watches(self) -> Mapping[int, Callable[[], None]]:
        """The status pipe, and the deaths of the outer process and of the namespace's init."""
        wanted: dict[int, Callable[[], None]] = {}
        if self._status_fd >= 0:
            wanted[self._status_fd] = self._read_status
        if self._outer_fd >= 0:
            wanted[self._outer_fd] = self.check
        elif self._init_fd >= 0:
            wanted[self._init_fd] = self.check
        return wanted

    def roots(self) -> Sequence[int]:
        """The namespace's init, as the host numbers it."""
        return (self._init,) if self._init > 0 else ()

    def resident(self) -> int:
        """Bytes in memory, shared pages counted in each process, and in the kernel's buffers."""
        return sum(resident(root) + in_sockets(root) for root in self.roots())

    def kill(self) -> None:
        """SIGKILL to the namespace's init: the kernel ends all of the namespace with it."""
        if not self._killed and self._init > 0:
            self._cpu_us += cpu_below(self._init)  # the kernel reaps what dies with its namespace, and forgets its CPU
        self._killed = True
        target = self._init_fd if self._init_fd >= 0 else self._outer_fd
        if target >= 0:
            with contextlib.suppress(ProcessLookupError):  # dead already, not yet seen so
                signal.pidfd_send_signal(target, signal.SIGKILL)

    def check(self) -> None:
        """Reap the outer process, then the init, which by then is either reaped by it or our own child."""
        if self.exit is not None:
            return
        if self._outer_fd >= 0:
            pid, status, used = os.wait4(self._outer, os.WNOHANG)
            if pid == 0:
                return
            self._count(used)
            self._outer_status = status
            os.close(self._outer_fd)
            self._outer_fd = -1
            self._read_status()
        if self._init > 0 and not self._init_gone():
            return
        self._settle()

    def close(self) -> None:
        """Free descriptors and the scratch storage, let the carrying thread end."""
        self._over.set()
        for fd in (self._status_fd, self._block, self._init_fd, self._outer_fd):
            if fd >= 0:
                os.close(fd)
        self._status_fd = self._block = self._init_fd = self._outer_fd = -1
        if self.listener is not None:
            os.close(self.listener[0])
            self.listener = None
        self._launcher.ended()

    def _init_gone(self) -> bool:
        try:
            pid, _, used = os.wait4(self._init, os.WNOHANG)
        except ChildProcessError:
            return True
        if pid == 0:
            return False
        self._count(used)
        return True

    def _settle(self) -> None:
        code, number = exit_of(self._outer_status or 0)
        if self._killed:
            code, number = None, int(signal.SIGKILL)
        elif self._code is None:
            self.failed = "bubblewrap could not set the sandbox up"
        elif self._code > SIGNAL_BASE and self._code - SIGNAL_BASE in set(signal.Signals):
            code, number = None, self._code - SIGNAL_BASE
        else:
            code, number = self._code, None
        self.exit = Exit(code, number, self._cpu_us, self._peak)

    def _count(self, used: resource.struct_rusage) -> None:
        self._cpu_us += int((used.ru_utime + used.ru_stime) * 1_000_000)
        self._peak = max(self._peak, used.ru_maxrss * 1024)

    def _read_status(self) -> None:
        if self._status_fd < 0:
            return
        try:
            data = os.read(self._status_fd, 4096)
        except BlockingIOError:
            return
        self._status += data
        if not data:
            os.close(self._status_fd)
            self._status_fd = -1
        *lines, self._status = self._status.split(b"\n")
        for line in lines:
            self._take_status(json.loads(line))

    def _take_status(self, status: Mapping[str, int]) -> None:
        if "child-pid" in status and not self.started:
            self._init = status["child-pid"]
            self._init_fd = os.pidfd_open(self._init)
            if self._killed or self._outer_fd < 0:
                signal.pidfd_send_signal(self._init_fd, signal.SIGKILL)  # it waits for an outer process that is dead
                return
            limit_process(self._init, self._limits, extra_pids=1)
            os.write(self._block, b"x")
            self.started = True
        if "exit-code" in status:
            self._code = status["exit-code"]
