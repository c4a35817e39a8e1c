"""Samples and verdicts to write result files of."""

from typing import Any

from proofyard.core import Evidence, Failure, Group, Outcome, Reason, Verdict
from proofyard.formats.judged import Judged
from proofyard.formats.samples import Sample

__all__ = ["broken", "failed", "judged", "passed", "sample"]


def sample(task: str, k: int = 0, solution: str = "x = 1\n", **more: Any) -> Sample:
    return Sample(task_id=task, k=k, solution=solution, row={"task_id": task, "solution": solution}, **more)


def verdict(outcome: Outcome, **more: Any) -> Verdict:
    return Verdict(id="v", trial="t", task="x", submission="s", grader="g", outcome=outcome, **more)


def passed(**more: Any) -> Verdict:
    return verdict(Outcome.PASSED, score=1.0, **more)


def failed(reason: Reason = Reason.WRONG_RESULT, note: str = "", **more: Any) -> Verdict:
    return verdict(Outcome.FAILED, score=0.0, reason=reason, evidence=Evidence(note=note), **more)


def broken() -> Verdict:
    return verdict(Outcome.ERROR, failure=Failure(code="sandbox_lost", message="gone"))


def judged(task: str, *verdicts: Verdict | None) -> dict[str, list[Judged]]:
    return {task: [Judged(sample(task, k), one) for k, one in enumerate(verdicts)]}


def groups(**counts: tuple[int, int]) -> dict[str, Group]:
    return {name: Group(passed=a, total=b) for name, (a, b) in counts.items()}
