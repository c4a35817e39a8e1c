"""A sample with what was found of it, and the words that foreign result files have for that."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, NamedTuple

import msgspec

from proofyard.core import (
    Evidence,
    Failure,
    Group,
    InfrastructureError,
    Outcome,
    Reason,
    Usage,
    UsageError,
    Verdict,
)
from proofyard.formats.samples import Sample
from proofyard.stats import pass_at_k

__all__ = ["Judged", "Status", "estimates", "explanation", "put_document", "read_records", "record_line", "status_of"]

Status = Literal["pass", "fail", "timeout"]

Judgements = Mapping[str, Sequence["Judged"]]


class Judged(NamedTuple):
    """A sample and the verdict that holds for it; None if there is none that says anything of it."""

    sample: Sample
    verdict: Verdict | None

    @property
    def valid(self) -> Verdict | None:
        """The verdict if the sample decided it: not an infrastructure failure, not a fault of the task."""
        scored = self.verdict is not None and self.verdict.outcome in {Outcome.PASSED, Outcome.FAILED}
        return self.verdict if scored else None

    @property
    def passed(self) -> bool:
        """Whether it passed."""
        return self.verdict is not None and self.verdict.outcome is Outcome.PASSED


def status_of(verdict: Verdict) -> Status:
    """The status of a valid verdict: `timeout` is a time limit alone; a crash is `fail`."""
    if verdict.outcome is Outcome.PASSED:
        return "pass"
    return "timeout" if verdict.reason is Reason.TIMEOUT else "fail"


def explanation(verdict: Verdict) -> str:
    """Why a sample failed, for a person: the reason, then whatever is known."""
    evidence = verdict.evidence
    parts = [evidence.note, evidence.got, evidence.stderr]
    return "\n".join([f"{verdict.reason or verdict.outcome}", *(part for part in parts if part)])


def estimates(counts: Iterable[tuple[int, int]], ks: Sequence[int]) -> dict[str, float]:
    """pass@k as upstream's tools give it: the mean over tasks of (samples, passed); no k that a task has too few for."""
    counts = list(counts)
    found = {}
    for k in ks:
        values = [pass_at_k(n, passed, k) for n, passed in counts]
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            found[f"pass@{k}"] = fmean(known)
    return found


def record_line(judged: Judged) -> bytes:
    """Our own record of one sample, a line of JSON: outcome, reason, cost, output, the first thing that went wrong."""
    sample, verdict = judged
    line: dict[str, object] = {"task_id": sample.task_id, "k": sample.k}
    if verdict is None:
        return msgspec.json.encode({**line, "outcome": None}) + b"\n"
    usage, told = verdict.usage, dict(verdict.provenance)
    line |= {
        "outcome": verdict.outcome,
        "score": verdict.score,
        "reason": verdict.reason,
        "failure": verdict.failure.message if verdict.failure else None,
        "cpu_ms": usage.cpu_us / 1000,
        "wall_ms": usage.wall_us / 1000,
        "peak_memory": usage.peak_memory,
        "groups": verdict.groups,
        "evidence": {name: getattr(verdict.evidence, name) for name in verdict.evidence.__struct_fields__},
        "stdout": told.pop("stdout", ""),
        "stderr": told.pop("stderr", verdict.evidence.stderr),
        "details": _json(told.pop("details", "{}")),
        "provenance": told,
        "verdict": verdict.id,
        "trial": verdict.trial,
    }
    return msgspec.json.encode(line) + b"\n"


class _Line(msgspec.Struct):
    """A line of `record_line`, as far as a verdict is made of it again."""

    task_id: str
    k: int
    outcome: Outcome | None
    score: float | None = None
    reason: Reason | None = None
    failure: str | None = None
    cpu_ms: float = 0
    wall_ms: float = 0
    peak_memory: int = 0
    groups: dict[str, Group] = {}
    evidence: Evidence = Evidence()
    stdout: str = ""
    stderr: str = ""
    details: Any = None
    provenance: dict[str, str] = {}
    verdict: str = ""
    trial: str = ""


def read_records(data: bytes, where: str) -> dict[tuple[str, int], Verdict]:
    """The verdicts that lines of `record_line` tell, by task and number; none for a sample without one.

    Raises:
        InfrastructureError: `reward_unreadable`, there is no such line.

    """
    found = {}
    for number, text in enumerate(data.splitlines(), 1):
        try:
            line = msgspec.json.decode(text, type=_Line)
            if line.outcome is not None:
                found[line.task_id, line.k] = _verdict(line)
        except (msgspec.DecodeError, ValueError) as error:
            message = f"{where}, line {number}: {error}"
            raise InfrastructureError(Failure(code="reward_unreadable", message=message)) from None
    return found


def _verdict(line: _Line) -> Verdict:
    told = {"details": msgspec.json.encode(line.details).decode(), "stdout": line.stdout, "stderr": line.stderr}
    return Verdict(
        outcome=line.outcome or Outcome.ERROR,
        score=line.score,
        reason=line.reason,
        groups=line.groups,
        evidence=line.evidence,
        usage=Usage(cpu_us=round(line.cpu_ms * 1000), wall_us=round(line.wall_ms * 1000), peak_memory=line.peak_memory),
        provenance={**line.provenance, **told},
        failure=Failure(code="worker_lost", message=line.failure) if line.failure is not None else None,
        id=line.verdict,
        trial=line.trial,
        task=line.task_id,
        submission="",
        grader="",
    )


def put_document(path: Path, data: bytes, *, backup: bool = True) -> bool:
    """Write a file whole or not at all; whether it was written. One that says the same already, its `date` apart, is left.

    backup: another one that was there goes to `<name>.bak` first.

    Raises:
        UsageError: the place cannot be written.

    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        if path.is_file():
            if _undated(path.read_bytes()) == _undated(data):
                return False
            if backup:
                path.replace(path.with_name(f"{path.name}.bak"))
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another --output-dir") from None
    return True


def _undated(data: bytes) -> object:
    document = _json(data)
    return {key: value for key, value in document.items() if key != "date"} if isinstance(document, dict) else data


def _json(text: str | bytes) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return text
