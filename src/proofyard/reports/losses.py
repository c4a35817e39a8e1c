"""Why the attempts of a run failed: reasons counted, the first of each task, and what went wrong with the agents."""

from collections import Counter
from collections.abc import Iterable, Sequence

from proofyard.core import Outcome, Trial, Verdict
from proofyard.reports.clean import clean, shorten

__all__ = ["losses"]


def losses(trials: Iterable[Trial], verdicts: Sequence[Verdict], limit: int = 8) -> list[str]:
    """Return lines for a person: failed attempts by reason, up to `limit` of them each with where it first went wrong,
    and failures of agents (a command that could not start, a time limit), counted by what was said.
    """
    latest = {verdict.trial: verdict for verdict in verdicts}
    failed = [verdict for verdict in latest.values() if verdict.outcome is Outcome.FAILED]
    lines = []
    if failed:
        counts = Counter(str(verdict.reason) for verdict in failed)
        lines.append("failed by reason: " + ", ".join(f"{reason} {count}" for reason, count in counts.most_common()))
    for verdict in failed[:limit]:
        seen = verdict.evidence
        said = "; ".join(part for part in (seen.where, seen.note) if part)
        lines.append(f"  {verdict.task}: {verdict.reason}" + (f": {clean(shorten(said, 200))}" if said else ""))
    if len(failed) > limit:
        lines.append(f"  and {len(failed) - limit} more")
    agents = Counter(clean(trial.failure.message) for trial in trials if trial.failure is not None)
    lines += [f"agent, {count} attempts: {shorten(message, 300)}" for message, count in agents.most_common(3)]
    return lines
