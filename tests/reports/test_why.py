"""Attribution on attempts whose cause is known: how many are right, and that infrastructure is never guessed."""

from collections.abc import Iterator

import pytest

from proofyard.core import (
    Change,
    Evidence,
    Failure,
    Grade,
    Group,
    Move,
    MoveCall,
    MoveMetrics,
    MoveResult,
    Outcome,
    Reason,
    Submission,
)
from proofyard.reports.why import Seen, attribute
from proofyard.reports.why_lines import why_lines
from proofyard.reports.why_process import Process, process_of
from proofyard.sandbox import LocalProvider
from tests.reports.factory import trial, verdict
from tests.reports.why_cases import CASES, INFRASTRUCTURE, Case, Laboratory


@pytest.fixture(scope="module")
def laboratory() -> Iterator[Laboratory]:
    provider = LocalProvider()
    yield Laboratory(provider.open)
    provider.close()


# Where the rules err, and what they say instead.
WRONG: dict[str, str] = {
    # The grader sees an answer that comes too early, not that a blank line was answered.
    "answers blank lines": "wrong_result",
}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_cause_is_found(case: Case, laboratory: Laboratory) -> None:
    why = attribute(laboratory.seen(case))
    assert (why.failure is not None) == (case.cause == INFRASTRUCTURE), why
    said = INFRASTRUCTURE if why.failure is not None else str(why.reason)
    assert said == WRONG.get(case.name, str(case.cause)), why
    assert why.move == case.move, why


def test_the_set_is_large_and_the_rules_are_good_enough() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 50
    assert len(CASES) - len(WRONG) >= 0.9 * len(CASES)
    assert WRONG.keys() <= {case.name for case in CASES}


def test_a_pass_and_what_was_not_graded_have_no_cause() -> None:
    attempt = trial("t")
    invalid = verdict(attempt, Outcome.INVALID)
    for given, outcome in ((verdict(attempt, True), "passed"), (None, "ungraded"), (invalid, "invalid")):
        why = attribute(Seen(attempt, given))
        assert (why.outcome, why.reason, why.failure) == (outcome, None, None)


def test_without_snapshots_the_last_edit_is_named() -> None:
    attempt = trial("t")
    moves = tuple(
        Move(n=n, source="agent", changed=(Change(path="main.py", how="changed"),) if n == 2 else ())
        for n in range(1, 5)
    )
    assert attribute(Seen(attempt, verdict(attempt, False, reason=Reason.WRONG_RESULT), moves)).move == 2


def test_a_budget_that_ended_idle_work_is_a_likely_cause_only() -> None:
    attempt = trial("t", reason=Reason.BUDGET)
    moves, grades = _course([3, 3, 3, 3])
    why = attribute(Seen(attempt, verdict(attempt, False, reason=Reason.WRONG_RESULT, submission="x"), moves, grades))
    assert (why.reason, why.sure) == (Reason.BUDGET, False)
    moves, grades = _course([1, 2, 3, 4])
    why = attribute(Seen(attempt, verdict(attempt, False, reason=Reason.WRONG_RESULT, submission="x"), moves, grades))
    assert (why.reason, why.sure) == (Reason.BUDGET, True)


def _course(counts: list[int | None]) -> tuple[tuple[Move, ...], dict[str, Grade]]:
    """Moves whose workspaces pass so many of ten assertions; None changes nothing."""
    moves, grades = [], {}
    for n, count in enumerate(counts, 1):
        at = None if count is None else Submission(tree=f"tree {n}", blob="")
        if count is not None:
            grades[f"tree {n}"] = Grade(
                outcome=Outcome.FAILED, score=0.0, groups={"all": Group(passed=count, total=10)}
            )
        used = MoveMetrics(input_tokens=100, output_tokens=n)
        moves.append(Move(n=n, source="agent", snapshot=at, metrics=used, llm_calls=1, wall_us=1000))
    return tuple(moves), grades


def test_process() -> None:
    assert process_of(*_course([0, None, 2, 5, 1, 5, None])) == Process(
        moves=7,
        tokens=728,
        first_move=3,
        first_tokens=306,
        first_wall_us=3000,
        tail_moves=3,
        tail_tokens=318,
        setbacks=1,
        recovered=True,
    )
    never = process_of(*_course([4, 2, 3]))
    assert (never.setbacks, never.recovered, never.tail_moves) == (1, False, 2)
    assert process_of(*_course([0, 0])).first_move is None


def test_repeats_of_a_failing_command() -> None:
    def move(n: int, command: str, code: int) -> Move:
        call = MoveCall(id="c", name="bash", arguments=command)
        return Move(n=n, source="agent", calls=(call,), results=(MoveResult(call="c", code=code),))

    commands = [("pytest", 1), ("ls", 0), ("pytest", 1), ("make", 2), ("pytest", 0)]
    process = process_of([move(n, *one) for n, one in enumerate(commands, 1)], {})
    assert (process.repeated, process.repeats) == ("bash pytest", 2)
    assert (process.setbacks, process.recovered, process.tokens) == (3, True, None)


def test_lines() -> None:
    attempt, other = trial("t"), trial("t", 1)
    failed = attribute(
        Seen(
            attempt,
            verdict(attempt, False, reason=Reason.CRASH, evidence=Evidence(where="row 3", note="it\x1b[31m died")),
        )
    )
    lost = attribute(Seen(trial("u", failure=Failure(code="model_quota", message="no money"))))
    passed = attribute(Seen(other, verdict(other, True)))
    assert list(why_lines([failed, lost, passed])) == [
        "3 attempts, 1 passed",
        "     1  crash  (1 of them likely, not sure)",
        "     1  infrastructure (model_quota)",
        "",
        "t, attempt 0, s: crash (likely)   [s/t/0]",
        "  row 3; it died",
        "",
        "u, attempt 0, s: infrastructure (model_quota)   [s/u/0]",
        "  model: no money [model_quota]",
    ]
