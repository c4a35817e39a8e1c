"""A known solution that is a command, done in the agent's stead: the engine knows it, no agent does."""

from typing import Literal

from proofyard.agents.ending import failure_of
from proofyard.core import Blobs, Brief, Finish, Meter, Recorder, Sandbox, Solution

__all__ = ["SolutionAgent"]

_CLEAR_MS = 60_000


class SolutionAgent:
    """Runs the solution's command in the working folder; what it leaves is the submission, however it ended."""

    def __init__(self, solution: Solution) -> None:
        self._parts = [solution, *solution.then]
        self._at = 0

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        """A sandbox."""
        return "sandbox"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        """Do the next part: what a task asks for first, then what it asks next."""
        del blobs
        assert sandbox is not None
        part = self._parts[min(self._at, len(self._parts) - 1)]
        if self._at:
            sandbox.start(["find", part.place, "-mindepth", "1", "-delete"], cwd="/").finish(_CLEAR_MS)
        self._at += 1
        sandbox.put(part.tree, part.place)
        left = meter.remaining_ms()
        wall_ms = brief.work.limits.wall_ms
        process = sandbox.start(part.argv, env=part.environment)
        ended = process.finish(max(1, wall_ms if left is None else min(left, wall_ms)))
        recorder.step("solution", name=part.name, code=ended.code, signal=ended.signal, fault=ended.fault)
        recorder.keep("stdout", ended.stdout)
        recorder.keep("stderr", ended.stderr)
        return Finish(failure=failure_of(ended, part.name))
