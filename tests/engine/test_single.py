from pathlib import Path

import pytest

from proofyard.core import (
    Blobs,
    Capabilities,
    Entry,
    MemoryBlobs,
    Outcome,
    Reason,
    Sandbox,
    SandboxSpec,
    Task,
    Tree,
    UsageError,
    tree_of,
)
from proofyard.engine import evaluate_one
from proofyard.engine.plugins import load_suite


class NoProvider:
    """The toy grader opens no sandbox."""

    def probe(self) -> Capabilities:
        return Capabilities(rungs=())

    def open(self, spec: SandboxSpec, blobs: Blobs) -> Sandbox:
        raise AssertionError("no sandbox is wanted")

    def close(self) -> None:
        pass


def _task(number: int) -> tuple[Task, MemoryBlobs]:
    suite = load_suite("toy")
    blobs = suite.blobs()
    assert isinstance(blobs, MemoryBlobs)
    return suite.load(f"toy-{number}"), MemoryBlobs(blobs.content)


def test_a_right_and_a_wrong_solution() -> None:
    task, blobs = _task(4)
    right, wrong = (tree_of({"answer.txt": text}, blobs) for text in ("4", "5"))
    trial, verdict = evaluate_one(task, right, blobs, NoProvider())
    assert (verdict.outcome, verdict.score, verdict.reason) == (Outcome.PASSED, 1.0, None)
    assert (verdict.trial, verdict.task, verdict.submission) == (trial.id, "toy-4", right.digest)
    assert (trial.subject_name, trial.task, trial.k, trial.failure) == ("solution", "toy-4", 0, None)
    other, failed = evaluate_one(task, wrong, blobs, NoProvider())
    assert (failed.outcome, failed.score, failed.reason) == (Outcome.FAILED, 0.0, Reason.WRONG_RESULT)
    assert other.id != trial.id
    again, same = evaluate_one(task, right, blobs, NoProvider())
    assert (again.id, same.id) == (trial.id, verdict.id)


def test_the_verdict_of_public_examples_is_by_another_grader() -> None:
    task, blobs = _task(4)
    tree = tree_of({"answer.txt": "4"}, blobs)
    _, full = evaluate_one(task, tree, blobs, NoProvider())
    _, public = evaluate_one(task, tree, blobs, NoProvider(), public_only=True)
    assert full.grader != public.grader
    assert full.id != public.id


def test_what_was_not_read_is_over_the_limit() -> None:
    task, blobs = _task(4)
    tree = Tree(entries={"answer.txt": Entry(size=1 << 40)})
    _, verdict = evaluate_one(task, tree, blobs, NoProvider())
    assert (verdict.outcome, verdict.reason, verdict.score) == (Outcome.FAILED, Reason.OUTPUT_LIMIT, 0.0)
    assert "over the size limit (at 'answer.txt')" in verdict.evidence.note


def test_what_breaks_below_is_an_error_and_misuse_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    task, blobs = _task(4)
    tree = tree_of({"answer.txt": "4"}, blobs)
    monkeypatch.setenv("TOY_GRADER", "raise")
    _, verdict = evaluate_one(task, tree, blobs, NoProvider())
    assert (verdict.outcome, verdict.score) == (Outcome.ERROR, None)
    assert verdict.failure is not None
    assert verdict.failure.code == "grader_crash"
    monkeypatch.setenv("TOY_GRADER", "invalid")
    with pytest.raises(UsageError, match="this task cannot be graded"):
        evaluate_one(task, tree, blobs, NoProvider())
    monkeypatch.setenv("TOY_STEPS", "2")
    with pytest.raises(UsageError, match="has 2 steps"):
        evaluate_one(_task(4)[0], tree, blobs, NoProvider())


def test_missing_content_is_infrastructure(tmp_path: Path) -> None:
    task, blobs = _task(4)
    tree = Tree(entries={"answer.txt": Entry(size=5000, sha="0" * 64)})
    _, verdict = evaluate_one(task, tree, blobs, NoProvider())
    assert verdict.failure is not None
    assert verdict.failure.code == "blob_missing"
