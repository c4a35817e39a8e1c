"""A job folder of Harbor's read: its attempts, and by name what of it is not taken over."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from proofyard.core import Move, UsageError
from proofyard.formats.atif import read_atif
from proofyard.formats.harbor.job_attempt import Attempt, our_record
from proofyard.formats.harbor.job_documents import JobDocument, TrialDocument
from proofyard.formats.harbor.job_origin import attempt_of
from proofyard.formats.harbor.job_times import earliest, our_time

__all__ = ["ReadJob", "read_job"]

_OF_JOB: Final = {"config.json", "lock.json", "result.json", "job.log"}
_OF_TRIAL: Final = {"config.json", "lock.json", "result.json", "trial.log", "exception.txt"}
_VERIFIER: Final = {"reward.json", "reward.txt", "test-stdout.txt", "test-stderr.txt", "ctrf.json", "junit.xml"}
_TRAJECTORY: Final = "trajectory.json"
_LARGEST: Final = 64 << 20
_PRINTED: Final = 4096


class ReadJob(NamedTuple):
    """A job. created: when it began. left: paths within the folder that are not taken over, each with why."""

    name: str
    created: str
    attempts: tuple[Attempt, ...]
    left: dict[str, str]


def read_job(folder: Path) -> ReadJob:
    """Read a job folder.

    Raises:
        UsageError: it is none, or a `result.json` in it is no good.

    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: {'no folder' if folder.exists() else 'no such folder'}")
    name = folder.resolve().name
    left = {
        path.name: "not of a job" for path in sorted(folder.iterdir()) if path.is_file() and path.name not in _OF_JOB
    }
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    inner = next((path.name for path in folders if list(path.glob("*/result.json"))), "")
    if inner and not (folder / "result.json").is_file():
        raise UsageError(f"{folder} holds jobs, such as {inner}: name one")
    trials = [path for path in folders if (path / "result.json").is_file()]
    left |= {f"{path.name}/": "no result.json: not finished, or no trial" for path in folders if path not in trials}
    if not trials:
        raise UsageError(f"{folder} is no job folder of Harbor: no trial with a result.json")
    found = [_attempt(path, name, left) for path in trials]
    ids = [attempt.trial.id for attempt, _ in found]
    twice = next((path for path, one in zip(trials, ids, strict=True) if ids.count(one) > 1), None)
    if twice is not None:
        raise UsageError(f"{twice / 'result.json'}: two trials have this id")
    attempts = _numbered(found)
    created = _created(folder) or earliest([attempt.trial.started for attempt in attempts])
    return ReadJob(name, created, attempts, left)


def _created(folder: Path) -> str:
    path = folder / "result.json"
    if not path.is_file():
        return ""
    try:
        return our_time(msgspec.json.decode(path.read_bytes(), type=JobDocument).started_at)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise UsageError(f"{path}: {error}") from None


def _attempt(folder: Path, job: str, left: dict[str, str]) -> tuple[Attempt, bool]:
    """The attempt in a trial's folder, and whether its number is known."""
    path = folder / "result.json"
    try:
        document = msgspec.json.decode(path.read_bytes(), type=TrialDocument)
        attempt, numbered = attempt_of(document, job), our_record(document) is not None
    except (OSError, ValueError, RecursionError, UsageError, msgspec.MsgspecError) as error:
        raise UsageError(f"{path}: {error}") from None
    moves = tuple(move for place in _agents(folder, document) for move in _moves(place, folder.parent, left))
    moves = tuple(replace(move, n=n, snapshot=None) for n, move in enumerate(moves, 1))
    verdict = attempt.verdict
    if verdict is not None and not numbered and verdict.score is not None:
        evidence = replace(verdict.evidence, where="tests", got=_printed(folder / "verifier" / "test-stdout.txt"))
        attempt = attempt._replace(verdict=replace(verdict, evidence=evidence))
    return attempt._replace(moves=moves, kept=_kept(folder, left)), numbered


def _printed(path: Path) -> str:
    """The last of what the tests printed."""
    if not path.is_file() or path.is_symlink():
        return ""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _PRINTED))
        return file.read().decode("utf-8", "replace")


def _agents(folder: Path, document: TrialDocument) -> list[Path]:
    """The folders of what the agent left: of the trial, or of its steps in turn."""
    names = [step.step_name for step in document.step_results or []]
    return [
        folder / "agent",
        *(folder / "steps" / name / "agent" for name in names if "/" not in name and name != ".."),
    ]


def _moves(agent: Path, job: Path, left: dict[str, str]) -> tuple[Move, ...]:
    path = agent / _TRAJECTORY
    if not path.is_file() or path.is_symlink():
        return ()
    try:
        return read_atif(path.read_bytes()).moves
    except (OSError, UsageError) as error:
        left[path.relative_to(job).as_posix()] = str(error).removeprefix("trajectory: ")
        return ()


def _kept(folder: Path, left: dict[str, str]) -> dict[str, Path]:
    """The agent's own files by name; all else that is there and not known is noted."""
    kept = {}
    for path in _files(folder):
        inside = path.relative_to(folder).as_posix()
        top, _, rest = inside.partition("/")
        if inside in _OF_TRIAL or rest.rpartition("/")[2] == _TRAJECTORY:
            continue
        if top == "agent" and "/" not in rest and rest != "steps.jsonl":
            if path.stat().st_size <= _LARGEST:
                kept[rest] = path
                continue
            left[f"{folder.name}/{inside}"] = f"larger than {_LARGEST >> 20} MiB"
        elif not (top == "verifier" and rest in _VERIFIER):
            left[f"{folder.name}/{inside}"] = "not taken over"
    return kept


def _files(folder: Path) -> Iterator[Path]:
    """Regular files below a folder, sorted; links are not followed."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path


def _numbered(found: list[tuple[Attempt, bool]]) -> tuple[Attempt, ...]:
    """Attempts of the same subject at the same task are numbered by when they began: Harbor keeps no number."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    numbered = {}
    for index, (attempt, known) in sorted(enumerate(found), key=lambda item: (item[1][0].trial.started, item[0])):
        trial = attempt.trial
        if not known:
            trial = replace(trial, k=counts[trial.task, trial.subject])
            counts[trial.task, trial.subject] += 1
        numbered[index] = attempt._replace(trial=trial)
    return tuple(sorted(numbered.values(), key=lambda attempt: (attempt.trial.k, attempt.trial.started)))
