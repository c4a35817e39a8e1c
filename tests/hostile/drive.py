"""How a hostile program is driven through a `Provider`, and what is seen of it."""

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proofyard.core.errors import InfrastructureError
from proofyard.core.record import sha256
from proofyard.core.sandbox import Ended, Image, Limits, Mount, Process, Provider, Reply, Sandbox, SandboxSpec
from proofyard.core.strictjson import BadJSON, loads
from proofyard.core.tree import MemoryBlobs, Tree, tree_of

PROGRAMS = Path(__file__).parent / "programs"
STATE = "/workspace/state"
LIMITS: dict[str, int] = {
    "wall_ms": 6_000,
    "cpu_ms": 4_000,
    "memory": 512 << 20,
    "tree_memory": 1 << 30,
    "pids": 32,
    "files": 256,
    "file_size": 32 << 20,
    "disk": 24 << 20,
}


@dataclass
class Seen:
    """What came of a program. outcome: `answered`, a fault, or `refused` (the sandbox would not do it)."""

    outcome: str
    answer: Any = None
    reply: Reply | None = None
    ended: Ended | None = None
    alive: int = 0
    killed: bool = False
    tree: Tree = field(default_factory=Tree)
    complaints: list[str] = field(default_factory=list)


class Sums(MemoryBlobs):
    """Blobs that forget what is large, so that the memory of this process shows what the sandbox takes, not the test."""

    def put(self, data: bytes) -> str:
        return super().put(data) if len(data) < 65_536 else sha256(data)


Drive = Callable[[Process, dict[str, Any], int], Seen]


def project(blobs: MemoryBlobs) -> Tree:
    """All programs, as one submission."""
    return tree_of({path.name: path.read_bytes() for path in PROGRAMS.glob("*.py")}, blobs)


def read(reply: Reply) -> Seen:
    """Judge a reply as a grader does: the fault, or the line read strictly."""
    if reply.line is None or reply.fault is not None:
        return Seen(reply.fault or "none", reply=reply)
    try:
        return Seen("answered", answer=loads(reply.line), reply=reply)
    except BadJSON:
        return Seen("bad_json", reply=reply)


def line(request: dict[str, Any]) -> bytes:
    """A request as it is sent."""
    return json.dumps(request).encode()


def ask(process: Process, request: dict[str, Any], wall_ms: int) -> Seen:
    """One request, one answer; the program is left as it is then."""
    return read(process.exchange(line(request), wall_ms))


def ask_and_finish(process: Process, request: dict[str, Any], wall_ms: int) -> Seen:
    """One request, one answer, end of input."""
    seen = read(process.exchange(line(request), wall_ms))
    seen.ended = process.finish(wall_ms)
    return seen


def ask_twice(process: Process, request: dict[str, Any], wall_ms: int) -> Seen:
    """Two requests; an extra line of the first shows at the second at the latest."""
    seen = read(process.exchange(line(request), wall_ms))
    return seen if seen.outcome != "answered" else read(process.exchange(line(request), wall_ms))


def ask_late(process: Process, request: dict[str, Any], wall_ms: int) -> Seen:
    """Wait until an early answer has come, then ask; an answer to another id is no answer."""
    time.sleep(0.3)
    seen = read(process.exchange(line(request), wall_ms))
    if seen.outcome == "answered" and seen.answer.get("id") != request["id"]:
        seen.outcome = "unsolicited_output"
    return seen


def ask_at_length(process: Process, request: dict[str, Any], wall_ms: int) -> Seen:
    """Send more than a pipe holds."""
    return read(process.exchange(line({**request, "long": "x" * 700_000}), wall_ms))


def kill_in_response(process: Process, request: dict[str, Any], wall_ms: int) -> Seen:
    """Kill inside the write that answers."""
    reply = process.exchange(line(request), wall_ms, kill_at="response")
    seen = read(reply)
    if not reply.killed:
        seen.complaints.append("the kill point did not fire")
    return seen


def open_sandbox(
    provider: Provider, blobs: MemoryBlobs, armed: bool = False, preload: tuple[str, ...] = (), **limits: int
) -> Sandbox:
    """A sandbox with all programs and one kept folder."""
    spec = SandboxSpec(
        image=Image(preload=preload),
        mounts=(Mount(path="/workspace/project", tree=project(blobs)),),
        kept=(STATE,),
        limits=Limits(**{**LIMITS, **limits}),
        armed=armed,
    )
    return provider.open(spec, blobs)


def refused(error: InfrastructureError) -> Seen:
    """The provider said that it cannot."""
    seen = Seen("refused")
    if error.failure.code != "isolation_unavailable":
        seen.complaints.append(str(error))
    return seen


def request_for(told: dict[str, object], more: dict[str, Any]) -> dict[str, Any]:
    """A request with an id that cannot be guessed."""
    return {"id": secrets.token_hex(8), **told, **more}
