"""Rung 3 for the runner: programs without namespaces, held by Landlock, two seccomp filters and limits.

There is no file system of its own: the sandbox's folders lie in the runner's storage, and the absolute paths of the
specification in argv, environment and working folder are replaced by where they really are.
"""

import errno
import os
import select
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from proofyard.sandbox.landlock import keeper
from proofyard.sandbox.landlock.extra_filter import extra_filter
from proofyard.sandbox.landlock.grants import DEVICES, machine_grants
from proofyard.sandbox.landlock.handle import KeptHandle, Storage
from proofyard.sandbox.landlock.ruleset import create, enforce
from proofyard.sandbox.runner.bubblewrap import limit_process
from proofyard.sandbox.runner.kernel import close_on_exec_from
from proofyard.sandbox.runner.launcher import Box, Program, StartError
from proofyard.sandbox.runner.plain import inside_to_host
from proofyard.sandbox.runner.root import FIXED_ENVIRONMENT
from proofyard.sandbox.runner.setup import Layout
from proofyard.sandbox.seccomp.filters import load_filter

__all__ = ["LandlockLauncher", "make"]

NOT_FOUND, NOT_EXECUTABLE = 127, 126
SETUP_SECONDS = 10.0
KEPT_FD = 3
OWN_UID = os.geteuid() == 0
"""Read while the runner still is what it was started as: root gives it a uid of its own, which owns nothing else."""


def make(config: Mapping[str, Any], layout: Layout, program: bytes) -> "LandlockLauncher":
    """Return the back end of this rung. program: the common seccomp filter."""
    return LandlockLauncher(config, layout, program)


class LandlockLauncher:
    """One ruleset a box, since its folders are in it; the filters are the same for all."""

    rung = "landlock"

    def __init__(self, config: Mapping[str, Any], layout: Layout, program: bytes) -> None:
        self._layout = layout
        self._packages = layout.packages
        self._python = layout.python or config["python"]
        inside = config["executable"]
        self._executable = inside.replace("/opt/python", self._python, 1) if self._python else inside
        self._shared = config["shared"]
        release = ".".join(config["version"].split(".")[:2])
        self._stdlib = f"{self._python or '/usr'}/lib/python{release}"
        self._filters = (program, extra_filter(owns_files=not OWN_UID))
        self._rulesets: dict[str, int] = {}
        self._serial = 0

    def make_base(self, limits: Mapping[str, int]) -> str:
        """A folder; the rung has no quota of the file system, `Storage` is watched instead."""
        self._serial += 1
        folder = Path(self._layout.box, f"b{self._serial}")
        folder.mkdir()
        (folder / "tmp").mkdir()
        self._storage = Storage(str(folder), limits["disk"], limits["inodes"], mounted=self._layout.mounts)
        return str(folder)

    def open(self, box: Box) -> None:
        """Make the ruleset."""
        if box.armed:
            raise StartError("the Landlock rung has no kill at an exact point")
        if box.network.get("mode", "none") != "none":
            raise StartError("the Landlock rung has no network")
        system = box.image["base"] == "system"
        grants = machine_grants(self._executable, self._stdlib, system=system, packages=self._packages)
        read = [*grants.read, *(place.source for place in box.places if not place.writable)]
        write = [f"{box.base}/tmp", *(place.source for place in box.places if place.writable)]
        self._rulesets[box.base] = create(read, write, grants.listed, DEVICES)

    def start(self, box: Box, program: Program) -> KeptHandle:
        """Fork a keeper, which forks and restricts the program; wait until it has been executed."""
        self._serial += 1
        scratch = f"{box.base}/tmp/{self._serial}"
        Path(scratch).mkdir()
        argv, env = self._command(box, program, scratch)
        cwd = inside_to_host(box, program.cwd or box.image["workdir"])
        if not Path(cwd).is_dir():
            cwd = scratch
        report, told = os.pipe2(os.O_CLOEXEC)
        ready, trouble = os.pipe2(os.O_CLOEXEC)
        runner = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._keep(runner, box, program, (argv, env, cwd), (told, trouble))
        os.close(told)
        os.close(trouble)
        handle = KeptHandle(pid, report, self._storage, scratch)
        _wait_executed(ready, handle)
        return handle

    def close(self, box: Box) -> None:
        """Remove the storage."""
        if (ruleset := self._rulesets.pop(box.base, -1)) >= 0:
            os.close(ruleset)
        shutil.rmtree(box.base, ignore_errors=True)

    def leave(self) -> None:
        """Remove the runner's folder, where it lies on the host."""
        if not self._layout.mounts:
            shutil.rmtree(Path(self._layout.box).parent, ignore_errors=True)

    def _command(self, box: Box, program: Program, scratch: str) -> tuple[list[str], dict[str, str]]:
        env = {**FIXED_ENVIRONMENT, "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": scratch, "TMPDIR": scratch}
        if self._shared and program.argv[0] == "python":
            env["LD_LIBRARY_PATH"] = f"{self._python}/lib"
        if self._packages:
            env["PYTHONPATH"] = self._packages
        for name, value in {**box.image["environment"], **program.env}.items():
            env[name] = inside_to_host(box, value)
        argv = [inside_to_host(box, word) for word in program.argv]
        if argv[0] == "python":
            argv = [self._executable, *([] if self._packages else ["-E"]), "-s", "-S", "-B", *argv[1:]]
        return argv, env

    def _keep(
        self,
        runner: int,
        box: Box,
        program: Program,
        command: tuple[list[str], dict[str, str], str],
        pipes: tuple[int, int],
    ) -> NoReturn:
        """In the keeper."""
        told, trouble = pipes
        try:
            keeper.prepare(runner)
            pid = os.fork()
            if pid == 0:
                self._execute(box, program, command, trouble)
            # Nothing of the runner's may stay open here: a pipe would not end while the keeper holds it.
            os.dup2(told, KEPT_FD, inheritable=False)
            os.closerange(KEPT_FD + 1, os.sysconf("SC_OPEN_MAX"))
            keeper.keep(pid, KEPT_FD)
        except BaseException as error:
            os.write(trouble, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(1)

    def _execute(
        self, box: Box, program: Program, command: tuple[list[str], dict[str, str], str], trouble: int
    ) -> NoReturn:
        """In the program's process."""
        argv, env, cwd = command
        try:
            os.setsid()
            for target, fd in enumerate((program.stdin, program.stdout, program.stderr)):
                os.dup2(fd, target)
            close_on_exec_from(3)
            os.chdir(cwd)
            limit_process(0, box.limits, extra_pids=_others())
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            enforce(self._rulesets[box.base])
            for code in self._filters:
                load_filter(code)
        except BaseException as error:
            os.write(trouble, f"{type(error).__name__}: {error}".encode())
            os._exit(1)
        try:
            os.execvpe(argv[0], argv, env)
        except OSError as error:
            os.write(2, f"{program.argv[0]}: {os.strerror(error.errno or errno.EIO)}\n".encode(errors="replace"))
            os._exit(NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE)


def _others() -> int:
    """Processes of this uid that are not the program's: RLIMIT_NPROC counts them too, without a user namespace."""
    if OWN_UID:
        return 2  # the runner and the keeper
    uid = os.getuid()
    count = 0
    for name in os.listdir("/proc"):  # noqa: PTH208
        try:
            if name.isdigit() and Path("/proc", name).stat().st_uid == uid:
                count += len(os.listdir(f"/proc/{name}/task"))  # noqa: PTH208
        except OSError:
            continue
    return count


def _wait_executed(ready: int, handle: KeptHandle) -> None:
    """The pipe closes when the program is executed, and speaks before that only of trouble."""
    try:
        if not select.select([ready], [], [], SETUP_SECONDS)[0]:
            handle.kill()
            raise StartError("the program was not executed in time")
        trouble = os.read(ready, 4096).decode("utf-8", "replace")
    finally:
        os.close(ready)
    if trouble:
        handle.failed = trouble
