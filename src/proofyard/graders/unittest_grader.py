"""The unittest grader: runs a test module against a submission in one process of a sandbox, and believes only a report that
the driver signed, that agrees with what the canonical solution does, and that turns bad where the tests are spoilt.
"""

import os
from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from proofyard.core import (
    Blobs,
    Evidence,
    Given,
    Grade,
    Group,
    Reason,
    Sandbox,
    SandboxSpec,
    Step,
    Tree,
    Usage,
    dumps,
)
from proofyard.graders import unittest_blame, wording
from proofyard.graders.alone import Turnstile
from proofyard.graders.outcome import Shortfall, graded, invalid
from proofyard.graders.submission import SizeLimits, check
from proofyard.graders.unittest_orders import Status, Truth, UnittestParameters
from proofyard.graders.unittest_runs import Ran, Runs, TestModule, read_module
from proofyard.source.twins import Twin, twin

__all__ = ["UnittestGrader", "truth_of"]

_turnstile: Final = Turnstile()
_SEED: Final = 0
"""Random state at the start of every run: the same each time, so that a test without a seed of its own is repeatable."""
_TRUTH_TWINS: Final = 2
_ODD: Final = {Reason.WRONG_RESULT, Reason.CRASH, Reason.TAMPER}
"""Why a test may fail that does not bear two threads."""


class UnittestGrader:
    """Grades by a unittest module (`hidden.tests`: one file `test.py`) and what the canonical solution does with it
    (`hidden.expected`: a `Truth`, or nothing if it was not measured: then the test's text says what must run).

    Passed only if the tests run are those of the file and all end as they must, nothing was tampered with, and a twin of
    the test, which must fail in known places, fails there. A run that ends by its wall clock is run once more alone.
    """

    kind = "unittest"
    version = "2"

    def grade(
        self, step: Step, submission: Tree, open_sandbox: Callable[[SandboxSpec], Sandbox], given: Given, blobs: Blobs
    ) -> Grade:
        """Grade one submission.

        Raises:
            InfrastructureError: the sandbox could not be opened, or was lost.

        """
        try:
            parameters = msgspec.json.decode(step.grader.parameters, type=UnittestParameters)
            truth = msgspec.json.decode(step.hidden.expected, type=Truth) if step.hidden.expected else None
        except msgspec.DecodeError as error:
            return invalid(f"the task's parameters or its truth cannot be read ({error}): run check-env --again")
        module = read_module(step, blobs)
        if isinstance(module, str):
            return invalid(module)
        wanted = _wanted(module, truth)
        if wanted.keys() != module.tests.names.keys():
            return invalid("the truth is not of this test: other tests were run")
        refusal = check(submission, parameters.file, SizeLimits(parameters.max_files, parameters.max_bytes))
        if refusal is not None:
            shortfall = Shortfall(refusal.reason, Evidence(where="submission", note=refusal.note))
            return graded(_groups(0, len(wanted)), shortfall, Usage(), {})
        cpu_ms = max(parameters.cpu_floor_ms, parameters.cpu_factor * truth.cpu_ms if truth else 0)
        runs = Runs(step, submission, parameters, module, open_sandbox, cpu_ms, blobs)
        try:
            return _Grading(runs, module, wanted, truth).grade(parameters.twins, given.seed or os.urandom(16).hex())
        finally:
            runs.close()


class _Grading:
    """One submission under grading."""

    def __init__(self, runs: Runs, module: TestModule, wanted: Mapping[str, str], truth: Truth | None) -> None:
        self._runs = runs
        self._module = module
        self._wanted = wanted
        self._truth = truth
        self._stack = truth.stack if truth is not None else "own"
        self._provenance = {"truth": "measured" if truth is not None else "none"}

    def grade(self, twins: bool, seed: str) -> Grade:
        """Run the test, and if that passed its twin."""
        limits = self._runs.spec.limits
        ran = self._run(None)
        shortfall = unittest_blame.of_run(ran, self._wanted, limits)
        if shortfall is None and twins:
            shortfall = self._tried(seed) or self._plain(ran)
            self._provenance["twins"] = "run"
        count = unittest_blame.passed(ran.report, self._wanted)
        self._tell(ran)
        provenance = {**self._runs.provenance, **self._provenance}
        return graded(_groups(count, len(self._wanted)), shortfall, self._runs.used, provenance)

    def _tried(self, seed: str) -> Shortfall | None:
        """Run a twin, and another if the first goes wrong: what is right on its second try was a matter of luck."""
        shortfall: Shortfall | None = None
        for turn in ("", "/again"):
            spoilt = twin(self._module.text, seed + turn)
            ran = self._run(spoilt)
            shortfall = unittest_blame.of_twin(ran, spoilt, self._wanted, self._truth, self._runs.spec.limits)
            if shortfall is None or ran.report is None or ran.report.tests is None or ran.report.tamper:
                break
        return shortfall

    def _plain(self, ran: Ran) -> Shortfall | None:
        """Run the test once more where the submission returned objects of its own and the canonical solution does not: now
        they are taken for what they are, and not for what they say.
        """
        if self._truth is None or self._truth.objects or ran.report is None or not ran.report.objects:
            return None
        self._provenance["plain"] = "run"
        shortfall = unittest_blame.of_run(self._run(None, bare=True), self._wanted, self._runs.spec.limits)
        if shortfall is None or shortfall.reason is not Reason.WRONG_RESULT:
            return shortfall
        note = "it passes only by what objects of its own say they equal"
        return Shortfall(Reason.TAMPER, msgspec.structs.replace(shortfall.evidence, note=note))

    def _run(self, spoilt: Twin | None, *, bare: bool = False) -> Ran:
        ran, again = _turnstile.once_more_alone(
            lambda: self._runs.run(self._stack, _SEED, spoilt, bare=bare),
            lambda one: unittest_blame.timed_out(one, self._runs.spec.limits),
        )
        if again:
            self._provenance["retried_alone"] = "yes"
        return ran

    def _tell(self, ran: Ran) -> None:
        """What a result file shows of the run: traceback by test, output."""
        tests = ran.report.tests if ran.report is not None and ran.report.tests else {}
        details = {
            name: trace for name, (status, _, trace) in tests.items() if status not in {"ok", "expected_failure"}
        }
        self._provenance["details"] = dumps(details).decode()
        self._provenance["stdout"] = wording.shown(ran.stdout)
        self._provenance["stderr"] = wording.shown(ran.ended.stderr)


def truth_of(
    step: Step,
    reference: Tree,
    open_sandbox: Callable[[SandboxSpec], Sandbox],
    blobs: Blobs,
    *,
    cpu_ms: int = 60_000,
) -> Truth | Shortfall:
    """Measure what the canonical solution does in this environment, or say why it does not pass.

    A test that does not bear two threads is measured, and then graded, with one. Changed assertions count that fail under
    each of several twins. cpu_ms: CPU time allowed to one run.

    Raises:
        InfrastructureError: the sandbox could not be opened, or was lost.

    """
    try:
        parameters = msgspec.json.decode(step.grader.parameters, type=UnittestParameters)
    except msgspec.DecodeError as error:
        return Shortfall(Reason.CRASH, Evidence(where="task", note=f"its parameters cannot be read: {error}"))
    module = read_module(step, blobs)
    if isinstance(module, str):
        return Shortfall(Reason.NO_TESTS, Evidence(where="task", note=module))
    runs = Runs(step, reference, parameters, module, open_sandbox, cpu_ms, blobs)
    try:
        return _measured(runs, module)
    finally:
        runs.close()


def _measured(runs: Runs, module: TestModule) -> Truth | Shortfall:
    first: Shortfall | None = None
    stacks: tuple[Literal["own", "shared"], ...] = ("own", "shared")
    for stack in stacks:
        ran = runs.run(stack, _SEED)
        allowed = {name: _allowed(ran, name) for name in module.tests.names}
        cpu_ms = -(-ran.used.cpu_us // 1000)
        shortfall = unittest_blame.of_run(ran, allowed, runs.spec.limits)
        if shortfall is None and "ok" not in allowed.values():
            shortfall = Shortfall(Reason.NO_TESTS, Evidence(where="the test", note="every test is skipped"))
        if shortfall is None:
            objects = ran.report is not None and ran.report.objects > 0
            if objects:
                ran = runs.run(stack, _SEED, bare=True)
                objects = unittest_blame.of_run(ran, allowed, runs.spec.limits) is not None
            controls = _controls(runs, module, stack)
            return Truth(tests=allowed, controls=controls, objects=objects, cpu_ms=cpu_ms, stack=stack)
        first = first or shortfall
        if shortfall.reason not in _ODD and not unittest_blame.timed_out(ran, runs.spec.limits):
            break
    assert first is not None  # there is at least one stack
    return first


def _allowed(ran: Ran, name: str) -> Status:
    """How a test may end, going by the canonical solution: where it failed, it should have passed."""
    tests = ran.report.tests if ran.report is not None and ran.report.tests else {}
    status = tests[name][0] if name in tests else "ok"
    return "skip" if status == "skip" else "expected_failure" if status == "expected_failure" else "ok"


def _controls(runs: Runs, module: TestModule, stack: str) -> tuple[str, ...]:
    """Labels of assertions, and names of tests with a sentinel, that end as they must under every one of several twins."""
    found: set[str] | None = None
    for _ in range(_TRUTH_TWINS):
        spoilt = twin(module.text, os.urandom(16).hex())
        report = runs.run(stack, _SEED, spoilt, measure=True).report
        if report is None or report.tests is None:
            return ()
        sound = {spoilt.sites[told] for told, (good, bad) in report.sites.items() if good and not bad}
        sound |= {name for name, token in spoilt.tokens.items() if report.tests[name][1].startswith(token)}
        found = sound if found is None else found & sound
    return tuple(sorted(found or ()))


def _wanted(module: TestModule, truth: Truth | None) -> dict[str, str]:
    if truth is not None:
        return dict(truth.tests)
    return {name: "skip" if skipped else "ok" for name, skipped in module.tests.names.items()}


def _groups(passed: int, total: int) -> dict[str, Group]:
    return {"tests": Group(passed=passed, total=total)}
