"""What travels to a worker: one attempt, or one grading, as JSON; trees refer to contents which travel beside it."""

import msgspec

from proofyard.core import Budget, Reason, Record, Solution, Subject, Submission, Tree

__all__ = ["AttemptOrder", "GradeOrder", "Order", "Site"]


class Site(Record, frozen=True, kw_only=True):
    """Where and how a worker works: the run's folder, slots of this machine, whether no isolation is accepted.

    env_file: where keys are looked up besides the environment. prices: a file of the user's own. budget: of the whole run.
    model_attempts: calls for one answer, 0 is the models' default. answers: a folder where answers at temperature 0 are kept
    and looked up. Keys themselves never travel.
    """

    run: str
    slots: int = 1
    unsafe: bool = False
    env_file: str = ""
    prices: str = ""
    budget: Budget = Budget()
    model_attempts: int = 0
    answers: str = ""


class AttemptOrder(Record, frozen=True, kw_only=True, tag="attempt"):
    """One attempt. `brief` is the JSON of a `Brief`. `given` is the solution handed in, for agents that get one; `solution`
    is one that is a command, which the engine runs in the agent's stead.

    key_env: the variable that holds the model's key, empty for the provider's own. skills: folders by name. mcp: servers.
    """

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
    solution: Solution | None = None
    key_env: str = ""
    skills: dict[str, Tree] = msgspec.field(default_factory=dict)
    mcp: str = ""
    max_files: int = 4096
    max_bytes: int = 64 << 20


class GradeOrder(Record, frozen=True, kw_only=True, tag="grade"):
    """One grading, the `n`-th by the grader with digest `grader`. `step` is the JSON of a `Step`.

    reason: why the agent knows its work not to be whole; where there is no submission to grade, that is the reason.
    """

    site: Site
    trial: str
    task: str
    step: msgspec.Raw
    submission: Submission
    grader: str
    n: int = 0
    reason: Reason | None = None


Order = AttemptOrder | GradeOrder
