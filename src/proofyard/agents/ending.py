"""What the end of a program that worked in an agent's stead means for the attempt."""

from typing import Final

from proofyard.core import Ended, Failure

__all__ = ["failure_of"]

_SAID_MOST: Final = 300


def failure_of(ended: Ended, name: str) -> Failure | None:
    """Why a program did not end well: its time, the sandbox, its exit code with the last line it said; None if it did.

    name: the program, as a message begins with it.
    """
    if ended.fault == "timeout":
        return Failure(code="agent_timeout", message=f"{name} was killed at the end of its time")
    if ended.fault is not None:
        return Failure(code="agent_exit", message=f"the sandbox ended {name}: {ended.fault}")
    if ended.code or ended.signal:
        said = ended.stderr.decode(errors="replace").strip().splitlines()[-1:]
        how = f"exit code {ended.code}" if ended.signal is None else f"signal {ended.signal}"
        more = "".join(f": {line[:_SAID_MOST]}" for line in said)
        return Failure(code="agent_exit", message=f"{name} ended with {how}{more}")
    return None
