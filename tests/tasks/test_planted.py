"""Verification finds out tests that are no good: weak ones reward a shortcut, flaky ones now and then fail what is right."""

from pathlib import Path

import pytest

from proofyard.checks import VerifyRequest, verify
from proofyard.checks.proof import TaskProof
from proofyard.core import Outcome
from proofyard.suites.harbor.skeleton import write_skeleton


@pytest.fixture
def task(tmp_path: Path) -> Path:
    write_skeleton(tmp_path / "task", "toy/task")
    return tmp_path / "task"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def proof(task: Path, attempts: int = 1) -> TaskProof:
    (found,) = verify(VerifyRequest(suite=str(task), attempts=attempts, concurrency=2), lambda counts: None).tasks
    return found


def test_weak_tests_reward_a_shortcut(task: Path) -> None:
    """The hidden text is looked at no more: the constant passes."""
    change(task / "tests/checks.py", "(inputs_unchanged, example, hidden_text)", "(inputs_unchanged, example)")
    found = proof(task)
    assert not found.ok
    assert found.faults == (
        "shortcut constant: passed, though: the tests reward it",
        "shortcut constant: there is no check hidden_text; the tests list inputs_unchanged, example",
        "shortcut constant: scores 1, not 0",
    )


def test_tests_that_stop_a_shortcut_by_chance_of_another_check(task: Path) -> None:
    """The changed input is found out by the hidden text, not by the check that was built for it."""
    change(task / "tests/checks.py", ".startswith(EXAMPLE)", '.startswith("")')
    change(task / "tests/shortcuts/change_input.sh", "printf", "echo 'print(0)' > /app/count.py; printf")
    reason, check = proof(task).faults
    assert reason.startswith("shortcut change_input: failed for wrong_result, not for tamper: ")
    assert check.startswith("shortcut change_input: check inputs_unchanged did not stop it: failed checks: ")
    assert "inputs_unchanged" not in check.partition("failed checks: ")[2]


def test_tests_that_reward_nothing_at_all(task: Path) -> None:
    change(task / "tests/checks.py", "reward = int(", "reward = 1 or int(")
    empty, nothing, *_ = proof(task).faults
    assert empty.startswith("empty project: passed: ")
    assert nothing == "nothing at all: scores 1, not 0"


def test_flaky_tests_fail_the_reference_now_and_then(task: Path) -> None:
    """They toss a coin: that it falls the same way twenty times is what one run in half a million would see."""
    change(task / "tests/checks.py", "import hashlib\n", "import hashlib\nimport os\n")
    change(task / "tests/checks.py", "    rows = []\n", "    rows = []\n    coin = os.urandom(1)[0] % 2\n")
    change(task / "tests/checks.py", "reward = int(", "reward = coin and int(")
    found = proof(task, attempts=20)
    assert not found.ok
    assert {Outcome.PASSED, Outcome.FAILED} == set(found.reference)
    failed = found.reference.index(Outcome.FAILED) + 1
    assert any(fault.startswith(f"reference: attempt {failed} failed: ") for fault in found.faults)
