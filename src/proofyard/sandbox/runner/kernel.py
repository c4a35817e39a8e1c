"""The system calls the standard library has no function for, by ctypes. Every one raises OSError on failure."""

import ctypes
import errno
import os
import sys
from pathlib import Path

__all__ = [
    "CLONE_NEWNS",
    "CLONE_NEWUSER",
    "MNT_DETACH",
    "MS_BIND",
    "MS_NOATIME",
    "MS_NODEV",
    "MS_NOSUID",
    "MS_PRIVATE",
    "MS_REC",
    "close_on_exec_from",
    "mount",
    "on_tmpfs",
    "prctl",
    "read_memory",
    "seccomp_listener",
    "set_dumpable",
    "set_no_new_privs",
    "set_read_only",
    "set_subreaper",
    "take_descriptor",
    "umount",
    "unshare",
]

CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
MS_NOSUID, MS_NODEV, MS_NOATIME, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 1024, 4096, 16384, 1 << 18
MNT_DETACH = 2
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE = 442, -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4
PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 4, 38, 36
CLOSE_RANGE_CLOEXEC = 4
PIDFD_GETFD, PIDFD_THREAD = 438, os.O_EXCL
TMPFS_MAGIC, STATFS_SIZE = 0x01021994, 120
SECCOMP_SET_MODE_FILTER = 1
SECCOMP_NEW_LISTENER, SECCOMP_WAIT_KILLABLE_RECV = 1 << 3, 1 << 5
SECCOMP_NUMBER = {"x86_64": 317, "aarch64": 277}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
_libc.umount2.argtypes = [ctypes.c_char_p, ctypes.c_int]
_libc.unshare.argtypes = [ctypes.c_int]
_libc.prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
_libc.syscall.restype = ctypes.c_long
_libc.process_vm_readv.restype = ctypes.c_ssize_t


class _IoVector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


class _Attributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("user_namespace", ctypes.c_uint64),
    )


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mount, or bind with MS_BIND."""
    options = data.encode() or None
    result = _libc.mount(source.encode(), target.encode(), kind.encode() or None, flags, options)
    _check(result, f"mount {kind or 'bind'} on {target}")


def umount(target: str) -> None:
    """Detach the mount at `target` (MNT_DETACH)."""
    _check(_libc.umount2(target.encode(), MNT_DETACH), f"umount {target}")


def set_read_only(target: str, *, on: bool = True, recursive: bool = False) -> None:
    """Make the mount at `target` read-only, without device nodes and setuid; `recursive`: all below it too.

    on: False makes it writable again.
    """
    if on:
        attributes = _Attributes(set=MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)
    else:
        attributes = _Attributes(clear=MOUNT_ATTR_RDONLY)
    result = _libc.syscall(
        ctypes.c_long(MOUNT_SETATTR),
        ctypes.c_long(AT_FDCWD),
        ctypes.c_char_p(target.encode()),
        ctypes.c_long(AT_RECURSIVE if recursive else 0),
        ctypes.byref(attributes),
        ctypes.c_long(ctypes.sizeof(attributes)),
    )
    _check(result, f"mount_setattr {target}")


def unshare(flags: int) -> None:
    """Enter new namespaces."""
    _check(_libc.unshare(flags), "unshare")


def prctl(option: int, value: int, what: str) -> None:
    """Set one attribute of the calling thread or process."""
    _check(_libc.prctl(option, value, 0, 0, 0), what)


def set_dumpable() -> None:
    """Make this process dumpable again after a change of uid, so that it may write its own uid map."""
    prctl(PR_SET_DUMPABLE, 1, "PR_SET_DUMPABLE")


def set_no_new_privs() -> None:
    """Set NO_NEW_PRIVS on the calling thread."""
    prctl(PR_SET_NO_NEW_PRIVS, 1, "PR_SET_NO_NEW_PRIVS")


def set_subreaper() -> None:
    """Become the parent of orphaned descendants."""
    prctl(PR_SET_CHILD_SUBREAPER, 1, "PR_SET_CHILD_SUBREAPER")


def close_on_exec_from(first: int) -> None:
    """Mark every descriptor from `first` up close-on-exec."""
    _check(_libc.close_range(first, ctypes.c_uint(0xFFFFFFFF), CLOSE_RANGE_CLOEXEC), "close_range")


def read_memory(pid: int, address: int, length: int) -> bytes:
    """Return up to `length` bytes of another process's memory, fewer where it ends."""
    if length <= 0:
        return b""
    buffer = ctypes.create_string_buffer(length)
    local = _IoVector(ctypes.addressof(buffer), length)
    remote = _IoVector(address, length)
    zero, one = ctypes.c_ulong(0), ctypes.c_ulong(1)
    count = _libc.process_vm_readv(ctypes.c_int(pid), ctypes.byref(local), one, ctypes.byref(remote), one, zero)
    return buffer.raw[: _check(count, "process_vm_readv")]


def take_descriptor(thread: int, fd: int) -> int:
    """Return a duplicate of a descriptor of another thread: the same open file, with its position and its flags."""
    pidfd = _pidfd_of(thread)
    try:
        result = _libc.syscall(ctypes.c_long(PIDFD_GETFD), ctypes.c_long(pidfd), ctypes.c_long(fd), ctypes.c_long(0))
        return _check(result, "pidfd_getfd")
    finally:
        os.close(pidfd)


def _pidfd_of(thread: int) -> int:
    try:
        return os.pidfd_open(thread, PIDFD_THREAD)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    # before Linux 6.9 only of processes, whose threads have their descriptors in common as a rule
    status = Path(f"/proc/{thread}/status").read_text()
    return os.pidfd_open(int(status.partition("\nTgid:")[2].split()[0]))


def on_tmpfs(fd: int) -> bool:
    """Whether an open file lies on a tmpfs."""
    buffer = ctypes.create_string_buffer(STATFS_SIZE)
    _check(_libc.fstatfs(ctypes.c_int(fd), buffer), "fstatfs")
    return int.from_bytes(buffer.raw[:8], sys.byteorder) == TMPFS_MAGIC


def seccomp_listener(program: bytes) -> int:
    """Install a filter on the calling thread and return the descriptor on which its notifications arrive."""
    number = SECCOMP_NUMBER[os.uname().machine]
    flags = SECCOMP_NEW_LISTENER | SECCOMP_WAIT_KILLABLE_RECV
    filled = _Program(len(program) // 8, program)
    result = _libc.syscall(
        ctypes.c_long(number), ctypes.c_ulong(SECCOMP_SET_MODE_FILTER), ctypes.c_ulong(flags), ctypes.byref(filled)
    )
    return _check(result, "seccomp")
