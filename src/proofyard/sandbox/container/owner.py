"""Whose a container is: its name says which process made it, so that what a killed one left is found at the next start."""

import os
import secrets
from functools import cache
from pathlib import Path
from typing import Final

from proofyard.core import sha256
from proofyard.sandbox.container.engine import Engine

__all__ = ["LABEL", "container_name", "remove_leftovers"]

LABEL: Final = "proofyard"
"""The label that every container has; its value says what for."""


def container_name() -> str:
    """A new name: `proofyard-MACHINE-PID-START-RANDOM`."""
    return f"proofyard-{_machine()}-{os.getpid()}-{_started(os.getpid())}-{secrets.token_hex(6)}"


def remove_leftovers(engine: Engine) -> list[str]:
    """Remove the containers whose makers on this machine are dead; their names.

    Those of other machines, of other namespaces of processes and of living makers stay.
    """
    code, found, _ = engine.call("ps", "--all", "--filter", f"label={LABEL}", "--format", "{{.Names}}")
    dead = [name for name in found.split() if code == 0 and _is_dead(name)]
    return [name for name in dead if engine.remove(name)]


def _is_dead(name: str) -> bool:
    parts = name.split("-")
    if len(parts) != 5 or parts[0] != "proofyard" or parts[1] != _machine() or not parts[2].isdigit():
        return False
    return _started(int(parts[2])) != parts[3]


def _started(pid: int) -> str:
    """When a process was started, in ticks since the machine was; "" if there is none, or only what is left of it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in {"Z", "X"} else fields[19]


@cache
def _machine() -> str:
    """This machine since it was started, and the namespace by which its processes are counted here."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        boot, space = "unknown", ""
    return sha256(f"{boot} {space}".encode())[:12]
