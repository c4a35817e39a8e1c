"""What was attempted (`Trial`: dear, random) and what was found of it (`Verdict`: cheap, repeatable)."""

import msgspec

from proofyard.core.failure import Failure
from proofyard.core.reasons import Outcome, Reason
from proofyard.core.record import Record, digest_of
from proofyard.core.sandbox import Usage

__all__ = ["Evidence", "Grade", "Group", "Spend", "Submission", "Trial", "Verdict", "verdict_id"]


class Submission(Record, frozen=True, kw_only=True):
    """A submitted tree: its digest, and the SHA-256 of the blob that holds the tree's JSON."""

    tree: str
    blob: str


class Spend(Record, frozen=True, kw_only=True):
    """What an attempt cost: sandbox usage, model tokens (input includes cached), cost; None is unknown, never 0.

    steps: questions to the model. calls: calls over the wire that may have been billed, those of failed tries too, and
    unknown_calls how many of them came without their usage: tokens are the sum of the others.
    """

    sandbox: Usage = Usage()
    steps: int = 0
    calls: int = 0
    unknown_calls: int = 0
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_micro_usd: int | None = None


class Trial(Record, frozen=True, kw_only=True):
    """One attempt. `k` counts from 0; times are UTC, ISO 8601 with milliseconds; `tries` counts infrastructure retries.

    reason: why the agent itself knows its work not to be whole (`truncated`, `unparsable`, `budget`, `no_submission`).

    A trial with a failure and no submission is an error and runs again when the run is resumed, if its code says so.
    """

    id: str
    task: str
    subject: str
    subject_name: str
    brief: str
    k: int
    submissions: tuple[Submission, ...] = ()
    spend: Spend = Spend()
    started: str = ""
    wall_us: int = 0
    tries: int = 1
    provenance: dict[str, str] = msgspec.field(default_factory=dict)
    failure: Failure | None = None
    reason: Reason | None = None


class Group(Record, frozen=True, kw_only=True):
    """Assertions of one kind: how many passed of how many. `weight` as a decimal string."""

    passed: int
    total: int
    weight: str = "1"


class Evidence(Record, frozen=True, kw_only=True):
    """The first thing that went wrong, for a person: where, the request, what was expected, what came, standard error."""

    where: str = ""
    request: str = ""
    expected: str = ""
    got: str = ""
    stderr: str = ""
    note: str = ""


class Grade(Record, frozen=True, kw_only=True):
    """What a grader found. `score` is None unless the outcome is passed or failed; `reason` only where it failed."""

    outcome: Outcome
    score: float | None = None
    reason: Reason | None = None
    groups: dict[str, Group] = msgspec.field(default_factory=dict)
    metrics: dict[str, float] = msgspec.field(default_factory=dict)
    evidence: Evidence = Evidence()
    usage: Usage = Usage()
    provenance: dict[str, str] = msgspec.field(default_factory=dict)
    failure: Failure | None = None

    def __post_init__(self) -> None:
        scored = self.outcome in {Outcome.PASSED, Outcome.FAILED}
        if scored != (self.score is not None):
            raise ValueError(f"outcome {self.outcome} with score {self.score}")
        if (self.outcome is Outcome.ERROR) != (self.failure is not None):
            raise ValueError(f"outcome {self.outcome} with failure {self.failure}")


class Verdict(Grade, frozen=True, kw_only=True):
    """A grade of one submission of one trial. `n` counts repeated gradings by the same grader from 0."""

    id: str
    trial: str
    task: str
    submission: str
    grader: str
    n: int = 0
    started: str = ""
    wall_us: int = 0


def verdict_id(trial: str, submission: str, grader: str, n: int) -> str:
    """The id of the n-th grading of a submission (tree digest) by a grader (digest): 32 hexadecimal digits."""
    return digest_of({"trial": trial, "submission": submission, "grader": grader, "n": n})[:32]
