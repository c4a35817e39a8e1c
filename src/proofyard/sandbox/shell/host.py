"""The shell as the agent uses it: one program in the sandbox that keeps a bash, asked for one command after the other."""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from proofyard.core import Process, Sandbox

__all__ = ["Ran", "Shell"]

_INSIDE: Final = (Path(__file__).parent / "inside.py").read_text(encoding="utf-8")
_SLACK_MS: Final = 20_000
"""What the program inside may need beyond a command's own time: to interrupt it, to kill it, to begin a new shell."""


class Ran(NamedTuple):
    """What came of a command. code: None if it did not end by itself. elided: bytes left out of the middle of `out`.

    timed_out: it was interrupted at the end of its time. restarted: the shell was lost and is a new one. fault: why the
    sandbox ended all of it, empty if it did not.
    """

    out: str
    code: int | None = None
    elided: int = 0
    timed_out: bool = False
    restarted: bool = False
    fault: str = ""


class Shell:
    """A bash in a sandbox. State, background jobs and the folder stay from one command to the next."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._process: Process | None = None

    def run(self, command: str, wall_ms: int, most: int) -> Ran:
        """Run a command for at most so long; of its output at most so many bytes come back.

        Raises InfrastructureError if the sandbox is lost.
        """
        if self._process is None:
            self._process = self._sandbox.start(["python", "-c", _INSIDE])
        question = json.dumps({"run": command, "wall_ms": wall_ms, "most": most}).encode()
        reply = self._process.exchange(question, wall_ms + _SLACK_MS)
        if reply.line is not None and reply.fault is None:
            ran = _ran(reply.line)
            if ran is not None:
                return ran
        self._process = None
        self._sandbox.kill()
        return Ran("", restarted=True, fault=str(reply.fault or "tamper"))


def _ran(line: bytes) -> Ran | None:
    """The answer of the program inside; None if it is none of its own, as a command may have written there."""
    try:
        given: Any = json.loads(line)
        return Ran(
            out=str(given["out"]),
            code=None if given["code"] is None else int(given["code"]),
            elided=int(given["elided"]),
            timed_out=bool(given["timed_out"]),
            restarted=bool(given["restarted"]),
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
