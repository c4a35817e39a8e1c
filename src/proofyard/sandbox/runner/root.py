"""What a sandbox's file system, environment and command are made of.

The runner mounts the whole root itself, once a box, and bubblewrap binds it in one go: each bind of bubblewrap reads the
kernel's table of mounts again, which cost more CPU than the rest of its work together.
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
    "build_root",
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
PATH = "/usr/local/bin:/usr/bin:/bin"
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
ROOT_LIMITS = {"disk": 1 << 20, "inodes": 1024}
QUIET = kernel.MS_NOSUID | kernel.MS_NODEV


class Options:
    """bubblewrap's options in order."""

    def __init__(self) -> None:
        self._words: list[str] = []

    def add(self, *words: str) -> None:
        """Append one option and its arguments."""
        self._words.extend(words)

    def encoded(self) -> bytes:
        """The words NUL-terminated, as `--args` reads them."""
        return b"".join(os.fsencode(word) + b"\0" for word in self._words)


def system_options(options: Options, config: Mapping[str, Any], layout: Layout, box: Box) -> None:
    """Add the system's read-only part as options, for a bubblewrap that is started too seldom to need `build_root`."""
    options.add("--ro-bind", "/usr", "/usr")
    for name in SYSTEM_FOLDERS:
        link = Path("/", name)
        if link.is_symlink():
            options.add("--symlink", str(link.readlink()), f"/{name}")
        elif link.is_dir():
            options.add("--ro-bind", f"/{name}", f"/{name}")
    for source, inside in ((layout.python, "/opt/python"), (layout.packages, "/opt/packages")):
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
    env["PATH"] = f"/opt/python/bin:{PATH}" if config["python"] else PATH
    if config["shared"] and program.argv[0] == "python":
        env["LD_LIBRARY_PATH"] = "/opt/python/lib"
    if config["packages"]:
        env["PYTHONPATH"] = "/opt/packages"
    env.update(box.image["environment"])
    env.update(program.env)
    return env


def mount_tmpfs(folder: str, limits: Mapping[str, int], mode: str = "755") -> None:
    """Mount storage with a quota of bytes and inodes."""
    options = f"size={limits['disk']},nr_inodes={limits['inodes']},mode={mode}"
    kernel.mount("tmpfs", folder, "tmpfs", QUIET, options)


def build_root(top: str, config: Mapping[str, Any], layout: Layout, box: Box) -> None:
    """Mount the root of one box at `top`: all but `/proc`, and but the fresh `/tmp` and `/dev/shm` of each start."""
    mount_tmpfs(top, ROOT_LIMITS)
    _read_only(top, "/usr", "/usr")
    for name in SYSTEM_FOLDERS:
        _system_folder(top, name)
    if layout.python:
        _read_only(top, layout.python, "/opt/python")
    if layout.packages:
        _read_only(top, layout.packages, "/opt/packages")
    for masked in config["masks"]:
        _read_only(top, layout.empty, masked)
    _devices(top)
    if box.image["base"] == "system":
        _tools(top)
    if "socket" in box.network:
        _file(top, box.network["socket"], SOCKET_INSIDE)
    for folder in ("/proc", "/tmp", box.image["workdir"]):
        _folder(top, folder)
    for place in sorted(box.places, key=lambda place: place.inside):
        if place.writable:
            _bind(place.source, _folder(top, place.inside))
        else:
            _read_only(top, place.source, place.inside)


def _folder(top: str, inside: str) -> str:
    path = Path(top + inside)
    path.mkdir(parents=True, exist_ok=True)
    return str(path)


def _file(top: str, source: str, inside: str) -> None:
    target = Path(_folder(top, str(Path(inside).parent)), Path(inside).name)
    target.touch()
    _bind(source, str(target))


def _bind(source: str, target: str) -> None:
    kernel.mount(source, target, flags=kernel.MS_BIND | kernel.MS_REC)


def _read_only(top: str, source: str, inside: str) -> None:
    target = _folder(top, inside)
    _bind(source, target)
    kernel.make_read_only(target, recursive=True)


def _system_folder(top: str, name: str) -> None:
    outside = Path("/", name)
    if outside.is_symlink():
        Path(top, name).symlink_to(outside.readlink())
    elif outside.is_dir():
        _read_only(top, f"/{name}", f"/{name}")


def _devices(top: str) -> None:
    _folder(top, "/dev/shm")
    for name in DEVICES:
        _file(top, f"/dev/{name}", f"/dev/{name}")
    for name, link in DEVICE_LINKS.items():
        Path(top, "dev", name).symlink_to(link)


def _tools(top: str) -> None:
    """A tiny `/etc` and terminals for the tools of `/usr`."""
    etc = Path(_folder(top, "/etc"))
    for name, text in ETC.items():
        (etc / name).write_text(text)
    if Path("/etc/alternatives").is_dir():
        _read_only(top, "/etc/alternatives", "/etc/alternatives")
    options = "newinstance,ptmxmode=0666,mode=620"
    kernel.mount("devpts", _folder(top, "/dev/pts"), "devpts", kernel.MS_NOSUID, options)
    Path(top, "dev/ptmx").symlink_to("pts/ptmx")
