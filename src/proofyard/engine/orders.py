"""What travels to a worker: one attempt, or one grading, as JSON; trees refer to contents which travel beside it."""

import msgspec

from proofyard.core import Budget, Record, Subject, Submission, Tree

__all__ = ["AttemptOrder", "GradeOrder", "Order", "Site"]


class Site(Record, frozen=True, kw_only=True):
    """Where and how a worker works: the run's folder, slots of this machine, whether no isolation is accepted."""

    run: str
    slots: int = 1
    unsafe: bool = False


class AttemptOrder(Record, frozen=True, kw_only=True, tag="attempt"):
    """One attempt. `brief` is the JSON of a `Brief`. `given` is the solution handed in, for agents that get one."""

    site: Site
    trial: str
    task: str
    subject: Subject
    subject_digest: str
    subject_name: str
    brief: msgspec.Raw
    brief_digest: str
    k: int
    tries: int = 1
    budget: Budget = Budget()
    given: Tree | None = None
    max_files: int = 4096
    max_bytes: int = 64 << 20


class GradeOrder(Record, frozen=True, kw_only=True, tag="grade"):
    """One grading, the `n`-th by the grader with digest `grader`. `step` is the JSON of a `Step`."""

    site: Site
    trial: str
    task: str
    step: msgspec.Raw
    submission: Submission
    grader: str
    n: int = 0


Order = AttemptOrder | GradeOrder
