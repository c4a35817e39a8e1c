from proofyard.core import Evidence, Failure, Outcome, Reason
from proofyard.reports import losses
from tests.reports.factory import trial, verdict


def test_failures_are_counted_by_reason_and_the_first_are_shown() -> None:
    trials = [trial(f"t{n}") for n in range(4)]
    seen = Evidence(where="scenario a, row 1", note="\x1b[31mdiffers")
    verdicts = [verdict(t, False, reason=Reason.WRONG_RESULT, evidence=seen) for t in trials[:3]]
    assert losses(trials, [*verdicts, verdict(trials[3], True)], limit=2) == [
        "failed by reason: wrong_result 3",
        "  t0: wrong_result: scenario a, row 1; differs",
        "  t1: wrong_result: scenario a, row 1; differs",
        "  and 1 more",
    ]


def test_only_the_latest_verdict_of_a_trial_counts() -> None:
    t = trial("t")
    assert losses([t], [verdict(t, False, reason=Reason.CRASH), verdict(t, True, n=1)]) == []


def test_agents_that_failed_are_told() -> None:
    lost = Failure(code="agent_exit", message="exit code 127: not found")
    trials = [trial("a", failure=lost), trial("b", failure=lost)]
    verdicts = [verdict(t, Outcome.FAILED, reason=Reason.NO_SUBMISSION) for t in trials]
    assert losses(trials, verdicts)[-1] == "agent, 2 attempts: exit code 127: not found"
