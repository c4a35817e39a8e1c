"""`program:DIR`: a program of your own, at work in the sandbox; it reaches its model through the gateway and nothing else.

DIR is copied to `/workspace/agent`, and its `run` is started in the project's folder, with the prompt in a file and the way to
the model in its environment. What it leaves in that folder is the submission, however it ended.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from proofyard.agents.ending import failure_of
from proofyard.agents.place import working_place
from proofyard.agents.plugin import AgentSetup, WithModel
from proofyard.agents.trees import read_tree
from proofyard.core import (
    Agent,
    Blobs,
    Brief,
    Budget,
    Finish,
    MemoryBlobs,
    Meter,
    Recorder,
    Sandbox,
    SandboxSpec,
    Tree,
    UsageError,
    file_bytes,
    tree_of,
)

__all__ = ["program"]

_HOME: Final = "/workspace/agent"
_ENTRY: Final = "run"


class _Program(NamedTuple):
    setup: AgentSetup

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        return "sandbox"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        assert sandbox is not None
        assert self.setup.endpoint is not None
        files, contents = _folder(Path(self.setup.parameters["program"]))
        if files.digest != self.setup.parameters["digest"]:
            raise UsageError("the program's folder changed while the run was under way; start it anew")
        for sha in files.blobs():
            blobs.put(contents.get(sha))
        sandbox.put(files, _HOME)
        sandbox.put(tree_of({"PROMPT.md": brief.prompt}, blobs), _HOME)
        end = self.setup.endpoint
        environment = {
            "PROOFYARD_TASK": brief.task,
            "PROOFYARD_PROMPT_FILE": f"{_HOME}/PROMPT.md",
            "PROOFYARD_MODEL": end.model,
            "PROOFYARD_WIRE": end.wire,
            "OPENAI_BASE_URL": f"{end.url}/v1",
            "OPENAI_API_KEY": end.token,
            "ANTHROPIC_BASE_URL": end.url,
            "ANTHROPIC_API_KEY": end.token,
            "GOOGLE_GEMINI_BASE_URL": end.url,
            "GEMINI_API_KEY": end.token,
        }
        left = meter.remaining_ms()
        wall_ms = brief.work.limits.wall_ms if left is None else left
        recorder.step("program", digest=files.digest)
        process = sandbox.start(_argv(files, contents), env=environment)
        ended = process.finish(max(1, wall_ms))
        recorder.step("ended", code=ended.code, signal=ended.signal, fault=ended.fault)
        recorder.keep("stdout", ended.stdout)
        recorder.keep("stderr", ended.stderr)
        return Finish(failure=failure_of(ended, "the program"))


def _argv(files: Tree, contents: Blobs) -> list[str]:
    """How `run` is started: by its own first line, or by Python if it names none."""
    entry = f"{_HOME}/{_ENTRY}"
    return [entry] if file_bytes(files.entries[_ENTRY], contents).startswith(b"#!/bin") else ["python", entry]


def _folder(path: Path) -> tuple[Tree, MemoryBlobs]:
    contents = MemoryBlobs()
    tree = read_tree(path, contents)
    odd = next((name for name, entry in tree.entries.items() if entry.kind != "file" or not entry.sha), None)
    if odd is not None:
        raise UsageError(f"agent program: {path}/{odd} is no regular file, or too large")
    return tree, contents


class _Plugin(WithModel):
    name = "program"
    version = "1"
    gateway: ClassVar[bool] = True
    budget: ClassVar[Budget] = Budget(steps=200, wall_s=3600, tokens=10_000_000)
    takes: ClassVar[tuple[str, ...]] = ("skill",)

    def parameters(self, argument: str) -> dict[str, str]:
        path = Path(argument).resolve()
        if not argument or not os.path.lexists(path / _ENTRY):
            raise UsageError("agent program needs a folder with a file `run`: program:DIR")
        return {"program": str(path), "digest": _folder(path)[0].digest}

    def place(self, work: SandboxSpec, parameters: Mapping[str, str]) -> SandboxSpec:
        del parameters
        place = working_place(work)
        return msgspec.structs.replace(place, kept=(*place.kept, _HOME))

    def make(self, setup: AgentSetup) -> Agent:
        return _Program(setup)


program: Final = _Plugin()
