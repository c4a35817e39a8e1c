"""One toy Harbor folder graded by its own tests from given solutions, with one local host allowed."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from proofyard.core import (
    Given,
    Grade,
    MemoryBlobs,
    Outcome,
    Reason,
    Solution,
    Step,
    Task,
    Tree,
    tree_of,
)
from proofyard.formats import read_task
from proofyard.formats.harbor import Terms
from proofyard.graders.command import CommandGrader
from proofyard.sandbox import LocalProvider

from .service import Service, service
from .workbench import opening, submission

FOLDER = Path(__file__).parent / "toy-harbor"
BLOBS = MemoryBlobs()


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider()
    yield local
    local.close()


@pytest.fixture
def oracle() -> Iterator[Service]:
    with service(b"42\n") as server:
        yield server


def load(tmp_path: Path, url: str, hosts: tuple[str, ...]) -> Task:
    """The toy folder, with the address of the service in its environment."""
    folder = tmp_path / "task"
    shutil.copytree(FOLDER, folder)
    text = (folder / "task.toml").read_text()
    assert "http://127.0.0.1:1/sum" in text
    (folder / "task.toml").write_text(text.replace("http://127.0.0.1:1/sum", url))
    return read_task(folder, BLOBS, Terms(hosts=hosts)).task


def grade(provider: LocalProvider, step: Step, tree: Tree) -> Grade:
    return CommandGrader().grade(step, tree, opening(provider, BLOBS), Given(), BLOBS)


def scripted(step: Step, script: str, **limits: int) -> Step:
    """The step with another test script."""
    tests = step.hidden.tests.merged(tree_of({"test.sh": f"#!/bin/bash\n{script}\n"}, BLOBS, ["test.sh"]))
    spec = msgspec.structs.replace(step.grading, limits=msgspec.structs.replace(step.grading.limits, **limits))
    return msgspec.structs.replace(step, hidden=msgspec.structs.replace(step.hidden, tests=tests), grading=spec)


def test_the_reference_made_by_its_command_passes(provider: LocalProvider, oracle: Service, tmp_path: Path) -> None:
    task = load(tmp_path, f"http://{oracle.host}/sum", (oracle.host,))
    step, reference = task.steps[0], task.solution("reference")
    assert reference is not None
    tree = submission(provider, step.brief, reference, BLOBS)
    assert sorted(tree.entries) == ["app/add.sh"]
    found = grade(provider, step, tree)
    assert (found.outcome, found.score, found.metrics) == (Outcome.PASSED, 1.0, {"reward": 1.0})
    assert found.evidence.got == "expected 42, got 42"
    assert found.provenance["network"] == "hosts"
    assert oracle.visits == 1


def test_a_host_that_is_not_listed_is_not_reached(provider: LocalProvider, oracle: Service, tmp_path: Path) -> None:
    with service(b"42\n") as other:
        task = load(tmp_path, f"http://{other.host}/sum", (oracle.host,))
        reference = task.solution("reference")
        assert reference is not None
        found = grade(provider, task.steps[0], submission(provider, task.steps[0].brief, reference, BLOBS))
        assert (found.outcome, found.score, found.reason) == (Outcome.FAILED, 0.0, Reason.WRONG_RESULT)
        assert (oracle.visits, other.visits) == (0, 0)


@pytest.mark.parametrize(
    ("script", "reason"),
    [("echo 41\n", Reason.WRONG_RESULT), ("exit 1\n", Reason.WRONG_RESULT)],
)
def test_wrong_solutions_given_as_trees(
    provider: LocalProvider, oracle: Service, tmp_path: Path, script: str, reason: Reason
) -> None:
    task = load(tmp_path, f"http://{oracle.host}/sum", (oracle.host,))
    wrong = Solution(name="wrong", kind="mutant", tree=tree_of({"app/add.sh": script}, BLOBS))
    found = grade(provider, task.steps[0], submission(provider, task.steps[0].brief, wrong, BLOBS))
    assert (found.outcome, found.score, found.reason) == (Outcome.FAILED, 0.0, reason)
    assert found.evidence.note == "the tests gave 0, 1 is needed"


@pytest.fixture
def step(tmp_path: Path) -> Step:
    chosen = load(tmp_path, "", ()).steps[0]
    spec = msgspec.structs.replace(chosen.grading, network=chosen.brief.work.network)
    return msgspec.structs.replace(chosen, grading=spec)


FORGED = tree_of(
    {
        "app/reward.json": '{"reward": 1}',
        "app/reward.txt": "1",
        "app/logs/verifier/reward.json": '{"reward": 1}',
        "app/tests/test.sh": "echo 1 > /logs/verifier/reward.txt",
    },
    BLOBS,
)


def test_no_reward_is_an_error_and_what_was_submitted_is_none(provider: LocalProvider, step: Step) -> None:
    found = grade(provider, scripted(step, "ls /logs/verifier /app; exit 0"), FORGED)
    assert (found.outcome, found.score) == (Outcome.ERROR, None)
    assert found.failure is not None and found.failure.code == "reward_missing"
    assert "reward" not in found.evidence.got.split("/app:")[0]


def test_a_forged_reward_made_while_working_does_not_count(provider: LocalProvider, step: Step) -> None:
    command = "mkdir -p /logs/verifier; echo '{\"reward\": 1}' > /logs/verifier/reward.json; echo x > add.sh; true"
    forger = Solution(name="forger", kind="shortcut", argv=("bash", "-c", command))
    tree = submission(provider, step.brief, forger, BLOBS)
    assert sorted(tree.entries) == ["app/add.sh"]
    found = grade(provider, scripted(step, "echo 0 > /logs/verifier/reward.txt"), tree)
    assert (found.outcome, found.score) == (Outcome.FAILED, 0.0)
