"""Validation: each task's reference and an empty project, graded as any submission is."""

from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from proofyard.checks.graded import Graded, differing, graded, seen_first
from proofyard.core import Outcome, Record
from proofyard.engine import Progress, RunRequest, run
from proofyard.store import read_run

__all__ = ["TaskValidity", "Validation", "validate"]

MUST: dict[str, Outcome] = {"oracle": Outcome.PASSED, "nop": Outcome.FAILED}
"""Agent -> the outcome each of its attempts must have."""

NAMES: dict[str, str] = {"oracle": "reference", "nop": "empty project"}
"""Agent -> what it submits."""


class TaskValidity(Record, frozen=True, kw_only=True):
    """What came of one task: outcomes of the reference's attempts and of the empty project's, and whether all are right.

    fault: the first outcome that is not as it must be, with the first thing that went wrong; or how attempts differ.
    """

    task: str
    ok: bool
    reference: tuple[Outcome, ...] = ()
    empty: tuple[Outcome, ...] = ()
    assertions: int = 0
    fault: str = ""


class Validation(Record, frozen=True, kw_only=True):
    """A validation of a suite. `complete` is False after an interruption; `errors` are infrastructure failures."""

    format: str = "proofyard.validation"
    schema: int = 1
    suite: str
    version: str
    attempts: int
    python: str
    isolation: dict[str, str] = msgspec.field(default_factory=dict)
    tasks: tuple[TaskValidity, ...]
    complete: bool = True
    errors: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[TaskValidity, ...]:
        """The tasks which are not as they must be."""
        return tuple(task for task in self.tasks if not task.ok)


def validate(
    suite: str,
    progress: Progress,
    *,
    subset: str = "",
    families: tuple[str, ...] = (),
    attempts: int = 1,
    concurrency: int = 1,
    seed: int | None = None,
) -> Validation:
    """Grade every reference and every empty project of a suite, or of a subset or some families, `attempts` times.

    Raises:
        UsageError, InfrastructureError: see `proofyard.engine.run`.
    """
    # An interrupted run abandons its jobs: one may still write while the folder goes.
    with TemporaryDirectory(prefix="proofyard-validate-", ignore_cleanup_errors=True) as folder:
        request = RunRequest(
            suite=suite,
            output=str(Path(folder) / "run"),
            agents=tuple(MUST),
            subset=subset,
            families=families,
            attempts=attempts,
            concurrency=concurrency,
            seed=seed,
        )
        outcome = run(request, progress)
        data = read_run(Path(request.output))
    found = graded(data)
    return Validation(
        suite=data.plan.suite,
        version=data.plan.version,
        attempts=attempts,
        python=data.header.python,
        isolation=data.header.isolation,
        tasks=tuple(_task(found, task, attempts) for task in data.plan.tasks),
        complete=not outcome.interrupted,
        errors=outcome.errors,
    )


def _task(found: Graded, task: str, attempts: int) -> TaskValidity:
    verdicts = {agent: found.get((task, agent), ()) for agent in MUST}
    faults = [
        f"{NAMES[agent]} {verdict.outcome}: {seen_first(verdict)}"
        for agent, each in verdicts.items()
        for verdict in each
        if verdict.outcome is not MUST[agent]
    ]
    if any(len(each) != attempts for each in verdicts.values()):
        faults.append("some attempts have no verdict")
    faults += [f"{NAMES[agent]}: {difference}" for agent, each in verdicts.items() if (difference := differing(each))]
    return TaskValidity(
        task=task,
        ok=not faults,
        reference=tuple(v.outcome for v in verdicts["oracle"]),
        empty=tuple(v.outcome for v in verdicts["nop"]),
        assertions=max((sum(g.total for g in v.groups.values()) for v in verdicts["oracle"]), default=0),
        fault=faults[0] if faults else "",
    )
