"""Attempts as the score sees them, from run folders and result files: for each trial the verdict that counts.

The newest grader of a task is the one whose verdict was journalled last; verdicts of older graders are left out and
counted. Among repeated gradings by one grader the last valid one counts, and a disagreement is told.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from proofyard.core import Outcome, Trial, Verdict
from proofyard.reports.results import ResultFile

__all__ = ["Attempt", "from_result", "from_run"]

LEADERBOARD_BARRED = "agent_isolation"


class Attempt(NamedTuple):
    """One attempt and its verdict. `outcome` None: not graded yet (or not by the newest grader)."""

    subject: str
    name: str
    task: str
    trial: str
    outcome: Outcome | None
    grader: str = ""
    isolation: str = ""
    older: int = 0
    unstable: bool = False
    leaderboard: bool = True


def from_result(result: ResultFile, where: str) -> Attempt:
    """Make an attempt of a result file; `where` (its path) tells two files of one task apart.

    The solutions of different tasks are of one subject here, by its name: a table of one row a file would be none.
    """
    attempt = _attempt(result.trial, [result.verdict], result.verdict.grader)
    return attempt._replace(subject=attempt.name, trial=where)


def from_run(trials: Iterable[Trial], verdicts: Sequence[Verdict]) -> tuple[Attempt, ...]:
    """Join trials and verdicts (in the journal's order). A trial that ended in an infrastructure failure is an error."""
    newest: dict[str, str] = {}
    of_trial: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        newest[verdict.task] = verdict.grader
        of_trial[verdict.trial].append(verdict)
    return tuple(_attempt(trial, of_trial[trial.id], newest.get(trial.task, "")) for trial in trials)


def _attempt(trial: Trial, verdicts: Sequence[Verdict], grader: str) -> Attempt:
    counted = [v for v in verdicts if v.grader == grader]
    valid = [v for v in counted if v.outcome in {Outcome.PASSED, Outcome.FAILED}]
    outcome: Outcome | None = None
    isolation = ""
    if counted:
        last = (valid or counted)[-1]
        outcome, isolation = last.outcome, last.provenance.get("rung", "")
    elif trial.failure is not None:
        outcome = Outcome.ERROR
    return Attempt(
        subject=trial.subject,
        name=trial.subject_name,
        task=trial.task,
        trial=trial.id,
        outcome=outcome,
        grader=grader if counted else "",
        isolation=isolation,
        older=len(verdicts) - len(counted),
        unstable=len({v.outcome for v in valid}) > 1,
        leaderboard=trial.provenance.get(LEADERBOARD_BARRED) != "none" and isolation != "none",
    )
