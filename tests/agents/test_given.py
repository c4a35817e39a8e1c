from pathlib import Path

import pytest

from proofyard.agents import AgentSetup, given, nop, oracle
from proofyard.core import Brief, Finish, MemoryBlobs, Tree, UsageError, tree_of
from tests.agents.helpers import Clock, Notes

TREE = tree_of({"main.py": "x"}, MemoryBlobs())
BRIEF = Brief(task="t", prompt="p")


def _finish(plugin: object, parameters: dict[str, str], tree: Tree | None) -> Finish:
    agent = plugin.make(AgentSetup(parameters, Path("/nowhere"), tree))  # type: ignore[attr-defined]
    assert agent.needs == "nothing"
    finish = agent.run(BRIEF, None, Notes(), Clock(), MemoryBlobs())
    assert isinstance(finish, Finish)
    return finish


def test_a_solution_handed_in_is_submitted() -> None:
    parameters = given.parameters("shortcut")
    assert parameters == {"solution": "shortcut"}
    assert given.solution(parameters) == "shortcut"
    assert _finish(given, parameters, TREE) == Finish(submission=TREE)


def test_a_task_without_that_solution_is_missing() -> None:
    assert _finish(given, {"solution": "x"}, None) == Finish(missing=True)


def test_the_oracle_is_the_reference() -> None:
    assert oracle.parameters("") == {}
    assert oracle.solution({}) == "reference"
    assert _finish(oracle, {}, TREE) == Finish(submission=TREE)


def test_nop_submits_nothing_and_is_handed_nothing() -> None:
    assert nop.solution({}) is None
    assert _finish(nop, {}, TREE) == Finish(submission=Tree())


def test_arguments_that_make_no_sense() -> None:
    with pytest.raises(UsageError, match="agent nop takes no argument: write nop, not nop:x"):
        nop.parameters("x")
    with pytest.raises(UsageError, match="agent oracle takes no argument"):
        oracle.parameters("x")
    with pytest.raises(UsageError, match="given needs the name of a solution"):
        given.parameters("")
