"""Records the tests of the store write."""

from proofyard.core import (
    Evidence,
    Failure,
    Group,
    Outcome,
    Plan,
    Reason,
    Subject,
    Submission,
    Trial,
    Verdict,
    verdict_id,
)
from proofyard.store import SCHEMA, RunHeader

SUBJECT = Subject(agent="nop")
PLAN = Plan(suite="toy", version="1", tasks=("t1", "t2"), subjects=(SUBJECT,))


def header() -> RunHeader:
    return RunHeader(schema=SCHEMA, created="2026-01-01T00:00:00.000Z", proofyard="0", plan=PLAN, python="3.11.7")


def trial(n: int, failure: Failure | None = None) -> Trial:
    done = () if failure else (Submission(tree="t" * 64, blob="b" * 64),)
    return Trial(
        id=f"{n:032x}", task="t1", subject=SUBJECT.digest, subject_name="nop", brief="0" * 64, k=n,
        submissions=done, failure=failure,
    )  # fmt: skip


def verdict(of: Trial, *, grader: str = "g1", n: int = 0, outcome: Outcome = Outcome.FAILED) -> Verdict:
    error = outcome is Outcome.ERROR
    return Verdict(
        id=verdict_id(of.id, "t" * 64, grader, n),
        trial=of.id,
        task=of.task,
        submission="t" * 64,
        grader=grader,
        n=n,
        outcome=outcome,
        score={Outcome.PASSED: 1.0, Outcome.FAILED: 0.0}.get(outcome),
        reason=Reason.WRONG_RESULT if outcome is Outcome.FAILED else None,
        groups={"golden": Group(passed=1, total=2)},
        evidence=Evidence(got="ä"),
        failure=Failure(code="sandbox_lost", message="gone") if error else None,
    )
