"""ATIF's own objects, as the format has them: unknown keys, wrong types and broken rules are refused."""

from datetime import datetime
from typing import Any, Final, Literal

import msgspec

__all__ = [
    "SCHEMAS",
    "WRITTEN",
    "Agent",
    "Call",
    "Document",
    "Metrics",
    "Observation",
    "Part",
    "Result",
    "Source",
    "Step",
    "Subagent",
    "Totals",
    "check",
    "timestamp",
]

SCHEMAS: Final = tuple(f"ATIF-v1.{minor}" for minor in range(9))
WRITTEN: Final = "ATIF-v1.7"

_IMAGES: Final = {"image/jpeg", "image/png", "image/gif", "image/webp"}
_AUDIO: Final = {f"audio/{name}" for name in ("wav", "mpeg", "mp4", "aac", "ogg", "flac", "webm", "aiff")}

Object = dict[str, Any]


class _Strict(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An object whose keys are all known; null and absent are the same, and absent is what is written."""


class Source(_Strict, kw_only=True):
    """Where a picture or a sound is kept."""

    media_type: str
    path: str
    duration_sec: float | None = None


class Part(_Strict, kw_only=True):
    """A piece of a message: words, a picture (1.6), a sound (1.8)."""

    type: Literal["text", "image", "audio"]
    text: str | None = None
    source: Source | None = None


class Subagent(_Strict, kw_only=True):
    """Names the trajectory of an agent that was called. Before 1.7 the session's id may be all there is."""

    trajectory_id: str | None = None
    trajectory_path: str | None = None
    session_id: str | None = None
    extra: Object | None = None


class Result(_Strict, kw_only=True):
    """What a tool or the environment gave back."""

    source_call_id: str | None = None
    content: str | list[Part] | None = None
    subagent_trajectory_ref: list[Subagent] | None = None
    extra: Object | None = None


class Observation(_Strict, kw_only=True):
    """What came back in a step."""

    results: list[Result]


class Call(_Strict, kw_only=True):
    """A tool called."""

    tool_call_id: str
    function_name: str
    arguments: msgspec.Raw
    extra: Object | None = None


class Metrics(_Strict, kw_only=True):
    """What a step's calls of the model used; prompt tokens include cached ones."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    prompt_token_ids: list[int] | None = None
    completion_token_ids: list[int] | None = None
    logprobs: list[float] | None = None
    extra: Object | None = None


class Step(_Strict, kw_only=True):
    """One turn."""

    step_id: int
    timestamp: str | None = None
    source: Literal["system", "user", "agent"]
    model_name: str | None = None
    reasoning_effort: str | float | None = None
    message: str | list[Part]
    reasoning_content: str | None = None
    tool_calls: list[Call] | None = None
    observation: Observation | None = None
    metrics: Metrics | None = None
    llm_call_count: int | None = None
    is_copied_context: bool | None = None
    extra: Object | None = None


class Agent(_Strict, kw_only=True):
    """Who acted."""

    name: str
    version: str
    model_name: str | None = None
    tool_definitions: list[Object] | None = None
    extra: Object | None = None


class Totals(_Strict, kw_only=True):
    """Sums over the trajectory."""

    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: int | None = None
    extra: Object | None = None


class Document(_Strict, kw_only=True):
    """A whole trajectory."""

    schema_version: str
    session_id: str | None = None
    trajectory_id: str | None = None
    agent: Agent
    steps: list[Step]
    notes: str | None = None
    final_metrics: Totals | None = None
    continued_trajectory_ref: str | None = None
    extra: Object | None = None
    subagent_trajectories: list["Document"] | None = None


def check(document: Document) -> None:
    """Check what types cannot say. Raises ValueError with where and what."""
    if document.schema_version not in SCHEMAS:
        raise ValueError(f"schema_version {document.schema_version!r}, not {SCHEMAS[0]} to {SCHEMAS[-1]}")
    if not document.steps:
        raise ValueError("steps is empty")
    minor = SCHEMAS.index(document.schema_version)
    for index, step in enumerate(document.steps):
        try:
            if step.step_id != index + 1:
                raise ValueError(f"step_id is {step.step_id}, not {index + 1}")
            _step(step, minor)
        except ValueError as error:
            raise ValueError(f"steps[{index}]: {error}") from None
    _subagents(document.subagent_trajectories or [])


def _subagents(documents: list[Document]) -> None:
    ids = [document.trajectory_id for document in documents]
    if None in ids:
        raise ValueError("subagent_trajectories: one has no trajectory_id")
    if len(set(ids)) != len(ids):
        raise ValueError("subagent_trajectories: two have the same trajectory_id")
    for document in documents:
        check(document)


def _step(step: Step, minor: int) -> None:
    if step.timestamp is not None:
        timestamp(step.timestamp)
    if step.source != "agent":
        _not_of_agent(step)
    if step.llm_call_count is not None and step.llm_call_count < 0:
        raise ValueError("llm_call_count is negative")
    if step.llm_call_count == 0 and (step.metrics is not None or step.reasoning_content is not None):
        raise ValueError("metrics or reasoning_content without a call of the model (llm_call_count 0)")
    _content(step.message, minor)
    for call in step.tool_calls or []:
        if not bytes(call.arguments).lstrip().startswith(b"{"):
            raise ValueError("arguments is no object")
    if step.observation is not None:
        _results(step, step.observation.results, minor)


def _not_of_agent(step: Step) -> None:
    for name in ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"):
        if getattr(step, name) is not None:
            raise ValueError(f"{name} belongs to steps of the agent alone, this one is of the {step.source}")


def _results(step: Step, results: list[Result], minor: int) -> None:
    known = {call.tool_call_id for call in step.tool_calls or []}
    for result in results:
        if step.tool_calls is not None and result.source_call_id not in known | {None}:
            raise ValueError(f"source_call_id {result.source_call_id!r} is no call of this step")
        _content(result.content, minor)
        for ref in result.subagent_trajectory_ref or []:
            if ref.trajectory_id is None and ref.trajectory_path is None and (minor >= 7 or ref.session_id is None):
                raise ValueError("subagent_trajectory_ref names neither trajectory_id nor trajectory_path")


def timestamp(text: str) -> None:
    """Check that a time is ISO 8601. Raises ValueError."""
    try:
        datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise ValueError(f"timestamp {text!r} is not ISO 8601") from None


def _content(content: str | list[Part] | None, minor: int) -> None:
    if isinstance(content, list):
        if minor < 6:
            raise ValueError("content in parts came with 1.6")
        for part in content:
            _part(part, minor)


def _part(part: Part, minor: int) -> None:
    if part.type == "text":
        if part.text is None or part.source is not None:
            raise ValueError("a part of type text has text and no source")
        return
    if part.text is not None or part.source is None:
        raise ValueError(f"a part of type {part.type} has a source and no text")
    if part.type == "audio" and minor < 8:
        raise ValueError("audio came with 1.8")
    if part.source.media_type not in (_IMAGES if part.type == "image" else _AUDIO):
        raise ValueError(f"{part.source.media_type!r} is no media type of {part.type}")
