"""A mutant said to be equivalent and the reference, side by side on random requests in sandboxes of their own: the first
request they answer differently speaks against it.
"""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from proofyard.checks.mutants.targets import Target
from proofyard.checks.mutants.wild import CURSOR, Wild
from proofyard.core import (
    Blobs,
    Limits,
    MemoryBlobs,
    Mount,
    Process,
    Provider,
    Reply,
    Sandbox,
    SandboxSpec,
    Tree,
    tree_of,
)
from proofyard.source import Mutant
from proofyard.suites.scratch.families import FAMILIES
from proofyard.suites.scratch.suite import ENTRY, TaskId
from proofyard.suites.scratch.tiers import PROJECT_DIR, STATE_DIR, TIERS

__all__ = ["EXCUSES", "REQUESTS", "Agreement", "agree", "excuses"]

REQUESTS: Final = 10_000
"""On how many random requests an equivalent mutant must answer as the reference does."""

EXCUSES: Final = Path(__file__).parent.parent.parent / "suites" / "scratch" / "equivalents.json"
"""The reviewed list: name of a target -> mutant id -> why no test can tell it from the reference."""

_PLAY: Final = 500
"""After so many requests both start again without any state."""

_LIMITS: Final = Limits(wall_ms=300_000, cpu_ms=120_000, output=64 << 20, line=8 << 20, disk=256 << 20)


class Agreement(NamedTuple):
    """On how many requests both did the same, and the first on which they did not."""

    agreed: int
    differs: str


def excuses() -> dict[str, dict[str, str]]:
    """The reviewed list of equivalent mutants."""
    return msgspec.json.decode(EXCUSES.read_bytes(), type=dict[str, dict[str, str]])


def agree(target: Target, mutant: Mutant, provider: Provider, *, requests: int = REQUESTS) -> Agreement:
    """Put random requests to a mutant and to the reference, on the highest tier that holds the file.

    Raises:
        InfrastructureError: a sandbox could not be opened, or was lost.

    """
    task = target.tasks[-1]
    files = target.files(task)
    agreed = 0
    for play in range(-(-requests // _PLAY)):
        wild = Wild(TIERS[task.tier], FAMILIES[task.slug], f"{mutant.digest}/{play}")
        with _Pair(task, files, {**files, target.path: mutant.text}, provider) as pair:
            for _ in range(min(_PLAY, requests - agreed)):
                differs = pair.ask(wild.line()) or (wild.chance(0.02) and pair.restart()) or ""
                if differs:
                    return Agreement(agreed, differs)
                agreed += 1
    return Agreement(agreed, "")


class _Side:
    """One program in its sandbox."""

    def __init__(self, task: TaskId, files: dict[str, str], provider: Provider) -> None:
        tier, blobs = TIERS[task.tier], MemoryBlobs()
        self._argv = ["python", ENTRY, *tier.argv]
        kept = (STATE_DIR,) if tier.durable else ()
        self._sandbox = _open(tree_of(files, blobs), kept, provider, blobs)
        self._process: Process = self._sandbox.start(self._argv)
        self._cursor = ""

    def ask(self, line: bytes) -> Any:
        reply = self._process.exchange(line.replace(CURSOR.encode(), self._cursor.encode()), _LIMITS.wall_ms)
        found = _read(reply)
        if isinstance(found, dict) and isinstance(found.get("result"), dict) and found["result"].get("next_cursor"):
            self._cursor = str(found["result"]["next_cursor"])
            found["result"]["next_cursor"] = CURSOR
        return found

    def restart(self) -> object:
        ended = self._process.finish(_LIMITS.wall_ms)
        self._sandbox.kill()
        self._process = self._sandbox.start(self._argv)
        return [ended.code, ended.signal, ended.stdout.decode(errors="replace")]

    def close(self) -> None:
        self._sandbox.close()


class _Pair:
    """Both programs."""

    def __init__(self, task: TaskId, one: dict[str, str], other: dict[str, str], provider: Provider) -> None:
        self._sides = [_Side(task, one, provider)]
        self._sides.append(_Side(task, other, provider))

    def __enter__(self) -> "_Pair":
        return self

    def __exit__(self, *_: object) -> None:
        for side in self._sides:
            side.close()

    def ask(self, line: bytes) -> str:
        """Return how the answers to a line differ, `` if they do not."""
        wanted, got = (side.ask(line) for side in self._sides)
        if json.dumps(wanted, sort_keys=True) == json.dumps(got, sort_keys=True):
            return ""
        return f"{line.decode(errors='replace')[:300]} -> {json.dumps(got)[:200]}, not {json.dumps(wanted)[:200]}"

    def restart(self) -> str:
        """End the input of both, and start them again on what they kept; return how they ended differently."""
        wanted, got = (side.restart() for side in self._sides)
        return "" if wanted == got else f"end of input -> {got}, not {wanted}"


def _open(tree: Tree, kept: tuple[str, ...], provider: Provider, blobs: Blobs) -> Sandbox:
    mount = Mount(path=PROJECT_DIR, tree=tree)
    return provider.open(SandboxSpec(mounts=(mount,), kept=kept, limits=_LIMITS), blobs)


def _read(reply: Reply) -> Any:
    """A response without the wording of its message, or what came instead."""
    if reply.line is None or reply.fault is not None:
        return {"fault": reply.fault}
    found = json.loads(reply.line)
    if isinstance(found, dict) and isinstance(found.get("error"), dict):
        found["error"]["message"] = type(found["error"].get("message")).__name__
    return found
