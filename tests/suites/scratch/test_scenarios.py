"""The reference satisfies every scenario of every task; the counts reach what the suite promises."""

from itertools import takewhile

import pytest

from proofyard.core import Outcome, Scenario
from proofyard.suites.scratch.scenarios import count, totals
from proofyard.suites.scratch.tiers import TIERS

from .inprocess import SAMPLE, SUITE, grade, reference

FLOORS = {"easy": 48, "intermediate": 84, "hard": 150, "max": 239}
SESSIONS = {"easy": 12, "intermediate": 12, "hard": 14, "max": 60}
KINDS = {
    "easy": {"golden", "generated", "boundary", "malformed"},
    "intermediate": {"golden", "generated", "boundary", "malformed", "conflicts", "restart"},
    "hard": {"golden", "generated", "boundary", "malformed", "conflicts", "restart", "atomicity", "nesting"},
}
KINDS["max"] = KINDS["hard"] | {"retry", "mid-write"}


@pytest.mark.parametrize("task_id", SAMPLE)
def test_reference_passes(task_id: str) -> None:
    _, tier, _, slug = task_id.split("-", 3)
    grade_of = grade(tier, slug, reference)
    assert grade_of.outcome == Outcome.PASSED, grade_of.evidence
    assert grade_of.metrics["assertions_passed"] == count(SUITE.scenarios(task_id))


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_assertions_of_every_kind(task_id: str) -> None:
    tier = task_id.split("-")[1]
    scenarios = SUITE.scenarios(task_id)
    assert count(scenarios) >= FLOORS[tier]
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
    assert [kills.count(call) for call in range(1, 7)] == [4, 3, 3, 2, 2, 2]
    assert kills.count("response") >= 15
    rows = [row for s in SUITE.scenarios(SUITE.ids("max")[0]) for session in s.sessions for row in session.rows]
    assert {row.of for row in rows if isinstance(row.kill, int)} == {6, 3}
    assert [row.kill for row in rows if row.torn] == [1, 2, 3, 4, 5, 6, 1, 2, 3, 1]


def test_kills_only_where_state_is_kept() -> None:
    for tier in ("easy", "intermediate", "hard"):
        scenarios = SUITE.scenarios(SUITE.ids(tier)[0])
        assert all(row[3] is None for row in _rows(scenarios))
        assert all(scenario.argv == () for scenario in scenarios)
    assert all(s.argv == ("--state-dir", "/workspace/state") for s in SUITE.scenarios(SUITE.ids("max")[0]))
    assert list(TIERS) == ["easy", "intermediate", "hard", "max"]


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_last_lines_without_a_line_feed_end_a_session(task_id: str) -> None:
    ends = []
    for scenario in SUITE.scenarios(task_id):
        for session in scenario.sessions:
            assert not any(row.unterminated for row in session.rows[:-1])
            ends += [row for row in session.rows[-1:] if row.unterminated]
    assert [len(row.expect) for row in ends] == [1, 1, 0] + [1] * task_id.startswith("scratch-max-")
    assert all(row.kind is not None and row.kill is None for row in ends)


@pytest.mark.parametrize("tier", ["hard", "max"])
def test_a_list_and_a_get_of_everything_are_one_assertion(tier: str) -> None:
    """A list of all with the gets that follow it carries one kind, on its last row, wherever it is a check of the state."""
    checks = 0
    for scenario in SUITE.scenarios(SUITE.ids(tier)[1]):
        rows = [row for session in scenario.sessions for row in session.rows if row.expect and row.send]
        for number, row in enumerate(rows):
            if (row.send["op"], row.send.get("args")) != ("list", {}) or row.kind is not None:
                continue
            gets = list(takewhile(lambda r: r.send["op"] == "get" and r.kind is None, rows[number + 1 :]))
            after = rows[number + 1 + len(gets)] if len(rows) > number + 1 + len(gets) else row
            checks += len(gets) > 0 and after.send["op"] == "get" and after.kind is not None
    assert checks >= {"hard": 12, "max": 28}[tier]
