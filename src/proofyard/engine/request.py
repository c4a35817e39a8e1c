"""What the engine is asked, what it answers, and what it says on the way."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from proofyard.core import Budget, Record, Sampling

__all__ = ["Counts", "Entrant", "Progress", "RunOutcome", "RunRequest", "Tally"]


class Entrant(Record, frozen=True, kw_only=True):
    """Who is to be measured, as asked for: an agent (`name` or `name:argument`), and for agents that take one a model.

    key_env: the variable that holds the key, empty for the provider's own. budget: of one attempt; limits left open are the
    agent's own. conditions: `skill:DIR` and `mcp:FILE`, none is bare.
    """

    agent: str
    model: str = ""
    base_url: str = ""
    key_env: str = ""
    sampling: Sampling = Sampling()
    budget: Budget = Budget()
    conditions: tuple[str, ...] = ()


class RunRequest(Record, frozen=True, kw_only=True):
    """A run as asked for on the command line.

    agents: `name` or `name:argument`; entrants: the same with models and conditions. subset, tasks, families: what of the
    suite (all empty: all of it). concurrency: slots of the local executor. unsafe: accept no isolation where nothing better
    works. grade: False only collects submissions. seed: of a private dataset. suite_options: what the suite is to know
    besides, e.g. where its data are. isolation: what the caller knows of this machine's isolation, kept in the run's header;
    what a grading really ran on is in its verdict. budget: of the whole run. env_file, prices, model_attempts, answers: see
    `Site`.
    """

    suite: str
    output: str
    agents: tuple[str, ...] = ()
    entrants: tuple[Entrant, ...] = ()
    subset: str = ""
    tasks: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    attempts: int = 1
    concurrency: int = 1
    unsafe: bool = False
    grade: bool = True
    seed: int | None = None
    suite_options: dict[str, str] = msgspec.field(default_factory=dict)
    isolation: dict[str, str] = msgspec.field(default_factory=dict)
    budget: Budget = Budget()
    env_file: str = ""
    prices: str = ""
    model_attempts: int = 0
    answers: str = ""


class Counts(Record, frozen=True, kw_only=True):
    """How a run stands, in trials. `left_s`: estimated seconds to the end, None while unknown.

    missing: the agent had nothing to submit. ungraded: submitted in a run that does not grade. owed: not over yet.
    """

    total: int = 0
    passed: int = 0
    failed: int = 0
    invalid: int = 0
    error: int = 0
    missing: int = 0
    ungraded: int = 0
    owed: int = 0
    left_s: float | None = None


Progress = Callable[[Counts], None]
"""Called on the coordinator's thread at the start, after every trial that is over, and at the end."""


class RunOutcome(Record, frozen=True, kw_only=True):
    """How a run ended, and its folder. `errors`: up to ten different infrastructure failures, one line each.

    stopped: why trials that are owed were not begun (a budget, a key that is not taken), one line each. calls: of models,
    by the whole run up to now. cost_micro_usd: what they cost, None if that of one is not known. cost_at_most_micro_usd: what
    they cost at most, None if that of one has no bound. unreported: calls whose usage never came.
    """

    path: Path
    counts: Counts
    interrupted: bool = False
    errors: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    calls: int = 0
    cost_micro_usd: int | None = None
    cost_at_most_micro_usd: int | None = None
    unreported: int = 0

    @property
    def exit_code(self) -> int:
        """130 interrupted, 3 if a trial is in error or was not begun, 1 if a submission failed, else 0."""
        if self.interrupted:
            return 130
        if self.counts.error or self.stopped:
            return 3
        return 1 if self.counts.failed else 0


class Tally:
    """Counting: each trial ends once."""

    def __init__(self, total: int) -> None:
        self._counts: dict[str, int] = {}
        self.total = total
        self.owed = total
        self.errors: dict[str, None] = {}
        self.stopped: dict[str, None] = {}

    def end(self, how: str, error: str = "") -> None:
        """A trial is over: `how` is a field of `Counts`, `error` one line of what went wrong in the infrastructure."""
        self._counts[how] = self._counts.get(how, 0) + 1
        self.owed -= 1
        if error and len(self.errors) < 10:
            self.errors[error] = None

    def counts(self, left_s: float | None = None) -> Counts:
        """Return how the run stands."""
        return Counts(total=self.total, owed=self.owed, left_s=left_s, **self._counts)
