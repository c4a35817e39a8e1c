"""The plug-in of the terminal agent: its limits, the place it works in."""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal, NamedTuple

from proofyard.agents.place import working_place
from proofyard.agents.plugin import AgentSetup, WithModel
from proofyard.agents.terminal.loop import Loop
from proofyard.core import (
    Agent,
    Blobs,
    Brief,
    Budget,
    Finish,
    Meter,
    Recorder,
    Sandbox,
    SandboxSpec,
    UsageError,
)

__all__ = ["terminal"]


class _Terminal(NamedTuple):
    setup: AgentSetup

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        return "sandbox"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        assert sandbox is not None
        return Loop(self.setup, brief, sandbox, recorder, meter, blobs).run()


class _Plugin(WithModel):
    name = "terminal"
    version = "1"
    budget: ClassVar[Budget] = Budget(steps=100, wall_s=3600, tokens=5_000_000)
    takes: ClassVar[tuple[str, ...]] = ("skill", "mcp")

    def parameters(self, argument: str) -> dict[str, str]:
        if argument not in {"", "tools", "text"}:
            raise UsageError(f"agent terminal takes commands by terminal or terminal:text, not terminal:{argument}")
        return {"protocol": "text"} if argument == "text" else {}

    def place(self, work: SandboxSpec, parameters: Mapping[str, str]) -> SandboxSpec:
        del parameters
        return working_place(work)

    def make(self, setup: AgentSetup) -> Agent:
        return _Terminal(setup)


terminal: Final = _Plugin()
