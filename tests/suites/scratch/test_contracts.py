"""A changed prompt or expected response needs a new dataset version."""

import json
from pathlib import Path

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


@pytest.mark.xdist_group("dataset")
@pytest.mark.parametrize("tier", ["easy", "intermediate", "hard", "max"])
def test_contract(built: Path, tier: str) -> None:
    rows = [json.loads(line) for line in (built / f"{tier}.jsonl").read_text().splitlines()]
    assert len(rows) == 65
    assert {row["task_id"]: recorded()["tasks"].get(row["task_id"]) for row in rows} == {
        row["task_id"]: contract(row) for row in rows
    }, HOW


@pytest.mark.parametrize("seed", [None, 7])
def test_the_place_of_a_task_is_that_of_the_task_made(seed: int | None) -> None:
    found = ScratchSuite() if seed is None else ScratchSuite(seed)
    for task_id in ("scratch-easy-018-date-arithmetic", "scratch-intermediate-050-convex-hull"):
        task, place = found.load(task_id), found.place(task_id)
        assert place == (task.subset, task.family, task.category)
        assert found.assertions(task_id) == row_of(found, task_id)["num_assertions"]
