"""System calls of the warm process that neither the standard library nor the runner's `kernel` has."""

import ctypes
import fcntl
import itertools
import os
import platform
import socket
import struct
from typing import NamedTuple

from proofyard.sandbox.runner.kernel import prctl, umount, unshare

__all__ = [
    "CLONE_NEWIPC",
    "CLONE_NEWNET",
    "CLONE_NEWPID",
    "CLONE_NEWUTS",
    "MS_NOEXEC",
    "MS_RDONLY",
    "MS_REMOUNT",
    "attach_mount",
    "close_from",
    "copy_mount",
    "drop_capabilities",
    "gather_pages",
    "join_maps",
    "loopback_up",
    "map_own_ids",
    "pivot_into",
    "set_dumpable",
    "set_namespace",
    "unshare_pids",
]

CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWNET, CLONE_NEWPID = 0x08000000, 0x04000000, 0x40000000, 0x20000000
MS_RDONLY, MS_NOEXEC, MS_REMOUNT = 1, 8, 32
OPEN_TREE_CLONE, AT_RECURSIVE, AT_EMPTY_PATH, MOVE_MOUNT_F_EMPTY_PATH = 1, 0x8000, 0x1000, 4
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
"""The same numbers on every machine."""
NUMBERS = {"x86_64": (155, 126), "aarch64": (41, 91)}
"""pivot_root and capset."""
PR_SET_DUMPABLE, PR_CAPBSET_READ, PR_CAPBSET_DROP = 4, 23, 24
CAP_VERSION_3 = 0x20080522
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1

PROT_READ, PROT_WRITE, PROT_EXEC = 1, 2, 4
MADV_COLLAPSE, LARGE = 25, 2 << 20
"""Since Linux 6.1; the size of a large page on both machines."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
CAPABILITIES = next(number for number in range(64) if _libc.prctl(PR_CAPBSET_READ, number, 0, 0, 0) < 0)
"""How many this kernel has."""


def _call(number: int, *arguments: object) -> int:
    result = int(_libc.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"system call {number}: {os.strerror(code)}")
    return result


def copy_mount(folder: str, *, read_only: bool) -> int:
    """Return a descriptor of a detached copy of the mount at or above `folder`; never setuid, never a device."""
    fd = _call(OPEN_TREE, ctypes.c_int(-100), folder.encode(), ctypes.c_uint(OPEN_TREE_CLONE | os.O_CLOEXEC))
    attributes = struct.pack("=QQQQ", ATTR_NOSUID | ATTR_NODEV | (ATTR_RDONLY if read_only else 0), 0, 0, 0)
    try:
        _call(MOUNT_SETATTR, ctypes.c_int(fd), b"", ctypes.c_uint(AT_EMPTY_PATH), attributes, ctypes.c_size_t(32))
    except OSError:
        os.close(fd)
        raise
    return fd


def attach_mount(fd: int, target: str) -> None:
    """Attach a detached mount at the folder `target`; it can be attached once."""
    _call(
        MOVE_MOUNT, ctypes.c_int(fd), b"", ctypes.c_int(-100), target.encode(), ctypes.c_uint(MOVE_MOUNT_F_EMPTY_PATH)
    )


def pivot_into(root: str) -> None:
    """Make the mount `root` the root folder and drop the old one."""
    os.chdir(root)
    _call(NUMBERS[platform.machine()][0], b".", b".")
    umount(".")
    os.chdir("/")


def unshare_pids() -> None:
    """Let the next fork be pid 1 of a new pid namespace."""
    unshare(CLONE_NEWPID)


def set_namespace(fd: int, kind: int) -> None:
    """Call setns(2)."""
    if _libc.setns(fd, kind) < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"setns: {os.strerror(code)}")


def map_own_ids(uid: int, gid: int) -> None:
    """After a new user namespace: map the own ids to themselves."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        fd = os.open(f"/proc/self/{name}", os.O_WRONLY)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)


def set_dumpable(dumpable: bool) -> None:
    """Show or hide this process's memory and descriptors to others of its uid."""
    prctl(PR_SET_DUMPABLE, int(dumpable), "PR_SET_DUMPABLE")


def drop_capabilities() -> None:
    """Give up every capability, from the bounding set too. The ambient set is empty in a new user namespace."""
    for capability in range(CAPABILITIES):
        prctl(PR_CAPBSET_DROP, capability, "PR_CAPBSET_DROP")
    header = struct.pack("=Ii", CAP_VERSION_3, 0)
    _call(NUMBERS[platform.machine()][1], header, bytes(24))


def close_from(first: int) -> None:
    """Close every descriptor from `first` up."""
    _libc.close_range(ctypes.c_uint(first), ctypes.c_uint(0xFFFFFFFF), 0)


def loopback_up() -> None:
    """Raise `lo`, which is down in a new network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(probe, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(probe, SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", flags | IFF_UP, b""))


def join_maps() -> None:
    """Make one mapping of those of a library that differ in rights only: a fork and its end take as long as there are many.

    What is read only becomes executable beside code, and writable beside data. Of three hundred libraries that halves them.
    """
    rows = _maps()
    libraries = {row.inode for row in rows if row.rights == "r-xp"} - {"0"}
    for row, after in itertools.pairwise(rows):
        if row.rights == "r--p" and row.inode in libraries:
            beside_data = after.first == row.last and after.rights == "rw-p" and after.inode == row.inode
            rights = PROT_READ | (PROT_WRITE if beside_data else PROT_EXEC)
            _libc.mprotect(ctypes.c_void_p(row.first), ctypes.c_size_t(row.last - row.first), rights)


def gather_pages() -> None:
    """Gather this process's own memory into large pages, as far as the kernel can: a fork copies the tables of all pages, and
    one large page stands for 512. What a fork then writes to is copied in small pages as before.
    """
    for row in _maps():
        first = -(-row.first // LARGE) * LARGE
        size = row.last // LARGE * LARGE - first
        if row.rights == "rw-p" and row.inode == "0" and size > 0:
            _libc.madvise(ctypes.c_void_p(first), ctypes.c_size_t(size), MADV_COLLAPSE)


class _Map(NamedTuple):
    first: int
    last: int
    rights: str
    inode: str


def _maps() -> list[_Map]:
    """This process's mappings in the order of their addresses; the inode is 0 where there is no file."""
    found = []
    with open("/proc/self/maps", encoding="ascii", errors="replace") as stream:  # noqa: PTH123 (as in warm.py)
        for line in stream:
            place, rights, _, _, inode, *_ = line.split()
            first, _, last = place.partition("-")
            found.append(_Map(int(first, 16), int(last, 16), rights, inode))
    return found
