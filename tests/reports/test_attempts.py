from proofyard.core import Failure, Outcome
from proofyard.reports import from_run
from tests.reports.factory import trial, verdict


def test_the_newest_grader_counts_and_older_ones_are_counted() -> None:
    a, b = trial("x"), trial("x", 1)
    found = from_run([a, b], [verdict(a, False), verdict(b, False), verdict(a, True, "g2")])
    assert [(f.outcome, f.grader, f.older) for f in found] == [(Outcome.PASSED, "g2", 1), (None, "", 1)]


def test_newest_is_per_task() -> None:
    a, b = trial("x"), trial("y")
    found = from_run([a, b], [verdict(a, True, "g1"), verdict(b, True, "g9")])
    assert [f.grader for f in found] == ["g1", "g9"]


def test_a_later_valid_verdict_replaces_an_error_and_a_later_error_does_not_replace_a_valid_one() -> None:
    a = trial("x")
    broken = verdict(a, Outcome.ERROR, n=1, failure=Failure(code="sandbox_lost", message="gone"))
    assert from_run([a], [broken, verdict(a, True, n=2)])[0].outcome is Outcome.PASSED
    assert from_run([a], [verdict(a, True), broken])[0].outcome is Outcome.PASSED


def test_disagreeing_repeats_are_told() -> None:
    a = trial("x")
    assert from_run([a], [verdict(a, True), verdict(a, False, n=1)])[0].unstable
    assert not from_run([a], [verdict(a, True), verdict(a, True, n=1)])[0].unstable


def test_a_trial_that_ended_in_a_failure_is_an_error() -> None:
    a = trial("x", failure=Failure(code="sandbox_start", message="no"))
    assert from_run([a], [])[0].outcome is Outcome.ERROR


def test_trusted_commands_and_no_isolation_are_kept_off_leaderboards() -> None:
    on_host = trial("x", provenance={"agent_isolation": "none"})
    bare = trial("y")
    held = trial("z")
    found = from_run(
        [on_host, bare, held],
        [
            verdict(on_host, True, provenance={"rung": "bubblewrap"}),
            verdict(bare, True, provenance={"rung": "none"}),
            verdict(held, True, provenance={"rung": "bubblewrap"}),
        ],
    )
    assert [f.leaderboard for f in found] == [False, False, True]
