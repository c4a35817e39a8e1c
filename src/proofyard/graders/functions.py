"""The function grader: calls one function of a submission in a sandbox, and compares what it returns outside."""

import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from proofyard.core import (
    BadJSON,
    Blobs,
    Evidence,
    Given,
    Grade,
    Group,
    MemoryBlobs,
    Mount,
    Process,
    Reason,
    Record,
    Sandbox,
    SandboxSpec,
    Step,
    Tree,
    Usage,
    dumps,
    equal,
    loads,
    tree_of,
)
from proofyard.graders import blame, wording
from proofyard.graders.outcome import Shortfall, graded, invalid
from proofyard.graders.submission import SizeLimits, check

__all__ = ["Call", "FunctionParameters", "FunctionsGrader", "Wanted"]

_DRIVER: Final = Path(__file__).with_name("function_driver.py").read_text(encoding="utf-8")
_DRIVER_DIR: Final = "/workspace/driver"
_AFTERMATH_MS: Final = 500


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
        del blobs  # the sandbox takes what it needs by itself
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
        workdir = step.grading.image.workdir
        mounts = (
            *step.grading.mounts,
            Mount(path=workdir, tree=submission),
            Mount(path=_DRIVER_DIR, tree=tree_of({"driver.py": _DRIVER}, MemoryBlobs())),
        )
        spec = msgspec.structs.replace(step.grading, mounts=mounts)
        argv = ["python", f"{_DRIVER_DIR}/driver.py", f"{workdir}/{parameters.file}", parameters.function]
        sandbox = open_sandbox(spec)
        try:
            calling = _Calling(sandbox.start(argv), spec, given.seed or os.urandom(16).hex())
            passed = calling.all(parameters, wanted)
            sandbox.kill()
            return graded(_groups(passed, len(wanted)), calling.shortfall, sandbox.usage(), sandbox.provenance)
        finally:
            sandbox.close()


class _Calling:
    """The calls of one grading, in one process."""

    def __init__(self, process: Process, spec: SandboxSpec, seed: str) -> None:
        self._process = process
        self._limits = spec.limits
        self._deadline = time.monotonic() + spec.limits.wall_ms / 1000
        self._random = random.Random(seed)
        self._where = "loading the file"
        self._request: dict[str, Any] = {}
        self._answered = False
        self.shortfall: Shortfall | None = None

    def all(self, parameters: FunctionParameters, wanted: tuple[Wanted, ...]) -> int:
        """Make every call; return how many came out as wanted."""
        loaded = self._ask({"load": True})
        if loaded is None:
            return 0
        if loaded.get("loaded") is not True:
            self._not_loaded(loaded, parameters)
            return 0
        passed = 0
        for number, (call, result) in enumerate(zip(parameters.calls, wanted, strict=True), 1):
            self._where = f"call {number}"
            got = self._ask({"args": call.args, "kwargs": call.kwargs})
            if got is None:
                return passed
            passed += self._agrees(result, got)
        self._end()
        return passed

    def _ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Put one request; None if no answer came that counts (then the shortfall says why)."""
        ident = f"{self._random.getrandbits(64):016x}"
        self._request = {key: value for key, value in request.items() if key != "load"}
        reply = self._process.exchange(dumps({"id": ident, **request}), self._remaining_ms())
        if reply.line is None or reply.fault is not None:
            ended = self._process.finish(_AFTERMATH_MS)
            known = blame.of_fault(reply.fault) if reply.fault is not None else None
            reason, note = known or blame.of_death(ended, started=self._answered, killed="")
            self._fail(reason, note, got=wording.shown(reply.line or b""), stderr=ended.stderr)
            return None
        self._answered = True
        try:
            got = loads(reply.line, max_bytes=self._limits.line)
        except BadJSON as error:
            got = {"error": str(error)}
        if isinstance(got, dict) and got.pop("id", None) == ident:
            return got
        self._fail(Reason.WRONG_RESULT, "an answer that was not asked for", got=wording.shown(reply.line))
        return None

    def _not_loaded(self, answer: dict[str, Any], parameters: FunctionParameters) -> None:
        if "raises" not in answer:
            self._fail(Reason.MISSING_OPERATION, f"{parameters.file} has no function {parameters.function}")
            return
        raised = str(answer["raises"])
        imports = raised.endswith("ImportError") or raised in {"ModuleNotFoundError", "SyntaxError", "IndentationError"}
        reason = Reason.IMPORT_ERROR if imports else Reason.CRASH
        self._fail(reason, f"{parameters.file} cannot be loaded: {raised}", got=wording.value(answer))

    def _agrees(self, wanted: Wanted, got: dict[str, Any]) -> bool:
        expected = {"raises": wanted.raises} if wanted.raises else {"value": wanted.value}
        mismatch = equal(expected, {key: item for key, item in got.items() if key != "message"})
        if mismatch is None:
            return True
        reason = Reason.ERROR_HANDLING if wanted.raises else Reason.WRONG_RESULT
        self._fail(reason, wording.difference(mismatch), expected=wording.value(expected), got=wording.value(got))
        return False

    def _end(self) -> None:
        ended = self._process.finish(self._remaining_ms())
        wrong = blame.of_end(ended)
        if wrong is not None:
            self._where = "after the last call"
            self._fail(wrong[0], wrong[1], got=wording.shown(ended.stdout), stderr=ended.stderr)

    def _fail(self, reason: Reason, note: str, *, expected: str = "", got: str = "", stderr: bytes = b"") -> None:
        if self.shortfall is None:
            tail = wording.stderr_tail(stderr)
            request = wording.value(self._request) if self._request else ""
            evidence = Evidence(where=self._where, request=request, expected=expected, got=got, stderr=tail, note=note)
            self.shortfall = Shortfall(reason, evidence)

    def _remaining_ms(self) -> int:
        return max(1, int((self._deadline - time.monotonic()) * 1000))


def _groups(passed: int, total: int) -> dict[str, Group]:
    return {"calls": Group(passed=passed, total=total)}
