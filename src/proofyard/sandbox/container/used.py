"""What the processes of a running container used, by the control groups of this machine."""

import contextlib
from pathlib import Path

from proofyard.sandbox.container.machine import Container

__all__ = ["is_here", "used"]

_TREE = Path("/sys/fs/cgroup")


def is_here(container: Container, pid: int) -> bool:
    """Whether the container's first process is the one of that number on this machine, not one of the engine's machine."""
    return pid > 0 and bool(container.id) and container.id in _groups(pid)


def used(container: Container, pid: int) -> tuple[int, int] | None:
    """CPU time in microseconds and the highest memory in bytes since it was started; None if that cannot be known here."""
    if not is_here(container, pid):
        return None
    cpu = peak = None
    for line in _groups(pid).splitlines():
        _, controllers, path = line.split(":", 2)
        folder = _TREE / controllers.removeprefix("name=") if controllers else _TREE
        here = Path(f"{folder}{path}")
        if "cpuacct" in controllers.split(","):
            cpu = _number(here / "cpuacct.usage", 1000)
        elif controllers == "memory":
            peak = _number(here / "memory.max_usage_in_bytes", 1)
        elif not controllers and (here / "cpu.stat").exists():
            cpu = cpu if cpu is not None else _stat(here / "cpu.stat")
            peak = peak if peak is not None else _number(here / "memory.peak", 1)
    return None if cpu is None else (cpu, peak or 0)


def _groups(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cgroup").read_text(errors="replace")
    except OSError:
        return ""


def _number(path: Path, unit: int) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        return int(path.read_text()) // unit
    return None


def _stat(path: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        rows = dict(line.split() for line in path.read_text().splitlines())
        return int(rows["usage_usec"]) if "usage_usec" in rows else None
    return None
