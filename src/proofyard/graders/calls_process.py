"""A candidate's process that answers calls: one question after the other, and why no answer came where none did."""

import random
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from proofyard.core import (
    Blobs,
    Evidence,
    Limits,
    Mount,
    Process,
    Reason,
    SandboxSpec,
    Tree,
    dumps,
    tree_of,
)
from proofyard.graders import blame, wording
from proofyard.graders.outcome import Shortfall

__all__ = ["Answering", "candidate_argv", "candidate_spec", "limited", "loading_failure"]

_DRIVER: Final = Path(__file__).with_name("function_driver.py").read_text(encoding="utf-8")
_DRIVER_DIR: Final = "/workspace/driver"
_AFTERMATH_MS: Final = 500
_UNREADABLE: Final = {"ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError", "TabError"}


def candidate_spec(grading: SandboxSpec, submission: Tree, blobs: Blobs) -> SandboxSpec:
    """The sandbox of a candidate: its files and the driver, nothing of the tests."""
    mounts = (
        *grading.mounts,
        Mount(path=grading.image.workdir, tree=submission),
        Mount(path=_DRIVER_DIR, tree=tree_of({"driver.py": _DRIVER}, blobs)),
    )
    return msgspec.structs.replace(grading, mounts=mounts)


def limited(limits: Limits, cpu_ms: int) -> tuple[int, int]:
    """CPU and wall in milliseconds for a wanted CPU time; the wall clock is a backstop, generous on a busy machine."""
    cpu = min(limits.cpu_ms, cpu_ms)
    return cpu, min(limits.wall_ms, 30_000 + 2 * cpu)


def candidate_argv(spec: SandboxSpec, file: str, function: str) -> list[str]:
    """The command that answers calls of a function in a file of the submission."""
    return ["python", f"{_DRIVER_DIR}/driver.py", f"{spec.image.workdir}/{file}", function]


def loading_failure(answer: dict[str, Any], file: str, function: str) -> tuple[Reason, str] | None:
    """Reason and words if the candidate's file could not be loaded or lacks the function."""
    if answer.get("loaded") is True:
        return None
    if "raises" not in answer:
        return Reason.MISSING_OPERATION, f"{file} has no function {function}"
    raised = str(answer["raises"])
    reason = Reason.IMPORT_ERROR if raised in _UNREADABLE or raised.endswith("ImportError") else Reason.CRASH
    return reason, f"{file} cannot be loaded: {raised}"


class Answering:
    """The questions of one grading to one process. The first thing that goes wrong is kept as the `shortfall`."""

    def __init__(self, process: Process, spec: SandboxSpec, seed: str) -> None:
        self._process = process
        self._limits = spec.limits
        self._deadline = time.monotonic() + spec.limits.wall_ms / 1000
        self._random = random.Random(seed)
        self._answered = False
        self._over = False
        self.shortfall: Shortfall | None = None

    def ask(self, request: dict[str, Any], where: str, shown: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """Put one question; None if no answer came that counts: then it is over, and the shortfall says why.

        where, shown: for the evidence.
        """
        if self._over:
            return None
        ident = f"{self._random.getrandbits(64):016x}"
        reply = self._process.exchange(dumps({"id": ident, **request}), self._remaining_ms())
        if reply.line is None or reply.fault is not None:
            self._over = True
            ended = self._process.finish(_AFTERMATH_MS)
            known = blame.of_fault(reply.fault, self._limits) if reply.fault is not None else None
            reason, note = known or blame.of_death(ended, started=self._answered, killed="", limits=self._limits)
            self.fail(reason, note, where, shown, got=wording.shown((reply.line or b"")[:4096]), stderr=ended.stderr)
            return None
        self._answered = True
        try:
            got = msgspec.json.decode(reply.line)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            got = {"error": str(error)}
        if isinstance(got, dict) and got.pop("id", None) == ident:
            return got
        self._over = True
        note = "an answer that was not asked for"
        self.fail(Reason.WRONG_RESULT, note, where, shown, got=wording.shown(reply.line[:4096]))
        return None

    def end(self) -> None:
        """Close the input; a process that does not end well then is at fault."""
        if self._over:
            return
        self._over = True
        ended = self._process.finish(self._remaining_ms())
        wrong = blame.of_end(ended, self._limits)
        if wrong is not None:
            self.fail(*wrong, "after the last call", got=wording.shown(ended.stdout[:4096]), stderr=ended.stderr)

    def fail(
        self,
        reason: Reason,
        note: str,
        where: str,
        shown: dict[str, Any] | None = None,
        *,
        expected: str = "",
        got: str = "",
        stderr: bytes = b"",
    ) -> None:
        """Keep what went wrong, if it is the first."""
        if self.shortfall is None:
            request = wording.value(shown) if shown else ""
            tail = wording.stderr_tail(stderr)
            evidence = Evidence(where=where, request=request, expected=expected, got=got, stderr=tail, note=note)
            self.shortfall = Shortfall(reason, evidence)

    def _remaining_ms(self) -> int:
        return max(1, int((self._deadline - time.monotonic()) * 1000))
