"""What an agent's entry point is: it reads the argument given on the command line and makes the agent for an attempt.

An agent that works with a model says so by members beyond those of `AgentPlugin`; `WithModel` has them to be inherited.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Final, NamedTuple, Protocol

from proofyard.core import Agent, Budget, Sampling, SandboxSpec, Tree, UsageError
from proofyard.models import ModelSession

__all__ = ["SKILLS", "AgentPlugin", "AgentSetup", "Condition", "Endpoint", "WithModel", "no_argument"]


SKILLS: Final = "/skills"
"""Where the folders of skills lie in a sandbox, each by its name."""


class Condition(NamedTuple):
    """What an attempt is given besides the task: folders of skills by name, and MCP servers as a JSON object by name."""

    skills: Mapping[str, Tree] = {}
    mcp: str = ""


class Endpoint(NamedTuple):
    """Where a program in the sandbox reaches its model: the gateway.

    url: the base URL inside the sandbox, without a wire's own path. token: what it takes as a key, of this attempt alone.
    wire: the dialect the model speaks. model: the model's own name there. price_known: whether cost can be worked out.
    """

    url: str
    token: str
    wire: str
    model: str
    price_known: bool = False


class AgentSetup(NamedTuple):
    """What the engine hands an agent for one attempt.

    parameters: the subject's. given: the solution named by `AgentPlugin.solution`, None if the task has none. workspace:
    a folder of the attempt's own on the host; it is made only for agents that need `host`. max_files, max_bytes: the
    largest submission worth reading. model: what to ask, for agents that take a model; sampling: how to. k: the number of
    the attempt, from 0. endpoint: for agents whose program calls the model itself. condition: what the attempt is given.
    """

    parameters: Mapping[str, str]
    workspace: Path
    given: Tree | None = None
    max_files: int = 4096
    max_bytes: int = 64 << 20
    model: ModelSession | None = None
    sampling: Sampling = Sampling()
    k: int = 0
    endpoint: Endpoint | None = None
    condition: Condition = Condition()


class AgentPlugin(Protocol):
    """An entry point of `proofyard.agents`."""

    @property
    def name(self) -> str:
        """The name before the colon on the command line."""
        ...

    @property
    def version(self) -> str:
        """Part of the subject: changes when the agent works differently."""
        ...

    def parameters(self, argument: str) -> dict[str, str]:
        """Turn the text after the colon into the subject's parameters. Raises UsageError."""
        ...

    def solution(self, parameters: Mapping[str, str]) -> str | None:
        """Return the name of the task's solution to be handed in, None for an agent that gets none.

        `{k}` in it stands for the attempt's number, from 0.
        """
        ...

    def make(self, setup: AgentSetup) -> Agent:
        """Make the agent for one attempt."""
        ...


class WithModel:
    """What the engine looks for in the plug-in of an agent that works with a model; each has a default.

    takes_model: it is given one. gateway: its program calls the model itself, from inside the sandbox, through the gateway.
    budget: the limits an attempt has unless the user names others. takes: the conditions it can be given (`skill`, `mcp`).
    """

    takes_model: ClassVar[bool] = True
    gateway: ClassVar[bool] = False
    budget: ClassVar[Budget] = Budget()
    takes: ClassVar[tuple[str, ...]] = ()

    def model(self, argument: str) -> str:
        """Return the model that the text after the agent's colon names, as `provider/model`; empty if it names none."""
        del argument
        return ""

    def suits(self, model: str) -> None:
        """Raise UsageError for a model, as `provider/model`, that the agent cannot work with."""
        del model

    def place(self, work: SandboxSpec, parameters: Mapping[str, str]) -> SandboxSpec:
        """Return the sandbox to work in, made of the task's own."""
        del parameters
        return work

    def solution(self, parameters: Mapping[str, str]) -> str | None:
        """No solution is handed in."""
        del parameters
        return None


def no_argument(name: str, argument: str) -> dict[str, str]:
    """Return no parameters, for agents without an argument. Raises UsageError if there is one."""
    if argument:
        raise UsageError(f"agent {name} takes no argument: write {name}, not {name}:{argument}")
    return {}
