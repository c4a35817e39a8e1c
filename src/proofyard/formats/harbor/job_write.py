"""A job folder written as Harbor's viewer and tools read it; whole or not at all."""

import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from proofyard.core import Subject, Trial, UsageError
from proofyard.formats.atif import Trajectory, write_atif
from proofyard.formats.harbor.job_attempt import Attempt, JobTask, document_of, uuid_of
from proofyard.formats.harbor.job_documents import JobDocument, TrialDocument
from proofyard.formats.harbor.job_stats import stats_of

__all__ = ["JobHead", "trial_name", "write_job"]

_ODD: Final = re.compile(r"[^\w.-]")
_PLACE: Final = {"import_path": "proofyard:local"}
"""In the place of Harbor's environment: nothing of Harbor's ran this."""


class JobHead(NamedTuple):
    """A job without its attempts. id: 32 hexadecimal digits. attempts: at each task, by each subject."""

    name: str
    id: str
    created: str
    attempts: int
    subjects: tuple[Subject, ...]
    tasks: Mapping[str, JobTask]


def write_job(folder: Path, head: JobHead, attempts: Iterable[Attempt]) -> int:
    """Write the job into a new folder; return how many trials it has.

    Raises:
        UsageError: the folder is there already or cannot be written; a trajectory cannot be written as ATIF.

    """
    folder = folder.resolve()
    if folder.exists():
        raise UsageError(f"{folder} is there already; choose another name")
    partial = folder.with_name(f".{folder.name}.partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        count = _Writer(partial, folder, head).all(attempts)
        partial.rename(folder)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return count


def trial_name(trial: Trial, taken: Mapping[str, object]) -> str:
    """A trial's folder: its task's short name and the beginning of its id, longer where another has that already."""
    short = _ODD.sub("-", trial.task.rpartition("/")[2])[:32].rstrip("_-") or "task"
    digits = uuid_of(trial.id).hex
    return next(name for n in range(7, 33) if (name := f"{short}__{digits[:n]}") not in taken)


class _Writer:
    """Writes into `here` what will lie in `folder`."""

    def __init__(self, here: Path, folder: Path, head: JobHead) -> None:
        self._here = here
        self._folder = folder
        self._head = head
        self._documents: dict[str, TrialDocument] = {}
        self._locks: list[dict[str, Any]] = []

    def all(self, attempts: Iterable[Attempt]) -> int:
        """Write everything; the number of trials."""
        for attempt in attempts:
            self._trial(attempt)
        head = self._head
        documents = list(self._documents.values())
        total = max(head.attempts * len(head.subjects) * len(head.tasks), len(documents))
        ended = max((document.finished_at for document in documents if document.finished_at), default=head.created)
        result = JobDocument(
            id=str(uuid_of(head.id)),
            started_at=head.created,
            updated_at=ended,
            finished_at=ended if len(documents) == total else None,
            n_total_trials=total,
            stats=stats_of(documents, total),
        )
        _write(self._here / "result.json", result)
        _write(self._here / "config.json", self._config())
        if len(self._locks) == len(documents):
            lock = {"schema_version": 3, "created_at": head.created, "harbor": {}, "n_concurrent_trials": 1}
            _write(self._here / "lock.json", {**lock, "retry": {}, "trials": self._locks})
        return len(documents)

    def _config(self) -> dict[str, Any]:
        head = self._head
        return {
            "job_name": head.name,
            "jobs_dir": str(self._folder.parent),
            "n_attempts": head.attempts,
            "agents": [_agent(subject) for subject in head.subjects],
            "environment": _PLACE,
            "tasks": [_task(task) for task in head.tasks.values()],
        }

    def _trial(self, attempt: Attempt) -> None:
        name = trial_name(attempt.trial, self._documents)
        here = self._here / name
        task = self._head.tasks.get(attempt.trial.task) or JobTask(path=attempt.trial.task)
        config = {
            "task": _task(task),
            "trial_name": name,
            "trials_dir": str(self._folder),
            "agent": _agent(attempt.subject),
            "environment": _PLACE,
            "job_id": str(uuid_of(self._head.id)),
        }
        document = document_of(attempt, name, (self._folder / name).as_uri(), task, config)
        self._documents[name] = document
        here.mkdir()
        _write(here / "config.json", config)
        _write(here / "result.json", document)
        if task.digest:
            lock = _lock(attempt, task)
            self._locks.append(lock)
            _write(here / "lock.json", lock)
        if document.exception_info is not None:
            info = document.exception_info
            (here / "exception.txt").write_text(f"{info.exception_type}: {info.exception_message}\n", encoding="utf-8")
        _agent_folder(here / "agent", attempt)
        _verifier_folder(here / "verifier", attempt, document)


def _agent_folder(here: Path, attempt: Attempt) -> None:
    here.mkdir()
    for name, source in attempt.kept.items():
        shutil.copyfile(source, here / name)
    if attempt.moves:
        subject, trial = attempt.subject, attempt.trial
        trajectory = Trajectory(
            agent=subject.agent,
            version=subject.version or "unknown",
            model=subject.model or "",
            session=trial.id,
            id=trial.id,
            moves=attempt.moves,
        )
        (here / "trajectory.json").write_bytes(write_atif(trajectory))


def _verifier_folder(here: Path, attempt: Attempt, document: TrialDocument) -> None:
    here.mkdir()
    if document.verifier_result is not None:
        _write(here / "reward.json", document.verifier_result.rewards)
    if attempt.verdict is not None and attempt.verdict.evidence.where.startswith("tests"):
        (here / "test-stdout.txt").write_text(attempt.verdict.evidence.got, encoding="utf-8")


def _agent(subject: Subject) -> dict[str, Any]:
    return {
        "name": subject.agent,
        "model_name": subject.model,
        "kwargs": dict(subject.parameters),
        "skills": [name.partition("@")[0] for name in subject.skills],
    }


def _task(task: JobTask) -> dict[str, Any]:
    return {"path": task.path, "source": task.source}


def _lock(attempt: Attempt, task: JobTask) -> dict[str, Any]:
    name = Path(task.path).name
    found = {"name": name, "type": "local", "digest": task.digest, "source": task.source, "path": task.path}
    agent = {key: value for key, value in _agent(attempt.subject).items() if key != "skills"}
    return {"schema_version": 2, "task": found, "agent": agent, "environment": _PLACE, "verifier": {}}


def _write(path: Path, value: object) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
