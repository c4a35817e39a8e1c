"""`folder:DIR`: submits DIR/<task id>/ as it is; a task without such a folder is missing, not failed."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple

from proofyard.agents.plugin import AgentSetup
from proofyard.agents.trees import read_tree
from proofyard.core import Agent, Blobs, Brief, Finish, Meter, Recorder, Sandbox, UsageError

__all__ = ["folder"]


class _FolderAgent(NamedTuple):
    setup: AgentSetup

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        return "nothing"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        del sandbox, recorder, meter
        path = Path(self.setup.parameters["folder"]) / brief.task
        if not os.path.lexists(path):
            return Finish(missing=True)
        tree = read_tree(path, blobs, max_files=self.setup.max_files, max_bytes=self.setup.max_bytes)
        return Finish(submission=tree)


class _Folder:
    name = "folder"
    version = "1"

    def parameters(self, argument: str) -> dict[str, str]:
        if not argument:
            raise UsageError("agent folder needs a folder: folder:DIR with DIR/<task id>/main.py")
        path = Path(argument).resolve()
        if not path.is_dir():
            raise UsageError(f"agent folder: {argument} is no folder that exists")
        return {"folder": str(path)}

    def solution(self, parameters: Mapping[str, str]) -> str | None:
        del parameters
        return None

    def make(self, setup: AgentSetup) -> Agent:
        return _FolderAgent(setup)


folder: Final = _Folder()
