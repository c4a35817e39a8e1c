"""The command grader: runs a test script beside a submission and reads the reward file it leaves."""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

import msgspec
from msgspec.structs import replace

from proofyard.core import (
    Blobs,
    Entry,
    Evidence,
    Failure,
    Given,
    Grade,
    ImageStep,
    InfrastructureError,
    Mount,
    Outcome,
    Reason,
    Sandbox,
    SandboxSpec,
    Step,
    Tree,
    Usage,
)
from proofyard.graders import wording
from proofyard.graders.command_checks import Checks, listed, read_checks
from proofyard.graders.command_parts import CommandParameters, Part, combined, part_of
from proofyard.graders.command_reward import ForgedError, NoRewardError, output, rewards_of, score_of
from proofyard.graders.outcome import Shortfall, graded, invalid
from proofyard.graders.submission import SizeLimits, oversized

__all__ = ["CommandGrader", "CommandParameters"]

_TESTS: Final = "/tests"
_LOGS: Final = "/logs/verifier"
_OUTPUT: Final = "test-stdout.txt"


class CommandGrader:
    """Grades by a script that writes `/logs/verifier/reward.json` (`{key: number}`), else `reward.txt` (one number).

    The submission is laid into the working folder, or over the image where there is one; the tests into `/tests`;
    `/logs/verifier` is a fresh folder, so that nothing submitted can be taken for a reward. The script's exit code means
    nothing; no reward is an error, never 0. If both files are there and disagree, one was not written by the tests: that is
    tampering. A list of checks beside the reward (`ctrf.json`, `junit.xml`) says what failed first.
    """

    kind = "command"
    version = "3"

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
        refusal = oversized(submission, SizeLimits(parameters.max_files, parameters.max_bytes))
        if refusal is not None:
            return graded({}, Shortfall(refusal.reason, Evidence(where="submission", note=refusal.note)), Usage(), {})
        one = _One(parameters, pass_at, open_sandbox, blobs)
        if not parameters.parts:
            return one.grade(step, submission, None)
        found: list[Grade] = []
        for number, part in enumerate(parameters.parts, start=1):
            found.append(one.grade(_step_of(step, part), part_of(submission, str(number)), part))
            if not part.lets_on(found[-1]):
                break
        return combined(found, parameters, pass_at)


def _step_of(step: Step, part: Part) -> Step:
    tests = part_of(step.hidden.tests, part.name)
    image = replace(step.grading.image, environment=part.environment or step.grading.image.environment)
    grading = replace(step.grading, image=image, limits=part.limits or step.grading.limits)
    return replace(step, hidden=replace(step.hidden, tests=tests), grading=grading)


class _One:
    """Grades one piece of work by its own script."""

    def __init__(
        self, parameters: CommandParameters, pass_at: Decimal, opening: Callable[[SandboxSpec], Sandbox], blobs: Blobs
    ) -> None:
        self._parameters = parameters
        self._pass_at = pass_at
        self._open = opening
        self._blobs = blobs

    def grade(self, step: Step, submission: Tree, part: Part | None) -> Grade:
        """Grade it. Raises InfrastructureError."""
        script, workdir = self._parameters.script, step.grading.image.workdir
        if not self._parameters.baked and script not in step.hidden.tests.entries:
            named = f" of step {part.name}" if part else ""
            return invalid(f"there is no {script} among the tests{named}")
        if any(_overlap(workdir, path) for path in (_TESTS, _LOGS)):
            return invalid(f"the working folder {workdir} overlaps {_TESTS} or {_LOGS}")
        if step.grading.image.source:
            refused = _refused(submission, step.grading)
            if refused is not None:
                return graded({}, refused, Usage(), {})
        spec = self._place(step, submission)
        sandbox = self._open(spec)
        try:
            return self._run(sandbox, spec, f"{_TESTS}/{script}")
        finally:
            sandbox.close()

    def _place(self, step: Step, submission: Tree) -> SandboxSpec:
        spec, mounts = step.grading, [*step.grading.mounts]
        if spec.image.source:
            over = ImageStep(kind="files", tree=submission)
            spec = replace(spec, image=replace(spec.image, steps=(*spec.image.steps, over)))
        else:
            mounts.append(Mount(path=spec.image.workdir, tree=submission, writable=True))
        if not self._parameters.baked:
            mounts.append(Mount(path=_TESTS, tree=step.hidden.tests))
        return replace(spec, mounts=tuple(mounts), kept=(*spec.kept, _LOGS))

    def _run(self, sandbox: Sandbox, spec: SandboxSpec, script: str) -> Grade:
        startable = f"chmod +x {script}; " if self._parameters.baked else ""
        process = sandbox.start(["bash", "-c", f"{startable}({script}) > {_LOGS}/{_OUTPUT} 2>&1"])
        ended = process.finish(spec.limits.wall_ms)
        if not sandbox.kill():
            raise InfrastructureError(
                Failure(code="kill_unconfirmed", message="the tests' processes outlived their kill")
            )
        logs = sandbox.get(_LOGS)
        got = output(logs.entries.get(_OUTPUT, Entry(kind="special")), self._blobs)
        evidence = Evidence(where="tests", got=got, stderr=wording.stderr_tail(ended.stderr))
        usage, provenance = sandbox.usage(), dict(sandbox.provenance)
        try:
            rewards = rewards_of(logs, self._blobs, ended)
        except NoRewardError as error:
            return Grade(
                outcome=Outcome.ERROR, failure=error.failure, evidence=evidence, usage=usage, provenance=provenance
            )
        except ForgedError as error:
            return graded({}, Shortfall(Reason.TAMPER, replace(evidence, note=str(error))), usage, provenance)
        checks = read_checks(logs, self._blobs)
        return self._graded(rewards, checks, evidence, usage, provenance)

    def _graded(
        self, rewards: dict[str, float], checks: Checks, evidence: Evidence, usage: Usage, provenance: dict[str, str]
    ) -> Grade:
        score = score_of(rewards)
        passed = Decimal(repr(score)) >= self._pass_at
        note = "" if passed else f"the tests gave {score:g}, {self._pass_at} is needed"
        reason = None
        if not passed:
            reasons = [self._parameters.reasons[name] for name in checks.failed if name in self._parameters.reasons]
            reason = reasons[0] if reasons else Reason.WRONG_RESULT
            if checks.failed:
                evidence = replace(evidence, where=f"tests: {checks.failed[0]}")
                provenance = {**provenance, "failed_checks": listed(checks.failed)}
        if checks.names:
            provenance = {**provenance, "checks": listed(checks.names)}
        return Grade(
            outcome=Outcome.PASSED if passed else Outcome.FAILED,
            score=score,
            reason=reason,
            groups=checks.groups,
            metrics=rewards,
            evidence=replace(evidence, note=note),
            usage=usage,
            provenance=provenance,
        )


def _refused(submission: Tree, grading: SandboxSpec) -> Shortfall | None:
    """Why a submission cannot be laid over the image: it changes what none may, or there is nowhere left to test it in."""
    # "/" is all of a container; what of it is no work is left as its image has it.
    allowed = tuple(f"{place.strip('/')}/".lstrip("/") for place in grading.kept)
    outside = next((path for path in sorted(submission.entries) if not path.startswith(allowed)), None)
    if outside is not None:
        note = f"it changes /{outside}, which is in no folder to work in"
        return Shortfall(Reason.TAMPER, Evidence(where="submission", note=note))
    parts = grading.image.workdir.strip("/").split("/")
    above = (submission.entries.get("/".join(parts[:n])) for n in range(1, len(parts) + 1))
    if any(entry is not None and entry.kind != "whiteout" for entry in above):
        note = f"the working folder {grading.image.workdir} is no folder any more"
        return Shortfall(Reason.WRONG_RESULT, Evidence(where="submission", note=note))
    return None


def _overlap(one: str, other: str) -> bool:
    return one == other or one.startswith(other + "/") or other.startswith(one.rstrip("/") + "/")
