"""The limits of one sample as RLIMIT numbers; the address space apart, since it counts on top of what is inherited."""

import resource
from collections.abc import Mapping

__all__ = ["rlimits"]


def rlimits(limits: Mapping[str, int]) -> list[tuple[int, int, int]]:
    """Return (number, soft, hard) each. One process more than asked for: the init counts too."""
    cpu = max(1, -(-limits["cpu_ms"] // 1000))
    pids = limits["pids"] + 1
    return [
        (resource.RLIMIT_NPROC, pids, pids),
        (resource.RLIMIT_NOFILE, limits["files"], limits["files"]),
        (resource.RLIMIT_FSIZE, limits["file_size"], limits["file_size"]),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        (resource.RLIMIT_MEMLOCK, 0, 0),
    ]
