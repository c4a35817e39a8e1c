"""Verdicts as checks look at them."""

from proofyard.checks.graded import differing, seen_first
from proofyard.core import Evidence, Failure, Group, Outcome, Reason, Verdict


def verdict(**more: object) -> Verdict:
    fields = {
        "outcome": Outcome.FAILED,
        "score": 0.0,
        "reason": Reason.CRASH,
        "groups": {"golden": Group(passed=1, total=2)},
    }
    return Verdict(id="v", trial="t", task="task", submission="s", grader="g", **{**fields, **more})  # type: ignore[arg-type]


def test_attempts_that_agree() -> None:
    assert differing([]) == ""
    assert differing([verdict()]) == ""
    assert differing([verdict(), verdict(wall_us=5), verdict(evidence=Evidence(got="another id"))]) == ""


def test_attempts_that_differ() -> None:
    passed = verdict(outcome=Outcome.PASSED, score=1.0, reason=None)
    assert differing([passed, passed, verdict()]) == "attempts 1 and 3 differ in outcome: passed and failed"
    other = verdict(reason=Reason.TIMEOUT)
    assert differing([verdict(), other]) == "attempts 1 and 2 differ in reason: crash and timeout"
    fewer = verdict(groups={"golden": Group(passed=0, total=2)})
    assert differing([verdict(), fewer]) == "attempts 1 and 2 differ in golden assertions passed: 1 and 0"
    assert differing([verdict(), verdict(groups={})]) == "attempts 1 and 2 differ in golden assertions passed: 1 and 0"


def test_what_was_seen_first_is_one_line() -> None:
    found = verdict(evidence=Evidence(where="row 2", note="died", request="{}", expected="1", got="2", stderr="long"))
    assert seen_first(found) == "row 2 died {} 1 2"
    assert seen_first(verdict(evidence=Evidence(got="x" * 1000))) == "x" * 400
    lost = verdict(outcome=Outcome.ERROR, score=None, reason=None, failure=Failure(code="sandbox_lost", message="gone"))
    assert seen_first(lost) == "gone"
