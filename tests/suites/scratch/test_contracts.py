"""A changed prompt or expected response needs a new dataset version."""

import pytest

from .contracts import contract, recorded
from .inprocess import SUITE

HOW = "changed: raise DATASET_VERSION in suites/scratch/version.py, then `python -m tests.suites.scratch.contracts`"


def test_version() -> None:
    assert recorded()["version"] == SUITE.version, HOW
    assert set(recorded()["tasks"]) == set(SUITE.ids()), HOW


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_contract(task_id: str) -> None:
    assert recorded()["tasks"].get(task_id) == contract(SUITE, task_id), HOW
