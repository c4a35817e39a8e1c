"""One sample's namespaces: made by its init (pid 1 of its own pid namespace), which then forks the sample and waits.

The mount, ipc, uts, network and pid namespaces belong to the warm process's user namespace; the sample itself lives in
a further user namespace without any right over them.
"""

# pathlib is not to be among the modules that every sample finds loaded.
# ruff: noqa: PTH102, PTH103, PTH112, PTH115, PTH211

import os
import signal
import socket
from collections.abc import Mapping
from typing import Any

from proofyard.sandbox.runner.kernel import (
    CLONE_NEWNS,
    CLONE_NEWUSER,
    MS_BIND,
    MS_NODEV,
    MS_NOSUID,
    MS_REC,
    mount,
    unshare,
)
from proofyard.sandbox.zygote.inside import calls, wire
from proofyard.sandbox.zygote.inside.work import Work, prepare

__all__ = ["enter", "make_template"]

DEVICES = ("null", "zero", "full", "random", "urandom")
DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}
SCRATCH = MS_NOSUID | MS_NODEV
TEMPLATE = "/tmp/dev"
"""The folder of devices, made once. `/tmp` here is the warm process's own; samples never see it."""
ROOT = "/tmp/root"
OWN = frozenset({"proc", "dev", "tmp"})
"""Folders of the root that every sample gets afresh."""
ROOT_OPTIONS = "mode=755,size=1m,nr_inodes=2000"
_top: dict[str, str] = {}
"""The other folders of the root, and the links with their targets."""


def make_template() -> None:
    """Make, once, what every sample's root is built from."""
    os.makedirs(ROOT)
    os.mkdir(TEMPLATE)
    mount("tmpfs", TEMPLATE, "tmpfs", MS_NOSUID, "mode=755,size=64k,nr_inodes=32")
    for name in DEVICES:
        os.close(os.open(f"{TEMPLATE}/{name}", os.O_CREAT | os.O_WRONLY, 0o644))
        mount(f"/dev/{name}", f"{TEMPLATE}/{name}", flags=MS_BIND)
    for name, target in DEVICE_LINKS.items():
        os.symlink(target, f"{TEMPLATE}/{name}")
    os.mkdir(f"{TEMPLATE}/shm")
    mount("none", TEMPLATE, flags=MS_BIND | calls.MS_REMOUNT | calls.MS_RDONLY | MS_NOSUID)
    with os.scandir("/") as entries:
        _top.update((e.name, os.readlink(e.path) if e.is_symlink() else "") for e in entries if e.name not in OWN)


def enter(control: socket.socket, config: dict[str, Any]) -> Work:
    """Become the init of a new sample: read the request from `control`, fork the sample, report its end, exit.

    Returns only in the sample's own process.
    """
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.setsid()
        received = wire.receive(control)
        if received is None:
            os._exit(1)
        request, fds = received
        _namespaces(request, fds[3:])
        calls.set_dumpable(False)
        if (child := os.fork()) == 0:
            return prepare(request, fds[:3], control, config)
        _wait(child, control)
    except BaseException as error:
        wire.send(control, {"failed": f"{type(error).__name__}: {error}"})
    os._exit(1)


def _wait(child: int, control: socket.socket) -> None:
    """Reap whatever ends until the sample does; then report and exit, which ends all that it left behind."""
    os.dup2(control.detach(), 3, inheritable=False)
    calls.close_from(4)
    status = -1
    while status < 0:
        pid, ended = os.waitpid(-1, 0)
        if pid == child:
            status = ended
    wire.send(socket.socket(fileno=3), {"status": status})
    os._exit(0)


def _namespaces(request: Mapping[str, Any], mounts: list[int]) -> None:
    uid, gid = os.getuid(), os.getgid()
    unshare(CLONE_NEWNS | calls.CLONE_NEWIPC | calls.CLONE_NEWUTS | calls.CLONE_NEWNET)
    calls.loopback_up()
    mount("tmpfs", ROOT, "tmpfs", SCRATCH, ROOT_OPTIONS)
    for name, target in _top.items():
        if target:
            os.symlink(target, f"{ROOT}/{name}")
        else:
            os.mkdir(f"{ROOT}/{name}")
            mount(f"/{name}", f"{ROOT}/{name}", flags=MS_BIND | MS_REC)
    _scratch(request)
    for path, fd in zip(request["places"], mounts, strict=True):
        os.makedirs(ROOT + path, exist_ok=True)
        calls.attach_mount(fd, ROOT + path)
        os.close(fd)
    if not os.path.isdir(ROOT + request["cwd"]):
        os.makedirs(ROOT + request["cwd"])
    calls.pivot_into(ROOT)
    mount("none", "/", flags=MS_BIND | calls.MS_REMOUNT | calls.MS_RDONLY | SCRATCH)
    unshare(CLONE_NEWUSER)
    calls.map_own_ids(uid, gid)


def _scratch(request: Mapping[str, Any]) -> None:
    for folder in ("proc", "dev", "tmp"):
        os.mkdir(f"{ROOT}/{folder}")
    mount("proc", f"{ROOT}/proc", "proc", SCRATCH | calls.MS_NOEXEC)
    mount(TEMPLATE, f"{ROOT}/dev", flags=MS_BIND | MS_REC)
    mount("tmpfs", f"{ROOT}/dev/shm", "tmpfs", SCRATCH, request["shm"])
    mount("tmpfs", f"{ROOT}/tmp", "tmpfs", SCRATCH, request["tmp"])
