"""Where a runner lives: an unprivileged uid, its own user and mount namespaces, nothing on the host.

A tmpfs over `/tmp` of the private mount namespace holds all: `ROOT/python` (the interpreter's folder, bound while it can
still be read), `ROOT/packages`, `ROOT/empty`, and the storage of sandboxes. It ends with the last process of the namespace.
"""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofyard.sandbox.runner import kernel

__all__ = ["ROOT", "Layout", "enter"]

ROOT = "/tmp/rt"
FOLDERS = ("python", "packages", "empty", "box")


@dataclass(frozen=True)
class Layout:
    """What the set-up gave. python, packages: the folders as the runner can read them ("" if there is none).

    box: a folder for the storage of sandboxes. mounts: whether a tmpfs can be mounted there.
    """

    python: str
    packages: str
    empty: str
    box: str
    mounts: bool


def enter(config: Mapping[str, Any]) -> Layout:
    """Drop privileges and enter namespaces, as the rung in `config` needs; must run before any thread starts.

    Raises OSError where the machine does not allow it.
    """
    kernel.close_on_exec_from(3)
    layout = _namespaces(config) if config["rung"] in {"bubblewrap", "zygote"} else _bare(config)
    kernel.set_dumpable()
    kernel.set_subreaper()
    kernel.set_no_new_privs()
    os.umask(0o022)
    return layout


def _namespaces(config: Mapping[str, Any]) -> Layout:
    uid = config["uid"]
    if os.getuid() == 0:
        kernel.unshare(kernel.CLONE_NEWNS)
        layout = _private_tmp(config, uid)
        _drop(uid)
        kernel.set_dumpable()
        _own_user_namespace()
        return layout
    _own_user_namespace()
    return _private_tmp(config, os.getuid())


def _bare(config: Mapping[str, Any]) -> Layout:
    """No user namespace. A root runner still gets its private mounts where that is allowed."""
    if os.getuid() != 0:
        return _host_folder(config, os.getuid())
    uid = config["uid"]
    try:
        kernel.unshare(kernel.CLONE_NEWNS)
        layout = _private_tmp(config, uid)
    except OSError:
        layout = _host_folder(config, uid)
    _drop(uid)
    return layout


def _own_user_namespace() -> None:
    """Enter new user and mount namespaces with the own ids mapped to themselves (never to 0)."""
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def _private_tmp(config: Mapping[str, Any], owner: int) -> Layout:
    kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    sources = {name: os.open(config[name], os.O_PATH) for name in ("python", "packages") if config[name]}
    kernel.mount("tmpfs", "/tmp", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=755")
    Path(ROOT).mkdir()
    for name in FOLDERS:
        folder = Path(ROOT, name)
        folder.mkdir()
        os.chown(folder, owner, owner if os.getuid() == 0 else -1)
    for name, fd in sources.items():
        kernel.mount(f"/proc/self/fd/{fd}", f"{ROOT}/{name}", flags=kernel.MS_BIND | kernel.MS_REC)
        os.close(fd)
    return Layout(
        python=f"{ROOT}/python" if config["python"] else "",
        packages=f"{ROOT}/packages" if config["packages"] else "",
        empty=f"{ROOT}/empty",
        box=f"{ROOT}/box",
        mounts=True,
    )


def _host_folder(config: Mapping[str, Any], owner: int) -> Layout:
    top = Path(tempfile.mkdtemp(prefix="rt-"))
    for folder in (top, *(top / name for name in FOLDERS[2:])):
        folder.mkdir(exist_ok=True)
        os.chown(folder, owner, -1)
    return Layout(
        python=config["python"],
        packages=config["packages"],
        empty=str(top / "empty"),
        box=str(top / "box"),
        mounts=False,
    )


def _drop(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
