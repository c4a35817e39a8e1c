"""What the processes of a running container used, and whether memory ran out, by the control groups of this machine."""

import contextlib
from pathlib import Path

from proofyard.sandbox.container.machine import Container

__all__ = ["is_here", "short_of_memory", "used"]

_TREE = Path("/sys/fs/cgroup")


def is_here(container: Container, pid: int) -> bool:
    """Whether the container's first process is the one of that number on this machine, not one of the engine's machine."""
    return pid > 0 and bool(container.id) and container.id in _groups(pid)


def used(container: Container, pid: int) -> tuple[int, int] | None:
    """CPU time in microseconds and the highest memory in bytes since it was started; None if that cannot be known here."""
    folders = _folders(container, pid)
    cpu = [_number(folder / "cpuacct.usage", 1000) for folder in folders]
    cpu += [_row(folder / "cpu.stat", "usage_usec") for folder in folders]
    names = ("memory.max_usage_in_bytes", "memory.peak")
    peak = [_number(folder / name, 1) for folder in folders for name in names]
    known = [number for number in cpu if number is not None]
    return (known[0], max((number for number in peak if number is not None), default=0)) if known else None


def short_of_memory(container: Container, pid: int) -> bool:
    """Whether the kernel killed a process of it for want of memory since it was started; False if that cannot be known."""
    names = ("memory.oom_control", "memory.events")
    found = [_row(folder / name, "oom_kill") for folder in _folders(container, pid) for name in names]
    return any(found)


def _folders(container: Container, pid: int) -> list[Path]:
    """The folders of a container's control groups, none if it is not here."""
    found = []
    for line in _groups(pid).splitlines() if is_here(container, pid) else ():
        _, controllers, path = line.split(":", 2)
        top = _TREE / controllers.removeprefix("name=") if controllers else _TREE
        found.append(Path(f"{top}{path}"))
    return found


def _groups(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cgroup").read_text(errors="replace")
    except OSError:
        return ""


def _number(path: Path, unit: int) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        return int(path.read_text()) // unit
    return None


def _row(path: Path, name: str) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        rows = dict(line.split() for line in path.read_text().splitlines())
        return int(rows[name]) if name in rows else None
    return None
