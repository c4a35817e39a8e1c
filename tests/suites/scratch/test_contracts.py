"""A changed prompt or expected response needs a new dataset version."""

import pytest

from proofyard.suites.scratch import ScratchSuite
from proofyard.suites.scratch.contracts import recorded
from proofyard.suites.scratch.dataset import row_of

from .contracts import contract
from .inprocess import SUITE

HOW = "changed: raise DATASET_VERSION in suites/scratch/version.py, then `python -m tests.suites.scratch.contracts`"


def test_version() -> None:
    assert recorded()["version"] == SUITE.version, HOW
    assert set(recorded()["tasks"]) == set(SUITE.ids()), HOW


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_contract(task_id: str) -> None:
    assert recorded()["tasks"].get(task_id) == contract(SUITE, task_id), HOW


@pytest.mark.parametrize("seed", [None, 7])
def test_the_place_of_a_task_is_that_of_the_task_made(seed: int | None) -> None:
    found = ScratchSuite() if seed is None else ScratchSuite(seed)
    for task_id in ("scratch-easy-018-date-arithmetic", "scratch-intermediate-050-convex-hull"):
        task, place = found.load(task_id), found.place(task_id)
        assert place == (task.subset, task.family, task.category)
        assert found.assertions(task_id) == row_of(found, task_id)["num_assertions"]
