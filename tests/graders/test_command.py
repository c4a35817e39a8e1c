"""Rewards: what a test script may leave, and what is made of it."""

from collections.abc import Iterator

import pytest

from proofyard.core import (
    Brief,
    Given,
    Grade,
    GraderSpec,
    Hidden,
    Image,
    Limits,
    MemoryBlobs,
    Outcome,
    Reason,
    SandboxSpec,
    Step,
    Tree,
    tree_of,
)
from proofyard.graders import CommandGrader
from proofyard.sandbox import LocalProvider

BLOBS = MemoryBlobs()
PASS = "echo 1 > /logs/verifier/reward.txt"


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider()
    yield local
    local.close()


def scripted(
    script: str, *, workdir: str = "/app", parameters: str = "{}", name: str = "test.sh", wall_ms: int = 20_000
) -> Step:
    """A step graded by that script."""
    tests = tree_of({name: f"#!/bin/bash\nL=/logs/verifier\n{script}\n"}, BLOBS, [name])
    return Step(
        brief=Brief(task="toy", prompt=""),
        grader=GraderSpec(kind="command", parameters=parameters),
        grading=SandboxSpec(image=Image(base="system", workdir=workdir), limits=Limits(wall_ms=wall_ms)),
        hidden=Hidden(tests=tests),
    )


def grade(provider: LocalProvider, step: Step, tree: Tree) -> Grade:
    return CommandGrader().grade(step, tree, lambda spec: provider.open(spec, BLOBS), Given(), BLOBS)


@pytest.mark.parametrize(
    ("script", "score", "metrics"),
    [
        (
            'echo \'{"reward": 0.5, "style": 1}\' > $L/reward.json; echo 0.5 > $L/reward.txt',
            0.5,
            {"reward": 0.5, "style": 1.0},
        ),
        ('echo \'{"a": 0, "b": 1}\' > $L/reward.json', 0.5, {"a": 0.0, "b": 1.0}),
        ("printf ' 0.25\\n\\n' > $L/reward.txt; exit 7", 0.25, {"reward": 0.25}),
    ],
)
def test_rewards(provider: LocalProvider, script: str, score: float, metrics: dict[str, float]) -> None:
    found = grade(provider, scripted(script), Tree())
    assert (found.outcome, found.score, found.metrics) == (Outcome.FAILED, score, metrics)


@pytest.mark.parametrize(
    "forged", ['{"reward": 1}', '{"x": 1}', '{"a": 0, "b": 1}', "{}", '{"reward": 1', '{"x": true}']
)
def test_two_reward_files_that_do_not_agree_are_tampering(provider: LocalProvider, forged: str) -> None:
    tree = tree_of({"add.sh": f"echo '{forged}' > /logs/verifier/reward.json"}, BLOBS)
    found = grade(provider, scripted("bash add.sh; echo 0 > /logs/verifier/reward.txt"), tree)
    assert (found.outcome, found.score, found.reason) == (Outcome.FAILED, 0.0, Reason.TAMPER)


def test_two_reward_files_that_agree_by_their_mean(provider: LocalProvider) -> None:
    found = grade(provider, scripted('echo \'{"a": 0, "b": 1}\' > $L/reward.json; echo 0.5 > $L/reward.txt'), Tree())
    assert (found.score, found.metrics) == (0.5, {"a": 0.0, "b": 1.0})


@pytest.mark.parametrize(
    ("script", "code", "message"),
    [
        ("echo NaN > $L/reward.txt", "reward_unreadable", "reward.txt: not a finite number"),
        ("echo one > $L/reward.txt", "reward_unreadable", "reward.txt: not a number: one"),
        ("> $L/reward.txt", "reward_unreadable", "reward.txt: not a number: "),
        ("echo '{}' > $L/reward.json", "reward_unreadable", "reward.json: not an object of numbers"),
        ("echo '{\"reward\": true}' > $L/reward.json", "reward_unreadable", 'reward.json: "reward": not a number'),
        ("echo '{\"reward\": 1' > $L/reward.json", "reward_unreadable", "reward.json: Expecting"),
        ("ln -s /tests/one $L/reward.txt", "reward_unreadable", "reward.txt is no regular file"),
        ("mkfifo $L/reward.json", "reward_unreadable", "reward.json is no regular file"),
        ("mkdir $L/reward.txt", "reward_missing", "the tests left neither"),
        ("echo 1 > $L/reward.txt; sleep 60", "grader_timeout", "the tests did not end within"),
    ],
)
def test_rewards_that_cannot_be_read(provider: LocalProvider, script: str, code: str, message: str) -> None:
    wall_ms = 1500 if code == "grader_timeout" else 20_000
    found = grade(provider, scripted(script, wall_ms=wall_ms), Tree())
    assert (found.outcome, found.score) == (Outcome.ERROR, None)
    assert found.failure is not None
    assert (found.failure.code, found.failure.message[: len(message)]) == (code, message)


def test_passing_at_less_than_one(provider: LocalProvider) -> None:
    for least, outcome in (("0.7", Outcome.PASSED), ("0.71", Outcome.FAILED)):
        step = scripted("echo 0.7 > $L/reward.txt", parameters=f'{{"pass_at":"{least}"}}')
        found = grade(provider, step, Tree())
        assert (found.outcome, found.score) == (outcome, 0.7)


def test_the_submission_is_writable_and_the_tests_are_not(provider: LocalProvider) -> None:
    script = "echo x > new && ! echo x > /tests/new && [ -f given ] && " + PASS
    assert grade(provider, scripted(script), tree_of({"given": ""}, BLOBS)).outcome is Outcome.PASSED


def test_a_script_of_another_name(provider: LocalProvider) -> None:
    step = scripted(PASS, name="check.sh", parameters='{"script":"check.sh"}')
    assert grade(provider, step, Tree()).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("step", "note"),
    [
        (scripted(PASS, parameters='{"scrip":""}'), "the task's parameters cannot be read: "),
        (scripted(PASS, parameters='{"pass_at":"x"}'), "the task's parameters cannot be read: "),
        (scripted(PASS, name="other.sh"), "there is no test.sh among the tests"),
        (scripted(PASS, workdir="/logs"), "the working folder /logs overlaps /tests or /logs/verifier"),
        (scripted(PASS, workdir="/tests/a"), "the working folder /tests/a overlaps /tests or /logs/verifier"),
    ],
)
def test_a_task_that_is_wrong_is_invalid(provider: LocalProvider, step: Step, note: str) -> None:
    found = grade(provider, step, Tree())
    assert (found.outcome, found.score) == (Outcome.INVALID, None)
    assert found.evidence.note.startswith(note)


def test_a_submission_over_the_limit_is_not_run(provider: LocalProvider) -> None:
    step = scripted(PASS, parameters='{"max_bytes":3}')
    found = grade(provider, step, tree_of({"a": "1234"}, BLOBS))
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.OUTPUT_LIMIT)
    assert found.evidence.note == "4 bytes submitted, at most 3 are taken"


def test_output_is_kept_as_evidence_and_escaped(provider: LocalProvider) -> None:
    found = grade(provider, scripted("printf 'a\\033[1mb'; echo oops >&2; echo 0 > $L/reward.txt"), Tree())
    assert found.evidence.got == "a\\x1b[1mboops"


def test_what_is_left_running_does_not_write_a_reward(provider: LocalProvider) -> None:
    late = "setsid bash -c 'sleep 0.3; echo 1 > /logs/verifier/reward.txt' >/dev/null 2>&1 &"
    found = grade(provider, scripted(late), Tree())
    assert found.failure is not None and found.failure.code == "reward_missing"
