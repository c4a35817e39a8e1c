"""Validation: each task's reference and an empty project, graded as any submission is."""

from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from proofyard.core import Outcome, Record, Verdict
from proofyard.engine import Progress, RunRequest, run
from proofyard.store import RunData, read_run

__all__ = ["TaskValidity", "Validation", "validate"]

MUST: dict[str, Outcome] = {"oracle": Outcome.PASSED, "nop": Outcome.FAILED}
"""Agent -> the outcome each of its attempts must have."""


class TaskValidity(Record, frozen=True, kw_only=True):
    """What came of one task: outcomes of the reference's attempts and of the empty project's, and whether all are right.

    fault: the first outcome that is not as it must be, with the first thing that went wrong.
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
    attempts: int = 1,
    concurrency: int = 1,
    seed: int | None = None,
) -> Validation:
    """Grade every reference and every empty project of a suite `attempts` times.

    Raises:
        UsageError, InfrastructureError: see `proofyard.engine.run`.
    """
    with TemporaryDirectory(prefix="proofyard-validate-") as folder:
        request = RunRequest(
            suite=suite,
            output=str(Path(folder) / "run"),
            agents=tuple(MUST),
            subset=subset,
            attempts=attempts,
            concurrency=concurrency,
            seed=seed,
        )
        outcome = run(request, progress)
        data = read_run(Path(request.output))
    return Validation(
        suite=data.plan.suite,
        version=data.plan.version,
        attempts=attempts,
        python=data.header.python,
        isolation=data.header.isolation,
        tasks=tuple(_task(data, task) for task in data.plan.tasks),
        complete=not outcome.interrupted,
        errors=outcome.errors,
    )


def _task(data: RunData, task: str) -> TaskValidity:
    newest = data.newest()
    found: dict[str, list[Verdict]] = {agent: [] for agent in MUST}
    names = {subject.digest: subject.agent for subject in data.plan.subjects}
    for trial in data.trials.values():
        if trial.task == task and trial.id in newest:
            found[names[trial.subject]].append(newest[trial.id])
    faults = [
        f"{'reference' if agent == 'oracle' else 'empty project'} {verdict.outcome}: {_first(verdict)}"
        for agent, verdicts in found.items()
        for verdict in verdicts
        if verdict.outcome is not MUST[agent]
    ]
    whole = all(len(verdicts) == data.plan.attempts for verdicts in found.values())
    if not whole:
        faults.append("some attempts have no verdict")
    return TaskValidity(
        task=task,
        ok=not faults,
        reference=tuple(v.outcome for v in found["oracle"]),
        empty=tuple(v.outcome for v in found["nop"]),
        assertions=max((sum(g.total for g in v.groups.values()) for v in found["oracle"]), default=0),
        fault=faults[0] if faults else "",
    )


def _first(verdict: Verdict) -> str:
    if verdict.failure:
        return verdict.failure.message
    seen = verdict.evidence
    return " ".join(part for part in (seen.where, seen.note, seen.request, seen.expected, seen.got) if part)[:400]
