"""What this machine isolates, found by running a canary program on each rung, never by looking for a program's name."""

import functools
import json
import os
import platform
import secrets
import socket
import threading
from importlib import import_module
from pathlib import Path

from proofyard.core import (
    Capabilities,
    InfrastructureError,
    Limits,
    MemoryBlobs,
    Mount,
    ProofyardError,
    Rung,
    RungReport,
    SandboxSpec,
    tree_of,
)
from proofyard.sandbox.machine import bubblewrap_path, interpreter
from proofyard.sandbox.pool import LADDER, RunnerPool
from proofyard.sandbox.seccomp import MACHINES, filter_hash

__all__ = ["capabilities", "rung_report"]

WALL_MS = 10_000
TRIES = 3
OUTSIDE = Path("/etc/passwd")
"""A file of the host that everybody may read and no sandbox shows; made for the purpose, one could be left behind."""
CANARY = b"""
import json, os, socket, sys
order = json.loads(sys.stdin.readline())
try:
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
except OSError:
    status = {}
seen = {"uid": os.getuid(), "caps": status.get("CapEff", "").strip(), "nonce": order["nonce"]}
try:
    seen["outside"] = open(order["outside"]).read()
except OSError:
    seen["outside"] = ""
try:
    socket.create_connection(("127.0.0.1", order["port"]), timeout=1).close()
    seen["network"] = True
except OSError:
    seen["network"] = False
try:
    open("added", "w").close()
    seen["project"] = True
except OSError:
    seen["project"] = False
open(sys.argv[1] + "/kept", "w").write("kept")
print(json.dumps(seen), flush=True)
sys.stdin.readline()
"""
OPEN: dict[Rung, tuple[str, ...]] = {
    "bubblewrap": ("stores through a shared mapping are not seen by kill points",),
    "zygote": ("all forks of one warm process share its hash seed", "no kill at an exact point"),
    "landlock": (),
    "none": ("everything: a plain process with the rights of its user",),
}


@functools.cache
def capabilities() -> Capabilities:
    """Probe every rung; once a process."""
    return Capabilities(rungs=tuple(rung_report(rung) for rung in LADDER), facts=_facts())


def rung_report(rung: Rung) -> RungReport:
    """Probe one rung; once a process."""
    with _LOCK:
        return _probe(rung)


_LOCK = threading.Lock()


@functools.cache
def _probe(rung: Rung) -> RungReport:
    reason = _reason(rung)
    return RungReport(rung=rung, works=not reason, reason=reason, open=_open(rung))


def _reason(rung: Rung) -> str:
    """Why the rung does not work here; empty if it does."""
    if platform.system() != "Linux":
        return f"{platform.system()} is not supported, only Linux is"
    if platform.machine() not in MACHINES:
        return f"no seccomp filter for {platform.machine()}"
    if rung in {"bubblewrap", "zygote"} and not bubblewrap_path():
        return "bubblewrap is not installed (Debian: apt install bubblewrap)"
    if rung in {"zygote", "landlock"}:
        try:
            import_module(f"proofyard.sandbox.{rung}.launcher")
        except ImportError as error:
            return str(error)
    reason = ""
    for _ in range(TRIES):
        try:
            return _run_canary(rung)
        except InfrastructureError as error:
            reason = str(error)
            # A runner that was lost says nothing of the rung: without another try a stray kill would lower it in silence.
            if error.failure.code != "sandbox_lost":
                break
        except (ProofyardError, OSError) as error:
            return str(error)
    return reason


def _run_canary(rung: Rung) -> str:
    nonce = secrets.token_hex(8)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        seen, killed = _ask(rung, {"nonce": nonce, "outside": str(OUTSIDE), "port": listener.getsockname()[1]})
    if seen.get("nonce") != nonce:
        return "the canary program did not run as asked"
    if not killed:
        return "its death could not be confirmed"
    return "" if rung == "none" else _leak(seen)


def _leak(seen: dict[str, object]) -> str:
    if seen["outside"] == OUTSIDE.read_text():
        return "a file outside could be read"
    if seen["network"]:
        return "the host's network could be reached"
    if seen["project"]:
        return "the project folder could be written"
    if seen["uid"] == 0 or seen["caps"] not in {"", "0000000000000000"}:
        return "the program kept privileges"
    return ""


def _ask(rung: Rung, order: dict[str, object]) -> tuple[dict[str, object], bool]:
    blobs = MemoryBlobs()
    project = Mount(path="/workspace/project", tree=tree_of({"main.py": CANARY}, blobs))
    spec = SandboxSpec(
        mounts=(project,), kept=("/workspace/state",), lowest=rung, limits=Limits(disk=1 << 20, inodes=64)
    )
    pool = RunnerPool(slots=1)
    try:
        sandbox = pool.open(spec, blobs, rung)
        process = sandbox.start(["python", "main.py", "/workspace/state"])
        reply = process.exchange(json.dumps(order).encode(), WALL_MS)
        if reply.line is None:
            said = process.finish(1000).stderr.decode("utf-8", "replace").strip().splitlines()
            raise ProofyardError(
                f"the canary program gave no answer ({reply.fault}): {said[-1] if said else 'no message'}"
            )
        killed = sandbox.kill() and "workspace/state/kept" in sandbox.snapshot().entries
        seen: dict[str, object] = json.loads(reply.line)
        return seen, killed
    finally:
        pool.close()


def _open(rung: Rung) -> tuple[str, ...]:
    if rung != "landlock":
        return OPEN[rung]
    try:
        landlock = import_module("proofyard.sandbox.landlock")
    except ImportError:
        return ()
    differs = landlock.DIFFERENT.items()
    return (*landlock.OPEN, *(f"hostile program {number:02}: {how}" for number, how in differs))


def _facts() -> dict[str, str]:
    limit = Path("/proc/sys/user/max_user_namespaces")
    facts = {
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "python": interpreter().version,
        "started_as": "root" if os.getuid() == 0 else "user",
        "bubblewrap": bubblewrap_path() or "not installed",
        "user_namespaces": limit.read_text().strip() if limit.exists() else "unknown",
        "cgroups": "v2" if Path("/sys/fs/cgroup/cgroup.controllers").exists() else "v1 or none",
        "tree_memory": "30 ms watchdog and an address space limit per process",
    }
    if platform.machine() in MACHINES:
        facts["filter"] = filter_hash()
    return facts
