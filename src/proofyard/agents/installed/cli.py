"""What is common to agent programs of others: where they work, what they are given, what is made of how they ended."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import msgspec

from proofyard.agents.installed.log import Log
from proofyard.agents.installed.there import There, there
from proofyard.agents.place import working_place
from proofyard.agents.plugin import AgentSetup, Condition, Endpoint, WithModel
from proofyard.core import Budget, Image, Sampling, SandboxSpec, Tree, UsageError
from proofyard.models import PROVIDERS

__all__ = ["HOME", "Cli", "Job", "Reader", "Report", "Start", "Used"]

HOME: Final = "/workspace/agent"
"""The program's own folder in the sandbox: its home, its settings, what it keeps of the session."""

_BARE: Final = Image()
_ANY_ADDRESS: Final = 1 << 62
_TREE_MEMORY: Final = 6 << 30
_LINE: Final = 16 << 20


class Job(NamedTuple):
    """What a program is to do.

    executable: as it is named in the sandbox. retries: calls made again for one answer. image: what the task is worked on in.
    """

    executable: str
    prompt: str
    endpoint: Endpoint
    condition: Condition
    sampling: Sampling
    retries: int
    image: Image = Image()

    @property
    def brings_packages(self) -> bool:
        """Whether the task has Python packages of its own, which then lie beside the program."""
        return "PYTHONPATH" in self.image.environment or any(step.kind == "install" for step in self.image.steps)


class Start(NamedTuple):
    """How a program is started: files and trees below HOME, the command, variables. It reads the prompt from its input."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    files: Mapping[str, str]
    trees: Mapping[str, Tree] = {}


class Used(NamedTuple):
    """Tokens as the program itself counted them; input includes cached ones."""

    input: int
    output: int


class Report(NamedTuple):
    """What a program said of its end.

    failure: what it says went wrong, empty if nothing did. spent_out: a limit of its own was used up. used: None where it
    does not say. facts: what else is to be kept.
    """

    failure: str = ""
    spent_out: bool = False
    used: Used | None = None
    facts: Mapping[str, str] = {}


class Reader(Protocol):
    """Reads what a program says while it works."""

    def event(self, event: dict[str, Any]) -> None:
        """Take one line of its output."""
        ...

    def report(self) -> Report:
        """Say how it ended, when there are no more lines."""
        ...


class Cli(WithModel, ABC):
    """The plug-in of one program. Subclasses say what is its own.

    pinned: the version of the program this is written for. wires: the dialects it can speak. provider: whose MODEL is meant
    where no provider is named. skills: the folder below HOME in which it looks for skills. settled: the fields of a sampling
    that it can be told. helpers: executables that have to come with it.
    """

    name: ClassVar[str]
    version: ClassVar[str] = "1"
    pinned: ClassVar[str]
    wires: ClassVar[frozenset[str]]
    provider: ClassVar[str] = ""
    skills: ClassVar[str] = ""
    settled: ClassVar[frozenset[str]] = frozenset()
    helpers: ClassVar[tuple[str, ...]] = ()
    gateway: ClassVar[bool] = True
    budget: ClassVar[Budget] = Budget(steps=200, wall_s=3600, tokens=10_000_000)

    @abstractmethod
    def start(self, job: Job) -> Start:
        """Return how the program is started."""

    @abstractmethod
    def reader(self, log: Log) -> Reader:
        """Return what reads its output and puts it into the log."""

    def parameters(self, argument: str) -> dict[str, str]:
        """The program's version is part of the subject. Raises UsageError if it is not installed."""
        self.model(argument)
        return {"program": self.there().version}

    def model(self, argument: str) -> str:
        """Return the model named behind the colon. Raises UsageError if it is of no provider."""
        if not argument or "/" in argument:
            return argument
        if not self.provider:
            raise UsageError(f"agent {self.name}: whose model is {argument}? write {self.name}:PROVIDER/MODEL")
        return f"{self.provider}/{argument}"

    def suits(self, model: str) -> None:
        """Raise UsageError for a model whose provider speaks none of the program's dialects."""
        provider = model.partition("/")[0]
        wire = next((row.wire for row in PROVIDERS if row.name == provider), None)
        if wire is not None and wire not in self.wires:
            raise UsageError(f"agent {self.name} speaks {', '.join(sorted(self.wires))}; {provider} speaks {wire}")

    def place(self, work: SandboxSpec, parameters: Mapping[str, str]) -> SandboxSpec:
        """The working place, with the program in it. Raises UsageError for a task that needs packages of its own."""
        del parameters
        if work.image.packages:
            raise UsageError(f"agent {self.name} cannot work on tasks that need an environment of packages")
        place = working_place(work)
        limits = msgspec.structs.replace(
            place.limits, memory=_ANY_ADDRESS, tree_memory=_TREE_MEMORY, pids=1024, files=8192, line=_LINE
        )
        image = msgspec.structs.replace(place.image, packages=self.there().folder)
        return msgspec.structs.replace(place, image=image, limits=limits, kept=(*place.kept, HOME))

    def there(self) -> There:
        """Where the program is. Raises UsageError if it is not installed."""
        return there(self.name, self.pinned, self.helpers)

    def job(self, setup: AgentSetup, prompt: str, retries: int, image: Image = _BARE) -> Job:
        """What is to be done in one attempt."""
        assert setup.endpoint is not None
        sampling = setup.sampling
        if sampling.seed is not None:
            sampling = msgspec.structs.replace(sampling, seed=sampling.seed + setup.k)
        return Job(self.there().inside, prompt, setup.endpoint, setup.condition, sampling, retries, image)

    def dropped(self, sampling: Sampling) -> str:
        """What was asked of the model's sampling that the program cannot be told, as words; empty if there is nothing."""
        asked = ((name, getattr(sampling, name)) for name in Sampling.__struct_fields__ if name not in self.settled)
        said = f"{self.name} settles that itself"
        return "; ".join(f"{name}={value}: {said}" for name, value in asked if value not in (None, (), {}))
