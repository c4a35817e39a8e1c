"""What an agent's entry point is: it reads the argument given on the command line and makes the agent for an attempt."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from proofyard.core import Agent, Tree, UsageError

__all__ = ["AgentPlugin", "AgentSetup", "no_argument"]


class AgentSetup(NamedTuple):
    """What the engine hands an agent for one attempt.

    parameters: the subject's. given: the solution named by `AgentPlugin.solution`, None if the task has none. workspace:
    a folder of the attempt's own on the host; it is made only for agents that need `host`. max_files, max_bytes: the
    largest submission worth reading.
    """

    parameters: Mapping[str, str]
    workspace: Path
    given: Tree | None = None
    max_files: int = 4096
    max_bytes: int = 64 << 20


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


def no_argument(name: str, argument: str) -> dict[str, str]:
    """Return no parameters, for agents without an argument. Raises UsageError if there is one."""
    if argument:
        raise UsageError(f"agent {name} takes no argument: write {name}, not {name}:{argument}")
    return {}
