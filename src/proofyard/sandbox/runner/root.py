"""What a sandbox's file system, environment and command are made of.

The runner mounts the root itself and bubblewrap binds it in one go: each bind of bubblewrap reads the kernel's table of
mounts again, which cost more CPU than the rest of its work together. The system's part stays mounted from box to box.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from proofyard.sandbox.runner import kernel
from proofyard.sandbox.runner.launcher import Box, Program
from proofyard.sandbox.runner.setup import Layout

__all__ = [
    "FIXED_ENVIRONMENT",
    "Options",
    "Root",
    "environment",
    "interpreter_argv",
    "mount_tmpfs",
    "system_options",
]

FIXED_ENVIRONMENT = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
PYTHON = "/opt/python"
"""The interpreter's folder inside. Of a Python below `/usr` only its names are there, `python` among them."""
NAMES = ("python", "python3")
PATH = f"{PYTHON}/bin:/usr/local/bin:/usr/bin:/bin"
SYSTEM_FOLDERS = ("lib", "lib32", "lib64", "libx32", "bin", "sbin")
DEVICES = ("null", "zero", "full", "random", "urandom")
DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}
ETC = {
    "passwd": "sandbox:x:1000:1000::/tmp:/bin/sh\n",
    "group": "sandbox:x:1000:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
}
SOCKET_INSIDE = "/run/egress.sock"
"""As `proofyard.sandbox.proxy` has it."""
SCRATCH = ("/tmp", "/dev/shm")
ROOT_LIMITS = {"disk": 1 << 20, "inodes": 1024}
QUIET = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOATIME
"""Without times of access: whether `/tmp` was looked into must not show at the next start."""


class Options:
    """bubblewrap's options in order."""

    def __init__(self) -> None:
        self._words: list[str] = []

    def add(self, *words: str) -> None:
        """Append one option and its arguments."""
        self._words.extend(words)

    def encoded(self) -> bytes:
        """The words NUL-terminated, as `--args` reads them."""
        return os.fsencode("".join(f"{word}\0" for word in self._words))


def system_options(options: Options, config: Mapping[str, Any], layout: Layout, box: Box) -> None:
    """Add the system's read-only part as options, for a bubblewrap that is started too seldom to need `build_root`."""
    options.add("--ro-bind", "/usr", "/usr")
    for name in SYSTEM_FOLDERS:
        link = Path("/", name)
        if link.is_symlink():
            options.add("--symlink", str(link.readlink()), f"/{name}")
        elif link.is_dir():
            options.add("--ro-bind", f"/{name}", f"/{name}")
    for name in () if layout.python else NAMES:
        options.add("--symlink", config["executable"], f"{PYTHON}/bin/{name}")
    for source, inside in ((layout.python, PYTHON), (layout.packages, "/opt/packages")):
        if source:
            options.add("--ro-bind", source, inside)
    for masked in config["masks"]:
        options.add("--ro-bind", layout.empty, masked)
    if box.image["base"] == "system":
        options.add("--ro-bind-try", "/etc/alternatives", "/etc/alternatives")


def interpreter_argv(config: Mapping[str, Any], argv: Sequence[str], packages: bool) -> list[str]:
    """The command as it is inside; `python` becomes the interpreter with its fixed flags."""
    if argv[0] != "python":
        return list(argv)
    flags = ["-s", "-S", "-B"] if packages else ["-E", "-s", "-S", "-B"]
    return [config["executable"], *flags, *argv[1:]]


def environment(config: Mapping[str, Any], box: Box, program: Program) -> dict[str, str]:
    """The whole environment of the program."""
    env = dict(FIXED_ENVIRONMENT)
    env["PATH"] = PATH
    if config["shared"] and program.argv[0] == "python":
        env["LD_LIBRARY_PATH"] = f"{PYTHON}/lib"
    if config["packages"]:
        env["PYTHONPATH"] = "/opt/packages"
    env.update(box.image["environment"])
    env.update(program.env)
    return env


def mount_tmpfs(folder: str, limits: Mapping[str, int], mode: str = "755") -> None:
    """Mount storage with a quota of bytes and inodes."""
    options = f"size={limits['disk']},nr_inodes={limits['inodes']},mode={mode}"
    kernel.mount("tmpfs", folder, "tmpfs", QUIET, options)


class Root:
    """The mounted root of one runner: what the system gives, to which each box adds its places, `/tmp` and `/dev/shm`."""

    def __init__(self, top: str, config: Mapping[str, Any], layout: Layout) -> None:
        self._top = top
        self._config = config
        self._layout = layout
        self._base = ""
        self._made: list[str] = []
        self._mounted: list[str] = []
        self._scratch: dict[str, os.stat_result] = {}

    def open(self, box: Box) -> None:
        """Mount what the box adds; the root itself is read-only afterwards."""
        if self._base != box.image["base"]:
            self._build(box.image["base"])
        kernel.set_read_only(self._top, on=False)
        if "socket" in box.network:
            self._file(box.network["socket"], SOCKET_INSIDE)
        self._folder(box.image["workdir"])
        for place in sorted(box.places, key=lambda place: place.inside):
            target = self._folder(place.inside)
            self._bind(place.source, target)
            if not place.writable:
                kernel.set_read_only(target, recursive=True)
        kernel.set_read_only(self._top)
        self.freshen(box.limits)

    def freshen(self, limits: Mapping[str, int], *, alone: bool = True) -> None:
        """Make `/tmp` and `/dev/shm` new where anything was ever changed in them.

        alone: no program of the box is alive; otherwise new storage is mounted over that which others still use.
        """
        for folder in SCRATCH:
            target = self._top + folder
            before = self._scratch.get(target)
            if alone and before is not None and _same(before, os.stat(target)):  # noqa: PTH116 - at every start
                continue
            if alone and before is not None:
                self._unmount(target)
            mount_tmpfs(target, limits, "1777")
            self._mounted.append(target)
            self._scratch[target] = os.stat(target)  # noqa: PTH116

    def close(self) -> None:
        """Take off what the box added."""
        for target in reversed(self._mounted):
            kernel.umount(target)
        self._mounted.clear()
        self._scratch.clear()
        if self._made:
            kernel.set_read_only(self._top, on=False)
        for path in reversed(self._made):
            if os.path.isdir(path):  # noqa: PTH112 - at every close
                os.rmdir(path)  # noqa: PTH106
            else:
                os.unlink(path)  # noqa: PTH108
        self._made.clear()

    def _build(self, base: str) -> None:
        """Mount the system's part, for an image on `base`."""
        if self._base:
            kernel.umount(self._top)
        os.makedirs(self._top, exist_ok=True)  # noqa: PTH103
        self._base = ""
        mount_tmpfs(self._top, ROOT_LIMITS)
        self._read_only("/usr", "/usr")
        for name in SYSTEM_FOLDERS:
            self._system_folder(name)
        self._python()
        if self._layout.packages:
            self._read_only(self._layout.packages, "/opt/packages")
        for masked in self._config["masks"]:
            self._read_only(self._layout.empty, masked)
        for folder in ("/proc", *SCRATCH):
            self._folder(folder)
        for name in DEVICES:
            self._file(f"/dev/{name}", f"/dev/{name}")
        for name, link in DEVICE_LINKS.items():
            Path(self._top, "dev", name).symlink_to(link)
        if base == "system":
            self._tools()
        self._made.clear()
        self._mounted.clear()
        self._base = base

    def _folder(self, inside: str) -> str:
        path = self._top
        for part in inside.strip("/").split("/"):
            path += f"/{part}"
            try:
                os.mkdir(path)  # noqa: PTH102 - at every open
                self._made.append(path)
            except FileExistsError:
                continue
        return path

    def _file(self, source: str, inside: str) -> None:
        parent, _, name = inside.rpartition("/")
        target = f"{self._folder(parent)}/{name}"
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        self._made.append(target)
        self._bind(source, target)

    def _bind(self, source: str, target: str) -> None:
        kernel.mount(source, target, flags=kernel.MS_BIND | kernel.MS_REC)
        self._mounted.append(target)

    def _unmount(self, target: str) -> None:
        kernel.umount(target)
        self._mounted.remove(target)

    def _read_only(self, source: str, inside: str) -> None:
        target = self._folder(inside)
        self._bind(source, target)
        kernel.set_read_only(target, recursive=True)

    def _system_folder(self, name: str) -> None:
        outside = Path("/", name)
        if outside.is_symlink():
            Path(self._top, name).symlink_to(outside.readlink())
        elif outside.is_dir():
            self._read_only(f"/{name}", f"/{name}")

    def _python(self) -> None:
        if self._layout.python:
            self._read_only(self._layout.python, PYTHON)
            return
        for name in NAMES:
            Path(self._folder(f"{PYTHON}/bin"), name).symlink_to(self._config["executable"])

    def _tools(self) -> None:
        """A tiny `/etc` and terminals for the tools of `/usr`."""
        etc = Path(self._folder("/etc"))
        for name, text in ETC.items():
            (etc / name).write_text(text)
        if Path("/etc/alternatives").is_dir():
            self._read_only("/etc/alternatives", "/etc/alternatives")
        options = "newinstance,ptmxmode=0666,mode=620"
        kernel.mount("devpts", self._folder("/dev/pts"), "devpts", kernel.MS_NOSUID, options)
        Path(self._top, "dev/ptmx").symlink_to("pts/ptmx")


def _same(before: os.stat_result, now: os.stat_result) -> bool:
    """Whether a folder is as it was: a program cannot set its change time, which moves with each entry and attribute."""
    return _marks(before) == _marks(now)


def _marks(info: os.stat_result) -> tuple[int, ...]:
    return info.st_ino, info.st_ctime_ns, info.st_mtime_ns, info.st_size, info.st_nlink, info.st_mode, info.st_uid
