"""An attempt from a `result.json` of Harbor's: ours where it has our record, else what can be told from Harbor's own."""

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from proofyard.core import (
    Evidence,
    Failure,
    Outcome,
    Spend,
    Subject,
    Trial,
    UsageError,
    Verdict,
    digest_of,
    verdict_id,
)
from proofyard.formats.harbor.job_attempt import (
    IMPORTED,
    Attempt,
    OwnRecord,
    our_record,
    rewards_of,
    score_of,
    uuid_of,
)
from proofyard.formats.harbor.job_documents import AgentContext, ExceptionInfo, Timing, TrialDocument
from proofyard.formats.harbor.job_errors import INVALID, failure_of
from proofyard.formats.harbor.job_times import length_us, our_time

__all__ = ["attempt_of"]

_PASS_AT: Final = 1.0
_NO_SUBMISSION: Final = ""


def attempt_of(document: TrialDocument, job: str) -> Attempt:
    """The attempt that a `result.json` of that job tells of. Its number is 0 unless our own record says it.

    Raises:
        UsageError: a reward is not what our own record beside it says.
        ValueError: an id or a time is none, or our own record is damaged.

    """
    said = f"harbor job {job}, trial {document.trial_name}"
    own = our_record(document)
    if own is not None:
        return _ours(document, own, said)
    trial = _trial(document, said)
    return Attempt(trial, _verdict(document, trial, said), _subject(document))


def _ours(document: TrialDocument, own: OwnRecord, said: str) -> Attempt:
    told = document.verifier_result.rewards if document.verifier_result is not None else None
    verdict = own.verdict
    if rewards_of(verdict) != told or uuid_of(own.trial.id) != UUID(document.id):
        raise UsageError("another reward or id than in the record of proofyard within: it was changed afterwards")
    if verdict is not None:
        verdict = replace(verdict, provenance={**verdict.provenance, IMPORTED: said})
    trial = replace(own.trial, provenance={**own.trial.provenance, IMPORTED: said})
    return Attempt(trial, verdict, own.subject)


def _trial(document: TrialDocument, said: str) -> Trial:
    subject = _subject(document)
    whole = Timing(started_at=document.started_at, finished_at=document.finished_at)
    work = document.agent_execution or whole
    info = _info(document)
    failure = None
    if info is not None and info.exception_type != INVALID:
        rewarded = bool(_rewards(document))
        failure = failure_of(info.exception_type, info.exception_message, rewarded=rewarded)
    return Trial(
        id=UUID(document.id).hex,
        task=document.task_name,
        subject=subject.digest,
        subject_name=_label(subject),
        brief=digest_of({"imported": document.task_checksum}),
        k=0,
        spend=_spend(document),
        started=our_time(work.started_at or document.started_at),
        wall_us=length_us(work),
        provenance={IMPORTED: said},
        failure=failure,
    )


def _verdict(document: TrialDocument, trial: Trial, said: str) -> Verdict | None:
    """What the rewards come to; None without any, and beside an exception that lets none count."""
    told, info = _rewards(document), _info(document)
    invalid = info is not None and info.exception_type == INVALID
    if not (invalid or told) or (trial.failure is not None and not trial.failure.grade):
        return None
    grader = digest_of({"imported": "harbor", "task": document.task_checksum})
    outcome, score, failure = Outcome.INVALID, None, None
    known = {key: value for key, value in told.items() if value is not None}
    if not invalid and len(known) < len(told):
        failure = Failure(code="reward_unreadable", message="a reward is no finite number")
        outcome = Outcome.ERROR
    elif not invalid:
        score = score_of(known)
        outcome = Outcome.PASSED if score >= _PASS_AT else Outcome.FAILED
    note = info.exception_message if invalid and info is not None else ""
    return Verdict(
        id=verdict_id(trial.id, _NO_SUBMISSION, grader, 0),
        trial=trial.id,
        task=trial.task,
        submission=_NO_SUBMISSION,
        grader=grader,
        outcome=outcome,
        score=score,
        metrics=known if score is not None else {},
        evidence=Evidence(note=note),
        provenance={IMPORTED: said, "rung": _place(document.config)},
        failure=failure,
        started=our_time(document.verifier.started_at if document.verifier else None),
        wall_us=length_us(document.verifier),
    )


def _rewards(document: TrialDocument) -> dict[str, float | None]:
    result = document.verifier_result
    return (result.rewards if result is not None else None) or {}


def _info(document: TrialDocument) -> ExceptionInfo | None:
    """The exception of the trial, else the first of its steps."""
    of_steps = (step.exception_info for step in document.step_results or [])
    return document.exception_info or next((info for info in of_steps if info is not None), None)


def _subject(document: TrialDocument) -> Subject:
    """Who worked, with what is known to make a difference: parameters, skills, servers."""
    info, config = document.agent_info, document.config.get("agent")
    config = config if isinstance(config, dict) else {}
    model = info.model_info
    name = None
    if model is not None:
        name = f"{model.provider}/{model.name}" if model.provider else model.name
    servers = [one.get("name", "") for one in _list(config.get("mcp_servers")) if isinstance(one, dict)]
    kwargs = config.get("kwargs")
    return Subject(
        agent=info.name,
        version=info.version,
        parameters={key: _text(value) for key, value in sorted(kwargs.items())} if isinstance(kwargs, dict) else {},
        model=name,
        skills=tuple(sorted(str(one).rstrip("/").rpartition("/")[2] for one in _list(config.get("skills")))),
        mcp=tuple(sorted(str(server) for server in servers)),
    )


def _label(subject: Subject) -> str:
    given = [f"+{name}" for name in subject.skills] + (["+mcp"] if subject.mcp else [])
    return ":".join([subject.name, *subject.parameters.values(), *given])[:80]


def _spend(document: TrialDocument) -> Spend:
    """What was spent, of a task of several steps all together; unknown if one of them does not say."""
    found = [document.agent_result] if document.agent_result is not None else []
    found = found or [step.agent_result for step in document.step_results or [] if step.agent_result is not None]
    cost = _sum(context.cost_usd for context in found)
    return Spend(
        input_tokens=_whole(found, "n_input_tokens"),
        cached_tokens=_whole(found, "n_cache_tokens"),
        output_tokens=_whole(found, "n_output_tokens"),
        cost_micro_usd=None if cost is None else round(cost * 1e6),
    )


def _whole(found: list[AgentContext], name: str) -> int | None:
    total = _sum(getattr(context, name) for context in found)
    return None if total is None else int(total)


def _sum(values: Iterable[float | None]) -> float | None:
    found = list(values)
    known = [value for value in found if value is not None]
    return sum(known) if known and len(known) == len(found) else None


def _place(config: dict[str, Any]) -> str:
    """Where it ran, by the name of Harbor's environment."""
    environment = config.get("environment")
    environment = environment if isinstance(environment, dict) else {}
    return f"harbor:{environment.get('import_path') or environment.get('type') or 'docker'}"


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value, order="sorted").decode()
