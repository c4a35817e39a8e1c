"""Resolve rates: resolve@1 per tier and overall, strict and among submitted, with intervals, and what each is out of.

A task's score is the mean over its attempts, never the best. Strict: a task without an attempt, and an attempt without a
valid verdict, count as not resolved. Submitted: only attempts that have a valid verdict. Intervals are clustered by
family, since the tiers of one family and the attempts at one task stand or fall together.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from proofyard.core import Outcome, Record
from proofyard.reports.attempts import Attempt
from proofyard.stats import clustered_interval

__all__ = ["OVERALL", "Rate", "Score", "TaskInfo", "score_attempts"]

OVERALL = "overall"


class TaskInfo(NamedTuple):
    """Where a task belongs: its tier and its family."""

    subset: str
    family: str


class Rate(Record, frozen=True, kw_only=True):
    """One row: `tasks` attempted out of `total`, attempts by outcome, and the two rates with 95 % intervals (None: no data).

    planned: attempts which the run was asked for at these tasks, 0 where nobody said.
    """

    subset: str
    total: int
    tasks: int = 0
    attempts: int = 0
    planned: int = 0
    passed: int = 0
    failed: int = 0
    invalid: int = 0
    error: int = 0
    ungraded: int = 0
    strict: float | None = None
    strict_low: float | None = None
    strict_high: float | None = None
    submitted: float | None = None
    submitted_low: float | None = None
    submitted_high: float | None = None

    @property
    def complete(self) -> bool:
        """Whether every task and every attempt planned is there, each with a valid verdict."""
        there = self.tasks == self.total and self.attempts >= self.planned
        return there and not (self.invalid or self.error or self.ungraded)


class Score(Record, frozen=True, kw_only=True):
    """All rows of one subject. `unstable` names tasks whose repeated gradings of one submission disagree."""

    subject: str
    name: str
    rows: tuple[Rate, ...]
    isolation: tuple[str, ...] = ()
    graders: int = 0
    grader: str = ""
    older: int = 0
    unstable: tuple[str, ...] = ()
    leaderboard: bool = True


def score_attempts(
    attempts: Iterable[Attempt],
    tasks: Mapping[str, TaskInfo],
    grader: str = "",
    planned: Mapping[str, int] | None = None,
) -> list[Score]:
    """Score each subject on `tasks` (id -> tier and family, in dataset order); attempts at other tasks are left out.

    planned: subject -> attempts asked for at each task; one that was not made counts as not resolved in strict.
    """
    subjects: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        if attempt.task in tasks:
            subjects[attempt.subject].append(attempt)
    wanted = planned or {}
    ordered = sorted(subjects.items(), key=lambda pair: pair[1][0].name)
    return [_score(items, tasks, grader, wanted.get(subject, 0)) for subject, items in ordered]


def _score(items: Sequence[Attempt], tasks: Mapping[str, TaskInfo], grader: str, planned: int) -> Score:
    tiers: dict[str, list[str]] = defaultdict(list)
    for task, info in tasks.items():
        tiers[info.subset].append(task)
    rows = [_rate(name, ids, items, tasks, planned) for name, ids in tiers.items()]
    if len(rows) != 1:
        rows.append(_rate(OVERALL, list(tasks), items, tasks, planned))
    first = items[0]
    return Score(
        subject=first.subject,
        name=first.name,
        rows=tuple(rows),
        isolation=tuple(sorted({a.isolation for a in items if a.isolation})),
        graders=len({a.grader for a in items if a.grader}),
        grader=grader,
        older=sum(a.older for a in items),
        unstable=tuple(sorted({a.task for a in items if a.unstable})),
        leaderboard=all(a.leaderboard for a in items),
    )


def _rate(name: str, ids: Sequence[str], items: Sequence[Attempt], tasks: Mapping[str, TaskInfo], planned: int) -> Rate:
    wanted = set(ids)
    per_task: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in items:
        if attempt.task in wanted:
            per_task[attempt.task].append(attempt)
    strict: dict[str, list[float]] = defaultdict(list)
    submitted: dict[str, list[float]] = defaultdict(list)
    for task in ids:
        family = tasks[task].family
        scores = [_score_of(a) for a in per_task[task]]
        strict[family].append(sum(s or 0.0 for s in scores) / max(len(scores), planned, 1))
        valid = [s for s in scores if s is not None]
        if valid:
            submitted[family].append(sum(valid) / len(valid))
    all_strict, all_submitted = clustered_interval(strict), clustered_interval(submitted)
    flat = [a for group in per_task.values() for a in group]
    return Rate(
        subset=name,
        total=len(ids),
        tasks=sum(1 for group in per_task.values() if group),
        attempts=len(flat),
        planned=planned * len(ids),
        passed=sum(a.outcome is Outcome.PASSED for a in flat),
        failed=sum(a.outcome is Outcome.FAILED for a in flat),
        invalid=sum(a.outcome is Outcome.INVALID for a in flat),
        error=sum(a.outcome is Outcome.ERROR for a in flat),
        ungraded=sum(a.outcome is None for a in flat),
        strict=all_strict.mean if all_strict else None,
        strict_low=all_strict.low if all_strict else None,
        strict_high=all_strict.high if all_strict else None,
        submitted=all_submitted.mean if all_submitted else None,
        submitted_low=all_submitted.low if all_submitted else None,
        submitted_high=all_submitted.high if all_submitted else None,
    )


def _score_of(attempt: Attempt) -> float | None:
    """1 or 0 for a valid verdict (a task is resolved or not), None otherwise."""
    if attempt.outcome is Outcome.PASSED:
        return 1.0
    return 0.0 if attempt.outcome is Outcome.FAILED else None
