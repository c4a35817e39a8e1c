"""The Protocols of the parts that plug in: suites, agents, graders, executors."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec

from proofyard.core.failure import Failure
from proofyard.core.move import Move
from proofyard.core.reasons import Reason
from proofyard.core.record import Record
from proofyard.core.sandbox import Sandbox, SandboxSpec
from proofyard.core.task import Brief, Step, Task
from proofyard.core.tree import Blobs, Tree
from proofyard.core.trial import Grade, Spend

__all__ = [
    "Agent",
    "Done",
    "Executor",
    "Finish",
    "Given",
    "Grader",
    "Job",
    "Lost",
    "Meter",
    "Place",
    "Recorder",
    "Suite",
]


class Place(NamedTuple):
    """Where a task belongs."""

    subset: str
    family: str
    category: str


class Suite(Protocol):
    """A named set of tasks. Loading one executes nothing."""

    @property
    def name(self) -> str:
        """The name used on the command line."""
        ...

    @property
    def version(self) -> str:
        """The dataset version."""
        ...

    def ids(self, subset: str = "") -> Sequence[str]:
        """Task ids in dataset order, all or those of a subset. Raises UnknownNameError for an unknown subset."""
        ...

    def load(self, task_id: str) -> Task:
        """The task of that id. Raises UnknownNameError, suggesting the nearest."""
        ...

    def brief(self, task_id: str) -> Brief:
        """What an agent gets of a task's first step, quickly: the task is not made. Raises UnknownNameError."""
        ...

    def place(self, task_id: str) -> Place:
        """Where a task belongs, quickly: the task is not made. Raises UnknownNameError."""
        ...

    def assertions(self, task_id: str) -> int:
        """How many assertions a task has; the task may have to be made for it. Raises UnknownNameError."""
        ...

    def blobs(self) -> Blobs:
        """The contents which the tasks' trees refer to."""
        ...


class Recorder(Protocol):
    """Takes each step of an attempt as it happens."""

    def step(self, kind: str, **data: object) -> None:
        """Append one step; `data` must be JSON values."""
        ...

    def move(self, move: Move) -> None:
        """Append one move of the trajectory, as soon as it is over."""
        ...

    def keep(self, name: str, data: bytes) -> None:
        """Keep a file of the attempt, e.g. its standard output."""
        ...


class Meter(Protocol):
    """What is left of an attempt's budget."""

    def remaining_ms(self) -> int | None:
        """Milliseconds of wall left, None without a limit."""
        ...

    def stopped(self) -> bool:
        """Whether the run was asked to stop, or a budget is used up."""
        ...


class Finish(Record, frozen=True, kw_only=True):
    """How an agent's attempt ended.

    submission: the tree, for an agent that makes it without a sandbox; None means: snapshot the sandbox. missing: the
    agent has nothing for this task (then there is no trial: a missing result is not a failed one). reason: see `Trial`.
    """

    submission: Tree | None = None
    missing: bool = False
    spend: Spend = Spend()
    failure: Failure | None = None
    provenance: dict[str, str] = msgspec.field(default_factory=dict)
    reason: Reason | None = None


class Agent(Protocol):
    """Turns a brief into work. It gets the brief and nothing else of a task."""

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        """Where it works: nowhere (it has the answer), in a sandbox, or trusted on the host."""
        ...

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        """Work on the brief; with `needs` `sandbox` the brief's files are in place when this is called."""
        ...


class Given(Record, frozen=True, kw_only=True):
    """What a grader is told besides step and submission: which grading this is, only public examples or all."""

    n: int = 0
    public_only: bool = False
    seed: str = ""


class Grader(Protocol):
    """Submission -> grade. `version` changes when a change of its code may change a verdict."""

    @property
    def kind(self) -> str:
        """The name `GraderSpec.kind` refers to."""
        ...

    @property
    def version(self) -> str:
        """Part of the grader digest."""
        ...

    def grade(
        self, step: Step, submission: Tree, open_sandbox: Callable[[SandboxSpec], Sandbox], given: Given, blobs: Blobs
    ) -> Grade:
        """Grade one submission. A fault of the submission is a failed grade; infrastructure raises InfrastructureError."""
        ...


class Job(Record, frozen=True, kw_only=True):
    """A piece of work for an executor: JSON in `payload`, and the contents it needs by SHA-256."""

    id: str
    payload: msgspec.Raw
    blobs: dict[str, bytes] = msgspec.field(default_factory=dict)


class Done(Record, frozen=True, kw_only=True):
    """What a job returned: JSON in `payload`, and new contents by SHA-256."""

    id: str
    payload: msgspec.Raw
    blobs: dict[str, bytes] = msgspec.field(default_factory=dict)


class Lost(Record, frozen=True, kw_only=True):
    """A job whose worker is gone or which raised: infrastructure, never a result."""

    id: str
    failure: Failure


class Executor(Protocol):
    """Runs jobs in slots. At most twice as many jobs as slots are taken from `jobs` ahead of results."""

    @property
    def slots(self) -> int:
        """How many jobs run at once."""
        ...

    def run(self, jobs: Iterable[Job], function: str) -> Iterator[Done | Lost]:
        """Call `function` ("package.module:name", `Job -> Done`) on each job; yield in order of completion."""
        ...

    def stop(self) -> None:
        """Take no more jobs; jobs under way are abandoned and yield nothing or `Lost`."""
        ...


Facts = Mapping[str, str]
