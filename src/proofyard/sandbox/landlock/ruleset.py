"""Landlock by three system calls. Standard library only: the runner imports this file by its path.

A ruleset handles every right that the kernel's ABI knows, so what is not granted is refused: files outside the granted
folders, TCP bind and connect, abstract unix sockets and signals to processes outside.
"""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from typing import Final

__all__ = ["LOWEST_ABI", "create", "enforce", "kernel_abi"]

LOWEST_ABI: Final = 6
"""The first ABI that keeps signals and abstract unix sockets inside."""

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
QUERY_VERSION = 1
RULE_PATH_BENEATH = 1
PR_SET_NO_NEW_PRIVS = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_BLOCK = 1 << 6, 1 << 11
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
ALL_FILES = (1 << 16) - 1
"""The sixteen file rights of ABI 5."""
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
"""Rights that a rule on something else than a folder may carry."""
READ = EXECUTE | READ_FILE | READ_DIR
WRITE = ALL_FILES & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV)
TCP = 0b11
"""bind and connect."""
SCOPES = 0b11
"""Abstract unix sockets and signals."""

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long


def kernel_abi() -> int:
    """Return the Landlock ABI of this kernel, 0 where there is none."""
    return max(
        0, int(_syscall(ctypes.c_long(CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint32(QUERY_VERSION)))
    )


def create(read: Iterable[str], write: Iterable[str] = (), listed: Iterable[str] = (), used: Iterable[str] = ()) -> int:
    """Return the descriptor of a ruleset which nothing is granted but the given paths.

    read: files and folders that may be read and executed, with all below them. write: folders in which files may be
    made, changed, removed and executed (no devices). listed: folders whose names may be listed, with all below them.
    used: device files that may be read and written. Paths that do not exist are left out: nothing is granted for them.

    Raises:
        OSError: the kernel has no Landlock, or too old a one.

    """
    if kernel_abi() < LOWEST_ABI:
        raise OSError(f"Landlock ABI {kernel_abi()}: at least {LOWEST_ABI} is needed")
    attributes = struct.pack("=QQQ", ALL_FILES, TCP, SCOPES)
    ruleset = _checked(_syscall(ctypes.c_long(CREATE_RULESET), attributes, ctypes.c_size_t(24), ctypes.c_uint32(0)))
    try:
        for paths, rights in (
            (read, READ),
            (write, WRITE),
            (listed, READ_DIR),
            (used, READ_FILE | WRITE_FILE),
        ):
            for path in paths:
                _grant(ruleset, path, rights)
    except OSError:
        os.close(ruleset)
        raise
    return ruleset


def enforce(ruleset: int) -> None:
    """Put the ruleset on the calling thread and all it starts, for good; sets NO_NEW_PRIVS.

    Raises:
        OSError: the kernel refused.

    """
    _checked(_libc.prctl(PR_SET_NO_NEW_PRIVS, *map(ctypes.c_ulong, (1, 0, 0, 0))))
    _checked(_syscall(ctypes.c_long(RESTRICT_SELF), ctypes.c_int(ruleset), ctypes.c_uint32(0)))


def _grant(ruleset: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= OF_A_FILE
        if rights:
            rule = struct.pack("=Qi", rights, handle)
            _checked(
                _syscall(
                    ctypes.c_long(ADD_RULE),
                    ctypes.c_int(ruleset),
                    ctypes.c_int(RULE_PATH_BENEATH),
                    rule,
                    ctypes.c_uint32(0),
                )
            )
    finally:
        os.close(handle)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return int(result)
