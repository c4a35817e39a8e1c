"""What a sandbox's file system and environment are made of, as bubblewrap's options."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from proofyard.sandbox.runner.launcher import Box, Program
from proofyard.sandbox.runner.setup import Layout

__all__ = ["FIXED_ENVIRONMENT", "Options", "environment", "interpreter_argv", "root_options"]

FIXED_ENVIRONMENT = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
SYSTEM_LINKS = ("lib", "lib32", "lib64", "libx32", "bin", "sbin")
PASSWD = "sandbox:x:1000:1000::/tmp:/bin/sh\n"
GROUP = "sandbox:x:1000:\n"
HOSTS = "127.0.0.1 localhost\n::1 localhost\n"


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


def interpreter_argv(config: Mapping[str, Any], argv: Sequence[str], packages: bool) -> list[str]:
    """The command as it is inside; `python` becomes the interpreter with its fixed flags."""
    if argv[0] != "python":
        return list(argv)
    flags = ["-s", "-S", "-B"] if packages else ["-E", "-s", "-S", "-B"]
    return [config["executable"], *flags, *argv[1:]]


def environment(config: Mapping[str, Any], box: Box, program: Program) -> dict[str, str]:
    """The whole environment of the program."""
    env = dict(FIXED_ENVIRONMENT)
    env["PATH"] = "/opt/python/bin:/usr/local/bin:/usr/bin:/bin" if config["python"] else "/usr/local/bin:/usr/bin:/bin"
    if config["shared"] and program.argv[0] == "python":
        env["LD_LIBRARY_PATH"] = "/opt/python/lib"
    if config["packages"]:
        env["PYTHONPATH"] = "/opt/packages"
    env.update(box.image["environment"])
    env.update(program.env)
    return env


def root_options(
    config: Mapping[str, Any], layout: Layout, box: Box, program: Program, scratch: str
) -> tuple[Options, list[str]]:
    """All of bubblewrap's options, and the command that follows them."""
    options = Options()
    _isolation(options)
    _system(options, config, layout, box)
    options.add("--proc", "/proc", "--dev", "/dev")
    options.add("--bind", f"{scratch}/tmp", "/tmp", "--bind", f"{scratch}/shm", "/dev/shm")
    cwd = program.cwd or box.image["workdir"]
    if not any(cwd == place.inside or cwd.startswith(place.inside + "/") for place in box.places):
        options.add("--dir", cwd)
    for place in sorted(box.places, key=lambda place: place.inside):
        options.add("--bind" if place.writable else "--ro-bind", place.source, place.inside)
    for name, value in environment(config, box, program).items():
        options.add("--setenv", name, value)
    options.add("--chdir", cwd, "--remount-ro", "/dev", "--remount-ro", "/")
    return options, interpreter_argv(config, program.argv, bool(config["packages"]))


def _isolation(options: Options) -> None:
    options.add("--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent", "--new-session")
    options.add("--uid", "1000", "--gid", "1000", "--hostname", "sandbox")
    options.add("--json-status-fd", "4", "--block-fd", "5", "--seccomp", "6", "--clearenv")


def _system(options: Options, config: Mapping[str, Any], layout: Layout, box: Box) -> None:
    options.add("--ro-bind", "/usr", "/usr")
    for name in SYSTEM_LINKS:
        link = Path("/", name)
        if link.is_symlink():
            options.add("--symlink", str(link.readlink()), f"/{name}")
        elif link.is_dir():
            options.add("--ro-bind", f"/{name}", f"/{name}")
    if layout.python:
        options.add("--ro-bind", layout.python, "/opt/python")
    if layout.packages:
        options.add("--ro-bind", layout.packages, "/opt/packages")
    for masked in config["masks"]:
        options.add("--ro-bind", layout.empty, masked)
    if box.image["base"] == "system":
        _system_files(options, layout)


def _system_files(options: Options, layout: Layout) -> None:
    """A tiny `/etc` for the tools of `/usr`."""
    etc = Path(layout.etc)
    for name, text in {"passwd": PASSWD, "group": GROUP, "hosts": HOSTS}.items():
        if not (etc / name).exists():
            (etc / name).write_text(text)
    (etc / "alternatives").mkdir(exist_ok=True)
    options.add("--ro-bind", str(etc), "/etc")
    options.add("--ro-bind-try", "/etc/alternatives", "/etc/alternatives")
