"""Workspaces as they were after each move, graded after the run. Grades are kept in the user's cache, by content."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from proofyard.core import Blobs, Grade, InfrastructureError, Move, Outcome, Suite, cache_folder, digest_of
from proofyard.engine import evaluate_one
from proofyard.engine.authoring import as_submission
from proofyard.engine.grading import grader_digest
from proofyard.engine.plugins import grader_of
from proofyard.reports.edits import snapshot_tree
from proofyard.sandbox import LocalProvider

__all__ = ["SnapshotGrader", "chosen"]


def chosen(moves: Sequence[Move], submitted: str, most: int) -> list[Move]:
    """The moves whose workspaces are to be graded: each tree once, at most `most`, the last and evenly the others."""
    first: dict[str, Move] = {}
    for move in moves:
        if move.snapshot is not None and move.snapshot.tree != submitted:
            first.setdefault(move.snapshot.tree, move)
    found = list(first.values())
    if len(found) <= most:
        return found
    spots = {round(n * (len(found) - 1) / max(most - 1, 1)) for n in range(most)} if most else set()
    return [move for index, move in enumerate(found) if index in spots]


class SnapshotGrader:
    """Grades workspaces of a run's trials by the graders of its suite."""

    def __init__(self, suite: Suite, blobs: Blobs, *, unsafe: bool = False) -> None:
        self._suite = suite
        self._blobs = _Both(suite.blobs(), blobs)
        self._unsafe = unsafe
        self._provider = LocalProvider(unsafe=unsafe)

    def __enter__(self) -> "SnapshotGrader":
        return self

    def __exit__(self, *_: object) -> None:
        self._provider.close()

    def grades(self, task_id: str, moves: Sequence[Move]) -> Mapping[str, Grade]:
        """Grade the workspaces after these moves: tree digest -> grade. What the infrastructure failed at is left out."""
        return dict(self._each(task_id, moves))

    def _each(self, task_id: str, moves: Sequence[Move]) -> Iterator[tuple[str, Grade]]:
        task = self._suite.load(task_id)
        step = task.steps[0]
        grader = grader_digest(step, grader_of(step.grader.kind))
        for move in moves:
            tree = snapshot_tree(move, self._blobs)
            if tree is None or move.snapshot is None:
                continue
            place = _place(grader, move.snapshot.tree)
            grade = _kept(place)
            if grade is None:
                submitted = as_submission(task, tree, self._blobs, self._provider)
                if submitted is None:
                    continue
                _, verdict = evaluate_one(task, submitted, self._blobs, self._provider, unsafe=self._unsafe)
                grade = Grade(**{name: getattr(verdict, name) for name in Grade.__struct_fields__})
                if grade.outcome not in {Outcome.PASSED, Outcome.FAILED}:
                    continue
                _keep(place, grade)
            yield move.snapshot.tree, grade


class _Both:
    """Contents of the suite and of the run; new ones stay in memory."""

    def __init__(self, suite: Blobs, run: Blobs) -> None:
        self._suite = suite
        self._run = run

    def put(self, data: bytes) -> str:
        """Keep content for this process."""
        return self._suite.put(data)

    def get(self, sha: str) -> bytes:
        """Find content. Raises InfrastructureError."""
        try:
            return self._run.get(sha)
        except InfrastructureError:
            return self._suite.get(sha)


def _place(grader: str, tree: str) -> Path:
    return cache_folder() / "snapshots" / f"{digest_of({'grader': grader, 'tree': tree})[:40]}.json"


def _kept(place: Path) -> Grade | None:
    try:
        return msgspec.json.decode(place.read_bytes(), type=Grade)
    except (OSError, msgspec.MsgspecError):
        return None


def _keep(place: Path, grade: Grade) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    partial = place.with_suffix(f".{os.getpid()}")
    partial.write_bytes(msgspec.json.encode(grade))
    partial.replace(place)
