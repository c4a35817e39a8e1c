"""What every rung's back end must offer the runner.

A runner has one `Launcher` for its whole life. Per sandbox: `make_base` (the folder in the runner's own view below which all
writable storage lies, with the quota the rung can give), `open` with the `Box`, any number of `start`s, `close`. A `Handle` is
one started program; the loop (`runner.loop`) polls its `watches` and calls back, so that a back end never blocks.
Back ends are found by name: `proofyard.sandbox.<rung>.launcher:make(config, layout, filter) -> Launcher` for `landlock` and
`zygote`. One that keeps something for its whole life has a method `leave()`, called when the runner ends.
"""

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

__all__ = ["Box", "Exit", "Handle", "Launcher", "Place", "Program", "StartError", "exit_of", "spawn"]

RESET = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that the runner ignores and that must do what they usually do in what it starts."""


class StartError(Exception):
    """The sandbox could not be made or the program not be started: the machine's fault, not the program's."""


@dataclass(frozen=True)
class Place:
    """One folder of the sandbox: `inside` is its absolute path there, `source` the folder in the runner's own view."""

    inside: str
    source: str
    writable: bool
    kept: bool


@dataclass
class Box:
    """One sandbox. limits: the fields of `core.Limits` by name. base: what `make_base` returned. image: `core.Image` as a dict.

    network: mode, hosts, and for `hosts` the path of the egress proxy's socket in the runner's own view.
    """

    limits: dict[str, int]
    image: dict[str, Any]
    base: str = ""
    places: list[Place] = field(default_factory=list)
    armed: bool = False
    network: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """One program to start. stdin, stdout, stderr: its ends of three pipes; the caller closes them after `start`.

    argv[0] `python` means the image's interpreter with its fixed flags. `cwd` and `env` (added to the image's) are as the
    candidate sees them.
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    stdin: int
    stdout: int
    stderr: int


@dataclass(frozen=True)
class Exit:
    """How a program ended: code or signal, CPU of its whole tree in microseconds, largest resident size of a process."""

    code: int | None
    signal: int | None
    cpu_us: int = 0
    peak_memory: int = 0


class Handle(Protocol):
    """One started program and everything it starts."""

    started: bool
    """Whether the program runs; until then `watches` are served and the caller waits."""
    failed: str
    """Why it could not be started; empty if it was."""
    exit: Exit | None
    """Set once EVERY process of the program is known to be dead and reaped."""
    listener: tuple[int, int] | None
    """In an armed sandbox: descriptor of the seccomp notifications, and the pid of the sandbox's own outer process."""

    def watches(self) -> Mapping[int, Callable[[], None]]:
        """Descriptors to poll for input now, each with what to call when it is readable."""
        ...

    def roots(self) -> Sequence[int]:
        """Host process ids from which all its processes descend."""
        ...

    def resident(self) -> int:
        """Bytes in memory of all its processes (for the memory watchdog, on every tick)."""
        ...

    def kill(self) -> None:
        """Send SIGKILL to all of it without waiting; `exit` follows through `watches`, or through `check`."""
        ...

    def check(self) -> None:
        """Called on every tick (30 ms) and after `kill`: reap without blocking, set `exit` if all are dead."""
        ...

    def close(self) -> None:
        """Free descriptors and scratch storage after `exit` is set."""
        ...


class Launcher(Protocol):
    """Makes the sandboxes of one rung."""

    rung: str

    def make_base(self, limits: Mapping[str, int]) -> str:
        """Make the storage of one sandbox; return its folder in the runner's own view."""
        ...

    def open(self, box: Box) -> None:
        """Get ready for programs of this box; its places have their files by now."""
        ...

    def start(self, box: Box, program: Program) -> Handle:
        """Start one program. Raises StartError or OSError."""
        ...

    def close(self, box: Box) -> None:
        """Drop the storage and all that belongs to the box; every process is dead by now."""
        ...


def spawn(path: str, argv: Sequence[str], env: Mapping[str, str], fds: Sequence[tuple[int, int]]) -> int:
    """Start a process with exactly the descriptors `fds` (ours, its); all others are close-on-exec. Return its pid."""
    actions = [(os.POSIX_SPAWN_DUP2, ours, its) for ours, its in fds]
    return os.posix_spawn(path, list(argv), dict(env), file_actions=actions, setsigmask=(), setsigdef=RESET)


def exit_of(status: int) -> tuple[int | None, int | None]:
    """Split a wait status into exit code and signal."""
    code = os.waitstatus_to_exitcode(status)
    return (code, None) if code >= 0 else (None, -code)
