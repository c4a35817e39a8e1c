"""Gradings of known submissions as runs of the engine: which agents, how often, and how each is graded."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from proofyard.core import Blobs, Brief, Place, Step, Suite, Task, Trial, Verdict
from proofyard.engine import Counts, Progress, RunOutcome, RunRequest, run
from proofyard.engine.grading import grader_digest
from proofyard.engine.plugins import grader_of
from proofyard.store import RunData, read_run

__all__ = ["Altered", "Overall", "Remembered", "Stage", "changed_since", "perform"]

Alter = Callable[[Step], Step]


class Stage(NamedTuple):
    """One run: its folder below the verification's, agents, attempts, and the step as it is graded there.

    gradings: how many trials it really has; of the others in its plan the tasks have no solution.
    """

    name: str
    agents: tuple[str, ...]
    attempts: int
    alter: Alter
    gradings: int


class Remembered:
    """A suite of which each task is made once."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._tasks: dict[str, Task] = {}
        self.name = suite.name
        self.version = suite.version

    def ids(self, subset: str = "") -> Sequence[str]:
        """Task ids in dataset order. Raises UnknownNameError."""
        return self._suite.ids(subset)

    def load(self, task_id: str) -> Task:
        """The task of that id. Raises UnknownNameError."""
        if task_id not in self._tasks:
            self._tasks[task_id] = self._suite.load(task_id)
        return self._tasks[task_id]

    def brief(self, task_id: str) -> Brief:
        """The brief of a task. Raises UnknownNameError."""
        return self.load(task_id).steps[0].brief

    def place(self, task_id: str) -> Place:
        """Where a task belongs. Raises UnknownNameError."""
        return self._suite.place(task_id)

    def assertions(self, task_id: str) -> int:
        """How many assertions a task has. Raises UnknownNameError."""
        return self._suite.assertions(task_id)

    def blobs(self) -> Blobs:
        """The contents which the tasks' trees refer to."""
        return self._suite.blobs()


class Altered(Remembered):
    """A suite whose tasks are graded otherwise."""

    def __init__(self, suite: Suite, alter: Alter) -> None:
        super().__init__(suite)
        self._alter = alter

    def load(self, task_id: str) -> Task:
        """The task of that id, its step altered. Raises UnknownNameError."""
        task = self._suite.load(task_id)
        return msgspec.structs.replace(task, steps=tuple(self._alter(step) for step in task.steps))


class Overall:
    """Progress over several families: what is over, what is owed, how long it may take at the pace so far.

    What the families not yet begun owe is taken to be what those begun owe on average.
    """

    def __init__(self, families: int, progress: Progress, clock: Callable[[], float]) -> None:
        self._families = families
        self._begun = 0
        self._known = 0
        self._progress = progress
        self._clock = clock
        self._start = clock()
        self._earlier = Counts()
        self._now = Counts()
        self._at_start: int | None = None

    def begin(self, gradings: int) -> None:
        """Another family begins, which has so many gradings."""
        self._begun += 1
        self._known += gradings

    def update(self, counts: Counts) -> None:
        """Take the newest counts of the run under way."""
        self._now = counts
        done = self._sum("passed") + self._sum("failed") + self._sum("invalid") + self._sum("error")
        if self._at_start is None:
            self._at_start = done
        total = max(done, round(self._known * self._families / max(1, self._begun)))
        fresh, owed = done - self._at_start, total - done
        left = (self._clock() - self._start) / fresh * owed if fresh else None
        names = ("passed", "failed", "invalid", "error")
        sums = {name: self._sum(name) for name in names}
        self._progress(Counts(total=total, owed=owed, left_s=left, **sums))

    def next(self) -> None:
        """The run under way is over; another begins."""
        names = ("passed", "failed", "invalid", "error")
        self._earlier = Counts(**{name: self._sum(name) for name in names})
        self._now = Counts()

    def _sum(self, name: str) -> int:
        total: int = getattr(self._earlier, name) + getattr(self._now, name)
        return total


def perform(request: RunRequest, stage: Stage, suite: Suite, overall: Overall) -> tuple[RunOutcome, RunData]:
    """Run a stage, or go on with it, and read what it found.

    Raises:
        UsageError, InfrastructureError: see `proofyard.engine.run`.

    """
    folder = Path(request.output) / stage.name
    mine = msgspec.structs.replace(request, output=str(folder), agents=stage.agents, attempts=stage.attempts)
    outcome = run(mine, overall.update, suite=Altered(suite, stage.alter))
    overall.next()
    return outcome, read_run(folder)


def changed_since(folder: Path, suite: Suite, stages: Sequence[Stage]) -> str:
    """Which program or grading is not the one whose gradings a folder holds from an earlier start; "" if there is none.

    Raises:
        UsageError: the folder is damaged.

    """
    for stage in stages:
        if (folder / stage.name / "run.json").is_file():
            data = read_run(folder / stage.name)
            if data.plan.version != suite.version:
                return "the dataset"
            newest = data.newest()
            for trial in data.trials.values():
                stale = _stale(trial, newest.get(trial.id), suite, stage)
                if stale:
                    return stale
    return ""


def _stale(trial: Trial, verdict: Verdict | None, suite: Suite, stage: Stage) -> str:
    if trial.task not in suite.ids():
        return ""
    task = suite.load(trial.task)
    name = {"oracle": "reference"}.get(trial.subject_name, trial.subject_name.removeprefix("given:"))
    solution = task.solution(name)
    if (
        solution is not None
        and not solution.argv
        and trial.submissions
        and trial.submissions[0].tree != solution.tree.digest
    ):
        return f"{name} of {trial.task}"
    step = stage.alter(task.steps[0])
    if verdict is not None and verdict.grader != grader_digest(step, grader_of(step.grader.kind)):
        return f"the grading of {trial.task}"
    return ""
