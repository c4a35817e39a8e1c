import pytest

from proofyard.checks import Validation, validate
from proofyard.core import Outcome


def check(**more: int) -> Validation:
    return validate("toy", lambda counts: None, subset="few", **more)


def test_a_right_suite_is_valid_and_every_attempt_is_shown() -> None:
    found = check(attempts=2)
    assert (found.suite, found.version, found.complete, found.errors, found.failed) == ("toy", "1", True, (), ())
    assert [t.task for t in found.tasks] == ["toy-0", "toy-1", "toy-2"]
    for task in found.tasks:
        assert (task.ok, task.reference, task.empty) == (True, (Outcome.PASSED,) * 2, (Outcome.FAILED,) * 2)


def test_a_reference_that_fails_is_named_with_its_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_GRADER", "long")
    found = check()
    assert [t.task for t in found.failed] == ["toy-0", "toy-1", "toy-2"]
    assert found.failed[0].reference == (Outcome.FAILED,)
    assert found.failed[0].fault.startswith("reference failed: ")


@pytest.mark.parametrize("fault", ["raise", "invalid"])
def test_a_grader_that_breaks_makes_no_task_valid(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    monkeypatch.setenv("TOY_GRADER", fault)
    found = check()
    assert len(found.failed) == 3
    assert set(found.failed[0].reference) <= {Outcome.ERROR, Outcome.INVALID}
