"""One sample's namespaces: made by its init (pid 1 of its own pid namespace), a fork of a process that has loaded nothing.

The sample, a fork of the warm process, then joins them: so the warm process's memory is copied once for each sample, not twice.
The mount, ipc, uts, network and pid namespaces belong to the warm process's user namespace; init and sample live in a further
user namespace without any right over them.
"""

# pathlib is not to be among the modules that every sample finds loaded.
# ruff: noqa: PTH102, PTH103, PTH112, PTH115, PTH123, PTH211

import contextlib
import json
import os
import signal
import socket
from collections.abc import Mapping
from typing import Any, NoReturn

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

__all__ = ["enter", "make", "make_template"]

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
KINDS = ("pid", "ipc", "uts", "net", "mnt", "user")
"""The namespaces of a sample, in the order they are joined: the right to join the others goes with the user namespace."""
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


def make(control: socket.socket) -> NoReturn:
    """Become the init of a new sample: read from `control` what it asks for, make its namespaces, reap until killed."""
    try:
        os.setsid()
        received = wire.receive(control)
        if received is None:
            os._exit(1)
        request, fds = received
        _namespaces(request, fds)
        calls.set_dumpable(False)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        wire.send(control, {"built": True}, tuple(os.open(f"/proc/self/ns/{kind}", os.O_RDONLY) for kind in KINDS))
    except BaseException as error:
        wire.send(control, {"failed": f"{type(error).__name__}: {error}"})
        os._exit(1)
    calls.close_from(3)
    while True:
        signal.sigwait({signal.SIGCHLD})
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def enter(control: socket.socket, spaces: list[int], config: Mapping[str, Any]) -> Work:
    """Become the sample: join the namespaces that its init made, in whose pid namespace this process is, and prepare.

    spaces: their descriptors in the order of KINDS.
    """
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        received = wire.receive(control)
        if received is None:
            os._exit(1)
        (*streams, body) = received[1]
        with open(body, "rb") as stream:
            request = json.loads(stream.read())
        for space in spaces[1:]:
            calls.set_namespace(space, 0)
        return prepare(request, streams, control, config)
    except BaseException as error:
        wire.send(control, {"failed": f"{type(error).__name__}: {error}"})
    os._exit(1)


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
