"""Verification: what is known to be right passes, and what is known to be wrong fails, each for its reason."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Protocol, runtime_checkable

from proofyard.checks.graded import Graded, graded
from proofyard.checks.judge import Terms, judge
from proofyard.checks.proof import Verification, totals_of
from proofyard.checks.stages import Overall, Remembered, Stage, check_fresh, perform
from proofyard.core import Record, Solution, Step, Suite, UsageError
from proofyard.engine import Progress, RunRequest
from proofyard.engine.plugins import load_suite
from proofyard.engine.shelf import task_names
from proofyard.graders import until_first_fault
from proofyard.store import RunData

__all__ = ["WAITING_WALL_MS", "VerifyRequest", "verify"]

WAITING_WALL_MS: Final = 1_000
"""The wall clock of a session, in milliseconds, under which shortcuts that wait for ever are graded."""


class VerifyRequest(Record, frozen=True, kw_only=True):
    """What is to be verified. subset, families, tasks: of the suite, all if all are empty. attempts: of each reference.

    folder: keeps the gradings and goes on where an earlier start of the same stopped; "" for one that is thrown away.
    """

    suite: str
    subset: str = ""
    families: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    attempts: int = 5
    concurrency: int = 1
    seed: int | None = None
    folder: str = ""


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
    plain = load_suite(request.suite, request.seed)
    suite = Remembered(plain)
    names = _chosen(suite, request)
    stages = _stages(suite, names, request.attempts)
    terms = Terms(request.attempts, plain.differs if isinstance(plain, Comparing) else None, WAITING_WALL_MS)
    with _folder(request.folder) as folder:
        check_fresh(folder, suite, stages)
        overall = Overall(sum(stage.gradings for stage in stages), progress, time.monotonic)
        asked = RunRequest(
            suite=request.suite,
            output=str(folder),
            agents=("oracle",),
            tasks=names,
            concurrency=request.concurrency,
            seed=request.seed,
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
    tasks = tuple(judge(suite.load(name), found, terms) for name in names)
    return Verification(
        suite=suite.name,
        version=suite.version,
        seed=request.seed,
        attempts=request.attempts,
        python=runs[0].header.python,
        hardware=runs[0].header.hardware,
        isolation=runs[0].header.isolation,
        rungs=_rungs(found),
        waiting_wall_ms=WAITING_WALL_MS if any(stage.name == "waiting" for stage in stages) else 0,
        totals=totals_of(tasks),
        tasks=tasks,
        complete=complete,
        errors=tuple(dict.fromkeys(errors)),
    )


def _chosen(suite: Suite, request: VerifyRequest) -> tuple[str, ...]:
    if request.tasks and (request.subset or request.families):
        raise UsageError("tasks together with a subset or families: give one of them")
    return task_names(suite, request.subset, request.tasks, request.families)


def _stages(suite: Suite, names: Sequence[str], attempts: int) -> tuple[Stage, ...]:
    """The runs: references as submissions are graded; the others up to their first fault; those that wait."""
    known = [one for name in names for one in suite.load(name).steps[0].hidden.solutions if not one.argv]
    others = [one for one in known if one.kind in {"alternative", "shortcut"}]
    waiting = [one for one in others if one.waits]
    quick = [one for one in others if not one.waits]
    stages = [
        Stage("reference", ("oracle",), attempts, _whole, attempts * len(names)),
        Stage("others", ("nop", *_agents(quick)), 1, _short, len(names) + len(quick)),
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


def _rungs(found: Graded) -> dict[str, int]:
    counts: dict[str, int] = {}
    for verdicts in found.values():
        for verdict in verdicts:
            rung = verdict.provenance.get("rung")
            if rung:
                counts[rung] = counts.get(rung, 0) + 1
    return dict(sorted(counts.items()))


@contextmanager
def _folder(wanted: str) -> Iterator[Path]:
    if wanted:
        yield Path(wanted)
        return
    with TemporaryDirectory(prefix="proofyard-verify-") as folder:
        yield Path(folder)
