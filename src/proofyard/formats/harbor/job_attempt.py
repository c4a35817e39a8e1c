"""One attempt as Harbor writes it down.

What Harbor has no place for lies in `agent_result.metadata.proofyard`: the records of trial, verdict and subject as they are.
An attempt that has them comes back as it was, but for its submission, which a job does not hold.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from proofyard.core import Move, Outcome, Record, Subject, Trial, Verdict, digest_of
from proofyard.formats.harbor.job_documents import (
    AgentContext,
    AgentInfo,
    ExceptionInfo,
    ModelInfo,
    TrialDocument,
    VerifierResult,
)
from proofyard.formats.harbor.job_errors import INVALID, exception_of, failed
from proofyard.formats.harbor.job_times import later, phase

__all__ = [
    "IMPORTED",
    "Attempt",
    "JobTask",
    "OwnRecord",
    "condition_of",
    "document_of",
    "our_record",
    "rewards_of",
    "score_of",
    "uuid_of",
]

IMPORTED: Final = "imported"
"""In the provenance of trials and verdicts that a job was read from: what it is."""

_OURS: Final = "proofyard"
_EPOCH: Final = "1970-01-01T00:00:00Z"


class JobTask(NamedTuple):
    """A task of a job. path: its folder, or its id if it has none. digest: of its content, empty if not known."""

    path: str
    digest: str = ""
    source: str | None = None


class Attempt(NamedTuple):
    """An attempt with all that a job holds of it. kept: files that the agent left, by name."""

    trial: Trial
    verdict: Verdict | None
    subject: Subject
    moves: tuple[Move, ...] = ()
    kept: Mapping[str, Path] = {}


class OwnRecord(Record, frozen=True, kw_only=True):
    """What of ours lies in the metadata."""

    trial: Trial
    subject: Subject
    verdict: Verdict | None = None


def condition_of(subject: Subject) -> str:
    """What a subject is given beside its task, in a word for people: `bare`, `skill:NAME`, `mcp`."""
    given = [f"skill:{name.partition('@')[0]}" for name in subject.skills]
    return "+".join([*given, *(["mcp"] if subject.mcp else [])]) or "bare"


def rewards_of(verdict: Verdict | None) -> dict[str, float] | None:
    """The rewards by key: what the task's tests gave, else the score; None if there is no score."""
    if verdict is None or verdict.score is None:
        return None
    given = dict(verdict.metrics)
    return given if given and score_of(given) == verdict.score else {"reward": verdict.score}


def document_of(attempt: Attempt, name: str, uri: str, task: JobTask, config: dict[str, Any]) -> TrialDocument:
    """`result.json` of an attempt. name: of its folder; uri: of that folder."""
    trial, verdict, subject = attempt.trial, attempt.verdict, attempt.subject
    spend = trial.spend
    own = OwnRecord(trial=replace(trial, submissions=()), subject=subject, verdict=verdict)
    work = phase(trial.started, trial.wall_us)
    graded = phase(verdict.started, verdict.wall_us) if verdict is not None else None
    rewards = rewards_of(verdict)
    ends = [timing.finished_at for timing in (work, graded) if timing is not None and timing.finished_at]
    return TrialDocument(
        id=str(uuid_of(trial.id)),
        task_name=trial.task,
        trial_name=name,
        trial_uri=uri,
        task_id={"path": task.path},
        source=task.source,
        task_checksum=task.digest.removeprefix("sha256:") or trial.brief,
        config=config,
        agent_info=_agent(subject),
        agent_result=AgentContext(
            n_input_tokens=spend.input_tokens,
            n_cache_tokens=spend.cached_tokens,
            n_output_tokens=spend.output_tokens,
            cost_usd=None if spend.cost_micro_usd is None else spend.cost_micro_usd / 1e6,
            metadata={_OURS: msgspec.to_builtins(own)},
        ),
        verifier_result=None if rewards is None else VerifierResult(rewards={**rewards}),
        exception_info=_exception(trial, verdict),
        started_at=trial.started or None,
        finished_at=max(ends, default=None),
        agent_execution=work,
        verifier=graded,
    )


def our_record(document: TrialDocument) -> OwnRecord | None:
    """What of ours lies in a `result.json`, None if it is not of ours. Raises ValueError if it is damaged."""
    metadata = (document.agent_result.metadata if document.agent_result else None) or {}
    return msgspec.convert(metadata[_OURS], type=OwnRecord) if _OURS in metadata else None


def uuid_of(trial: str) -> UUID:
    """The id of a trial in the form that Harbor wants."""
    try:
        return UUID(trial)
    except ValueError:
        return UUID(digest_of(trial)[:32])


def score_of(rewards: Mapping[str, float]) -> float:
    """The reward of that name, else the mean of all."""
    return rewards["reward"] if "reward" in rewards else math.fsum(rewards.values()) / len(rewards)


def _agent(subject: Subject) -> AgentInfo:
    """Who worked. A condition is part of the name: Harbor tells rows apart by nothing but agent, model and data set."""
    condition = condition_of(subject)
    provider, slash, model = (subject.model or "").partition("/")
    if subject.model and not slash:
        provider, model = "", subject.model
    return AgentInfo(
        name=subject.agent if condition == "bare" else f"{subject.agent}+{condition}",
        version=subject.version or "unknown",
        model_info=ModelInfo(name=model, provider=provider or None) if subject.model else None,
    )


def _exception(trial: Trial, verdict: Verdict | None) -> ExceptionInfo | None:
    failure = failed(trial, verdict)
    at = later(trial.started, trial.wall_us) if trial.started else _EPOCH
    if failure is not None:
        said = f"{failure.message} [{failure.boundary}: {failure.code}]"
        return ExceptionInfo(exception_type=exception_of(failure), exception_message=said, occurred_at=at)
    if verdict is not None and verdict.outcome is Outcome.INVALID:
        return ExceptionInfo(exception_type=INVALID, exception_message=verdict.evidence.note, occurred_at=at)
    return None
