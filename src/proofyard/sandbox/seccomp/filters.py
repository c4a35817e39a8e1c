"""Read the shipped filters and load one by prctl. Standard library only: the runner imports this file by its path."""

import ctypes
import hashlib
import os
import platform
from pathlib import Path

__all__ = ["MACHINES", "filter_bytes", "filter_hash", "load_filter"]

MACHINES = ("x86_64", "aarch64")
"""Machines, as `platform.machine()` names them, for which a filter is shipped."""

PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
INSTRUCTION = 8
"""Bytes of one `struct sock_filter`."""


_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def filter_bytes(machine: str | None = None) -> bytes:
    """Return the filter of `machine` (default: this one) as an array of `struct sock_filter`.

    Raises:
        ValueError: no filter is shipped for that machine.

    """
    name = machine or platform.machine()
    if name not in MACHINES:
        raise ValueError(f"no seccomp filter for {name}: it exists for {' and '.join(MACHINES)}")
    return (Path(__file__).parent / f"{name}.bpf").read_bytes()


def filter_hash(machine: str | None = None) -> str:
    """Return the SHA-256 (hexadecimal) of `filter_bytes(machine)`; results are stamped with it."""
    return hashlib.sha256(filter_bytes(machine)).hexdigest()


def load_filter(program: bytes) -> None:
    """Set NO_NEW_PRIVS and put the filter on the calling thread and all it starts, for good.

    Raises:
        OSError: the kernel refused.

    """
    code = ctypes.cast(ctypes.c_char_p(program), ctypes.c_void_p)
    array = _Program(len(program) // INSTRUCTION, code)
    for arguments in (
        (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(array), 0, 0),
    ):
        if _libc.prctl(*(ctypes.c_ulong(value) for value in arguments)) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
