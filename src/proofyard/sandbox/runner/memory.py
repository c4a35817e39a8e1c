"""Memory and CPU of a tree of processes, from `/proc`."""

import os

__all__ = ["children", "cpu_below", "descendants", "resident"]

TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")
LAST_CPU_FIELD = 15
PAGE = os.sysconf("SC_PAGE_SIZE")


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
