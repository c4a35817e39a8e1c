"""Memory and CPU of a tree of processes, and what the kernel holds for it in sockets, from `/proc`."""

import os

__all__ = ["children", "cpu_below", "descendants", "in_descriptors", "in_sockets", "resident"]

TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")
LAST_CPU_FIELD = 15
PAGE = os.sysconf("SC_PAGE_SIZE")
SOCKET_BYTES = 256 << 10
"""What one socket whose buffers have their default sizes can hold: 208 KiB, and what the last send goes over that."""
FEW = 32
"""Sockets, or descriptors, that are not counted: what honest programs have."""
FEW_TCP = 8
TCP_OVERHEAD = 2
LISTENING = b"0A"


def descendants(root: int) -> list[int]:
    """The process `root` and all that descend from it. Processes that end meanwhile are left out."""
    found = [root]
    for pid in found:
        found.extend(children(pid))
    return found


def children(pid: int) -> list[int]:
    """The children of all threads of a process."""
    return [int(child) for thread in _threads(pid) for child in _read(f"/proc/{pid}/task/{thread}/children").split()]


def resident(root: int) -> int:
    """Bytes resident in the tree below `root`, shared pages counted in each process."""
    total = 0
    for pid in descendants(root):
        fields = _read(f"/proc/{pid}/statm").split()
        if len(fields) > 1:
            total += int(fields[1]) * PAGE
    return total


def in_sockets(pid: int) -> int:
    """Bytes that the sockets of a process's network namespace may hold, also those that no descriptor leads to any more.

    More than a few sockets count as full. TCP grows its buffers, so what is in them is added up.
    """
    table = _read(f"/proc/{pid}/net/sockstat")
    total = SOCKET_BYTES * max(0, _in_use(table, b"sockets:", b"used") - FEW)
    tcp = _in_use(table, b"TCP:", b"inuse")
    if tcp + _in_use(_read(f"/proc/{pid}/net/sockstat6"), b"TCP6:", b"inuse") > FEW_TCP:
        total += TCP_OVERHEAD * (_queued(f"/proc/{pid}/net/tcp") + _queued(f"/proc/{pid}/net/tcp6"))
    return total


def in_descriptors(root: int) -> int:
    """The same where the tree has no network namespace and only pairs of sockets: by the number of its descriptors."""
    return sum(SOCKET_BYTES * max(0, _descriptors(pid) - FEW) for pid in descendants(root))


def cpu_below(root: int) -> int:
    """Microseconds of CPU used so far by the live processes below `root`, and by the children they waited for."""
    total = 0
    for pid in descendants(root)[1:]:
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        if len(fields) < LAST_CPU_FIELD:
            continue
        own, waited = (sum(map(int, fields[at : at + 2])) * TICK_US for at in (11, 13))
        precise = sum(_thread_us(pid, thread) for thread in _threads(pid))
        total += max(own, precise) + waited
    return total


def _in_use(table: bytes, row: bytes, column: bytes) -> int:
    """One figure of a table like `sockstat`, 0 where it is not there."""
    for line in table.splitlines():
        words = line.split()
        if words and words[0] == row and column in words:
            return int(words[words.index(column) + 1])
    return 0


def _queued(path: str) -> int:
    """Bytes in the queues of all connections that a table like `/proc/net/tcp` lists."""
    total = 0
    try:
        with open(path, "rb") as table:  # noqa: PTH123 - on every tick
            for line in table:
                words = line.split(None, 5)
                if len(words) > 5 and words[3] != LISTENING and words[3] != b"st":
                    sent, _, received = words[4].partition(b":")
                    total += int(sent, 16) + int(received, 16)
    except OSError:
        return total
    return total


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - on every tick
    except OSError:
        return 0


def _thread_us(pid: int, thread: str) -> int:
    fields = _read(f"/proc/{pid}/task/{thread}/schedstat").split()
    return int(fields[0]) // 1000 if fields else 0


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - on every tick
    except OSError:
        return []


def _read(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, 1 << 16)
    except OSError:
        return b""
    finally:
        os.close(fd)
