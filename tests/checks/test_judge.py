"""What cannot be brought about with a real grader: verdicts missing, an empty project that passes, attempts that differ."""

from proofyard.checks.judge import Terms, judge
from proofyard.core import (
    Brief,
    Failure,
    GraderSpec,
    Group,
    Hidden,
    Outcome,
    Reason,
    Solution,
    Step,
    Task,
    Verdict,
)

SHORTCUT = Solution(name="cut", kind="shortcut", expected=Outcome.FAILED, reason=Reason.CRASH)
OTHER = Solution(name="other", kind="alternative")
STEP = Step(brief=Brief(task="t", prompt=""), grader=GraderSpec(kind="toy"), hidden=Hidden(solutions=(SHORTCUT, OTHER)))
TASK = Task(id="t", suite="s", version="1", steps=(STEP,))


def verdict(outcome: Outcome, reason: Reason | None = None, passed: int = 5) -> Verdict:
    failure = Failure(code="sandbox_lost", message="gone") if outcome is Outcome.ERROR else None
    score = {Outcome.PASSED: 1.0, Outcome.FAILED: 0.0}.get(outcome)
    groups = {"golden": Group(passed=passed, total=5)}
    return Verdict(
        id="v",
        trial="x",
        task="t",
        submission="s",
        grader="g",
        outcome=outcome,
        score=score,
        reason=reason,
        groups=groups,
        failure=failure,
    )


PASSED, CRASHED, LOST = verdict(Outcome.PASSED), verdict(Outcome.FAILED, Reason.CRASH), verdict(Outcome.ERROR)
RIGHT = {
    ("t", "oracle"): [PASSED, PASSED],
    ("t", "nop"): [CRASHED],
    ("t", "given:cut"): [CRASHED],
    ("t", "given:other"): [PASSED],
}


def faults(**changed: list[Verdict]) -> tuple[str, ...]:
    names = {"oracle": "oracle", "nop": "nop", "cut": "given:cut", "other": "given:other"}
    found = {**RIGHT, **{("t", names[name]): verdicts for name, verdicts in changed.items()}}
    proof = judge(TASK, found, Terms(2), {})
    assert proof.ok is (not proof.faults)
    return proof.faults


def test_all_right() -> None:
    proof = judge(TASK, RIGHT, Terms(2), {})
    assert (proof.ok, proof.faults, proof.assertions) == (True, (), 5)


def test_the_reference() -> None:
    assert faults(oracle=[PASSED]) == ("reference: 1 of 2 attempts have a verdict",)
    assert faults(oracle=[]) == ("reference: 0 of 2 attempts have a verdict",)
    assert faults(oracle=[PASSED, CRASHED]) == (
        "reference: attempt 2 failed: ",
        "reference: attempts 1 and 2 differ in outcome: passed and failed",
    )
    assert faults(oracle=[PASSED, verdict(Outcome.PASSED, passed=4)]) == (
        "reference: attempts 1 and 2 differ in golden assertions passed: 5 and 4",
    )
    assert faults(oracle=[LOST, LOST]) == ("reference: attempt 1 error: gone", "reference: attempt 2 error: gone")


def test_the_empty_project() -> None:
    assert faults(nop=[PASSED]) == ("empty project: passed: ",)
    assert faults(nop=[LOST]) == ("empty project: error: gone",)
    assert faults(nop=[]) == ("empty project: not graded",)


def test_a_shortcut() -> None:
    assert faults(cut=[]) == ("shortcut cut: not graded",)
    assert faults(cut=[LOST]) == ("shortcut cut: error: gone",)
    assert faults(cut=[verdict(Outcome.INVALID)]) == ("shortcut cut: invalid: ",)
    assert faults(cut=[verdict(Outcome.FAILED, Reason.OOM)]) == ("shortcut cut: failed for oom, not for crash: ",)
    assert faults(cut=[PASSED]) == ("shortcut cut: passed, though: the suite cannot say where its answers differ",)
    terms = Terms(2, lambda task, name: f"{task} {name} row 5")
    found = judge(TASK, {**RIGHT, ("t", "given:cut"): [PASSED]}, terms, {})
    assert found.faults == ("shortcut cut: passed, though: t cut row 5",)


def test_alternatives() -> None:
    assert faults(other=[CRASHED]) == ("no alternative passes: other failed: ",)
    assert faults(other=[LOST]) == ("no alternative passes: other error: gone",)
    assert faults(other=[]) == ("no alternative passes: other was not graded: ",)
