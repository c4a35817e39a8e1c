"""A right suite is proved; every way in which a suite can be wrong is told. Real sandboxes, the real grader."""

from itertools import pairwise
from pathlib import Path

import pytest

from proofyard.checks import TaskProof, Verification, VerifyRequest, verify
from proofyard.core import Outcome, Reason, UnknownNameError, UsageError
from proofyard.engine import Counts
from proofyard.store import read_run

BAD = "proving-two-b"
"""The task which `PROVING` spoils."""


def check(*tasks: str, attempts: int = 1, folder: Path | None = None) -> Verification:
    request = VerifyRequest(suite="proving", tasks=tasks, attempts=attempts, concurrency=2, folder=str(folder or ""))
    return verify(request, lambda counts: None)


def spoilt(monkeypatch: pytest.MonkeyPatch, fault: str) -> TaskProof:
    monkeypatch.setenv("PROVING", fault)
    found = check(BAD)
    assert found.complete
    (task,) = found.tasks
    return task


def test_a_right_suite_is_proved() -> None:
    seen: list[Counts] = []
    request = VerifyRequest(suite="proving", attempts=3, concurrency=2)
    found = verify(request, seen.append)
    assert (found.failed, found.complete, found.errors) == ((), True, ())
    assert (found.suite, found.version, found.attempts, found.waiting_wall_ms) == ("proving", "1", 3, 1000)
    assert found.rungs == {"bubblewrap": 3 * (3 + 4)}  # an empty project is refused without a sandbox
    assert [task.task for task in found.tasks] == ["proving-one-a", "proving-two-b", "proving-two-c"]
    totals = found.totals
    assert (totals.tasks, totals.proved, totals.assertions, totals.not_applicable) == (3, 3, 9, 0)
    assert (totals.references_passed, totals.references_graded) == (9, 9)
    assert (totals.nop_failed, totals.shortcuts, totals.told, totals.with_alternative) == (3, 9, 9, 3)
    task = found.tasks[1]
    assert (task.subset, task.family, task.assertions) == ("two", "b", 3)
    assert task.reference == (Outcome.PASSED,) * 3
    assert (task.nop.outcome, task.nop.reason) == (Outcome.FAILED, Reason.NO_SUBMISSION)
    assert [(one.name, one.reason, one.declared, one.applicable, one.wall_ms) for one in task.shortcuts] == [
        ("constant", Reason.WRONG_RESULT, Reason.WRONG_RESULT, True, 0),
        ("lenient", Reason.CRASH, Reason.CRASH, True, 0),
        ("silent", Reason.TIMEOUT, Reason.TIMEOUT, True, 1000),
    ]
    assert [(one.name, one.outcome, one.score) for one in task.alternatives] == [("alternative", Outcome.PASSED, 1.0)]
    assert (seen[0].total, seen[0].owed) == (24, 24)
    assert (seen[-1].owed, seen[-1].passed, seen[-1].failed) == (0, 12, 12)
    assert all(one.owed >= other.owed for one, other in pairwise(seen))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("reference fails", "reference: attempt 1 failed: scenario all, session 1, row 2 (boundary)"),
        ("shortcut passes", "shortcut constant: passed, though: constant says otherwise"),
        ("other reason", "shortcut constant: failed for wrong_result, not for crash: scenario all, session 1, row 2"),
        ("waits for nothing", "shortcut silent: passed, though: silent says otherwise"),
        ("no alternative", "there is no alternative"),
        ("alternative fails", "no alternative passes: alternative failed: scenario all, session 1, row 3 (malformed)"),
    ],
)
def test_what_is_wrong_is_told(monkeypatch: pytest.MonkeyPatch, fault: str, words: str) -> None:
    task = spoilt(monkeypatch, fault)
    assert not task.ok
    assert len(task.faults) == 1
    assert task.faults[0].startswith(words)


def test_a_shortcut_that_answers_alike_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    task = spoilt(monkeypatch, "shortcut is none")
    assert task.ok
    (alike,) = [one for one in task.shortcuts if one.name == "alike"]
    assert (alike.outcome, alike.applicable) == (Outcome.PASSED, False)
    assert alike.note == "it answers every request of the task as the reference does"


def test_one_alternative_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    task = spoilt(monkeypatch, "one of two alternatives fails")
    assert task.ok
    assert [one.outcome for one in task.alternatives] == [Outcome.PASSED, Outcome.FAILED]


def test_infrastructure_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_GRADER", "raise")
    found = verify(VerifyRequest(suite="toy", subset="one", attempts=1), lambda counts: None)
    assert found.errors
    assert not found.tasks[0].ok
    assert found.tasks[0].reference == (Outcome.ERROR,)
    assert found.tasks[0].faults[0].startswith("reference: attempt 1 error: grader toy: KeyError")


def test_a_suite_of_another_grader() -> None:
    """Nothing is cut short where the grader knows no such thing; a suite without alternatives is not proved."""
    found = verify(VerifyRequest(suite="toy", subset="one", attempts=2), lambda counts: None)
    assert found.tasks[0].reference == (Outcome.PASSED,) * 2
    assert found.tasks[0].faults == ("there is no alternative",)


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    stops = iter([True])

    def stop(counts: Counts) -> None:
        if counts.passed == 2 and next(stops, False):
            raise KeyboardInterrupt

    request = VerifyRequest(suite="proving", tasks=(BAD,), attempts=4, folder=str(tmp_path / "kept"))
    cut = verify(request, stop)
    assert not cut.complete
    assert cut.tasks[0].nop.outcome is None
    assert any("of 4 attempts have a verdict" in fault for fault in cut.tasks[0].faults)
    before = read_run(tmp_path / "kept" / "b" / "reference").verdicts
    assert 1 <= len(before) < 4
    whole = verify(request, lambda counts: None)
    assert (whole.complete, whole.failed) == (True, ())
    after = read_run(tmp_path / "kept" / "b" / "reference").verdicts
    assert len(after) == 4
    assert {name: after[name] for name in before} == before
    again = verify(request, lambda counts: None)
    assert again == whole


def test_what_was_found_of_other_programs_is_found_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only in the family where something changed."""
    folder = tmp_path / "kept"

    def verdicts(family: str) -> dict[str, object]:
        return dict(read_run(folder / family / "reference").verdicts)

    assert check(folder=folder).changed == ()
    before = {family: verdicts(family) for family in ("a", "b", "c")}
    monkeypatch.setenv("PROVING", "reference fails")
    found = check(folder=folder)
    assert found.changed == (f"reference of {BAD}",)
    assert [task.task for task in found.failed] == [BAD]
    assert [verdicts(family) == before[family] for family in ("a", "b", "c")] == [True, False, True]
    again = check(folder=folder)
    assert (again.changed, again.tasks) == ((), found.tasks)


def test_families_not_come_to_are_not_graded() -> None:
    stops = iter([True])

    def stop(counts: Counts) -> None:
        if counts.passed == 3 and next(stops, False):
            raise KeyboardInterrupt

    found = verify(VerifyRequest(suite="proving", attempts=4), stop)
    assert not found.complete
    assert [task.faults == ("not graded",) for task in found.tasks] == [False, True, True]
    assert [(task.subset, task.family) for task in found.tasks] == [("one", "a"), ("two", "b"), ("two", "c")]
    assert found.totals.references_graded == 3


def test_which_tasks() -> None:
    def tasks(**more: object) -> list[str]:
        request = VerifyRequest(suite="proving", attempts=1, **more)  # type: ignore[arg-type]
        return [task.task for task in verify(request, lambda counts: None).tasks]

    assert tasks(subset="one") == ["proving-one-a"]
    assert tasks(families=("c", "b"), subset="two") == ["proving-two-b", "proving-two-c"]
    assert tasks(tasks=("proving-two-c", "proving-one-a")) == ["proving-one-a", "proving-two-c"]
    with pytest.raises(UnknownNameError, match="unknown family 'bb'; did you mean b"):
        tasks(families=("bb",))
    with pytest.raises(UnknownNameError, match="unknown family 'a'"):
        tasks(families=("a",), subset="two")
    with pytest.raises(UnknownNameError, match="unknown task"):
        tasks(tasks=("proving-two-x",))
    with pytest.raises(UsageError, match="together with a subset"):
        tasks(tasks=("proving-two-c",), subset="two")
