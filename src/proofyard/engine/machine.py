"""Facts of the machine a run was made on, for the reader of its results."""

import os
import platform
from pathlib import Path

__all__ = ["hardware", "python"]


def hardware() -> dict[str, str]:
    """Return processor, cores, memory and operating system; "unknown" where it cannot be found out."""
    return {
        "machine": platform.machine() or "unknown",
        "processor": _field("/proc/cpuinfo", "model name"),
        "cores": str(os.cpu_count() or "unknown"),
        "memory": _field("/proc/meminfo", "MemTotal"),
        "system": f"{platform.system()} {platform.release()}",
    }


def python() -> str:
    """Return implementation and version of this interpreter."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def _field(path: str, name: str) -> str:
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "unknown"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "unknown")
