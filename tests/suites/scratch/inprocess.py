"""Scenarios graded by the real session grader against a program inside this process: no sandbox, so that it is quick.

A `Start` begins a run of some program on a disk and returns what answers one line. Kills at the n-th state-changing
call are imitated by the disk: replacing a file is five calls (create, write, sync, rename, sync of the folder).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from proofyard.core import (
    Ended,
    Given,
    Grade,
    KillPoint,
    MemoryBlobs,
    Reply,
    Rung,
    SandboxSpec,
    Scenario,
    Task,
    Tree,
    Usage,
    tree_of,
)
from proofyard.graders import SessionGrader
from proofyard.suites.scratch import ScratchSuite
from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.machine import Disk
from proofyard.suites.scratch.program.documents import DocumentService
from proofyard.suites.scratch.program.durable import DurableService
from proofyard.suites.scratch.program.envelope import answer
from proofyard.suites.scratch.program.revisions import HISTORIES, RevisionService
from proofyard.suites.scratch.program.store import Store, Tables

Respond = Callable[[bytes], bytes]
Start = Callable[[str, Family, "KillableDisk"], Respond]

KEPT = 12
"""How many tasks are kept: those of a family, and the few that many tests use."""


class KeepingSuite(ScratchSuite):
    """The suite; what was made last is not made again."""

    @lru_cache(maxsize=KEPT)  # noqa: B019 - there is one suite
    def scenarios(self, task_id: str) -> tuple[Scenario, ...]:
        return super().scenarios(task_id)

    @lru_cache(maxsize=KEPT)  # noqa: B019
    def load(self, task_id: str) -> Task:
        return super().load(task_id)


SUITE = KeepingSuite()
_SAMPLE = "word-frequency csv-aggregate date-arithmetic matrix-ops shortest-path round-robin double-entry convex-hull"
SAMPLE = [task for task in SUITE.ids() if task.endswith((*_SAMPLE.split(), "expression-eval", "lru-cache"))]
"""The tasks of one family of each category, for what takes long and does not depend on the family."""


class Killed(BaseException):
    """The program was killed here."""


class KillableDisk(Disk):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.kill_at = 0

    def step(self) -> None:
        """One state-changing call."""
        self.calls += 1
        if self.calls == self.kill_at:
            raise Killed

    def save(self, tables: Tables) -> None:
        for _ in ("create", "write", "sync"):
            self.step()
        self.step()
        super().save(tables)
        self.step()


class InProcess:
    def __init__(self, respond: Respond, disk: KillableDisk) -> None:
        self._respond = respond
        self._disk = disk
        self._left = b""

    def exchange(self, request: bytes, wall_ms: int, kill_at: KillPoint | None = None, *, torn: bool = False) -> Reply:
        self._disk.calls = 0
        self._disk.kill_at = kill_at if isinstance(kill_at, int) else 0
        try:
            line = self._respond(request + b"\n")
        except Killed:
            return Reply(killed=True, fault="killed")
        if not line:
            return Reply(fault="timeout")
        return Reply(line=line, killed=kill_at == "response", calls=self._disk.calls)

    def send(self, data: bytes) -> None:
        if data.strip(b" \t\r\n"):
            assert not data.endswith(b"\n")
            self._disk.kill_at = 0
            line = self._respond(data)
            self._left = line + b"\n" if line else b""

    def receive(self, wall_ms: int) -> Reply:
        return Reply(fault="eof")

    def finish(self, wall_ms: int) -> Ended:
        return Ended(code=0, stdout=self._left)


class InProcessSandbox:
    rung: Rung = "none"
    provenance: Mapping[str, str] = {}

    def __init__(self, tier: str, family: Family, start: Start) -> None:
        self._begin = lambda: start(tier, family, self._disk)
        self._disk = KillableDisk()

    def start(self, argv: Sequence[str], *, cwd: str = "", env: Mapping[str, str] | None = None) -> InProcess:
        return InProcess(self._begin(), self._disk)

    def put(self, tree: Tree, path: str) -> None:
        raise AssertionError(path)

    def get(self, path: str) -> Tree:
        return Tree()

    def kill(self) -> bool:
        return True

    def snapshot(self) -> Tree:
        return Tree()

    def usage(self) -> Usage:
        return Usage()

    def close(self) -> None:
        return


def grade(tier: str, slug: str, start: Start, *, suite: ScratchSuite = SUITE) -> Grade:
    """Grade a program on the task of a tier and a family."""
    task_id = next(i for i in suite.ids(tier) if i.endswith(f"-{slug}"))
    family = suite.family(task_id)
    step = loaded(suite, task_id).steps[0]

    def open_sandbox(spec: SandboxSpec) -> InProcessSandbox:
        return InProcessSandbox(tier, family, start)

    submission = tree_of({"main.py": "pass"}, MemoryBlobs())
    return SessionGrader().grade(step, submission, open_sandbox, Given(seed="fixed"), MemoryBlobs())


def loaded(suite: ScratchSuite, task_id: str) -> Task:
    """The task."""
    return suite.load(task_id)


def build(
    tier: str,
    family: Family,
    disk: Disk,
    *,
    documents: type[DocumentService] = DocumentService,
    revisions: type[RevisionService] = RevisionService,
    durable: type[DurableService] = DurableService,
    store: type[Store] = Store,
):  # type: ignore[no-untyped-def]
    """The operations of a tier, made of these parts."""
    own = family.program.OPERATIONS
    if tier == "easy":
        return dict(own)
    if tier == "intermediate":
        return {**own, **documents(own).operations()}
    if tier == "hard":
        return {**own, **revisions(own, store({HISTORIES: {}})).operations()}
    return {**own, **durable(own, disk).operations()}


def reference(tier: str, family: Family, disk: KillableDisk) -> Respond:
    """The reference program."""
    operations = build(tier, family, disk)
    return lambda line: json.dumps(answer(line, operations)).encode()
