"""The files of a Harbor job as they are: `result.json` of a job and of a trial. What is not known there is passed over on
reading, as Harbor does; what is null is written as null.
"""

from typing import Any

import msgspec

__all__ = [
    "AgentContext",
    "AgentInfo",
    "ExceptionInfo",
    "JobDocument",
    "ModelInfo",
    "Rewards",
    "StepDocument",
    "Timing",
    "TrialDocument",
    "VerifierResult",
]

Rewards = dict[str, float | None]


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """When a phase began and ended, ISO 8601."""

    started_at: str | None = None
    finished_at: str | None = None


class ExceptionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What went wrong. occurred_at: ISO 8601."""

    exception_type: str
    exception_message: str = ""
    exception_traceback: str = ""
    occurred_at: str = ""


class ModelInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A model without its provider's name."""

    name: str
    provider: str | None = None


class AgentInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Who worked."""

    name: str
    version: str = "unknown"
    model_info: ModelInfo | None = None


class AgentContext(msgspec.Struct, frozen=True, kw_only=True):
    """What the work cost; null is unknown. Input tokens include cached ones. metadata: anything."""

    n_input_tokens: int | None = None
    n_cache_tokens: int | None = None
    n_output_tokens: int | None = None
    cost_usd: float | None = None
    metadata: dict[str, Any] | None = None


class VerifierResult(msgspec.Struct, frozen=True, kw_only=True):
    """Rewards by key. A reward that is no number in JSON (NaN) was written as null."""

    rewards: Rewards | None = None


class StepDocument(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a task of several."""

    step_name: str
    agent_result: AgentContext | None = None
    verifier_result: VerifierResult | None = None
    exception_info: ExceptionInfo | None = None
    agent_execution: Timing | None = None
    verifier: Timing | None = None


class TrialDocument(msgspec.Struct, frozen=True, kw_only=True):
    """`result.json` of a trial."""

    id: str
    task_name: str
    trial_name: str
    trial_uri: str = ""
    task_id: dict[str, Any] = msgspec.field(default_factory=dict)
    source: str | None = None
    task_checksum: str = ""
    config: dict[str, Any] = msgspec.field(default_factory=dict)
    agent_info: AgentInfo
    agent_result: AgentContext | None = None
    verifier_result: VerifierResult | None = None
    exception_info: ExceptionInfo | None = None
    started_at: str | None = None
    finished_at: str | None = None
    environment_setup: Timing | None = None
    agent_setup: Timing | None = None
    agent_execution: Timing | None = None
    verifier: Timing | None = None
    step_results: list[StepDocument] | None = None


class JobDocument(msgspec.Struct, frozen=True, kw_only=True):
    """`result.json` of a job."""

    id: str
    started_at: str
    updated_at: str | None = None
    finished_at: str | None = None
    n_total_trials: int = 0
    stats: dict[str, Any] = msgspec.field(default_factory=dict)
