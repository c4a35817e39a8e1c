"""What a run found, as checks look at it: verdicts by task and subject, whether attempts agree, and what was seen first."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from proofyard.core import Trial, Verdict
from proofyard.store import RunData

__all__ = ["Attempted", "Graded", "attempted", "differing", "graded", "seen_first"]

Graded = Mapping[tuple[str, str], Sequence[Verdict]]
"""Task id and name of the subject (`oracle`, `nop`, `given:NAME`) -> the verdict of each attempt, in order."""


Attempted = Mapping[tuple[str, str], Sequence[Trial]]
"""The same keys -> the trial of each attempt that was graded, in order."""


def graded(data: RunData) -> Graded:
    """The newest verdict of each trial of a run; trials that have none yet are absent."""
    newest = data.newest()
    return {key: [newest[trial.id] for trial in trials] for key, trials in attempted(data).items()}


def attempted(data: RunData) -> Attempted:
    """The trials of a run that have a verdict."""
    newest = data.newest()
    found: dict[tuple[str, str], list[Trial]] = defaultdict(list)
    for trial in sorted(data.trials.values(), key=lambda one: one.k):
        if trial.id in newest:
            found[trial.task, trial.subject_name].append(trial)
    return dict(found)


def differing(verdicts: Sequence[Verdict]) -> str:
    """How the first attempt that differs from attempt 1 does so (outcome, reason or an assertion count); "" if none does."""
    for number, verdict in enumerate(verdicts[1:], start=2):
        first = verdicts[0]
        for what, one, other in (
            ("outcome", first.outcome, verdict.outcome),
            ("reason", first.reason, verdict.reason),
            *(
                (f"{kind} assertions passed", group.passed, other.passed if other else 0)
                for kind, group in first.groups.items()
                for other in (verdict.groups.get(kind),)
            ),
        ):
            if one != other:
                return f"attempts 1 and {number} differ in {what}: {one} and {other}"
    return ""


def seen_first(verdict: Verdict) -> str:
    """The first thing that went wrong, in one line."""
    seen = verdict.evidence
    if verdict.failure:
        said = " / ".join(seen.got.strip().splitlines()[-3:])
        return verdict.failure.message + (f"; the tests printed: {said[-300:]}" if said else "")
    parts = (seen.where, seen.note, seen.request, seen.expected, seen.got)
    return " ".join(" ".join(part for part in parts if part).split())[:400]
