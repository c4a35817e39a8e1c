"""The function grader: calls one function of a submission in a sandbox, and compares what it returns outside."""

import os
from collections.abc import Callable
from typing import Any

import msgspec

from proofyard.core import (
    Blobs,
    Evidence,
    Given,
    Grade,
    Group,
    Reason,
    Record,
    Sandbox,
    SandboxSpec,
    Step,
    Tree,
    Usage,
    equal,
)
from proofyard.graders import wording
from proofyard.graders.calls_process import Answering, candidate_argv, candidate_spec, loading_failure
from proofyard.graders.outcome import Shortfall, graded, invalid
from proofyard.graders.submission import SizeLimits, check

__all__ = ["Call", "FunctionParameters", "FunctionsGrader", "Wanted"]


class Call(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One call: positional and named arguments, JSON values."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = msgspec.field(default_factory=dict)


class FunctionParameters(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parameters of the grader: the file, the function in it, the calls, the largest submission taken."""

    function: str
    calls: tuple[Call, ...]
    file: str = "solution.py"
    max_files: int = 100
    max_bytes: int = 1 << 20


class Wanted(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come of a call: the value returned, or the name of the exception raised.

    What JSON has no type for is written as the driver does: `{"$type": "tuple", "items": [...]}`.
    """

    value: Any = None
    raises: str = ""


class FunctionsGrader:
    """Grades a function by calls (parameters) and what must come of them (`Hidden.expected`: a JSON array of `Wanted`).

    The candidate's process gets the arguments of one call after the other and nothing else; it only returns values, so
    that a forged answer helps no more than a right one.
    """

    kind = "functions"
    version = "1"

    def grade(
        self, step: Step, submission: Tree, open_sandbox: Callable[[SandboxSpec], Sandbox], given: Given, blobs: Blobs
    ) -> Grade:
        """Grade one submission.

        Raises:
            InfrastructureError: the sandbox could not be opened, or was lost.

        """
        try:
            parameters = msgspec.json.decode(step.grader.parameters, type=FunctionParameters)
            wanted = msgspec.json.decode(step.hidden.expected, type=tuple[Wanted, ...])
        except msgspec.DecodeError as error:
            return invalid(f"the task's calls cannot be read: {error}")
        if len(wanted) != len(parameters.calls) or not wanted:
            return invalid(f"{len(parameters.calls)} calls and {len(wanted)} expected results")
        refusal = check(submission, parameters.file, SizeLimits(parameters.max_files, parameters.max_bytes))
        if refusal is not None:
            shortfall = Shortfall(refusal.reason, Evidence(where="submission", note=refusal.note))
            return graded(_groups(0, len(wanted)), shortfall, Usage(), {})
        spec = candidate_spec(step.grading, submission, blobs)
        sandbox = open_sandbox(spec)
        try:
            process = sandbox.start(candidate_argv(spec, parameters.file, parameters.function))
            answering = Answering(process, spec, given.seed or os.urandom(16).hex())
            passed = _all(answering, parameters, wanted)
            sandbox.kill()
            return graded(_groups(passed, len(wanted)), answering.shortfall, sandbox.usage(), sandbox.provenance)
        finally:
            sandbox.close()


def _all(answering: Answering, parameters: FunctionParameters, wanted: tuple[Wanted, ...]) -> int:
    """Make every call; return how many came out as wanted."""
    where = "loading the file"
    loaded = answering.ask({"load": True}, where)
    if loaded is None:
        return 0
    unusable = loading_failure(loaded, parameters.file, parameters.function)
    if unusable is not None:
        answering.fail(*unusable, where, got=wording.value(loaded))
        return 0
    passed = 0
    for number, (call, result) in enumerate(zip(parameters.calls, wanted, strict=True), 1):
        request = {"args": call.args, "kwargs": call.kwargs}
        got = answering.ask(request, f"call {number}", request)
        if got is None:
            return passed
        passed += _agrees(answering, result, got, f"call {number}", request)
    answering.end()
    return passed


def _agrees(answering: Answering, wanted: Wanted, got: dict[str, Any], where: str, request: dict[str, Any]) -> bool:
    expected = {"raises": wanted.raises} if wanted.raises else {"value": wanted.value}
    mismatch = equal(expected, {key: item for key, item in got.items() if key != "message"})
    if mismatch is None:
        return True
    reason = Reason.ERROR_HANDLING if wanted.raises else Reason.WRONG_RESULT
    note = wording.difference(mismatch)
    answering.fail(reason, note, where, request, expected=wording.value(expected), got=wording.value(got))
    return False


def _groups(passed: int, total: int) -> dict[str, Group]:
    return {"calls": Group(passed=passed, total=total)}
