"""Armed sandboxes: seccomp user notification stops the candidate inside a call, so that it can be killed there.

Stopped are the calls that can write to the response pipe and those that change state; calls that could do either
unnoticed (splice, sendfile, native asynchronous and ring I/O, ...) are refused. Everything else passes at full speed.
"""

import contextlib
import errno
import fcntl
import os
import stat
import struct
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from proofyard.sandbox.runner.writes import memory, store_half, vectors

__all__ = ["Listener", "Stopped", "filter_program"]

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NUMBERS: dict[str, dict[str, int]] = {
    "x86_64": {
        "write": 1, "pwrite64": 18, "writev": 20, "sendfile": 40, "sendto": 44, "sendmsg": 46, "fsync": 74, "fdatasync": 75,
        "truncate": 76, "ftruncate": 77, "rename": 82, "mkdir": 83, "rmdir": 84, "creat": 85, "link": 86, "unlink": 87,
        "symlink": 88, "io_setup": 206, "io_submit": 209, "mkdirat": 258, "unlinkat": 263, "renameat": 264, "linkat": 265,
        "symlinkat": 266, "splice": 275, "tee": 276, "vmsplice": 278, "fallocate": 285, "pwritev": 296, "sendmmsg": 307,
        "renameat2": 316, "copy_file_range": 326, "pwritev2": 328, "io_uring_setup": 425, "io_uring_enter": 426,
        "io_uring_register": 427, "openat2": 437, "bind": 49, "chmod": 90, "fchmod": 91, "chown": 92, "fchown": 93,
        "lchown": 94, "utime": 132, "mknod": 133, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197,
        "lremovexattr": 198, "fremovexattr": 199, "utimes": 235, "mknodat": 259, "fchownat": 260, "futimesat": 261,
        "fchmodat": 268, "utimensat": 280, "fchmodat2": 452, "setxattrat": 463, "removexattrat": 466, "open": 2,
        "openat": 257,
    },
    "aarch64": {
        "write": 64, "pwrite64": 68, "writev": 66, "sendfile": 71, "sendto": 206, "sendmsg": 211, "fsync": 82,
        "fdatasync": 83, "truncate": 45, "ftruncate": 46, "io_setup": 0, "io_submit": 2, "mkdirat": 34, "unlinkat": 35,
        "renameat": 38, "linkat": 37, "symlinkat": 36, "splice": 76, "tee": 77, "vmsplice": 75, "fallocate": 47,
        "pwritev": 70, "sendmmsg": 269, "renameat2": 276, "copy_file_range": 285, "pwritev2": 287, "io_uring_setup": 425,
        "io_uring_enter": 426, "io_uring_register": 427, "openat2": 437, "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7,
        "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16, "mknodat": 33, "fchmod": 52, "fchmodat": 53,
        "fchownat": 54, "fchown": 55, "utimensat": 88, "bind": 200, "fchmodat2": 452, "setxattrat": 463,
        "removexattrat": 466, "openat": 56,
    },
}  # fmt: skip
REFUSED = frozenset(
    {
        "splice", "tee", "vmsplice", "sendfile", "copy_file_range", "io_setup", "io_submit", "io_uring_setup",
        "io_uring_enter", "io_uring_register", "openat2",
    }
)  # fmt: skip
FLAGGED = {"open": 1, "openat": 2}
"""Opening stops only where it creates or truncates; the index of the argument that holds the flags."""
WRITES = frozenset({"write", "writev", "pwrite64", "pwritev", "pwritev2", "sendto", "sendmsg", "sendmmsg"})
VECTORS = frozenset({"writev", "pwritev2"})

LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, NOTIFY, KILL = 0x7FFF0000, 0x7FC00000, 0x80000000
REFUSE, ABSENT = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
X32_BIT = 0x40000000

RECEIVE, SEND, STILL_THERE, SET_FLAGS = 0xC0502100, 0xC0182101, 0x40082102, 0x40082104
NOTICE = struct.Struct("<QIIiIQ6Q")
RESPONSE = struct.Struct("<QqiI")
CONTINUE = 1
SYNC_WAKE_UP = 1
MOST_BYTES = 1 << 21
"""How much of one write is looked at: more than a line may have."""


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def filter_program(machine: str) -> bytes:
    """The filter for `machine`, as an array of `struct sock_filter`. Raises KeyError for an unknown machine."""
    program = [
        _op(LOAD, 4),
        _op(EQUAL, AUDIT[machine], 1, 0),
        _op(RETURN, KILL),
        _op(LOAD, 0),
        _op(ANY_BIT, X32_BIT, 0, 1),
        _op(RETURN, ABSENT),
    ]
    for name, number in NUMBERS[machine].items():
        if name in FLAGGED:
            program += [
                _op(EQUAL, number, 0, 4),
                _op(LOAD, 16 + 8 * FLAGGED[name]),
                _op(ANY_BIT, os.O_CREAT | os.O_TRUNC, 0, 1),
                _op(RETURN, NOTIFY),
                _op(RETURN, ALLOW),
            ]
        else:
            program += [_op(EQUAL, number, 0, 1), _op(RETURN, REFUSE if name in REFUSED else NOTIFY)]
    program.append(_op(RETURN, ALLOW))
    return b"".join(program)


class Stopped(Protocol):
    """The session whose program is stopped inside calls."""

    def drain(self) -> bytearray:
        """Read what is in the output pipe; the bytes not yet taken."""
        ...

    def kill_now(self) -> None:
        """Send the kill."""
        ...


class Listener:
    """Serves the notifications of one program."""

    def __init__(
        self, source: tuple[int, int], init: Callable[[], Sequence[int]], stdout: int, session: Stopped
    ) -> None:
        self._fd, self._outer = source
        self._init = init
        self._under_way = False
        self._session = session
        self._stdout = _identity(os.fstat(stdout))
        self._names = {number: name for name, number in NUMBERS[os.uname().machine].items()}
        self._kill_at: int | Literal["response"] | None = None
        self._torn = False
        self.calls = 0
        self.announced = 0
        self.fired = False
        self.line: bytes | None = None
        self.extra = False
        with contextlib.suppress(OSError):  # an older kernel only wakes a little later
            fcntl.ioctl(self._fd, SET_FLAGS, SYNC_WAKE_UP)

    def arm(self, kill_at: int | Literal["response"] | None, *, torn: bool = False) -> None:
        """Count from here; kill at the given point. torn: half of what a write there has for a file is stored before."""
        self.calls = 0
        self._kill_at = kill_at
        self._torn = torn

    @property
    def awaits_response(self) -> bool:
        """Whether a kill is due inside the response, and no write of it was seen yet."""
        return self._kill_at == "response" and not self.fired

    def serve(self) -> None:
        """Take one notification and decide: let the call go on, or kill."""
        notice = bytearray(NOTICE.size)
        try:
            fcntl.ioctl(self._fd, RECEIVE, notice, True)
        except OSError:
            return  # its process died meanwhile
        ident, pid, _, number, _, _, *args = NOTICE.unpack(notice)
        name = self._names.get(number, "")
        if not self._is_setup(pid) and (self.fired or self._decide(ident, name, pid, args)):
            return  # it never comes back from this call
        try:
            fcntl.ioctl(self._fd, SEND, RESPONSE.pack(ident, 0, 0, CONTINUE))
        except OSError:
            return

    def _is_setup(self, pid: int) -> bool:
        """Whether the call is the sandbox's own: of its outer process, or of its init before there was anyone else.

        Later the init is trusted no more than the candidate, which can write to its memory.
        """
        if pid == self._outer:
            return True
        self._under_way = self._under_way or pid not in self._init()
        return not self._under_way

    def _decide(self, ident: int, name: str, pid: int, args: list[int]) -> bool:
        """Whether the program is killed inside this call."""
        if name in WRITES:
            try:
                target = self._target(pid, args[0])
            except PermissionError:
                target = None  # its process hides what it has open: that may be state
            except OSError:
                return False  # not open, or its process is gone
            if target is not None and _identity(target) == self._stdout:
                return self._response(ident, name, pid, args)
            if target is not None and not stat.S_ISREG(target.st_mode):
                return False  # other pipes, sockets, terminals keep no state
        self.calls += 1
        if self._kill_at != self.calls:
            return False
        if self._torn and name in WRITES:
            store_half(name, pid, args, lambda: self._waits(ident))
        self._fire()
        return True

    def _response(self, ident: int, name: str, pid: int, args: list[int]) -> bool:
        pieces = _pieces(name, pid, args)
        if self._kill_at == "response":
            before = bytes(self._session.drain())
            data = before + _gathered(pid, pieces)
            line, feed, rest = data.partition(b"\n")
            if feed and self._waits(ident):
                self.line, self.extra = line, bool(rest)
                self._fire()
                return True
        self.announced += sum(length for _, length in pieces)
        return False

    def _waits(self, ident: int) -> bool:
        """Whether the caller still waits in that call: then what was read is its memory, not that of a later process."""
        try:
            fcntl.ioctl(self._fd, STILL_THERE, ident.to_bytes(8, "little"))
        except OSError:
            return False
        return True

    def _fire(self) -> None:
        self.fired = True
        self._session.kill_now()

    @staticmethod
    def _target(pid: int, fd: int) -> os.stat_result:
        return os.stat(f"/proc/{pid}/fd/{fd & 0xFFFFFFFF}")  # noqa: PTH116 - on every write


def _identity(info: os.stat_result) -> tuple[int, int]:
    return info.st_dev, info.st_ino


def _pieces(name: str, pid: int, args: list[int]) -> list[tuple[int, int]]:
    """Where the bytes of a write to a pipe lie: (address, length). Calls that fail on a pipe have none."""
    if name == "write":
        return [(args[1], args[2])]
    return vectors(pid, args[1], args[2]) if name in VECTORS else []


def _gathered(pid: int, pieces: list[tuple[int, int]]) -> bytes:
    """What the pieces hold. They may all lie in one place and be gigabytes together."""
    data = bytearray()
    for base, length in pieces:
        data += memory(pid, base, min(length, MOST_BYTES - len(data)))
    return bytes(data)
