"""The plug-in of the terminal agent: its limits, the place it works in."""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from proofyard.agents.plugin import AgentSetup, WithModel
from proofyard.agents.terminal.loop import Loop
from proofyard.core import (
    Agent,
    Blobs,
    Brief,
    Budget,
    Finish,
    Limits,
    Meter,
    Recorder,
    Sandbox,
    SandboxSpec,
    UsageError,
)

__all__ = ["terminal"]

_HOUR_MS: Final = 3_600_000
_WORK: Final = Limits(
    wall_ms=24 * _HOUR_MS,
    cpu_ms=_HOUR_MS,
    memory=4 << 30,
    tree_memory=2 << 30,
    pids=256,
    files=1024,
    file_size=256 << 20,
    disk=512 << 20,
    inodes=65_536,
    output=1 << 30,
)
"""What the work may use at most; a task that asks for more gets it."""


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
    takes: ClassVar[tuple[str, ...]] = ("skill",)

    def parameters(self, argument: str) -> dict[str, str]:
        if argument not in {"", "tools", "text"}:
            raise UsageError(f"agent terminal takes commands by terminal or terminal:text, not terminal:{argument}")
        return {"protocol": "text"} if argument == "text" else {}

    def place(self, work: SandboxSpec, parameters: Mapping[str, str]) -> SandboxSpec:
        del parameters
        most = {name: max(getattr(work.limits, name), getattr(_WORK, name)) for name in Limits.__struct_fields__}
        folder = work.image.workdir
        image = msgspec.structs.replace(work.image, base="system", preload=())
        kept = work.kept if folder in work.kept else (*work.kept, folder)
        return msgspec.structs.replace(work, image=image, kept=kept, limits=Limits(**most))

    def make(self, setup: AgentSetup) -> Agent:
        return _Terminal(setup)


terminal: Final = _Plugin()
