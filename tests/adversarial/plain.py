"""Grades own tasks and rows of the dataset as the product does: truth measured first, then the sample against it."""

import gzip
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from proofyard.core import (
    Brief,
    Given,
    Grade,
    GraderSpec,
    Hidden,
    Image,
    Limits,
    MemoryBlobs,
    Sandbox,
    SandboxSpec,
    Step,
    tree_of,
)
from proofyard.graders.unittest_grader import UnittestGrader, truth_of
from proofyard.graders.unittest_orders import Truth
from proofyard.sandbox import LocalProvider
from tests.adversarial.own_tasks import OWN_TASKS, OwnTask
from tests.data import data

BLOBS = MemoryBlobs()
LIMITS = Limits(wall_ms=8000, memory=512 << 20, tree_memory=768 << 20, pids=24, disk=64 << 20)


@cache
def rows() -> dict[str, dict[str, str]]:
    with gzip.open(data("BigCodeBench-v0.1.4.jsonl.gz")) as lines:
        return {row["task_id"]: row for row in map(json.loads, lines)}


def task(name: str) -> OwnTask:
    """An own task by its name, a row of the dataset by its id."""
    if name in OWN_TASKS:
        return OWN_TASKS[name]
    row = rows()[name]
    return OwnTask(row["complete_prompt"] + row["canonical_solution"], row["test"])


def step_of(test: str, truth: Truth | None = None, limits: Limits = LIMITS, **parameters: Any) -> Step:
    parameters = {"entry_point": "task_func", "cpu_floor_ms": 2000, **parameters}
    return Step(
        brief=Brief(task="task", prompt=""),
        grader=GraderSpec(kind="unittest", parameters=json.dumps(parameters)),
        grading=SandboxSpec(image=Image(preload=("json", "re", "tempfile", "csv")), limits=limits),
        hidden=Hidden(
            tests=tree_of({"test.py": test}, BLOBS),
            expected="" if truth is None else msgspec.json.encode(truth).decode(),
        ),
    )


def opener(provider: LocalProvider) -> Callable[[SandboxSpec], Sandbox]:
    return lambda spec: provider.open(spec, BLOBS)


def measured(provider: LocalProvider, one: OwnTask, limits: Limits = LIMITS) -> Truth:
    step = step_of(one.test, limits=limits)
    truth = truth_of(step, tree_of({"solution.py": one.solution}, BLOBS), opener(provider), BLOBS)
    assert isinstance(truth, Truth), truth
    return truth


def grade(
    provider: LocalProvider, test: str, sample: str, truth: Truth | None, limits: Limits = LIMITS, **parameters: Any
) -> Grade:
    step = step_of(test, truth, limits, **parameters)
    return UnittestGrader().grade(step, tree_of({"solution.py": sample}, BLOBS), opener(provider), Given(), BLOBS)
