"""The shortcuts of the suite fail, each for the reason it declares. Plain processes: kills at the response are real enough
here; those in the middle are the sandbox's business (`rewrite-in-place` is played there).
"""

import pytest

from proofyard.core import Given, Outcome
from proofyard.graders import SessionGrader
from tests.graders.plain import PlainProvider

from .inprocess import SUITE, loaded

LOWEST = {
    solution.name: task_id
    for task_id in (SUITE.ids(tier)[0] for tier in ("max", "hard", "intermediate", "easy"))
    for solution in loaded(SUITE, task_id).steps[0].hidden.solutions
}
"""Each solution at the lowest tier that has it."""


@pytest.mark.parametrize("name", sorted(set(LOWEST) - {"rewrite-in-place"}))
def test_outcome(name: str) -> None:
    task = loaded(SUITE, LOWEST[name])
    solution = task.solution(name)
    assert solution is not None
    blobs = SUITE.blobs()
    grade = SessionGrader().grade(task.steps[0], solution.tree, PlainProvider().opener(blobs), Given(), blobs)
    assert (grade.outcome, grade.reason) == (solution.expected, solution.reason), grade.evidence


def test_every_tier_has_some() -> None:
    for tier, count in (("easy", 3), ("intermediate", 4), ("hard", 5), ("max", 9)):
        solutions = loaded(SUITE, SUITE.ids(tier)[0]).steps[0].hidden.solutions
        assert solutions[0].name == "reference"
        assert solutions[0].expected == Outcome.PASSED
        shortcuts = [s for s in solutions if s.kind == "shortcut"]
        assert len(shortcuts) == count
        assert len({s.tree.digest for s in solutions}) == len(solutions)
