"""The command grader: runs a test script beside a submission and reads the reward file it leaves."""

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

import msgspec

from proofyard.core import (
    BadJSON,
    Blobs,
    Ended,
    Evidence,
    Failure,
    Given,
    Grade,
    InfrastructureError,
    Mount,
    Outcome,
    Reason,
    Record,
    Sandbox,
    SandboxSpec,
    Step,
    Tree,
    Usage,
    file_bytes,
    loads,
)
from proofyard.graders import wording
from proofyard.graders.outcome import Shortfall, graded, invalid
from proofyard.graders.submission import SizeLimits, oversized

__all__ = ["CommandGrader", "CommandParameters"]

_TESTS: Final = "/tests"
_LOGS: Final = "/logs/verifier"
_OUTPUT: Final = "test-stdout.txt"


class CommandParameters(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parameters of the grader.

    script: the test script, below the hidden tests. pass_at: the least reward that passes, a decimal string.
    """

    script: str = "test.sh"
    pass_at: str = "1"
    max_files: int = 10_000
    max_bytes: int = 256 << 20


class CommandGrader:
    """Grades by a script that writes `/logs/verifier/reward.json` (`{key: number}`), else `reward.txt` (one number).

    The submission is laid into the working folder, the tests into `/tests`; `/logs/verifier` is a fresh folder, so that
    nothing submitted can be taken for a reward. The script's exit code means nothing; no reward is an error, never 0.
    If both files are there and disagree, one was not written by the tests: that is tampering.
    """

    kind = "command"
    version = "2"

    def grade(
        self, step: Step, submission: Tree, open_sandbox: Callable[[SandboxSpec], Sandbox], given: Given, blobs: Blobs
    ) -> Grade:
        """Grade one submission.

        Raises:
            InfrastructureError: the sandbox could not be opened, was lost, or its kill was not confirmed.

        """
        del given  # a command has no public part and no seed
        try:
            parameters = msgspec.json.decode(step.grader.parameters, type=CommandParameters)
            pass_at = Decimal(parameters.pass_at)
        except (msgspec.DecodeError, ArithmeticError) as error:
            return invalid(f"the task's parameters cannot be read: {error}")
        workdir = step.grading.image.workdir
        if parameters.script not in step.hidden.tests.entries:
            return invalid(f"there is no {parameters.script} among the tests")
        if any(_overlap(workdir, path) for path in (_TESTS, _LOGS)):
            return invalid(f"the working folder {workdir} overlaps {_TESTS} or {_LOGS}")
        refusal = oversized(submission, SizeLimits(parameters.max_files, parameters.max_bytes))
        if refusal is not None:
            return graded({}, Shortfall(refusal.reason, Evidence(where="submission", note=refusal.note)), Usage(), {})
        mounts = (
            *step.grading.mounts,
            Mount(path=workdir, tree=submission, writable=True),
            Mount(path=_TESTS, tree=step.hidden.tests),
        )
        spec = msgspec.structs.replace(step.grading, mounts=mounts, kept=(*step.grading.kept, _LOGS))
        sandbox = open_sandbox(spec)
        try:
            return _run(sandbox, spec, f"{_TESTS}/{parameters.script}", pass_at, blobs)
        finally:
            sandbox.close()


def _run(sandbox: Sandbox, spec: SandboxSpec, script: str, pass_at: Decimal, blobs: Blobs) -> Grade:
    process = sandbox.start(["bash", "-c", f"({script}) > {_LOGS}/{_OUTPUT} 2>&1"])
    ended = process.finish(spec.limits.wall_ms)
    if not sandbox.kill():
        raise InfrastructureError(Failure(code="kill_unconfirmed", message="the tests' processes outlived their kill"))
    logs = sandbox.get(_LOGS)
    evidence = Evidence(where="tests", got=_output(logs, blobs), stderr=wording.stderr_tail(ended.stderr))
    usage, provenance = sandbox.usage(), dict(sandbox.provenance)
    try:
        rewards = _rewards(logs, blobs, ended)
    except _NoRewardError as error:
        return Grade(
            outcome=Outcome.ERROR, failure=error.failure, evidence=evidence, usage=usage, provenance=provenance
        )
    except _ForgedError as error:
        evidence = msgspec.structs.replace(evidence, note=str(error))
        return graded({}, Shortfall(Reason.TAMPER, evidence), usage, provenance)
    score = _score(rewards)
    passed = Decimal(repr(score)) >= pass_at
    note = "" if passed else f"the tests gave {score:g}, {pass_at} is needed"
    return Grade(
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        score=score,
        reason=None if passed else Reason.WRONG_RESULT,
        metrics=rewards,
        evidence=msgspec.structs.replace(evidence, note=note),
        usage=usage,
        provenance=provenance,
    )


class _NoRewardError(Exception):
    """There is no reward that can be read."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.failure = Failure(code=code, message=message)


class _ForgedError(Exception):
    """A reward was not written by the tests."""


def _rewards(logs: Tree, blobs: Blobs, ended: Ended) -> dict[str, float]:
    """Rewards by key, never empty."""
    if ended.fault == "timeout":
        raise _NoRewardError("grader_timeout", "the tests did not end within their time limit")
    many = _content(logs, "reward.json", blobs)
    one = _content(logs, "reward.txt", blobs)
    if many is None and one is None:
        fault = f" ({ended.fault})" if ended.fault else ""
        raise _NoRewardError("reward_missing", f"the tests wrote neither reward.json nor reward.txt{fault}")
    if many is None:
        return {"reward": _number((one or b"").strip(), "reward.txt")}
    if one is None:
        return _object(many)
    try:
        rewards, alone = _object(many), _number(one.strip(), "reward.txt")
    except _NoRewardError as error:  # no error: who can spoil one of them would choose which gradings count
        raise _ForgedError(f"reward.json and reward.txt are both there, one unreadable: {error}") from None
    if _score(rewards) != alone:
        raise _ForgedError("reward.json and reward.txt are both there and disagree")
    return rewards


def _score(rewards: dict[str, float]) -> float:
    """The reward of that name, else the mean of all."""
    return rewards["reward"] if "reward" in rewards else math.fsum(rewards.values()) / len(rewards)


def _object(data: bytes) -> dict[str, float]:
    try:
        value = loads(data)
    except BadJSON as error:
        raise _NoRewardError("reward_unreadable", f"reward.json: {error}") from None
    if not isinstance(value, dict) or not value:
        raise _NoRewardError("reward_unreadable", "reward.json: not an object of numbers")
    return {key: _finite(item, f"reward.json: {wording.value(key)}") for key, item in value.items()}


def _number(text: bytes, name: str) -> float:
    try:
        return _finite(float(text), name)
    except ValueError:
        raise _NoRewardError("reward_unreadable", f"{name}: not a number: {wording.shown(text[:80])}") from None


def _finite(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _NoRewardError("reward_unreadable", f"{name}: not a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _NoRewardError("reward_unreadable", f"{name}: not a finite number")
    return number


def _content(logs: Tree, name: str, blobs: Blobs) -> bytes | None:
    entry = logs.entries.get(name)
    if entry is None:
        return None
    if entry.kind != "file":
        raise _NoRewardError("reward_unreadable", f"{name} is no regular file")
    return file_bytes(entry, blobs)


def _output(logs: Tree, blobs: Blobs) -> str:
    entry = logs.entries.get(_OUTPUT)
    return wording.stderr_tail(file_bytes(entry, blobs)) if entry is not None and entry.kind == "file" else ""


def _overlap(one: str, other: str) -> bool:
    return one == other or one.startswith(other + "/") or other.startswith(one.rstrip("/") + "/")
