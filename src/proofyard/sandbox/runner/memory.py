"""Resident memory of a tree of processes, from `/proc`."""

import os

__all__ = ["children", "descendants", "resident"]

PAGE = os.sysconf("SC_PAGE_SIZE")


def descendants(root: int) -> list[int]:
    """The process `root` and all that descend from it. Processes that end meanwhile are left out."""
    found = [root]
    for pid in found:
        found.extend(children(pid))
    return found


def children(pid: int) -> list[int]:
    """The children of all threads of a process."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - on every tick
    except OSError:
        return []
    return [int(child) for thread in threads for child in _read(f"/proc/{pid}/task/{thread}/children").split()]


def resident(root: int) -> int:
    """Bytes resident in the tree below `root`, shared pages counted in each process."""
    total = 0
    for pid in descendants(root):
        fields = _read(f"/proc/{pid}/statm").split()
        if len(fields) > 1:
            total += int(fields[1]) * PAGE
    return total


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
