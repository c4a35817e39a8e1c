"""Write calls of a stopped program: where their bytes lie, and how the first half of them is stored in its stead."""

import contextlib
import errno
import os
import resource
import stat
import struct
from collections.abc import Callable, Iterator, Sequence

from proofyard.sandbox.runner import kernel

__all__ = ["memory", "store_half", "vectors"]

VECTOR = struct.Struct("<QQ")
MAX_VECTORS = 1024
MOST_AT_ONCE = 0x7FFFF000
"""The kernel writes no more in one call."""
CHUNK = 1 << 16
PLAIN = frozenset({"write", "pwrite64"})
VECTORED = frozenset({"writev", "pwritev", "pwritev2"})
GONE = frozenset({errno.EBADF, errno.ESRCH, errno.ENOENT})


def memory(pid: int, address: int, length: int) -> bytes:
    """Up to `length` bytes of a process's memory, fewer where it ends, none if it is gone."""
    try:
        return kernel.read_memory(pid, address, length)
    except OSError:
        return b""


def vectors(pid: int, address: int, count: int) -> list[tuple[int, int]]:
    """The (address, length) pairs of a call with vectors; none where the kernel would not take so many."""
    if not 0 < count <= MAX_VECTORS:
        return []
    raw = memory(pid, address, count * VECTOR.size)
    return list(VECTOR.iter_unpack(raw[: len(raw) // VECTOR.size * VECTOR.size]))


def store_half(name: str, pid: int, args: Sequence[int], waits: Callable[[], bool]) -> None:
    """Store the first half of the bytes of the write that thread `pid` is stopped in, where the call would store them.

    waits: whether the thread is still in that call. Nothing is stored for a call that would fail, nor in files that are
    no storage, as those of `/proc`: they would take the runner's rights for the program's. What the kernel would not take
    from the program (beyond its largest file, or the quota) is not stored. Raises OSError where the machine does not
    let the runner have the program's descriptor.
    """
    try:
        fd = kernel.take_descriptor(pid, args[0] & 0xFFFFFFFF)
    except OSError as error:
        if error.errno in GONE:
            return
        raise
    try:
        if waits() and stat.S_ISREG(os.fstat(fd).st_mode) and kernel.on_tmpfs(fd):
            _store(name, pid, args, fd, waits)
    finally:
        os.close(fd)


def _store(name: str, pid: int, args: Sequence[int], fd: int, waits: Callable[[], bool]) -> None:
    pieces = _pieces(name, pid, args)
    put = _putter(name, fd, args)
    half = min(sum(length for _, length in pieces), MOST_AT_ONCE) // 2
    done = 0
    with contextlib.suppress(OSError), _limited_as(pid):
        for chunk in _chunks(pid, pieces, half):
            if not waits():
                return  # what was read may be the memory of a later process
            rest = chunk
            while rest:
                count = put(rest, done)
                done += count
                rest = rest[count:]


def _pieces(name: str, pid: int, args: Sequence[int]) -> list[tuple[int, int]]:
    """Where the bytes of a write to a file lie: none where the kernel would refuse the call."""
    pieces: list[tuple[int, int]] = []
    if name in PLAIN:
        pieces = [(args[1], args[2])]
    elif name in VECTORED:
        pieces = vectors(pid, args[1], args[2])
    return pieces if all(length < 1 << 63 for _, length in pieces) else []


def _chunks(pid: int, pieces: Sequence[tuple[int, int]], count: int) -> Iterator[bytes]:
    """The first `count` bytes of the pieces, or up to where the memory ends."""
    for base, length in pieces:
        at, end = base, base + min(length, count)
        count -= end - base
        while at < end:
            data = memory(pid, at, min(CHUNK, end - at))
            if not data:
                return
            yield data
            at += len(data)


def _putter(name: str, fd: int, args: Sequence[int]) -> Callable[[bytes, int], int]:
    """How bytes are stored that come `done` bytes after the first: through the program's own open file, so that its
    position moves and appending goes to the end. On 64-bit machines the fourth argument is the whole offset, and what
    pwritev and pwritev2 have for its upper half counts for nothing.
    """
    offset = _signed(args[3], 64)
    if name in {"pwrite64", "pwritev"}:
        return lambda data, done: os.pwrite(fd, data, offset + done)
    if name == "pwritev2":
        flags = _signed(args[5], 32)
        moving = offset == -1
        return lambda data, done: os.pwritev(fd, [data], offset if moving else offset + done, flags)
    return lambda data, _: os.write(fd, data)


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


@contextlib.contextmanager
def _limited_as(pid: int) -> Iterator[None]:
    """Take on the program's limit of the size of a file (Python ignores the signal that tells of it)."""
    own = resource.getrlimit(resource.RLIMIT_FSIZE)
    soft, _ = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, own[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, own)
