"""Verification: what is known to be right passes, and what is known to be wrong fails, each for its reason."""

import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, Protocol, runtime_checkable

import msgspec

from proofyard.checks.graded import Graded, attempted, graded
from proofyard.checks.judge import Terms, judge, not_graded
from proofyard.checks.package import package_faults
from proofyard.checks.proof import TaskProof, Verification, totals_of
from proofyard.checks.stages import Overall, Remembered, Stage, changed_since, perform
from proofyard.core import Record, Solution, Step, Suite, UsageError
from proofyard.engine import Progress, RunRequest
from proofyard.engine.plugins import load_suite
from proofyard.engine.shelf import task_names
from proofyard.graders import until_first_fault
from proofyard.store import RunData, RunHeader
from proofyard.suites.harbor import HarborSuite

__all__ = ["WAITING_WALL_MS", "VerifyRequest", "verify"]

WAITING_WALL_MS: Final = 1_000
"""The wall clock of a session, in milliseconds, under which shortcuts that wait for ever are graded."""


class VerifyRequest(Record, frozen=True, kw_only=True):
    """What is to be verified. subset, families, tasks: of the suite, all if all are empty. attempts: of each reference.

    others: how often each other solution is graded. suite_options: what the suite is to know.

    folder: keeps the gradings, one folder a family, and goes on where an earlier start of the same stopped; a family whose
    programs or grading changed since is graded anew. "" for one that is thrown away.
    """

    suite: str
    subset: str = ""
    families: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    attempts: int = 5
    concurrency: int = 1
    seed: int | None = None
    folder: str = ""
    others: int = 1
    suite_options: dict[str, str] = msgspec.field(default_factory=dict)


@runtime_checkable
class Comparing(Protocol):
    """A suite that can tell, without a sandbox, whether a shortcut answers as the reference does."""

    def differs(self, task_id: str, name: str) -> str:
        """Where its answers first differ, "" if they never do."""
        ...


def verify(request: VerifyRequest, progress: Progress) -> Verification:
    """Grade the reference of each task several times, and each other known submission once; say what is not as it must be.

    Raises:
        UsageError: the request makes no sense, or `folder` holds something else.
        InfrastructureError: see `proofyard.engine.run`.

    """
    suite = load_suite(request.suite, request.seed, request.suite_options)
    names = _chosen(suite, request)
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(suite.place(name).family, []).append(name)
    terms = Terms(
        request.attempts,
        suite.differs if isinstance(suite, Comparing) else _rewarded if isinstance(suite, HarborSuite) else None,
        WAITING_WALL_MS,
        partial(package_faults, suite) if isinstance(suite, HarborSuite) else None,
    )
    overall = Overall(len(families), progress, time.monotonic)
    proofs: list[FamilyProof] = []
    with _folder(request.folder) as folder:
        for family, tasks in families.items():
            own = folder / (family.replace("/", "-") or "tasks")
            proofs.append(_family(request, own, Remembered(suite), tuple(tasks), terms, overall))
            if not proofs[-1].complete:
                break
    return _verification(request, suite, names, proofs)


def _rewarded(task_id: str, name: str) -> str:
    """A shortcut of a task folder that passes is one that its tests reward."""
    del task_id, name
    return "the tests reward it"


class FamilyProof(NamedTuple):
    """What came of one family. changed: why its kept gradings were dropped, "" if they were not or there were none."""

    tasks: tuple[TaskProof, ...]
    header: RunHeader
    rungs: Counter[str]
    waiting: bool
    complete: bool
    errors: tuple[str, ...]
    changed: str


def _family(
    request: VerifyRequest, folder: Path, suite: Remembered, names: tuple[str, ...], terms: Terms, overall: Overall
) -> FamilyProof:
    stages = _stages(suite, names, request.attempts, request.others)
    changed = changed_since(folder, suite, stages)
    if changed:
        for stage in stages:
            shutil.rmtree(folder / stage.name, ignore_errors=True)
    overall.begin(sum(stage.gradings for stage in stages))
    asked = RunRequest(
        suite=request.suite,
        output=str(folder),
        agents=("oracle",),
        tasks=names,
        concurrency=request.concurrency,
        seed=request.seed,
        suite_options=request.suite_options,
    )
    runs: list[RunData] = []
    errors: list[str] = []
    complete = True
    for stage in stages:
        outcome, data = perform(asked, stage, suite, overall)
        runs.append(data)
        errors += outcome.errors
        if outcome.interrupted:
            complete = False
            break
    found = {key: verdicts for data in runs for key, verdicts in graded(data).items()}
    tried = {key: trials for data in runs for key, trials in attempted(data).items()}
    return FamilyProof(
        tasks=tuple(judge(suite.load(name), found, terms, tried) for name in names),
        header=runs[0].header,
        rungs=_rungs(found),
        waiting=any(stage.name == "waiting" for stage in stages),
        complete=complete,
        errors=tuple(errors),
        changed=changed,
    )


def _verification(
    request: VerifyRequest, suite: Suite, names: Sequence[str], proofs: Sequence[FamilyProof]
) -> Verification:
    found = {task.task: task for proof in proofs for task in proof.tasks}
    tasks = tuple(found.get(name) or not_graded(suite, name) for name in names)
    header = proofs[0].header
    return Verification(
        suite=suite.name,
        version=suite.version,
        seed=request.seed,
        attempts=request.attempts,
        python=header.python,
        hardware=header.hardware,
        isolation=header.isolation,
        rungs=dict(sorted(sum((proof.rungs for proof in proofs), Counter[str]()).items())),
        waiting_wall_ms=WAITING_WALL_MS if any(proof.waiting for proof in proofs) else 0,
        totals=totals_of(tasks),
        tasks=tasks,
        complete=all(proof.complete for proof in proofs),
        errors=tuple(dict.fromkeys(error for proof in proofs for error in proof.errors)),
        changed=tuple(dict.fromkeys(proof.changed for proof in proofs if proof.changed)),
    )


def _chosen(suite: Suite, request: VerifyRequest) -> tuple[str, ...]:
    if request.tasks and (request.subset or request.families):
        raise UsageError("tasks together with a subset or families: give one of them")
    return task_names(suite, request.subset, request.tasks, request.families)


def _stages(suite: Suite, names: Sequence[str], attempts: int, others: int) -> tuple[Stage, ...]:
    """The runs: references as submissions are graded; the others up to their first fault; those that wait."""
    known = [one for name in names for one in suite.load(name).steps[0].hidden.solutions]
    known = [one for one in known if one.kind in {"alternative", "shortcut"}]
    waiting = [one for one in known if one.waits]
    quick = [one for one in known if not one.waits]
    stages = [
        Stage("reference", ("oracle",), attempts, _whole, attempts * len(names)),
        Stage("others", ("nop", *_agents(quick)), others, _short, others * (len(names) + len(quick))),
    ]
    if waiting:
        stages.append(Stage("waiting", _agents(waiting), 1, _waiting, len(waiting)))
    return tuple(stages)


def _agents(solutions: Sequence[Solution]) -> tuple[str, ...]:
    return tuple(f"given:{name}" for name in dict.fromkeys(one.name for one in solutions))


def _whole(step: Step) -> Step:
    return step


def _short(step: Step) -> Step:
    return until_first_fault(step) if step.grader.kind == "sessions" else step


def _waiting(step: Step) -> Step:
    return until_first_fault(step, wall_ms=WAITING_WALL_MS) if step.grader.kind == "sessions" else step


def _rungs(found: Graded) -> Counter[str]:
    rungs = (verdict.provenance.get("rung", "") for verdicts in found.values() for verdict in verdicts)
    return Counter(rung for rung in rungs if rung)


@contextmanager
def _folder(wanted: str) -> Iterator[Path]:
    if wanted:
        yield Path(wanted)
        return
    # An interrupted run abandons its jobs: one may still write while the folder goes.
    with TemporaryDirectory(prefix="proofyard-verify-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
