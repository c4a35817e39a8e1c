"""What comes of a request and of a program, and a kill that could not be confirmed."""

from dataclasses import dataclass

__all__ = ["Answer", "End", "UnconfirmedError"]


class UnconfirmedError(Exception):
    """Processes were still alive five seconds after the kill."""


@dataclass(frozen=True)
class Answer:
    """What came of one request, as `core.Reply`."""

    line: bytes | None = None
    fault: str | None = None
    killed: bool = False
    calls: int = 0


@dataclass(frozen=True)
class End:
    """How the program ended, as `core.Ended`."""

    code: int | None
    signal: int | None
    fault: str | None
    stdout: bytes
    stderr: bytes
