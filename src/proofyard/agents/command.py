"""`command:CMD`: a trusted program, run by the shell on the host in an empty workspace. Nothing isolates it, and its results
say so (`agent_isolation` `none`).

It gets the prompt on standard input, and in its environment, besides what proofyard itself has, PROOFYARD_TASK,
PROOFYARD_PROMPT_FILE and PROOFYARD_WORKSPACE (also its working folder). What it leaves there is the submission, however it
ended; its whole process tree is killed first.
"""

import os
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from proofyard.agents.plugin import AgentSetup
from proofyard.agents.trees import read_tree
from proofyard.core import (
    Agent,
    Blobs,
    Brief,
    Failure,
    Finish,
    InfrastructureError,
    Meter,
    Recorder,
    Sandbox,
    Tree,
    UsageError,
)
from proofyard.sandbox import HostResult, run_command

__all__ = ["command"]

_OUTPUT_LIMIT = 4 << 20
_SHELL = "/bin/sh"


_CANNOT = {126: " (found, but cannot be run)", 127: " (not found)"}
"""What the shell says by an exit code of its own."""


class _CommandAgent(NamedTuple):
    setup: AgentSetup

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        return "host"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        del sandbox
        project = self.setup.workspace / "project"
        prompt = self.setup.workspace / "PROMPT.md"
        prompt.write_text(brief.prompt, encoding="utf-8")
        text = self.setup.parameters["command"]
        recorder.step("command", command=text)
        result = run_command(
            [_SHELL, "-c", text],
            cwd=project,
            env={
                **os.environ,
                "PROOFYARD_TASK": brief.task,
                "PROOFYARD_PROMPT_FILE": str(prompt),
                "PROOFYARD_WORKSPACE": str(project),
            },
            stdin=brief.prompt.encode(),
            wall_ms=meter.remaining_ms(),
            output_limit=_OUTPUT_LIMIT,
            stop=meter.stopped,
        )
        recorder.step("ended", code=result.code, signal=result.signal, timed_out=result.timed_out)
        recorder.keep("stdout", result.stdout)
        recorder.keep("stderr", result.stderr)
        if not result.killed:
            raise InfrastructureError(Failure(code="kill_unconfirmed", message="processes of the command are left"))
        tree = Tree()
        if os.path.lexists(project):
            tree = read_tree(project, blobs, max_files=self.setup.max_files, max_bytes=self.setup.max_bytes)
        return Finish(submission=tree, failure=_failure(result), provenance={"agent_isolation": "none"})


def _failure(result: HostResult) -> Failure | None:
    if result.timed_out or result.stopped:
        return Failure(code="agent_timeout", message="the command was killed at the end of its time")
    if result.code:
        why = _CANNOT.get(result.code, "")
        said = result.stderr.decode(errors="replace").strip().splitlines()[-1:] if why else []
        message = f"the command ended with exit code {result.code}{why}{''.join(f': {line[:200]}' for line in said)}"
        return Failure(code="agent_exit", message=message)
    if result.signal:
        return Failure(code="agent_exit", message=f"the command was ended by signal {result.signal}")
    return None


def _readable(text: str) -> None:
    """Have the shell read the command without running it: a lost quote is told before a run begins, not by each trial."""
    read = run_command([_SHELL, "-n", "-c", text], cwd="/", env={}, wall_ms=10_000)
    if read.code:
        said = read.stderr.decode(errors="replace").strip()
        raise UsageError(f"agent command: the shell cannot read {text!r}: {said}; check its quotes")


class _Command:
    name = "command"
    version = "1"

    def parameters(self, argument: str) -> dict[str, str]:
        if not argument.strip():
            raise UsageError("agent command needs a command: command:'my-agent --quiet'")
        _readable(argument)
        return {"command": argument}

    def solution(self, parameters: Mapping[str, str]) -> str | None:
        del parameters
        return None

    def make(self, setup: AgentSetup) -> Agent:
        return _CommandAgent(setup)


command: Final = _Command()
