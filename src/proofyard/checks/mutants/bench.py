"""Grading mutants: the session grader up to the first fault, under limits taken from what the reference needs."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import msgspec

from proofyard.checks.mutants.ledger import Fate
from proofyard.checks.mutants.targets import Target
from proofyard.core import (
    Failure,
    Given,
    Grade,
    InfrastructureError,
    Limits,
    Outcome,
    Provider,
    Scenario,
    Step,
    Tree,
    digest_of,
    sha256,
    tree_of,
)
from proofyard.engine.grading import grade_tree, grader_digest
from proofyard.engine.opening import opener
from proofyard.engine.plugins import grader_of
from proofyard.graders import until_first_fault
from proofyard.source import MUTATOR_VERSION, Mutant
from proofyard.suites.scratch import ScratchSuite
from proofyard.suites.scratch.suite import TaskId

__all__ = ["Bench"]

_CPU_MS: Final = 2_000
_WALL_MS: Final = 6_000
_MARGIN: Final = 4
"""A mutant gets so many times the CPU time that a session of the reference takes on average, and at least the above."""


@dataclass(frozen=True)
class _Prepared:
    """A task ready for mutants: its step under small limits, and the reference it is graded with."""

    step: Step
    reference: Tree


class Bench:
    """Grades mutants in sandboxes of one provider. Safe to use from several threads."""

    def __init__(self, provider: Provider) -> None:
        self.suite = ScratchSuite()
        self.blobs = self.suite.blobs()
        self._provider = provider
        self._grader = grader_of("sessions")
        self._steps: dict[TaskId, Step] = {}
        self._prepared: dict[TaskId, _Prepared] = {}
        self._guard = threading.Lock()
        self._stopped = threading.Event()

    def digest(self, target: Target, excuses: dict[str, str]) -> str:
        """SHA-256 of all that decides what comes of a target's mutants."""
        return digest_of(
            {
                "mutator": MUTATOR_VERSION,
                "mutants": sha256("\n".join(target.digests()).encode()),
                "path": target.path,
                "excuses": excuses,
                "tasks": [
                    {
                        "grader": grader_digest(self._step(task), self._grader),
                        "files": {path: sha256(text.encode()) for path, text in target.files(task).items()},
                    }
                    for task in target.tasks
                ],
            }
        )

    def prove(self, target: Target) -> None:
        """Grade the reference itself, under the limits that mutants get: it must pass. On further tasks of the target this
        is done when the first mutant gets there.

        Raises:
            InfrastructureError: it does not pass, so that nothing that comes of mutants would mean anything.

        """
        self._ready(target, target.tasks[0])

    def prove_again(self, target: Target, tasks: Iterable[str]) -> None:
        """As `prove`, after the mutants, on the tasks that ended some of them by time: nothing has become so slow that
        this says nothing.
        """
        for task in target.tasks:
            if str(task) in set(tasks):
                ready = self._ready(target, task)
                _must_pass(self._grade(ready.step, ready.reference), task)

    def stop(self) -> None:
        """End all gradings under way, and let no other begin."""
        self._stopped.set()
        self._provider.close()

    def fate(self, target: Target, mutant: Mutant) -> Fate:
        """Grade a mutant on its tasks up to the first that notices.

        Raises:
            InfrastructureError: twice in a row: it is no kill.

        """
        for task in target.tasks:
            ready = self._ready(target, task)
            tree = ready.reference.merged(tree_of({target.path: mutant.text}, self.blobs))
            grade = self._grade(ready.step, tree)
            if grade.outcome is Outcome.FAILED:
                return Fate(id=mutant.digest, reason=str(grade.reason), task=str(task))
        return Fate(id=mutant.digest)

    def _step(self, task: TaskId) -> Step:
        with self._guard:
            if task not in self._steps:
                self._steps[task] = self.suite.load(str(task)).steps[0]
            return self._steps[task]

    def _ready(self, target: Target, task: TaskId) -> _Prepared:
        step = self._step(task)
        with self._guard:
            if task not in self._prepared:
                reference = tree_of(target.files(task), self.blobs)
                whole = self._grade(step, reference)
                _must_pass(whole, task)
                short = until_first_fault(_limited(step, _limits(step, whole)))
                _must_pass(self._grade(short, reference), task)
                self._prepared[task] = _Prepared(short, reference)
            return self._prepared[task]

    def _grade(self, step: Step, tree: Tree) -> Grade:
        open_sandbox = opener(lambda: self._provider, self.blobs, unsafe=False)
        for attempt in (1, 2):
            grade = grade_tree(step, tree, self._grader, open_sandbox, Given(), self.blobs)
            if grade.outcome in {Outcome.PASSED, Outcome.FAILED}:
                break
            if attempt == 2 or self._stopped.is_set():
                raise InfrastructureError(grade.failure or Failure(code="task_invalid", message=grade.evidence.note))
        return grade


def _limits(step: Step, whole: Grade) -> Limits:
    """What a mutant gets: enough for the reference several times over, so that an endless loop soon ends."""
    scenarios = msgspec.json.decode(step.hidden.expected, type=list[Scenario])
    sessions = sum(len(scenario.sessions) for scenario in scenarios)
    own = step.grading.limits
    cpu_ms = min(own.cpu_ms, max(_CPU_MS, _MARGIN * whole.usage.cpu_us // (1000 * sessions)))
    return msgspec.structs.replace(own, cpu_ms=cpu_ms, wall_ms=min(own.wall_ms, max(_WALL_MS, 3 * cpu_ms)))


def _limited(step: Step, limits: Limits) -> Step:
    return msgspec.structs.replace(step, grading=msgspec.structs.replace(step.grading, limits=limits))


def _must_pass(grade: Grade, task: TaskId) -> None:
    if grade.outcome is not Outcome.PASSED:
        seen = " ".join(text for text in (grade.evidence.where, grade.evidence.note) if text)
        message = f"the unchanged reference of {task} does not pass ({seen}): its mutants would say nothing"
        raise InfrastructureError(Failure(code="task_invalid", message=message))
