"""Who is measured (`Subject`), and what a run is to do (`Plan`)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from proofyard.core.record import Record, decimal_text, digest_of
from proofyard.core.task import Budget

__all__ = ["Owed", "Plan", "Sampling", "Subject", "trial_id"]


class Sampling(Record, frozen=True, kw_only=True):
    """A model's inference settings. Numbers are decimal strings (`decimal_text`); None is the provider's default.

    stop: texts at which the model stops. reasoning: a level (`low`, `medium`, `high`, `off`, ...) or a number of tokens.
    extra: further fields of the provider's own request, each value JSON or plain text.
    """

    temperature: str | None = None
    top_p: str | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    reasoning: str | None = None
    extra: dict[str, str] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("temperature", "top_p"):
            value = getattr(self, name)
            if value is not None and value != decimal_text(value):
                raise ValueError(f"{name}: write {decimal_text(value)!r}, not {value!r}")


class Subject(Record, frozen=True, kw_only=True):
    """One row of a leaderboard: agent, its version and parameters, model and sampling, skills, MCP servers, budget."""

    agent: str
    version: str = ""
    parameters: dict[str, str] = msgspec.field(default_factory=dict)
    model: str | None = None
    base_url: str | None = None
    sampling: Sampling = Sampling()
    skills: tuple[str, ...] = ()
    mcp: tuple[str, ...] = ()
    budget: Budget = Budget()

    @property
    def name(self) -> str:
        """A short name for tables."""
        return f"{self.agent}:{self.model}" if self.model else self.agent


class Owed(NamedTuple):
    """One trial that a plan asks for. `k` counts from 0."""

    id: str
    task: str
    subject: Subject
    k: int


class Plan(Record, frozen=True, kw_only=True):
    """What a run is to do. `version` is the dataset's; `tasks` are ids in dataset order; `subset` is what was asked for."""

    suite: str
    version: str
    tasks: tuple[str, ...]
    subjects: tuple[Subject, ...]
    attempts: int = 1
    subset: str = ""
    grade: bool = True

    def expand(self, briefs: Mapping[str, str]) -> Iterator[Owed]:
        """All trials in order: attempt, task, subject. `briefs` maps a task id to its brief's digest. Pure."""
        for k in range(self.attempts):
            for task in self.tasks:
                for subject in self.subjects:
                    yield Owed(trial_id(briefs[task], subject, k), task, subject, k)


def trial_id(brief: str, subject: Subject, k: int) -> str:
    """The id of attempt `k` (from 0) of `subject` at the brief with that digest: 32 hexadecimal digits."""
    return digest_of({"brief": brief, "subject": subject, "k": k})[:32]
