"""Reading a run folder, without its lock and without changing it."""

from pathlib import Path

import msgspec

from proofyard.core import Outcome, Plan, Trial, UsageError, Verdict
from proofyard.store.blobs import FileBlobs
from proofyard.store.journal import (
    PlanLine,
    TrialLine,
    VerdictLine,
    read_document,
    read_lines,
    terminal_trial,
    terminal_verdict,
)

__all__ = ["RunData", "RunHeader", "read_run"]


class RunHeader(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """run.json: what a run was started with.

    plan: the first plan (later ones are revisions). seed: of the dataset, None for the public one. suite_options: what makes
    the suite again besides, e.g. where its data are. briefs: task id -> digest of its brief, so that a dataset changed
    without a new version is noticed, and a resumed run need not load what it has. python, hardware, isolation: facts of the
    machine, for the reader of a result.
    """

    schema: int
    created: str
    proofyard: str
    plan: Plan
    seed: int | None = None
    suite_options: dict[str, str] = msgspec.field(default_factory=dict)
    briefs: dict[str, str] = msgspec.field(default_factory=dict)
    python: str = ""
    hardware: dict[str, str] = msgspec.field(default_factory=dict)
    isolation: dict[str, str] = msgspec.field(default_factory=dict)


class RunData(msgspec.Struct, frozen=True, kw_only=True):
    """All records of a run: one trial an id, one verdict an id, in the order in which they were journalled."""

    path: Path
    header: RunHeader
    plans: tuple[Plan, ...]
    trials: dict[str, Trial]
    verdicts: dict[str, Verdict]

    @property
    def plan(self) -> Plan:
        """The plan that holds: the last revision, or the first plan."""
        return self.plans[-1]

    @property
    def blobs(self) -> FileBlobs:
        """The run's contents (submitted trees and their files)."""
        return FileBlobs(self.path / "blobs")

    def newest(self) -> dict[str, Verdict]:
        """Trial id -> the verdict that holds for it.

        That is one of the grader digest which graded the trial last; of several by that grader the last, an
        infrastructure error only if there is nothing else. Trials not graded yet are absent.
        """
        found: dict[str, Verdict] = {}
        for verdict in self.verdicts.values():
            before = found.get(verdict.trial)
            same = before is not None and before.grader == verdict.grader
            if not (same and verdict.outcome is Outcome.ERROR and before and before.outcome is not Outcome.ERROR):
                found[verdict.trial] = verdict
        return found

    def graders(self) -> dict[str, int]:
        """Grader digest -> how many of the newest verdicts are its own, most first."""
        counts: dict[str, int] = {}
        for verdict in self.newest().values():
            counts[verdict.grader] = counts.get(verdict.grader, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def read_run(path: Path) -> RunData:
    """Read a run folder.

    Raises:
        UsageError: it is none, is damaged (the message names file and line), or a newer version wrote it.

    """
    if not path.exists():
        raise UsageError(f"{path} does not exist")
    if not (path / "run.json").is_file():
        raise UsageError(f"{path} is no run folder of proofyard (it has no run.json)")
    header = read_document(path / "run.json", RunHeader)
    revisions = tuple(line.plan for line in read_lines(path / "revisions.jsonl", PlanLine))
    trials: dict[str, Trial] = {}
    for trial_line in read_lines(path / "trials.jsonl", TrialLine):
        trial = trial_line.trial
        if trial.id not in trials or not terminal_trial(trials[trial.id]):
            trials[trial.id] = trial
    verdicts: dict[str, Verdict] = {}
    for verdict_line in read_lines(path / "verdicts.jsonl", VerdictLine):
        verdict = verdict_line.verdict
        if verdict.id not in verdicts or not terminal_verdict(verdicts[verdict.id]):
            verdicts[verdict.id] = verdict
    return RunData(path=path, header=header, plans=(header.plan, *revisions), trials=trials, verdicts=verdicts)
