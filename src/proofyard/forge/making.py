"""Making instances: drafted, what is expected recorded from the reference, proved, and kept only then."""

import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from proofyard.checks import VerifyRequest, verify
from proofyard.core import Failure, InfrastructureError, Outcome, Record, UsageError
from proofyard.engine import Counts
from proofyard.engine.authoring import grade_solution
from proofyard.forge.family import Draft, Family
from proofyard.formats.harbor import content_digest
from proofyard.sandbox import LocalProvider
from proofyard.suites.harbor import suite

__all__ = ["Instance", "Made", "MakeRequest", "Recording", "make", "recorded", "write"]

Recording = Callable[[Path, str], Mapping[str, float]]
"""Folder of a task and the check that may fail -> the numbers that its tests recorded of its reference."""

Profile = Literal["none", "quick", "full"]
_TIMES = {"quick": (1, 1), "full": (5, 3)}


class MakeRequest(Record, frozen=True, kw_only=True):
    """n instances, of the seeds seed, seed + 1, ...

    output: the folder that they are written into, one folder each. proof: `quick` grades everything once, `full` the
    reference five times and the others three times, `none` only records what the reference comes to.
    """

    n: int
    seed: int
    output: str
    proof: Profile = "quick"
    concurrency: int = 1


class Instance(Record, frozen=True, kw_only=True):
    """What became of one instance. digest: of its folder's content, "" if it was not kept. faults: why not.

    earlier: it was there from an earlier start.
    """

    name: str
    seed: int
    params: dict[str, str] = msgspec.field(default_factory=dict)
    digest: str = ""
    faults: tuple[str, ...] = ()
    earlier: bool = False


class Made(Record, frozen=True, kw_only=True):
    """What became of all. proof: how they were proved. complete: False after an interruption."""

    format: str = "proofyard.instances"
    schema: int = 1
    family: str
    seed: int
    proof: Profile
    instances: tuple[Instance, ...]
    complete: bool = True

    @property
    def dropped(self) -> tuple[Instance, ...]:
        """Those that were not kept."""
        return tuple(one for one in self.instances if one.faults)


def make(
    family: Family,
    request: MakeRequest,
    tell: Callable[[str], None] = lambda _: None,
    recording: Recording | None = None,
) -> Made:
    """Make instances. One that is there already, from an earlier start, stays as it is.

    tell: takes a line on each. recording: how what the reference comes to is found out, by default in the sandbox.

    Raises:
        UsageError: the output cannot be written, or holds an instance of another seed or make.
        InfrastructureError: an image could not be made, or a grading had no result.

    """
    output = Path(request.output)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}") from None
    instances: list[Instance] = []
    for seed in range(request.seed, request.seed + request.n):
        one = _one(family, family.draft(seed), request, recording or recorded)
        if one is None:
            break
        instances.append(one)
        tell(_said(one, request.proof))
    return Made(
        family=family.name,
        seed=request.seed,
        proof=request.proof,
        instances=tuple(instances),
        complete=len(instances) == request.n,
    )


def _said(one: Instance, proof: Profile) -> str:
    if one.faults:
        return f"{one.name}: not kept: {'; '.join(one.faults)}"
    return f"{one.name}: {'there already' if one.earlier else 'made, not proved' if proof == 'none' else 'proved'}"


def _one(family: Family, draft: Draft, request: MakeRequest, recording: Recording) -> Instance | None:
    """One instance; None if proving it was interrupted."""
    made = Instance(name=draft.name, seed=draft.seed, params=draft.params)
    home = Path(request.output, draft.name)
    if home.exists():
        if not all((home / path).is_file() for path in draft.files):
            raise UsageError(f"{home} is there and is no such instance; remove it or choose another folder")
        return msgspec.structs.replace(made, digest=content_digest(home), earlier=True)
    making = Path(tempfile.mkdtemp(prefix=f".{draft.name}-", dir=request.output))
    try:
        write(making, draft.files)
        try:
            write(making, family.expected(draft, recording(making, family.open_check)))
        except ValueError as error:
            return msgspec.structs.replace(made, faults=(str(error),))
        faults = _unproved(making, request)
        if faults is None:
            return None
        if faults:
            return msgspec.structs.replace(made, faults=faults)
        making.chmod(0o755)
        making.rename(home)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return msgspec.structs.replace(made, digest=content_digest(home))


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder; scripts are executable. Raises UsageError."""
    try:
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
            target.chmod(0o755 if path.endswith(".sh") else 0o644)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None


def recorded(folder: Path, open_check: str) -> Mapping[str, float]:
    """Run the reference of a task in the sandbox: the numbers that its tests recorded beside the reward.

    Raises:
        ValueError: another check than `open_check` failed.
        InfrastructureError: there was no result.

    """
    found = suite(options={"path": str(folder)})
    task, blobs = found.load(found.ids()[0]), found.blobs()
    provider = LocalProvider()
    try:
        _, _, verdict = grade_solution(task, task.solution("reference"), blobs, provider)
    finally:
        provider.close()
    if verdict.outcome is Outcome.ERROR:
        raise InfrastructureError(
            verdict.failure or Failure(code="reward_missing", message="the reference has no result")
        )
    failed = verdict.provenance.get("failed_checks", "")
    if failed != open_check:
        raise ValueError(f"the reference, with nothing expected, fails at {failed or 'nothing'}, not at {open_check}")
    return {name: value for name, value in verdict.metrics.items() if name != "reward"}


def _unproved(folder: Path, request: MakeRequest) -> tuple[str, ...] | None:
    """Why it is not proved, nothing if it is or is not to be; None after an interruption."""
    if request.proof == "none":
        return ()
    attempts, others = _TIMES[request.proof]
    found = verify(
        VerifyRequest(suite=str(folder), attempts=attempts, others=others, concurrency=request.concurrency), _quietly
    )
    if not found.complete:
        return None
    if found.errors:
        raise InfrastructureError(Failure(code="grader_crash", message="; ".join(found.errors)))
    return tuple(fault for task in found.failed for fault in task.faults)


def _quietly(counts: Counts) -> None:
    del counts
