"""Trials and verdicts made short."""

from proofyard.core import Outcome, Trial, Verdict, verdict_id


def trial(task: str, k: int = 0, subject: str = "s", **more: object) -> Trial:
    fields: dict[str, object] = {
        "id": f"{subject}/{task}/{k}",
        "task": task,
        "subject": subject,
        "subject_name": subject,
    }
    return Trial(**(fields | {"brief": "b", "k": k} | more))  # type: ignore[arg-type]


def verdict(of: Trial, passed: bool | Outcome, grader: str = "g1", n: int = 0, **more: object) -> Verdict:
    outcome = passed if isinstance(passed, Outcome) else Outcome.PASSED if passed else Outcome.FAILED
    score = {Outcome.PASSED: 1.0, Outcome.FAILED: 0.0}.get(outcome)
    fields: dict[str, object] = {
        "id": verdict_id(of.id, "t", grader, n),
        "trial": of.id,
        "task": of.task,
        "submission": "t",
    }
    return Verdict(**(fields | {"grader": grader, "n": n, "outcome": outcome, "score": score} | more))  # type: ignore[arg-type]
