"""Failures of ours and exceptions of Harbor's, both ways."""

from typing import Final

from proofyard.core import FAILURES, Failure, Trial, Verdict

__all__ = ["INVALID", "exception_of", "failed", "failure_of"]

INVALID: Final = "TaskInvalidError"
"""What stands for the outcome `invalid`, which Harbor does not have."""

_TYPES: Final[dict[str, tuple[str, ...]]] = {
    "sandbox_start": ("EnvironmentStartTimeoutError", "SSHAccessError"),
    "sandbox_lost": (
        *("SandboxLostError", "SandboxLikelyOutOfMemoryError", "MemoryLimitExceededError"),
        *("GKEExecStreamClosedError", "GKEPodNotFoundError", "RuntimeRequestError"),
    ),
    "image_build": ("SandboxBuildFailedError",),
    "healthcheck": ("HealthcheckError",),
    "agent_timeout": ("AgentTimeoutError",),
    "agent_exit": ("NonZeroAgentExitCodeError",),
    "agent_unusable": (
        *("AgentSetupTimeoutError", "ServiceOperationsUnsupportedError", "MissingExtraError", "RegradeError"),
        *("VercelScopeError", "DspyImportError"),
    ),
    "grader_timeout": ("VerifierTimeoutError",),
    "grader_crash": ("AddTestsDirError", "DownloadVerifierDirError"),
    "reward_missing": ("RewardFileNotFoundError", "RewardFileEmptyError"),
    "reward_unreadable": ("VerifierOutputParseError",),
    "model_rate_limit": ("ApiRateLimitError", "RateLimitError"),
    "model_overloaded": ("ApiOverloadedError", "ServiceUnavailableError"),
    "model_server_error": ("ApiInternalServerError", "InternalServerError", "ApiError", "APIError"),
    "model_connection_closed": ("ApiConnectionClosedError",),
    "model_stalled": ("ApiResponseStalledError", "Timeout"),
    "model_network": ("NetworkConnectionError", "ApiConnectionError", "APIConnectionError"),
    "model_broken_answer": ("UnknownApiError", "APIResponseValidationError"),
    "model_quota": ("ApiUsageLimitError", "BudgetExceededError"),
    "model_auth": ("AgentAuthenticationError", "AuthenticationError", "PermissionDeniedError"),
    "model_not_found": ("ModelNotFoundError", "ApiProviderResourceNotFoundError", "NotFoundError"),
    "model_unsupported_parameter": ("UnsupportedModelParametersError", "UnsupportedParamsError"),
    "model_bad_request": ("BadRequestError", "UnprocessableEntityError"),
    "run_over": ("CancelledError",),
}
"""Our code -> Harbor's names for it; the first is the one written."""

_CODES: Final = {name: code for code, names in _TYPES.items() for name in names}


def exception_of(failure: Failure) -> str:
    """Harbor's name of a failure; where it has none, one made of our code: `worker_lost` -> `WorkerLostError`."""
    names = _TYPES.get(failure.code)
    return names[0] if names else _named(failure.code)


def failure_of(exception: str, message: str, *, rewarded: bool) -> Failure:
    """The failure that an exception is. The message keeps its name.

    One that is not known is the agent's: its own end where there is a reward (Harbor lets such rewards count), else a crash.
    """
    ours = {_named(code): code for code in FAILURES}
    code = _CODES.get(exception) or ours.get(exception) or ("agent_exit" if rewarded else "agent_crash")
    said = " ".join(message.split())[:2000]
    return Failure(code=code, message=f"{exception}: {said}" if said else exception)


def failed(trial: Trial, verdict: Verdict | None) -> Failure | None:
    """What is told of an attempt as its exception: the failure of its grading, else its own."""
    return (verdict.failure if verdict is not None else None) or trial.failure


def _named(code: str) -> str:
    return "".join(part.title() for part in code.split("_")) + "Error"
