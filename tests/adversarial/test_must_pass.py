"""Honest programs pass: on tasks of our own, and the dataset's task with a pool of processes."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from proofyard.core import Outcome
from proofyard.sandbox import LocalProvider
from tests.adversarial.must_pass import MUST_PASS
from tests.adversarial.own_tasks import OwnTask
from tests.adversarial.plain import LIMITS, grade, measured, task


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider(slots=1)
    yield local
    local.close()


@pytest.mark.parametrize("name", MUST_PASS, ids=lambda value: re.sub(r"\W+", "-", value))
def test_honest_programs_pass(provider: LocalProvider, name: str) -> None:
    honest = MUST_PASS[name]
    limits = msgspec.structs.replace(LIMITS, wall_ms=30_000)
    truth = measured(provider, OwnTask(honest.solution, honest.test), limits)
    found = grade(provider, honest.test, honest.program, truth, limits)
    assert found.outcome is Outcome.PASSED, found
    assert truth.stack == "own"
    assert found.provenance["twins"] == "run"


@pytest.mark.parametrize("task_id", ["BigCodeBench/363"])
def test_a_pool_of_processes_of_the_dataset(provider: LocalProvider, task_id: str) -> None:
    one = task(task_id)
    limits = msgspec.structs.replace(LIMITS, wall_ms=60_000, pids=64)
    found = grade(provider, one.test, one.solution, measured(provider, one, limits), limits)
    assert found.outcome is Outcome.PASSED, found
