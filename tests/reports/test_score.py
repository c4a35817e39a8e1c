import pytest

from proofyard.core import Failure, Outcome
from proofyard.reports import from_run, score_attempts
from proofyard.reports.score import OVERALL, TaskInfo
from proofyard.stats import wilson
from tests.reports.factory import trial, verdict

TASKS = {
    "e1": TaskInfo("easy", "f1"),
    "e2": TaskInfo("easy", "f2"),
    "m1": TaskInfo("max", "f1"),
    "m2": TaskInfo("max", "f2"),
}


def test_several_attempts_are_their_mean_never_the_best() -> None:
    trials = [trial("e1", k) for k in range(4)]
    verdicts = [verdict(t, t.k == 0) for t in trials]
    (score,) = score_attempts(from_run(trials, verdicts), {"e1": TASKS["e1"]})
    assert [row.strict for row in score.rows] == [0.25]


def test_missing_is_a_failure_in_strict_and_absent_among_submitted() -> None:
    t = trial("e1")
    (score,) = score_attempts(from_run([t], [verdict(t, True)]), TASKS)
    easy, most, overall = score.rows
    assert (easy.subset, easy.tasks, easy.total, easy.strict, easy.submitted, easy.complete) == (
        "easy",
        1,
        2,
        0.5,
        1.0,
        False,
    )
    assert (most.subset, most.tasks, most.strict, most.submitted) == ("max", 0, 0.0, None)
    assert (overall.subset, overall.tasks, overall.total, overall.strict) == (OVERALL, 1, 4, 0.25)


def test_errors_and_invalid_tasks_are_told_apart_and_are_no_scores() -> None:
    trials = [trial(name) for name in TASKS]
    lost = Failure(code="sandbox_lost", message="x")
    verdicts = [
        verdict(trials[0], True),
        verdict(trials[1], Outcome.ERROR, failure=lost),
        verdict(trials[2], Outcome.INVALID),
        verdict(trials[3], False),
    ]
    overall = score_attempts(from_run(trials, verdicts), TASKS)[0].rows[-1]
    assert (overall.passed, overall.failed, overall.invalid, overall.error) == (1, 1, 1, 1)
    assert (overall.strict, overall.submitted, overall.complete) == (0.25, 0.5, False)


def test_intervals_are_clustered_by_family() -> None:
    trials = [trial(name) for name in TASKS]
    verdicts = [verdict(t, t.task in {"e1", "m1"}) for t in trials]
    overall = score_attempts(from_run(trials, verdicts), TASKS)[0].rows[-1]
    # the two families agree within and differ between: four tasks carry the information of at most two
    low, high = wilson(1, 2)
    assert overall.strict == 0.5
    assert overall.strict_low is not None
    assert overall.strict_high is not None
    assert overall.strict_low <= low
    assert overall.strict_high >= high


def test_subjects_are_kept_apart_and_foreign_tasks_left_out() -> None:
    trials = [trial("e1", subject="a"), trial("e1", subject="b"), trial("zz", subject="a")]
    scores = score_attempts(from_run(trials, [verdict(t, True) for t in trials]), TASKS)
    assert [(s.subject, s.rows[-1].attempts) for s in scores] == [("a", 1), ("b", 1)]


@pytest.mark.parametrize("unstable", [True, False])
def test_unstable_tasks_are_named(unstable: bool) -> None:
    t = trial("e1")
    (score,) = score_attempts(from_run([t], [verdict(t, True), verdict(t, not unstable, n=1)]), TASKS)
    assert score.unstable == (("e1",) if unstable else ())


def test_an_attempt_that_was_planned_and_not_made_counts_as_not_resolved() -> None:
    trials = [trial("e1", k) for k in range(2)]
    (score,) = score_attempts(from_run(trials, [verdict(t, True) for t in trials]), {"e1": TASKS["e1"]}, "", {"s": 4})
    (row,) = score.rows
    assert (row.attempts, row.planned, row.strict, row.submitted, row.complete) == (2, 4, 0.5, 1.0, False)
