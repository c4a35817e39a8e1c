"""The assertions grader: tests run in one sandbox, the function under test in another (HumanEval, MBPP)."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from proofyard.core import (
    Blobs,
    Evidence,
    Given,
    Grade,
    Group,
    Mount,
    Reason,
    Record,
    Sandbox,
    SandboxSpec,
    Step,
    Tree,
    Usage,
    digest_of,
    file_bytes,
    tree_of,
)
from proofyard.graders import wording
from proofyard.graders.alone import Turnstile
from proofyard.graders.calls_process import Answering, candidate_argv, candidate_spec, limited, loading_failure
from proofyard.graders.calls_truth import NoTruth, TruthCache, truth_key
from proofyard.graders.outcome import Shortfall, graded, invalid
from proofyard.graders.submission import SizeLimits, check

__all__ = ["AssertsGrader", "AssertsParameters"]

_HERE: Final = Path(__file__).parent
_DRIVERS: Final = {
    name: (_HERE / name).read_text(encoding="utf-8") for name in ("asserts_driver.py", "function_driver.py")
}
_TESTS_DIR: Final = "/workspace/tests"
_TEST_MODULES: Final = ("ast", "json", "traceback")
_TEST, _REFERENCE = "test.py", "reference"
_REFERENCE_CPU_MS, _REFERENCE_WALL_MS = 120_000, 600_000
_turnstile: Final = Turnstile()


class AssertsParameters(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parameters of the grader. floor_ms, factor: of the candidate's CPU limit, as for the grader "calls"."""

    entry_point: str
    file: str = "solution.py"
    floor_ms: int = 10_000
    factor: int = 4
    max_files: int = 100
    max_bytes: int = 1 << 20


class _Truth(Record, frozen=True, kw_only=True):
    """How many assertions hold for the reference, and its CPU time."""

    asserts: int
    cpu_ms: int


class _Bench(NamedTuple):
    """What a grading needs at every turn."""

    parameters: AssertsParameters
    step: Step
    reference: str
    test: str
    open_sandbox: Callable[[SandboxSpec], Sandbox]
    blobs: Blobs


class _Run(NamedTuple):
    """What came of one run of the tests: assertions that held, the first fault, what the candidate used."""

    held: int
    shortfall: Shortfall | None
    usage: Usage
    provenance: dict[str, str]


class AssertsGrader:
    """Grades a function by assertions (`Hidden.tests`: `test.py`), with the step's solution "reference" for their helpers.

    The tests run in a sandbox of their own and get from the candidate's nothing but plain values, made anew: no object of
    the candidate is compared, no assertion shares a process with it. As many assertions must hold as for the reference.
    """

    kind = "asserts"
    version = "2"

    def __init__(self, truths: TruthCache | None = None) -> None:
        self._truths = truths or TruthCache()

    def grade(
        self, step: Step, submission: Tree, open_sandbox: Callable[[SandboxSpec], Sandbox], given: Given, blobs: Blobs
    ) -> Grade:
        """Grade one submission.

        Raises:
            InfrastructureError: a sandbox could not be opened, or was lost.

        """
        try:
            parameters = msgspec.json.decode(step.grader.parameters, type=AssertsParameters)
            reference, test = _texts(step, parameters.file, blobs)
            bench = _Bench(parameters, step, reference, test, open_sandbox, blobs)
            truth = self._truth(bench)
        except (msgspec.DecodeError, NoTruth) as error:
            return invalid(f"the task's tests cannot be used: {error}")
        refusal = check(submission, parameters.file, SizeLimits(parameters.max_files, parameters.max_bytes))
        if refusal is not None:
            shortfall = Shortfall(refusal.reason, Evidence(where="submission", note=refusal.note))
            return graded(_groups(0, truth), shortfall, Usage(), {})
        found, again = _turnstile.once_more_alone(
            lambda: _grade(bench, submission, truth, given.seed), lambda grade: grade.reason is Reason.TIMEOUT
        )
        told = {**found.provenance, "retried_alone": "1"} if again else found.provenance
        return msgspec.structs.replace(found, provenance=told)

    def _truth(self, bench: _Bench) -> _Truth:
        key = truth_key(
            {
                "form": f"asserts {self.version}",
                "reference": bench.reference,
                "test": bench.test,
                "function": bench.parameters.entry_point,
                "image": digest_of(bench.step.grading.image),
            }
        )
        return self._truths.get(key, _Truth, lambda: _measured(bench))


def _texts(step: Step, file: str, blobs: Blobs) -> tuple[str, str]:
    """The reference's program and the tests. Raises NoTruth if the step has them not.

    The program is what the step expects, since a step that travels to a worker has no solutions; else its reference solution.
    """
    if _TEST not in step.hidden.tests.entries:
        raise NoTruth(f"the step has no {_TEST}")
    test = file_bytes(step.hidden.tests.entries[_TEST], blobs).decode()
    if step.hidden.expected:
        return step.hidden.expected, test
    solution = next((known for known in step.hidden.solutions if known.kind == _REFERENCE), None)
    if solution is None or file not in solution.tree.entries:
        raise NoTruth("the step has no reference solution")
    return file_bytes(solution.tree.entries[file], blobs).decode(), test


def _measured(bench: _Bench) -> _Truth:
    tree = tree_of({bench.parameters.file: bench.reference}, bench.blobs)
    run = _run(bench, tree, (_REFERENCE_CPU_MS, _REFERENCE_WALL_MS), "")
    if run.shortfall is not None:
        evidence = run.shortfall.evidence
        raise NoTruth(f"the reference fails ({evidence.where}: {evidence.note})")
    if run.held == 0:
        raise NoTruth("there is no assertion in them")
    return _Truth(asserts=run.held, cpu_ms=run.usage.cpu_us // 1000)


def _grade(bench: _Bench, submission: Tree, truth: _Truth, seed: str) -> Grade:
    parameters = bench.parameters
    times = limited(bench.step.grading.limits, max(parameters.floor_ms, parameters.factor * truth.cpu_ms))
    run = _run(bench, submission, times, seed)
    shortfall = run.shortfall
    if shortfall is None and run.held != truth.asserts:
        note = f"{run.held} assertions were reached, {truth.asserts} with the reference"
        shortfall = Shortfall(Reason.WRONG_RESULT, Evidence(where="the tests", note=note))
    provenance = {**run.provenance, "reference_cpu_ms": str(truth.cpu_ms), "cpu_limit_ms": str(times[0])}
    return graded(_groups(min(run.held, truth.asserts), truth), shortfall, run.usage, provenance)


def _groups(held: int, truth: _Truth) -> dict[str, Group]:
    return {"asserts": Group(passed=held, total=truth.asserts)}


def _run(bench: _Bench, tree: Tree, times: tuple[int, int], seed: str) -> _Run:
    """Run the tests against one program."""
    grading, parameters = bench.step.grading, bench.parameters
    limits = msgspec.structs.replace(grading.limits, cpu_ms=times[0], wall_ms=times[1])
    spec = candidate_spec(msgspec.structs.replace(grading, limits=limits), tree, bench.blobs)
    sandbox = bench.open_sandbox(spec)
    try:
        process = sandbox.start(candidate_argv(spec, parameters.file, parameters.entry_point))
        candidate = Answering(process, spec, seed or os.urandom(16).hex())
        loaded = candidate.ask({"load": True}, "loading the file")
        unusable = loading_failure(loaded, parameters.file, parameters.entry_point) if loaded is not None else None
        held = 0
        if unusable is not None:
            candidate.fail(*unusable, "loading the file", got=wording.value(loaded))
        elif loaded is not None:
            held = _tested(bench, candidate)
            candidate.end()
        sandbox.kill()
        return _Run(held, candidate.shortfall, sandbox.usage(), dict(sandbox.provenance))
    finally:
        sandbox.close()


def _tested(bench: _Bench, candidate: Answering) -> int:
    """Run the tests, passing their calls on; return how many assertions held."""
    files = {
        "asserts_driver.py": _DRIVERS["asserts_driver.py"],
        "proofyard/__init__.py": "",
        "proofyard/graders/__init__.py": "",
        "proofyard/graders/function_driver.py": _DRIVERS["function_driver.py"],
        "reference.txt": bench.reference,
        "test.txt": bench.test,
    }
    grading = bench.step.grading
    mounts = (*grading.mounts, Mount(path=_TESTS_DIR, tree=tree_of(files, bench.blobs)))
    # An image of their own, so that a runner is kept for the tests beside the one for candidates.
    image = msgspec.structs.replace(grading.image, preload=(*grading.image.preload, *_TEST_MODULES))
    spec = msgspec.structs.replace(grading, mounts=mounts, image=image)
    sandbox = bench.open_sandbox(spec)
    try:
        names = ("asserts_driver.py", "reference.txt", "test.txt")
        argv = ["python", *(f"{_TESTS_DIR}/{name}" for name in names), bench.parameters.entry_point]
        tests = Answering(sandbox.start(argv), spec, "")
        return _relayed(tests, candidate)
    finally:
        sandbox.close()


def _relayed(tests: Answering, candidate: Answering) -> int:
    told = tests.ask({"run": True}, "the tests")
    call: dict[str, Any] = {}
    reply: dict[str, Any] | None = {}
    number = 0
    while told is not None and "call" in told:
        number += 1
        call = told["call"]
        reply = candidate.ask(call, f"call {number}", call)
        if reply is None:
            return 0
        told = tests.ask({key: reply[key] for key in ("value", "raises", "message") if key in reply}, f"call {number}")
    if told is None:
        if tests.shortfall is not None:
            evidence = tests.shortfall.evidence
            note = f"the tests did not come to an end: {evidence.note}"
            candidate.fail(tests.shortfall.reason, note, evidence.where, call, got=wording.value(reply))
        return 0
    if "unusable" in told:
        candidate.fail(Reason.WRONG_RESULT, str(told["unusable"]), "the tests", call)
    elif "failed" in told:
        failed = told["failed"]
        note = f"{failed['raised']} {failed['message']}".strip()
        where = f"line {failed['line']} of the tests"
        candidate.fail(Reason.WRONG_RESULT, note, where, call, expected=failed["text"], got=wording.value(reply))
    return int(told["held"])
