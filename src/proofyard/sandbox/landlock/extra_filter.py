"""The second seccomp filter of the Landlock rung: what only namespaces would have kept apart.

Without namespaces a program shares its uid, its network and its System V objects with the host. Landlock does not rule
over unix sockets by path, UDP, limits and priorities of other processes of the uid, or the modes of files it owns; this
filter refuses those calls. It is stacked on the common filter. Standard library only: imported by path.
"""

import errno
import platform
import struct
from typing import Final

__all__ = ["extra_filter"]

ALLOW = 0x7FFF0000
ERRNO = 0x00050000
LOAD, JUMP_EQUAL, AND, RETURN = 0x20, 0x15, 0x54, 0x06
NUMBER_AT, ARCH_AT, ARGUMENTS_AT = 0, 4, 16

AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
STREAM, SEQPACKET = 1, 5
TYPE_MASK = 0xF
"""Of a socket's type argument; the rest are flags."""
PRIO_PROCESS, IOPRIO_WHO_PROCESS = 0, 1

ARCHES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_COLUMN: Final = {"x86_64": 0, "aarch64": 1}

REFUSED: Final = {
    "connect": (42, 203),
    "bind": (49, 200),
    "inotify_add_watch": (254, 27),
    "semget": (64, 190),
    "semctl": (66, 191),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgctl": (71, 187),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "shmctl": (31, 195),
    "shmat": (30, 196),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
}
"""Refused outright: call -> numbers on x86_64 and aarch64."""

OWNER: Final = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
"""Refused where the uid owns files outside: Landlock does not rule over modes, owners, times and attributes."""

Check = tuple[int, int, tuple[int, ...]]
"""Argument, mask, values: the call is allowed only if the masked argument is one of the values."""

OF_SELF: Final[dict[str, tuple[tuple[int, int], tuple[Check, ...]]]] = {
    "prlimit64": ((302, 261), ((0, 0xFFFFFFFF, (0,)),)),
    "setpriority": ((141, 140), ((0, 0xFFFFFFFF, (PRIO_PROCESS,)), (1, 0xFFFFFFFF, (0,)))),
    "ioprio_set": ((251, 30), ((0, 0xFFFFFFFF, (IOPRIO_WHO_PROCESS,)), (1, 0xFFFFFFFF, (0,)))),
    "sched_setscheduler": ((144, 119), ((0, 0xFFFFFFFF, (0,)),)),
    "sched_setparam": ((142, 118), ((0, 0xFFFFFFFF, (0,)),)),
    "sched_setattr": ((314, 274), ((0, 0xFFFFFFFF, (0,)),)),
    "sched_setaffinity": ((203, 122), ((0, 0xFFFFFFFF, (0,)),)),
}
"""Allowed on the calling process alone (EPERM else)."""

SOCKETS: Final[dict[str, tuple[tuple[int, int], tuple[Check, ...]]]] = {
    "socket": ((41, 198), ((0, 0xFFFFFFFF, (AF_UNIX,)), (1, TYPE_MASK, (STREAM, SEQPACKET)))),
    "socketpair": ((53, 199), ((1, TYPE_MASK, (STREAM, SEQPACKET)),)),
}
"""Only connected unix pairs: a datagram socket could name a path as its receiver (EACCES else)."""


def extra_filter(*, owns_files: bool, machine: str | None = None) -> bytes:
    """Return the filter as an array of `struct sock_filter`. owns_files: the uid owns files outside the sandbox.

    Raises:
        ValueError: the machine is neither x86_64 nor aarch64.

    """
    name = machine or platform.machine()
    if name not in ARCHES:
        raise ValueError(f"no seccomp filter for {name}: it exists for {' and '.join(ARCHES)}")
    column = _COLUMN[name]
    # A foreign architecture is killed by the common filter, which always lies below this one.
    code = [_op(LOAD, 0, 0, ARCH_AT), _op(JUMP_EQUAL, 1, 0, ARCHES[name]), _op(RETURN, 0, 0, ALLOW)]
    code.append(_op(LOAD, 0, 0, NUMBER_AT))
    refused = {**REFUSED, **(OWNER if owns_files else {})}
    for numbers in refused.values():
        if (number := numbers[column]) is not None:
            answer = errno.EACCES if numbers in (REFUSED["connect"], REFUSED["bind"]) else errno.EPERM
            code += [_op(JUMP_EQUAL, 0, 1, number), _op(RETURN, 0, 0, ERRNO | answer)]
    for table, answer in ((OF_SELF, errno.EPERM), (SOCKETS, errno.EACCES)):
        for pair, checks in table.values():
            code += _block(pair[column], checks, answer)
    code.append(_op(RETURN, 0, 0, ALLOW))
    return b"".join(code)


def _block(number: int, checks: tuple[Check, ...], answer: int) -> list[bytes]:
    body: list[bytes] = []
    for argument, mask, values in checks:
        body += [_op(LOAD, 0, 0, ARGUMENTS_AT + 8 * argument), _op(AND, 0, 0, mask)]
        for index, value in enumerate(values):
            body.append(_op(JUMP_EQUAL, len(values) - index, 0, value))
        body.append(_op(RETURN, 0, 0, ERRNO | answer))
    body.append(_op(RETURN, 0, 0, ALLOW))
    return [_op(JUMP_EQUAL, 0, len(body), number), *body]


def _op(code: int, if_true: int, if_false: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
