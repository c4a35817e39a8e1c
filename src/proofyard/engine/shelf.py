"""The tasks of a run, loaded when they are first needed: a run that is nearly done does not wait for all the others."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from proofyard.agents import AgentPlugin
from proofyard.core import Blobs, Grader, Solution, Subject, Suite, Task, UnknownNameError, UsageError
from proofyard.engine.grading import grader_digest
from proofyard.engine.plugins import Group, grader_of, load

__all__ = ["Prepared", "Shelf", "task_names"]


class Prepared:
    """A task with its JSON, encoded once for all its trials, and the digests its ids are made of."""

    def __init__(self, task: Task, grader: Grader) -> None:
        self.task = task
        self.step = task.steps[0]
        self.brief_json = msgspec.Raw(msgspec.json.encode(self.step.brief))
        hidden = msgspec.structs.replace(self.step.hidden, solutions=())  # no grading needs to see them
        self.step_json = msgspec.Raw(msgspec.json.encode(msgspec.structs.replace(self.step, hidden=hidden)))
        self.brief_digest = self.step.brief.digest
        self.grader_digest = grader_digest(self.step, grader)


class Shelf:
    """Tasks by id. `briefs`, if known from an earlier start, are what the tasks' briefs must be."""

    def __init__(self, suite: Suite, briefs: Mapping[str, str]) -> None:
        self._suite = suite
        self._briefs = briefs
        self._tasks: dict[str, Prepared] = {}
        self._graders: dict[str, Grader] = {}
        self._plugins: dict[tuple[Group, str], Any] = {}

    @property
    def contents(self) -> Blobs:
        """What the trees of all tasks refer to."""
        return self._suite.blobs()

    def task(self, name: str) -> Prepared:
        """Return a task.

        Raises:
            UsageError: it has several steps, an unknown grader, or another brief than when the run was started.

        """
        found = self._tasks.get(name)
        if found is None:
            found = self._tasks[name] = self._load(name)
        return found

    def briefs(self, names: Sequence[str]) -> dict[str, str]:
        """Task id -> digest of its brief. Of a new run the first task is loaded, no other. Raises as `task`."""
        for name in names[:1]:
            if name not in self._briefs:
                self.task(name)
        return {name: self._briefs.get(name) or self._suite.brief(name).digest for name in names}

    def handed(self, subject: Subject, name: str, k: int = 0) -> Solution | None:
        """Return the solution of a task which the engine hands an agent's attempt `k`, None if it gets none.

        Raises UsageError.
        """
        wanted = self._wanted(subject, k)
        return self.task(name).task.solution(wanted) if wanted is not None else None

    def check_handed(self, subjects: Sequence[Subject], names: Sequence[str]) -> None:
        """Check that agents which get a solution get one somewhere. Raises UsageError."""
        for subject in subjects:
            wanted = self._wanted(subject, 0)
            if wanted is not None and all(self.handed(subject, name) is None for name in names):
                raise UsageError(f"no task of this run has a solution named {wanted!r}")

    def _wanted(self, subject: Subject, k: int) -> str | None:
        key: tuple[Group, str] = ("agents", subject.agent)
        if key not in self._plugins:
            self._plugins[key] = load(*key)
        plugin: AgentPlugin = self._plugins[key]
        name = plugin.solution(subject.parameters)
        return None if name is None else name.replace("{k}", str(k))

    def _load(self, name: str) -> Prepared:
        task = self._suite.load(name)
        if len(task.steps) != 1:
            raise UsageError(f"task {name} has {len(task.steps)} steps; only tasks of one step can be run")
        kind = task.steps[0].grader.kind
        if kind not in self._graders:
            self._graders[kind] = grader_of(kind)
        prepared = Prepared(task, self._graders[kind])
        if self._briefs.get(name, prepared.brief_digest) != prepared.brief_digest:
            raise UsageError(
                f"task {name} has another brief than when this run was started, though dataset version "
                f"{self._suite.version} is the same; choose another folder"
            )
        return prepared


def task_names(suite: Suite, subset: str, wanted: Sequence[str] = (), families: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the ids of a subset, or those of it that are wanted or belong to the families, in dataset order.

    Raises:
        UnknownNameError: a subset, a task or a family is not there.
        UsageError: nothing is left.

    """
    ids = suite.ids(subset)
    there, chosen = set(ids), set(wanted)
    for name in wanted:
        if name not in there:
            suite.place(name)
            raise UsageError(f"task {name} is not in subset {subset!r}")
    family_of = {name: suite.place(name).family for name in ids} if families else {}
    for family in families:
        if family not in family_of.values():
            raise UnknownNameError("family", family, family_of.values())
    names = tuple(
        name for name in ids if (not wanted or name in chosen) and (not families or family_of[name] in families)
    )
    if not names:
        raise UsageError(f"suite {suite.name} has no tasks" + (f" in subset {subset!r}" if subset else ""))
    return names
