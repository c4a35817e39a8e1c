"""What the engine is asked, what it answers, and what it says on the way."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from proofyard.core import Record

__all__ = ["Counts", "Progress", "RunOutcome", "RunRequest", "Tally"]


class RunRequest(Record, frozen=True, kw_only=True):
    """A run as asked for on the command line.

    agents: `name` or `name:argument`. subset, tasks, families: what of the suite (all empty: all of it). concurrency:
    slots of the local executor. unsafe: accept no isolation where nothing better works. grade: False only collects
    submissions. seed: of a private dataset. suite_options: what the suite is to know besides, e.g. where its data are.
    isolation: what the caller knows of this machine's isolation, kept in the run's header; what a grading really ran on is in
    its verdict.
    """

    suite: str
    output: str
    agents: tuple[str, ...]
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
    """How a run ended, and its folder. `errors`: up to ten different infrastructure failures, one line each."""

    path: Path
    counts: Counts
    interrupted: bool = False
    errors: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """130 interrupted, 3 if a trial is in error, 1 if a submission failed, else 0."""
        if self.interrupted:
            return 130
        if self.counts.error:
            return 3
        return 1 if self.counts.failed else 0


class Tally:
    """Counting: each trial ends once."""

    def __init__(self, total: int) -> None:
        self._counts: dict[str, int] = {}
        self.total = total
        self.owed = total
        self.errors: dict[str, None] = {}

    def end(self, how: str, error: str = "") -> None:
        """A trial is over: `how` is a field of `Counts`, `error` one line of what went wrong in the infrastructure."""
        self._counts[how] = self._counts.get(how, 0) + 1
        self.owed -= 1
        if error and len(self.errors) < 10:
            self.errors[error] = None

    def counts(self, left_s: float | None = None) -> Counts:
        """Return how the run stands."""
        return Counts(total=self.total, owed=self.owed, left_s=left_s, **self._counts)
