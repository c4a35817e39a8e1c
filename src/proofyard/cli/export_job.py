"""A run folder as a job of Harbor's."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from proofyard.cli.common import suite_named
from proofyard.core import Subject, UsageError, digest_of

if TYPE_CHECKING:
    from proofyard.formats.harbor import Attempt, JobHead, JobTask
    from proofyard.store import RunData

__all__ = ["job_of"]


def job_of(data: "RunData", name: str) -> "tuple[JobHead, Iterator[Attempt], list[str]]":
    """The head of the job, its attempts as they are asked for, and what is to be said of it."""
    from proofyard.formats.harbor import JobHead

    subjects = {subject.digest: subject for plan in data.plans for subject in plan.subjects}
    tasks, notes = _tasks(data)
    head = JobHead(
        name=name,
        id=digest_of({"created": data.header.created, "plan": data.header.plan})[:32],
        created=data.header.created,
        attempts=data.plan.attempts,
        subjects=tuple(subjects.values()),
        tasks=tasks,
    )
    return head, _attempts(data, subjects), notes


def _attempts(data: "RunData", subjects: dict[str, Subject]) -> "Iterator[Attempt]":
    from proofyard.formats.harbor import Attempt
    from proofyard.store import TrialFolder, read_moves

    verdicts = data.newest()
    for trial in data.trials.values():
        folder = TrialFolder(data.path, trial.id).path
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        kept = {path.name: path for path in files if path.is_file() and path.name != "steps.jsonl"}
        moves = read_moves(data.path, trial.id)
        yield Attempt(trial, verdicts.get(trial.id), subjects[trial.subject], moves, kept)


def _tasks(data: "RunData") -> "tuple[dict[str, JobTask], list[str]]":
    """Where each task lies and its content digest; without them where the folders are gone or have changed since."""
    from proofyard.formats.harbor import JobTask

    plan, options = data.plan, data.header.suite_options
    if plan.suite != "harbor":
        return {task: JobTask(path=task, source=plan.suite) for task in plan.tasks}, []
    from proofyard.suites.harbor import HarborSuite

    path = Path(options.get("path", ""))
    source = None if (path / "task.toml").is_file() else path.name
    try:
        suite = suite_named(plan.suite, data.header.seed, options)
        if not isinstance(suite, HarborSuite) or suite.version != plan.version:
            raise UsageError("they have changed since the run")
    except UsageError as error:
        said = f"the task folders are not told of in the job ({error})"
        return {task: JobTask(path=task, source=source) for task in plan.tasks}, [said]
    folders = suite.folders
    return {t: JobTask(path=str(folders[t]), digest=suite.digests[t], source=source) for t in plan.tasks}, []
