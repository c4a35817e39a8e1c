"""A failure of infrastructure: where it happened, its code, and what to do about it, from one table."""

from typing import Final, Literal, NamedTuple

from proofyard.core.record import Record

__all__ = ["FAILURES", "Boundary", "Failure", "FailureRule"]

Boundary = Literal["model", "agent", "sandbox", "image", "grader", "task", "store"]


class FailureRule(NamedTuple):
    """What a failure code means for the engine.

    retry: run the trial again, counted, up to the retry limit.
    grade: the submission at hand is still graded.
    counts: the attempt counts in the denominator of valid results.
    """

    boundary: Boundary
    retry: bool
    grade: bool
    counts: bool


FAILURES: Final[dict[str, FailureRule]] = {
    "sandbox_start": FailureRule("sandbox", True, False, False),
    "sandbox_lost": FailureRule("sandbox", True, False, False),
    "kill_unconfirmed": FailureRule("sandbox", True, False, False),
    "isolation_unavailable": FailureRule("sandbox", False, False, False),
    "worker_lost": FailureRule("sandbox", True, False, False),
    "image_build": FailureRule("image", False, False, False),
    "healthcheck": FailureRule("sandbox", True, False, False),
    "agent_crash": FailureRule("agent", False, False, False),
    "agent_timeout": FailureRule("agent", False, True, True),
    "agent_exit": FailureRule("agent", False, True, True),
    "grader_crash": FailureRule("grader", True, False, False),
    "grader_timeout": FailureRule("grader", False, False, False),
    "reward_missing": FailureRule("grader", False, False, False),
    "reward_unreadable": FailureRule("grader", False, False, False),
    "wall_timeout_under_load": FailureRule("grader", True, False, False),
    "model_rate_limit": FailureRule("model", True, False, False),
    "model_overloaded": FailureRule("model", True, False, False),
    "model_server_error": FailureRule("model", True, False, False),
    "model_connection_closed": FailureRule("model", True, False, False),
    "model_stalled": FailureRule("model", True, False, False),
    "model_network": FailureRule("model", True, False, False),
    "model_broken_answer": FailureRule("model", True, False, False),
    "model_quota": FailureRule("model", False, False, False),
    "model_auth": FailureRule("model", False, False, False),
    "model_not_found": FailureRule("model", False, False, False),
    "model_unsupported_parameter": FailureRule("model", False, False, False),
    "model_bad_request": FailureRule("model", False, False, False),
    "run_over": FailureRule("agent", True, False, False),
    "agent_unusable": FailureRule("agent", True, False, False),
    "task_invalid": FailureRule("task", False, False, False),
    "disk_full": FailureRule("store", False, False, False),
    "store_io": FailureRule("store", False, False, False),
    "blob_missing": FailureRule("store", False, False, False),
}
"""Every failure code. Codes are added, never given another meaning: records quote them."""


class Failure(Record, frozen=True, kw_only=True):
    """One failure: `code` is a key of `FAILURES`, `message` one line for a person."""

    code: str
    message: str

    def __post_init__(self) -> None:
        if self.code not in FAILURES:
            raise ValueError(f"unknown failure code {self.code!r}")

    @property
    def boundary(self) -> Boundary:
        """The part at which the failure happened."""
        return FAILURES[self.code].boundary

    @property
    def retry(self) -> bool:
        """Whether the trial runs again."""
        return FAILURES[self.code].retry

    @property
    def grade(self) -> bool:
        """Whether what was submitted is still graded."""
        return FAILURES[self.code].grade

    @property
    def counts(self) -> bool:
        """Whether the attempt counts among the valid ones."""
        return FAILURES[self.code].counts
