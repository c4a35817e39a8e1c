"""Rung 4: a plain process with rlimits, in a folder of its own. It isolates nothing; the user must have asked for it."""

import contextlib
import os
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from proofyard.sandbox.runner.bubblewrap import limit_process
from proofyard.sandbox.runner.launcher import Box, Exit, Program, exit_of, spawn
from proofyard.sandbox.runner.memory import children, descendants, resident
from proofyard.sandbox.runner.root import FIXED_ENVIRONMENT, interpreter_argv
from proofyard.sandbox.runner.setup import Layout

__all__ = ["PlainLauncher", "SweptHandle", "inside_to_host"]

GO = 'read -r _ <&3; exec 3<&-; cd "$1" || exit 126; shift; exec "$@"'


def inside_to_host(box: Box, word: str) -> str:
    """A path of the sandbox as the runner sees it, for rungs without a file system of their own; other words unchanged."""
    for place in sorted(box.places, key=lambda place: -len(place.inside)):
        if word == place.inside or word.startswith(place.inside + "/"):
            return place.source + word[len(place.inside) :]
    return word


class PlainLauncher:
    """Starts plain processes."""

    rung = "none"

    def __init__(self, config: Mapping[str, Any], layout: Layout) -> None:
        self._config = config
        self._layout = layout
        self._serial = 0

    def make_base(self, limits: Mapping[str, int]) -> str:
        """Make a folder; this rung has no quota but the size of a file in `limits`, set on each program."""
        del limits
        self._serial += 1
        folder = Path(self._layout.box, f"b{self._serial}")
        folder.mkdir()
        return str(folder)

    def open(self, box: Box) -> None:
        """Nothing to do before the first start."""

    def start(self, box: Box, program: Program) -> "SweptHandle":
        """Start one program, held until its limits are set."""
        argv, env = self._command(box, program)
        cwd = inside_to_host(box, program.cwd or box.image["workdir"])
        if not Path(cwd).is_dir():
            cwd = box.base
        gate, hold = os.pipe2(os.O_CLOEXEC)
        try:
            fds = [(program.stdin, 0), (program.stdout, 1), (program.stderr, 2), (gate, 3)]
            pid = spawn("/bin/sh", ["sh", "-c", GO, "sh", cwd, *argv], env, fds)
            limit_process(pid, box.limits, extra_pids=_others())
            os.write(hold, b"\n")
        finally:
            os.close(gate)
            os.close(hold)
        return SweptHandle(pid)

    def leave(self) -> None:
        """Remove the runner's folder on the host, if it has one."""
        if not self._layout.mounts:
            shutil.rmtree(Path(self._layout.box).parent, ignore_errors=True)

    def _command(self, box: Box, program: Program) -> tuple[list[str], dict[str, str]]:
        python = self._layout.python or self._config["python"]
        env = {**FIXED_ENVIRONMENT, "PATH": os.defpath, "HOME": box.base, "TMPDIR": box.base}
        if self._config["shared"]:
            env["LD_LIBRARY_PATH"] = f"{python}/lib"
        if self._layout.packages:
            env["PYTHONPATH"] = self._layout.packages
        env.update(box.image["environment"])
        env.update(program.env)
        argv = interpreter_argv(self._config, program.argv, bool(self._layout.packages))
        if python:
            argv[0] = argv[0].replace("/opt/python", python, 1)
        return [inside_to_host(box, word) for word in argv], env

    def close(self, box: Box) -> None:
        """Remove the storage."""
        shutil.rmtree(box.base, ignore_errors=True)


class SweptHandle:
    """A program without a namespace: everything that descends from the runner is its, and is swept away.

    When the first process ends, what it left behind is killed, as the end of a namespace would.
    """

    def __init__(self, pid: int) -> None:
        self.started = True
        self.failed = ""
        self.exit: Exit | None = None
        self.listener: tuple[int, int] | None = None
        self._pid = pid
        self._fd = os.pidfd_open(pid)
        self._status: int | None = None
        self._cpu_us = self._peak = 0

    def watches(self) -> Mapping[int, Callable[[], None]]:
        """The death of the first process."""
        return {self._fd: self.check} if self._fd >= 0 else {}

    def roots(self) -> Sequence[int]:
        """The children of the runner."""
        return children(os.getpid())

    def resident(self) -> int:
        """Bytes in memory, shared pages counted in each process."""
        return sum(map(resident, self.roots()))

    def kill(self) -> None:
        """SIGKILL to all descendants, again and again until a look finds none."""
        own = os.getpid()
        for pid in descendants(own):
            if pid != own:
                _send_kill(pid)

    def check(self) -> None:
        """Reap; once the first process is gone, sweep the rest."""
        while self.exit is None:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                code, number = exit_of(self._status or 0)
                self.exit = Exit(code, number, self._cpu_us, self._peak)
                self._forget()
                return
            if pid == 0:
                if self._status is not None:
                    self.kill()
                return
            self._cpu_us += int((used.ru_utime + used.ru_stime) * 1_000_000)
            self._peak = max(self._peak, used.ru_maxrss * 1024)
            if pid == self._pid:
                self._status = status
                self._forget()
                self.kill()

    def close(self) -> None:
        """Free the descriptor."""
        self._forget()

    def _forget(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _send_kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _others() -> int:
    """Threads the uid has already: without a user namespace they count against the same limit."""
    own = os.getuid()
    count = 0
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and folder.stat().st_uid == own:
                count += sum(1 for _ in (folder / "task").iterdir())
    return count
