"""Rows of task by agent and model by condition, from run folders. Attempts of different agents, models, conditions, versions of
a task or of its tests are never counted together.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from proofyard.core import Outcome, Record, Subject, Trial
from proofyard.formats.harbor import IMPORTED, condition_of
from proofyard.reports.attempts import Attempt, from_run
from proofyard.stats import Band, band, wilson
from proofyard.store import RunData

__all__ = ["BandRow", "Row", "Table", "table_of"]


class Row(Record, frozen=True, kw_only=True):
    """One task, one agent with one model (empty: it has none), one condition.

    version: of the task and its tests, empty where all attempts at the task are of one. planned: attempts asked for.
    attempted: attempts with a verdict, `passed` or not; low, high: the 95 % interval (Wilson) of passed among attempted.
    errors: infrastructure failures by code. invalid, ungraded: attempts without a valid verdict, without one at all.
    cost_micro_usd, input_tokens, output_tokens: medians an attempt, of so many (`costs`, `counted`) of `made` that say so.
    imported: attempts whose results come from elsewhere; bare_metal: attempts that ran without isolation.
    """

    task: str
    version: str
    agent: str
    model: str
    condition: str
    planned: int
    made: int
    passed: int
    attempted: int
    low: float
    high: float
    errors: dict[str, int]
    invalid: int
    ungraded: int
    cost_micro_usd: int | None
    costs: int
    input_tokens: int | None
    output_tokens: int | None
    counted: int
    imported: int
    bare_metal: int


class BandRow(Record, frozen=True, kw_only=True):
    """The band of a task under a condition, by so many models with so many attempts."""

    task: str
    version: str
    condition: str
    band: Band
    models: int
    attempted: int


class Table(NamedTuple):
    """All rows, sorted. repeated: attempts found in several of the runs, counted once; older: verdicts of older graders."""

    rows: tuple[Row, ...]
    bands: tuple[BandRow, ...]
    repeated: int
    older: int


class _Key(NamedTuple):
    """What is counted together: task, its version, and the subject's digest."""

    task: str
    version: str
    subject: str


class _Group:
    """Attempts that are counted together."""

    def __init__(self) -> None:
        self.planned = 0
        self.found: dict[str, tuple[Attempt, Trial]] = {}
        self.failures: dict[str, str] = {}


def table_of(runs: Sequence[RunData]) -> Table:
    """The table of some run folders. An attempt that is in several of them is taken from the last."""
    subjects = {subject.digest: subject for run in runs for plan in run.plans for subject in plan.subjects}
    groups: dict[_Key, _Group] = defaultdict(_Group)
    seen = older = 0
    judged = [from_run(run.trials.values(), list(run.verdicts.values())) for run in runs]
    known = _known_graders(runs, judged)
    for run, attempts in zip(runs, judged, strict=True):
        versions = _versions(run, attempts, known)
        for key in _planned(run, versions):
            groups[key].planned = max(groups[key].planned, run.plan.attempts)
        newest = run.newest()
        for attempt in attempts:
            trial = run.trials[attempt.trial]
            group = groups[_Key(attempt.task, versions[attempt.task], attempt.subject)]
            group.found[attempt.trial] = (attempt, trial)
            verdict = newest.get(attempt.trial)
            failure = verdict.failure if verdict is not None and verdict.failure else trial.failure
            if attempt.outcome is Outcome.ERROR and failure is not None:
                group.failures[attempt.trial] = failure.code
            seen += 1
            older += attempt.older
    several = _several(groups)
    labels = _labels({key.subject: subjects[key.subject] for key in groups})
    pairs = sorted(groups.items(), key=lambda item: (item[0].task, labels[item[0].subject], item[0]))
    rows = tuple(
        _row(key, group, labels[key.subject], key.version if key.task in several else "") for key, group in pairs
    )
    return Table(rows, _bands(rows), seen - sum(len(group.found) for group in groups.values()), older)


def _known_graders(runs: Sequence[RunData], attempts: Sequence[Sequence[Attempt]]) -> dict[tuple[str, str], set[str]]:
    """Task and brief -> the graders that count in one of the runs."""
    known: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run, several in zip(runs, attempts, strict=True):
        for attempt in several:
            if attempt.grader:
                known[attempt.task, run.trials[attempt.trial].brief].add(attempt.grader)
    return known


def _versions(run: RunData, attempts: Iterable[Attempt], known: Mapping[tuple[str, str], set[str]]) -> dict[str, str]:
    """Task -> what decides whether attempts at it may be counted together: its brief and the grader that counts.

    A run without a verdict at a task goes with the others where these have but one grader.
    """
    graders = {attempt.task: attempt.grader for attempt in attempts if attempt.grader}
    briefs = {trial.task: trial.brief for trial in run.trials.values()} | run.header.briefs
    found = {}
    for task in {*run.plan.tasks, *(trial.task for trial in run.trials.values())}:
        brief = briefs.get(task, "")
        others = known.get((task, brief), set())
        grader = graders.get(task) or (next(iter(others)) if len(others) == 1 else "")
        found[task] = f"{brief[:6]}.{grader[:6]}"
    return found


def _planned(run: RunData, versions: Mapping[str, str]) -> Iterator[_Key]:
    for task in run.plan.tasks:
        for subject in run.plan.subjects:
            yield _Key(task, versions[task], subject.digest)


def _several(groups: Iterable[_Key]) -> set[str]:
    """Tasks of which there is more than one version."""
    versions: dict[str, set[str]] = defaultdict(set)
    for key in groups:
        versions[key.task].add(key.version)
    return {task for task, found in versions.items() if len(found) > 1}


def _labels(subjects: Mapping[str, Subject]) -> dict[str, tuple[str, str, str]]:
    """Subject -> agent, model, condition, told apart by a piece of the digest where they would read the same."""
    found = {digest: _label(subject) for digest, subject in subjects.items()}
    counts = Counter(found.values())
    return {
        digest: label if counts[label] == 1 else (f"{label[0]} ({digest[:6]})", *label[1:])
        for digest, label in found.items()
    }


def _label(subject: Subject) -> tuple[str, str, str]:
    sampling = subject.sampling
    asked = (("t", sampling.temperature), ("p", sampling.top_p), ("reasoning", sampling.reasoning))
    parts = [
        subject.agent,
        *subject.parameters.values(),
        *(f"{sign}={value}" for sign, value in asked if value is not None),
    ]
    return ":".join(parts), subject.model or "", condition_of(subject)


def _row(key: _Key, group: _Group, label: tuple[str, str, str], version: str) -> Row:
    attempts = [attempt for attempt, _ in group.found.values()]
    trials = [trial for _, trial in group.found.values()]
    passed = sum(attempt.outcome is Outcome.PASSED for attempt in attempts)
    attempted = passed + sum(attempt.outcome is Outcome.FAILED for attempt in attempts)
    low, high = wilson(passed, attempted)
    costs = [t.spend.cost_micro_usd for t in trials if t.spend.cost_micro_usd is not None]
    tokens = [
        (t.spend.input_tokens, t.spend.output_tokens)
        for t in trials
        if t.spend.input_tokens is not None and t.spend.output_tokens is not None
    ]
    return Row(
        task=key.task,
        version=version,
        agent=label[0],
        model=label[1],
        condition=label[2],
        planned=max(group.planned, len(attempts)),
        made=len(attempts),
        passed=passed,
        attempted=attempted,
        low=low,
        high=high,
        errors=dict(sorted(Counter(group.failures[a.trial] for a in attempts if a.trial in group.failures).items())),
        invalid=sum(attempt.outcome is Outcome.INVALID for attempt in attempts),
        ungraded=sum(attempt.outcome is None for attempt in attempts),
        cost_micro_usd=_median(costs),
        costs=len(costs),
        input_tokens=_median([one for one, _ in tokens]),
        output_tokens=_median([other for _, other in tokens]),
        counted=len(tokens),
        imported=sum(IMPORTED in trial.provenance for trial in trials),
        bare_metal=sum(not attempt.leaderboard for attempt in attempts),
    )


def _median(values: Sequence[int]) -> int | None:
    return round(median(values)) if values else None


def _bands(rows: Iterable[Row]) -> tuple[BandRow, ...]:
    """Of each task under each condition; only agents that have a model count, each with each model for itself."""
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.task, row.version, row.condition].append(row)
    found = []
    for (task, version, condition), several in sorted(groups.items()):
        tried = [row for row in several if row.model and row.attempted]
        found.append(
            BandRow(
                task=task,
                version=version,
                condition=condition,
                band=band([row.passed / row.attempted for row in tried]),
                models=len(tried),
                attempted=sum(row.attempted for row in tried),
            )
        )
    return tuple(found)
