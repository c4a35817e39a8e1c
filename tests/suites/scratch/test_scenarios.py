"""The reference satisfies every scenario of every task; the counts reach what the suite promises."""

import pytest

from proofyard.core import Outcome, Scenario
from proofyard.suites.scratch.scenarios import count, totals
from proofyard.suites.scratch.tiers import TIERS

from .inprocess import SUITE, grade, reference

FLOORS = {"easy": 48, "intermediate": 84, "hard": 150, "max": 239}
SESSIONS = {"easy": 12, "intermediate": 12, "hard": 12, "max": 30}
KINDS = {
    "easy": {"golden", "generated", "boundary", "malformed"},
    "intermediate": {"golden", "generated", "boundary", "malformed", "conflicts", "restart"},
    "hard": {"golden", "generated", "boundary", "malformed", "conflicts", "restart", "atomicity", "nesting"},
}
KINDS["max"] = KINDS["hard"] | {"retry", "mid-write"}


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_reference_passes(task_id: str) -> None:
    _, tier, _, slug = task_id.split("-", 3)
    grade_of = grade(tier, slug, reference)
    assert grade_of.outcome == Outcome.PASSED, grade_of.evidence
    scenarios = SUITE.scenarios(task_id)
    assert grade_of.metrics["assertions_passed"] == count(scenarios) >= FLOORS[tier]
    assert set(totals(scenarios)) == KINDS[tier]
    assert totals(scenarios)["generated"] >= 24
    assert sum(len(scenario.sessions) for scenario in scenarios) <= SESSIONS[tier]
    assert [scenario.name for scenario in scenarios if scenario.public] == ["example-1", "example-2"]


def _rows(scenarios: tuple[Scenario, ...]) -> list[tuple[object, ...]]:
    return [
        (row.send, row.raw, row.expect, row.kill)
        for scenario in scenarios
        for session in scenario.sessions
        for row in session.rows
    ]


def test_scenarios_are_the_same_each_time_and_differ_by_seed() -> None:
    task_id = SUITE.ids("hard")[0]
    assert SUITE.scenarios(task_id) == SUITE.scenarios(task_id)
    other = type(SUITE)(7)
    assert SUITE.scenarios(task_id) != other.scenarios(task_id)
    assert other.version != SUITE.version


def test_kill_points_cover_the_response_and_the_first_six_calls() -> None:
    kills = [row[3] for row in _rows(SUITE.scenarios(SUITE.ids("max")[0])) if row[3] is not None]
    assert {1, 2, 3, 4, 5, 6} <= set(kills)
    assert kills.count("response") >= 9


def test_kills_only_where_state_is_kept() -> None:
    for tier in ("easy", "intermediate", "hard"):
        scenarios = SUITE.scenarios(SUITE.ids(tier)[0])
        assert all(row[3] is None for row in _rows(scenarios))
        assert all(scenario.argv == () for scenario in scenarios)
    assert all(s.argv == ("--state-dir", "/work/state") for s in SUITE.scenarios(SUITE.ids("max")[0]))
    assert list(TIERS) == ["easy", "intermediate", "hard", "max"]
