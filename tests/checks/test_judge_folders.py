"""Task folders are judged more strictly: every alternative, a score of 0, the check declared, each of several gradings."""

from typing import Any

import pytest

from proofyard.checks.graded import Attempted
from proofyard.checks.judge import Terms, judge
from proofyard.checks.proof import TaskProof
from proofyard.checks.standing import stopped_by
from proofyard.core import (
    Brief,
    Failure,
    GraderSpec,
    Hidden,
    Outcome,
    Reason,
    Solution,
    Step,
    Submission,
    Task,
    Trial,
    Verdict,
)
from proofyard.graders import CUT as ENDED

CUT = Solution(name="cut", kind="shortcut", expected=Outcome.FAILED, reason=Reason.TAMPER, check="store")
ONE, TWO = (Solution(name=name, kind="alternative", argv=("x",)) for name in ("one", "two"))
STEP = Step(
    brief=Brief(task="t", prompt=""),
    grader=GraderSpec(kind="command", parameters='{"reasons": {"never": "tamper", "store": "tamper"}}'),
    hidden=Hidden(solutions=(CUT, ONE, TWO)),
)
NEVER = "metadata.proofyard.checks.never: the tests list no such check"
TASK = Task(id="t", suite="harbor", version="1", steps=(STEP,))


ALL = "input, store"


def verdict(score: float, reason: Reason | None = None, failed: str = "") -> Verdict:
    outcome = Outcome.PASSED if score == 1 else Outcome.FAILED
    return Verdict(
        id="v", trial="x", task="t", submission="s", grader="g", outcome=outcome, score=score, reason=reason,
        provenance={"failed_checks": failed, "checks": ALL} if failed else {},
    )  # fmt: skip


PASSED, WRONG = verdict(1), verdict(0, Reason.WRONG_RESULT)
STOPPED = verdict(0, Reason.TAMPER, "input, store")


def trial(tree: str, failure: Failure | None = None) -> Trial:
    submission = Submission(tree=tree, blob="b")
    return Trial(
        id="x", task="t", subject="s", subject_name="n", brief="b", k=0, submissions=(submission,), failure=failure
    )


TRIED: Attempted = {
    ("t", "nop"): [trial("empty")],
    ("t", "given:cut"): [trial("cut")],
    ("t", "given:one"): [trial("empty")],
}


def proof(package: tuple[str, ...] = (), tried: Attempted = TRIED, **changed: list[Verdict]) -> TaskProof:
    right: dict[str, list[Verdict]] = {
        "oracle": [PASSED] * 5,
        "nop": [WRONG],
        "cut": [STOPPED],
        "one": [PASSED],
        "two": [PASSED],
    }
    names = {"cut": "given:cut", "one": "given:one", "two": "given:two"}
    found: dict[tuple[str, str], Any] = {("t", names.get(key, key)): rows for key, rows in {**right, **changed}.items()}
    return judge(TASK, found, Terms(5, lambda task, name: "the tests reward it", 0, lambda name: package), tried)


def faults(package: tuple[str, ...] = (), tried: Attempted = TRIED, **changed: list[Verdict]) -> tuple[str, ...]:
    found = proof(package, tried, **changed)
    assert found.ok is (not found.faults)
    return found.faults


def test_all_right() -> None:
    assert faults(cut=[STOPPED] * 3, one=[PASSED] * 3) == ()


def test_what_the_folder_lacks() -> None:
    assert faults(("folder: no shortcut",)) == ("folder: no shortcut",)


def test_every_alternative_in_every_grading() -> None:
    assert faults(two=[WRONG]) == ("alternative two: failed: ",)
    assert faults(two=[PASSED, WRONG, PASSED]) == ("alternative two: failed: ",)


def test_a_part_of_a_reward_is_not_0() -> None:
    assert faults(nop=[verdict(0.25, Reason.WRONG_RESULT)]) == ("nothing at all: scores 0.25, not 0",)
    assert faults(cut=[verdict(0.5, Reason.TAMPER, "store")]) == ("shortcut cut: scores 0.5, not 0",)


def test_a_shortcut_is_stopped_by_the_check_declared() -> None:
    assert faults(cut=[verdict(0, Reason.TAMPER, "input")]) == (
        "shortcut cut: check store did not stop it: failed checks: input",
    )
    assert faults(cut=[STOPPED, verdict(0, Reason.TAMPER), STOPPED]) == ("shortcut cut: check store did not stop it: ",)
    assert faults(cut=[verdict(0, Reason.WRONG_RESULT, "store")]) == (
        "shortcut cut: failed for wrong_result, not for tamper: ",
    )
    assert faults(cut=[STOPPED, PASSED])[0] == "shortcut cut: passed, though: the tests reward it"


def test_all_that_is_wrong_is_told() -> None:
    assert faults(cut=[verdict(0, Reason.WRONG_RESULT, "input")]) == (
        "shortcut cut: failed for wrong_result, not for tamper: ",
        "shortcut cut: check store did not stop it: failed checks: input",
    )


def test_a_shortcut_whose_script_broke_down_shows_nothing() -> None:
    broken = trial("cut", Failure(code="agent_exit", message="cut ended with exit code 2: sed: no such file"))
    assert faults(tried={**TRIED, ("t", "given:cut"): [trial("cut"), broken]}) == (
        "shortcut cut: its script broke down, so that it shows nothing: cut ended with exit code 2: sed: no such file",
    )


def test_a_shortcut_which_changes_nothing_shows_nothing() -> None:
    assert faults(tried={**TRIED, ("t", "given:cut"): [trial("empty")]}) == (
        "shortcut cut: it left all as it was, so that it shows no more than doing nothing",
    )


def test_a_check_that_the_tests_do_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ALL", "input, stores")
    found = faults(cut=[verdict(0, Reason.TAMPER, "input")])
    assert found[-1] == "shortcut cut: there is no check store; the tests list input, stores"


def test_a_list_of_checks_that_was_cut_says_nothing_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ALL", f"input{ENDED}")
    found = proof(cut=[verdict(0, Reason.TAMPER, "input")])
    assert found.faults == ("shortcut cut: check store did not stop it: failed checks: input",)
    assert found.remarks == ()


def test_what_an_author_should_look_at() -> None:
    assert proof(nop=[verdict(0, Reason.WRONG_RESULT, "input")], cut=[STOPPED]).remarks == (NEVER,)
    assert proof(nop=[STOPPED], cut=[STOPPED]).remarks == (
        "shortcut cut: fails the very checks that doing nothing fails (input, store)",
        NEVER,
    )
    assert proof(nop=[STOPPED], cut=[STOPPED]).ok


def test_a_name_with_commas_is_one_name() -> None:
    assert stopped_by(verdict(0, Reason.TAMPER, "one[a, b], two"), "one[a, b]")
    assert not stopped_by(verdict(0, Reason.TAMPER, "one[a, b], two"), "one")
