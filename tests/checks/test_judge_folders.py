"""Task folders are judged more strictly: every alternative, a score of 0, the check declared, each of several gradings."""

from typing import Any

from proofyard.checks.judge import Terms, judge
from proofyard.core import Brief, GraderSpec, Hidden, Outcome, Reason, Solution, Step, Task, Verdict

CUT = Solution(name="cut", kind="shortcut", expected=Outcome.FAILED, reason=Reason.TAMPER, check="store")
ONE, TWO = (Solution(name=name, kind="alternative", argv=("x",)) for name in ("one", "two"))
STEP = Step(
    brief=Brief(task="t", prompt=""), grader=GraderSpec(kind="command"), hidden=Hidden(solutions=(CUT, ONE, TWO))
)
TASK = Task(id="t", suite="harbor", version="1", steps=(STEP,))


def verdict(score: float, reason: Reason | None = None, failed: str = "") -> Verdict:
    outcome = Outcome.PASSED if score == 1 else Outcome.FAILED
    return Verdict(
        id="v", trial="x", task="t", submission="s", grader="g", outcome=outcome, score=score, reason=reason,
        provenance={"failed_checks": failed} if failed else {},
    )  # fmt: skip


PASSED, WRONG = verdict(1), verdict(0, Reason.WRONG_RESULT)
STOPPED = verdict(0, Reason.TAMPER, "input, store")


def faults(package: tuple[str, ...] = (), **changed: list[Verdict]) -> tuple[str, ...]:
    right: dict[str, list[Verdict]] = {
        "oracle": [PASSED] * 5,
        "nop": [WRONG],
        "cut": [STOPPED],
        "one": [PASSED],
        "two": [PASSED],
    }
    names = {"cut": "given:cut", "one": "given:one", "two": "given:two"}
    found: dict[tuple[str, str], Any] = {("t", names.get(key, key)): rows for key, rows in {**right, **changed}.items()}
    proof = judge(TASK, found, Terms(5, lambda task, name: "the tests reward it", 0, lambda name: package))
    assert proof.ok is (not proof.faults)
    return proof.faults


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
    assert faults(cut=[verdict(0, Reason.TAMPER, "input")]) == ("shortcut cut: check store did not stop it: ",)
    assert faults(cut=[STOPPED, verdict(0, Reason.TAMPER), STOPPED]) == ("shortcut cut: check store did not stop it: ",)
    assert faults(cut=[verdict(0, Reason.WRONG_RESULT, "store")]) == (
        "shortcut cut: failed for wrong_result, not for tamper: ",
    )
    assert faults(cut=[STOPPED, PASSED])[0] == "shortcut cut: passed, though: the tests reward it"
