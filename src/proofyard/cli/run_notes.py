"""What the end of a run says of its models: answers that were cut, parameters that were not sent, calls made again."""

from collections import Counter
from collections.abc import Iterable

from proofyard.core import Reason, Trial

__all__ = ["model_notes"]

_TASKS_SHOWN = 5


def model_notes(trials: Iterable[Trial]) -> list[str]:
    """Return a line for each thing that a reader of the results must know, by subject."""
    subjects: dict[str, list[Trial]] = {}
    for trial in trials:
        if "model" in trial.provenance:
            subjects.setdefault(trial.subject_name, []).append(trial)
    return [line for name, rows in sorted(subjects.items()) for line in _of_subject(name, rows)]


def _of_subject(name: str, trials: list[Trial]) -> list[str]:
    lines = []
    for reason, what in (
        (Reason.TRUNCATED, "cut at the limit of tokens"),
        (Reason.BUDGET, "ended by a budget of the attempt"),
    ):
        tasks = Counter(trial.task for trial in trials if trial.reason is reason)
        if tasks:
            lines.append(f"{name}: {tasks.total()} of {len(trials)} attempts {what} ({_shown(tasks)})")
    dropped = sorted({trial.provenance["dropped"] for trial in trials if "dropped" in trial.provenance})
    lines += [f"{name}: not sent: {one}" for one in dropped]
    for fact, what in (
        ("provider_tools_removed", "tools of the provider taken out of requests"),
        ("refused_models", "other models refused"),
    ):
        found = sorted({one for trial in trials for one in trial.provenance.get(fact, "").split(", ") if one})
        if found:
            lines.append(f"{name}: {what}: {', '.join(found)}")
    retries = sum(int(trial.provenance.get("retries", "0")) for trial in trials)
    if retries:
        lines.append(f"{name}: calls made again after a failure: {retries}")
    return lines


def _shown(tasks: Counter[str]) -> str:
    shown = [f"{task} {count}" if count > 1 else task for task, count in tasks.most_common(_TASKS_SHOWN)]
    more = len(tasks) - len(shown)
    return ", ".join(shown) + (f" and {more} more tasks" if more else "")
