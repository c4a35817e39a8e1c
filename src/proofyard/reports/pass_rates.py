"""pass@k of samples, with what each rate is out of: strict and gated, overall, per domain and per library.

Strict: every task asked for, and of each as many samples as the task with most has; one that is missing, or that has no
valid verdict, counts as not passed. Gated: the same, on tasks whose own solution passes in this environment. A k larger
than the number of samples is not computable, and never estimated from fewer.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from proofyard.core import Outcome, Record
from proofyard.stats import clustered_interval, pass_at_k

__all__ = ["Asked", "Counted", "PassRate", "Rates", "count", "rates_of"]


class Counted(NamedTuple):
    """The samples of one task: how many there are, how many passed, how many have no valid verdict."""

    samples: int = 0
    passed: int = 0
    unjudged: int = 0


class Asked(NamedTuple):
    """One task asked for: its domains and libraries, and whether it passes the gate (None: there is no gate)."""

    domains: Sequence[str] = ()
    libraries: Sequence[str] = ()
    gated: bool | None = None


class PassRate(Record, frozen=True, kw_only=True):
    """pass@k with its 95 % interval over tasks; None: not computable from so few samples."""

    k: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


class Rates(Record, frozen=True, kw_only=True):
    """One row. kind: `overall`, `domain` or `library`. tasks: asked for; covered: of these with a sample.

    planned: samples that the rates are out of; samples: those that are there; unjudged: of these without a valid verdict.
    gated_tasks: tasks that pass the gate, None without one.
    """

    kind: str
    name: str
    tasks: int
    covered: int
    planned: int
    samples: int
    passed: int
    unjudged: int
    strict: tuple[PassRate, ...]
    gated: tuple[PassRate, ...] = ()
    gated_tasks: int | None = None


def count(outcomes: Iterable[Outcome | None]) -> Counted:
    """Count the samples of one task by outcome; None: no verdict."""
    found = list(outcomes)
    passed = found.count(Outcome.PASSED)
    return Counted(len(found), passed, len(found) - passed - found.count(Outcome.FAILED))


def rates_of(
    counted: Mapping[str, Counted], asked: Mapping[str, Asked], ks: Sequence[int], planned: int = 0
) -> list[Rates]:
    """Return the overall row, then one a domain and one a library, by name; a task with several is in several rows.

    counted: task id -> its samples. asked: every task asked for, in any order. planned: samples of each task, if more than
    the task with most has. The work is linear in samples and tasks.
    """
    planned = max([planned, *(counted[task].samples for task in asked if task in counted)])
    groups: dict[tuple[str, str], list[str]] = {("overall", "overall"): list(asked)}
    groups |= _named("domain", {task: info.domains for task, info in asked.items()})
    groups |= _named("library", {task: info.libraries for task, info in asked.items()})
    return [_row(kind, name, tasks, counted, asked, planned, ks) for (kind, name), tasks in groups.items()]


def _named(kind: str, names: Mapping[str, Sequence[str]]) -> dict[tuple[str, str], list[str]]:
    found: dict[str, list[str]] = {}
    for task, of_task in names.items():
        for name in dict.fromkeys(of_task):
            found.setdefault(name, []).append(task)
    return {(kind, name): found[name] for name in sorted(found)}


def _row(
    kind: str,
    name: str,
    tasks: Sequence[str],
    counted: Mapping[str, Counted],
    asked: Mapping[str, Asked],
    planned: int,
    ks: Sequence[int],
) -> Rates:
    of_task = {task: counted.get(task, Counted()) for task in tasks}
    gate = {task: asked[task].gated for task in tasks}
    through = {task: of_task[task] for task in tasks if gate[task]}
    there_is_one = any(gated is not None for gated in gate.values())
    return Rates(
        kind=kind,
        name=name,
        tasks=len(tasks),
        covered=sum(one.samples > 0 for one in of_task.values()),
        planned=planned * len(tasks),
        samples=sum(one.samples for one in of_task.values()),
        passed=sum(one.passed for one in of_task.values()),
        unjudged=sum(one.unjudged for one in of_task.values()),
        strict=tuple(_rate(of_task, planned, k) for k in ks),
        gated=tuple(_rate(through, planned, k) for k in ks) if there_is_one else (),
        gated_tasks=len(through) if there_is_one else None,
    )


def _rate(of_task: Mapping[str, Counted], planned: int, k: int) -> PassRate:
    values: dict[str, list[float]] = {}
    for task, one in of_task.items():
        value = pass_at_k(planned, one.passed, k)
        if value is None:
            return PassRate(k=k)
        values[task] = [value]
    interval = clustered_interval(values)
    if interval is None:
        return PassRate(k=k)
    return PassRate(k=k, value=interval.mean, low=interval.low, high=interval.high)
