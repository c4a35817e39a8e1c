"""The session grader: plays scenarios of JSONL sessions against a submission, each in a sandbox of its own."""

import os
from collections import Counter
from collections.abc import Callable
from typing import Final

import msgspec

from proofyard.core import (
    AssertionKind,
    Blobs,
    Evidence,
    Given,
    Grade,
    Group,
    Mount,
    Record,
    Sandbox,
    SandboxSpec,
    Scenario,
    Step,
    Tree,
    Usage,
    UsageError,
)
from proofyard.graders.alone import Turnstile
from proofyard.graders.outcome import Shortfall, graded, invalid
from proofyard.graders.scenario import Calls, Played, kinds, measure, measured, play
from proofyard.graders.submission import SizeLimits, check

__all__ = ["SessionGrader", "SessionParameters", "until_first_fault"]

_PATIENCE: Final = 3
"""After this many scenarios that ran into the wall clock the others are not played: they count as failed."""

_turnstile: Final = Turnstile()


class SessionParameters(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parameters of the grader.

    entry: the entry file. max_files, max_bytes: the largest submission taken. first_fault: end at the first thing that
    goes wrong; outcome and reason are those of a whole grading, what was not played counts as failed.
    """

    entry: str = "main.py"
    max_files: int = 1000
    max_bytes: int = 8 << 20
    first_fault: bool = False


def until_first_fault(step: Step, *, wall_ms: int = 0) -> Step:
    """The step with a grading that ends at the first thing that goes wrong. Its grader digest is another one.

    wall_ms: above 0, the wall time of a session, for programs of which it is known that they wait for ever.
    """
    parameters = msgspec.json.decode(step.grader.parameters, type=SessionParameters)
    text = msgspec.json.encode(msgspec.structs.replace(parameters, first_fault=True)).decode()
    grading = step.grading
    if wall_ms:
        grading = msgspec.structs.replace(grading, limits=msgspec.structs.replace(grading.limits, wall_ms=wall_ms))
    return msgspec.structs.replace(step, grader=msgspec.structs.replace(step.grader, parameters=text), grading=grading)


class SessionGrader:
    """Grades a submission by scenarios (`Hidden.expected`: a JSON array of `Scenario`).

    Passed only if every assertion of every scenario holds and every session ends as it should. A scenario that runs
    into the wall clock is played once more with no other scenario at work in this process, so that load changes no
    verdict. A scenario with kills whose place depends on the number of calls is played once before without them.
    """

    kind = "sessions"
    version = "3"

    def grade(
        self, step: Step, submission: Tree, open_sandbox: Callable[[SandboxSpec], Sandbox], given: Given, blobs: Blobs
    ) -> Grade:
        """Grade one submission.

        Raises:
            InfrastructureError: a sandbox could not be opened, was lost, or a kill was not confirmed.
            UsageError: only public scenarios are wanted and there are none.

        """
        del blobs  # the sandbox takes what it needs by itself
        try:
            parameters = msgspec.json.decode(step.grader.parameters, type=SessionParameters)
            scenarios = msgspec.json.decode(step.hidden.expected, type=list[Scenario])
        except msgspec.DecodeError as error:
            return invalid(f"the task's scenarios cannot be read: {error}")
        if given.public_only:
            scenarios = [scenario for scenario in scenarios if scenario.public]
        if not scenarios:
            raise UsageError(f"task {step.brief.task} has no {'public ' if given.public_only else ''}scenarios")
        total = sum((kinds(scenario) for scenario in scenarios), Counter[AssertionKind]())
        refusal = check(submission, parameters.entry, SizeLimits(parameters.max_files, parameters.max_bytes))
        if refusal is not None:
            shortfall = Shortfall(refusal.reason, Evidence(where="submission", note=refusal.note))
            return graded(_groups(total, Counter()), shortfall, Usage(), {})
        seed = given.seed or os.urandom(16).hex()
        grading = _Grading(step.grading, submission, parameters, seed, open_sandbox)
        passed = grading.play(scenarios)
        return graded(_groups(total, passed), grading.shortfall, grading.usage, grading.provenance)


class _Grading:
    """One submission under grading."""

    def __init__(
        self,
        spec: SandboxSpec,
        submission: Tree,
        parameters: SessionParameters,
        seed: str,
        open_sandbox: Callable[[SandboxSpec], Sandbox],
    ) -> None:
        mount = Mount(path=spec.image.workdir, tree=submission)
        self._spec = msgspec.structs.replace(spec, mounts=(*spec.mounts, mount))
        self._entry = parameters.entry
        self._first_fault = parameters.first_fault
        self._seed = seed
        self._open = open_sandbox
        self.shortfall: Shortfall | None = None
        self.usage = Usage()
        self.provenance: dict[str, str] = {}

    def play(self, scenarios: list[Scenario]) -> Counter[AssertionKind]:
        """Play the scenarios in order; return how many assertions passed per kind."""
        passed: Counter[AssertionKind] = Counter()
        timeouts = 0
        for scenario in scenarios:
            with _turnstile.together():
                played, waited = self._once(scenario, "first")
            if waited and self.shortfall is None:
                with _turnstile.alone():
                    played, _ = self._once(scenario, "alone")
                self.provenance["retried_alone"] = str(int(self.provenance.get("retried_alone", "0")) + 1)
            passed += played.passed
            self.shortfall = self.shortfall or played.shortfall
            timeouts += played.timed_out
            if self._first_fault and self.shortfall is not None:
                self.provenance["not_played"] = "what came after the first fault"
                break
            if timeouts == _PATIENCE:
                self.provenance["not_played"] = f"what came after {_PATIENCE} scenarios over the time limit"
                break
        return passed

    def _once(self, scenario: Scenario, turn: str) -> tuple[Played, bool]:
        """Play a scenario in a fresh sandbox; also say whether it timed out by waiting, not by using its CPU time."""
        limits = self._spec.limits
        calls = self._measured(scenario, turn) if measured(scenario) else None
        sandbox = self._open(self._spec)
        try:
            seed = f"{self._seed}/{scenario.name}/{turn}"
            played = play(scenario, sandbox, self._entry, limits, seed, calls, first_fault=self._first_fault)
            if played.timed_out:
                sandbox.kill()  # only then is its CPU time known
            used = sandbox.usage()
            self._charge(used)
            self.provenance.update(sandbox.provenance)
            return played, played.timed_out and used.cpu_us < limits.cpu_ms * 900
        finally:
            sandbox.close()

    def _measured(self, scenario: Scenario, turn: str) -> Calls:
        """Count the calls of a scenario's requests in a sandbox of its own."""
        sandbox = self._open(self._spec)
        try:
            seed = f"{self._seed}/{scenario.name}/{turn}/calls"
            return measure(scenario, sandbox, self._entry, self._spec.limits, seed)
        finally:
            sandbox.close()

    def _charge(self, used: Usage) -> None:
        before = self.usage
        self.usage = Usage(
            cpu_us=before.cpu_us + used.cpu_us,
            wall_us=before.wall_us + used.wall_us,
            peak_memory=max(before.peak_memory, used.peak_memory),
            written=before.written + used.written,
        )


def _groups(total: Counter[AssertionKind], passed: Counter[AssertionKind]) -> dict[str, Group]:
    return {kind: Group(passed=passed[kind], total=count) for kind, count in total.items()}
