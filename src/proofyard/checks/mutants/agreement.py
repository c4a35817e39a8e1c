"""A mutant said to be equivalent and the reference, side by side on random requests in sandboxes of their own: the first
request they answer differently speaks against it.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
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

_PLAY: Final = 2000
"""After so many requests both start again without any state."""

_BEFORE: Final = 60
"""Of two answers that differ so many characters are shown before the place where they do, and twice as many after it."""

_BURST: Final = 10
"""So many requests are sent before the responses are read: few enough for a pipe to hold."""

_RESTARTS: Final = 0.02
"""After this share of bursts all are started again on what they kept."""

_LIMITS: Final = Limits(wall_ms=300_000, cpu_ms=120_000, output=64 << 20, line=8 << 20, disk=256 << 20)


class Agreement(NamedTuple):
    """On how many requests both did the same, and the first on which they did not."""

    agreed: int
    differs: str


def excuses() -> dict[str, dict[str, str]]:
    """The reviewed list of equivalent mutants."""
    return msgspec.json.decode(EXCUSES.read_bytes(), type=dict[str, dict[str, str]])


def agree(
    target: Target, mutants: Sequence[Mutant], provider: Provider, *, requests: int = REQUESTS
) -> dict[str, Agreement]:
    """Put random requests to mutants and to the reference, on the highest tier that holds the file; return by mutant id.

    Raises:
        InfrastructureError: a sandbox could not be opened, or was lost.

    """
    found = {mutant.digest: Agreement(0, "") for mutant in mutants}
    for play in range(-(-requests // _PLAY)):
        alike = [mutant for mutant in mutants if not found[mutant.digest].differs]
        if alike:
            found.update(_played(target, alike, provider, play, min(_PLAY, requests - play * _PLAY)))
    return found


def _played(
    target: Target, mutants: Sequence[Mutant], provider: Provider, play: int, requests: int
) -> dict[str, Agreement]:
    """What came of one play, all mutants side by side; those that differ are left out of the rest of it."""
    task = target.tasks[-1]
    wild = Wild(TIERS[task.tier], FAMILIES[task.slug], f"{target.name}/{play}")
    found: dict[str, Agreement] = {}
    with ExitStack() as stack:
        reference = _Side(task, target.files(task), provider, stack)
        sides = {
            mutant.digest: _Side(task, {**target.files(task), target.path: mutant.text}, provider, stack)
            for mutant in mutants
        }
        for asked in range(0, requests, _BURST):
            lines = [wild.line() for _ in range(min(_BURST, requests - asked))]
            for mutant, (agreed, differs) in _asked(lines, reference, sides, restart=wild.chance(_RESTARTS)).items():
                found[mutant] = Agreement(play * _PLAY + asked + agreed, differs)
                del sides[mutant]
        return {**found, **{mutant: Agreement(play * _PLAY + requests, "") for mutant in sides}}


def _asked(
    lines: Sequence[bytes], reference: "_Side", sides: Mapping[str, "_Side"], *, restart: bool
) -> dict[str, Agreement]:
    """Put requests to all, then perhaps start all again; return which mutants differ: after how many requests, and how."""
    for side in (reference, *sides.values()):
        side.send(lines)
    found: dict[str, Agreement] = {}
    for number, line in enumerate(lines):
        wanted = reference.answer()
        for mutant, side in sides.items():
            got = wanted if mutant in found else side.answer()
            if got != wanted:
                found[mutant] = Agreement(number, _difference(line, wanted, got))
    if restart:
        wanted = reference.restart()
        for mutant, side in sides.items():
            got = wanted if mutant in found else side.restart()
            if got != wanted:
                found[mutant] = Agreement(len(lines), _difference(b"end of input", wanted, got))
    return found


def _difference(line: bytes, wanted: str, got: str) -> str:
    """A request and where the answers begin to differ."""
    alike = next((n for n, pair in enumerate(zip(wanted, got, strict=False)) if pair[0] != pair[1]), len(wanted))
    spot = max(0, alike - _BEFORE)
    lead = "..." if spot else ""
    shown = [f"{lead}{text[spot : spot + 3 * _BEFORE]}" for text in (got, wanted)]
    return f"{line.decode(errors='replace')[: 5 * _BEFORE]} -> {shown[0]}, not {shown[1]}"


class _Side:
    """One program in its sandbox, which is closed with the `stack`."""

    def __init__(self, task: TaskId, files: dict[str, str], provider: Provider, stack: ExitStack) -> None:
        tier, blobs = TIERS[task.tier], MemoryBlobs()
        self._argv = ["python", ENTRY, *tier.argv]
        kept = (STATE_DIR,) if tier.durable else ()
        self._sandbox = _open(tree_of(files, blobs), kept, provider, blobs)
        stack.callback(self._sandbox.close)
        self._process: Process = self._sandbox.start(self._argv)
        self._cursor = ""

    def send(self, lines: Sequence[bytes]) -> None:
        """Send lines, with the last cursor that this program gave where one is wanted."""
        text = b"".join(line + b"\n" for line in lines)
        self._process.send(text.replace(CURSOR.encode(), self._cursor.encode()))

    def answer(self) -> str:
        """The response as text that is the same for all who do the same."""
        found = _read(self._process.receive(_LIMITS.wall_ms))
        if isinstance(found, dict) and isinstance(found.get("result"), dict) and found["result"].get("next_cursor"):
            self._cursor = str(found["result"]["next_cursor"])
            found["result"]["next_cursor"] = CURSOR
        return json.dumps(found, sort_keys=True)

    def restart(self) -> str:
        """End the input and start again on what was kept; return how the program ended."""
        ended = self._process.finish(_LIMITS.wall_ms)
        self._sandbox.kill()
        self._process = self._sandbox.start(self._argv)
        return f"exit {ended.code}, signal {ended.signal}, {ended.stdout!r}"


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
