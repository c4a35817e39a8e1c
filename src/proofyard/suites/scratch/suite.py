"""The scratch suite as a `Suite`: ids, and tasks made on demand."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from proofyard.core import (
    Blobs,
    Brief,
    GraderSpec,
    Hidden,
    Image,
    Limits,
    MemoryBlobs,
    Place,
    SandboxSpec,
    Scenario,
    Solution,
    Step,
    Task,
    UnknownNameError,
    file_bytes,
    tree_of,
)
from proofyard.suites.scratch.alternatives import alternatives_of
from proofyard.suites.scratch.cases import DEFAULT_SEED
from proofyard.suites.scratch.contracts import assertions_on_record
from proofyard.suites.scratch.families import FAMILIES, NUMBERS
from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.kept import keep, kept
from proofyard.suites.scratch.prompts import examples_of, render
from proofyard.suites.scratch.prompts.prompt import MAX_FILES, MAX_SIZE
from proofyard.suites.scratch.reference import reference_files
from proofyard.suites.scratch.scenarios import count, examples_for, scenarios_of
from proofyard.suites.scratch.shortcuts import changed_answers, shortcuts_of
from proofyard.suites.scratch.sidebyside import first_difference
from proofyard.suites.scratch.tiers import PROJECT_DIR, STATE_DIR, TIERS, Tier, tier_named
from proofyard.suites.scratch.version import version_of

__all__ = ["ENTRY", "LIMITS", "ScratchSuite", "TaskId", "scenarios_text", "suite"]

ENTRY = "main.py"
LIMITS = Limits()


class TaskId(NamedTuple):
    """What a task id says: `scratch-<tier>-<NNN>-<family>`."""

    tier: str
    slug: str

    def __str__(self) -> str:
        return f"scratch-{self.tier}-{NUMBERS[self.slug]:03d}-{self.slug}"


class ScratchSuite:
    """All tasks of all families present, for one seed. Nothing is made before it is asked for."""

    name = "scratch"

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self.seed = seed
        self.version = version_of(seed)
        self._ids = {str(task): task for task in _tasks()}
        self._blobs = MemoryBlobs()

    def ids(self, subset: str = "") -> Sequence[str]:
        """Task ids, tier by tier, within a tier by number.

        Raises:
            UnknownNameError: there is no such subset.

        """
        if subset:
            tier_named(subset)
        return tuple(name for name, task in self._ids.items() if subset in {"", task.tier})

    def load(self, task_id: str) -> Task:
        """The task of that id.

        Raises:
            UnknownNameError: there is none.

        """
        tier, family = self._parts(task_id)
        expected = self.expected(task_id)
        brief = self.brief(task_id)
        files = reference_files(tier, family)
        reference = Solution(name="reference", kind="reference", tree=tree_of(files, self._blobs))
        others = (*alternatives_of(tier, family, self._blobs), *shortcuts_of(tier, files, brief.examples, self._blobs))
        step = Step(
            brief=brief,
            grader=GraderSpec(kind="sessions", parameters=_parameters()),
            grading=_grading(tier),
            hidden=Hidden(expected=expected, solutions=(reference, *others)),
        )
        return Task(
            id=task_id,
            suite=self.name,
            version=self.version,
            steps=(step,),
            family=family.slug,
            subset=tier.name,
            category=family.category,
        )

    def brief(self, task_id: str) -> Brief:
        """What a model gets: the prompt and the public examples. Quick: none of the hidden scenarios is made."""
        tier, family = self._parts(task_id)
        examples = examples_of(tier, family, examples_for(tier, family, self.seed))
        return Brief(task=task_id, prompt=render(tier, family, LIMITS, examples), entry=ENTRY, examples=examples)

    def place(self, task_id: str) -> Place:
        """Where a task belongs."""
        tier, family = self._parts(task_id)
        return Place(tier.name, family.slug, family.category)

    def assertions(self, task_id: str) -> int:
        """How many assertions a task has: on record for the public set, counted for a private one."""
        self._parts(task_id)
        known = assertions_on_record(self.version).get(task_id)
        return count(self.scenarios(task_id)) if known is None else known

    def scenarios(self, task_id: str) -> tuple[Scenario, ...]:
        """The scenarios of a task, public examples first."""
        return msgspec.json.decode(self.expected(task_id), type=tuple[Scenario, ...])

    def expected(self, task_id: str) -> str:
        """The scenarios of a task as JSON text, which graders read: made now, or kept from an earlier time."""
        tier, family = self._parts(task_id)
        text = kept(self.version, task_id)
        if text is None:
            text = scenarios_text(scenarios_of(tier, family, self.seed))
            keep(self.version, task_id, text)
        return text

    def differs(self, task_id: str, name: str) -> str:
        """Where the answers of a shortcut first differ from the reference's, played in this process; "" if nowhere.

        A shortcut that is told by how it runs, not by its answers, differs as such. Raises UnknownNameError.
        """
        tier, family = self._parts(task_id)
        solutions = self.load(task_id).steps[0].hidden.solutions
        found = next((one for one in solutions if one.name == name), None)
        if found is None:
            raise UnknownNameError("solution", name, [one.name for one in solutions])
        if name not in changed_answers(tier):
            return "it is told by how it runs, or knows nothing but the examples"
        files = {path: file_bytes(entry, self._blobs).decode() for path, entry in found.tree.entries.items()}
        reference = reference_files(tier, family)
        return first_difference(tier, family.module, reference, files, self.scenarios(task_id))

    def family(self, task_id: str) -> Family:
        """The family of a task."""
        return self._parts(task_id)[1]

    def blobs(self) -> Blobs:
        """The contents which the tasks' trees refer to."""
        return self._blobs

    def _parts(self, task_id: str) -> tuple[Tier, Family]:
        if task_id not in self._ids:
            raise UnknownNameError("task", task_id, self._ids, hint="`proofyard list scratch` shows all")
        task = self._ids[task_id]
        return TIERS[task.tier], FAMILIES[task.slug]


def suite(seed: int = DEFAULT_SEED) -> ScratchSuite:
    """The scratch suite; another seed than the default gives a private set with the same contracts."""
    return ScratchSuite(seed)


def scenarios_text(scenarios: Sequence[Scenario]) -> str:
    """Scenarios as the JSON text that graders read: the same bytes on every machine and Python."""
    return json.dumps(msgspec.to_builtins(scenarios), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _tasks() -> Iterator[TaskId]:
    return (TaskId(tier, slug) for tier in TIERS for slug in FAMILIES)


def _parameters() -> str:
    return json.dumps({"entry": ENTRY, "max_files": MAX_FILES, "max_bytes": MAX_SIZE})


def _grading(tier: Tier) -> SandboxSpec:
    """The sandbox a submission is graded in; the max tier needs kills, so only the rungs that can do them."""
    image = Image(workdir=PROJECT_DIR)
    if not tier.durable:
        return SandboxSpec(image=image, limits=LIMITS)
    return SandboxSpec(image=image, limits=LIMITS, kept=(STATE_DIR,), armed=True, lowest="bubblewrap")
