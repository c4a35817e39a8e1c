"""What a sandbox is asked for and what it answers: specification, limits, and the three Protocols.

A `Provider` opens a `Sandbox`, a sandbox starts a `Process`. The order at the end is always: kill confirmed, then
snapshot. Everything here is declarations; back ends live in `proofyard.sandbox`.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, Protocol

import msgspec

from proofyard.core.record import Record
from proofyard.core.tree import Blobs, Tree

__all__ = [
    "FAULTS",
    "NO_NETWORK",
    "ROUTE_PORT",
    "Capabilities",
    "Ended",
    "Fault",
    "Image",
    "ImageStep",
    "KillPoint",
    "Limits",
    "Mount",
    "Network",
    "Process",
    "Provider",
    "Reply",
    "Rung",
    "RungReport",
    "Sandbox",
    "SandboxSpec",
    "Usage",
]

Rung = Literal["bubblewrap", "zygote", "landlock", "none", "host", "container"]
"""How a program is held: rungs 1, 2, 3, 4 of the ladder, a trusted command on the host, or a container engine."""

KillPoint = int | Literal["response"]
"""Where to kill: inside the write that carries the response, or at the n-th (from 1) state-changing call."""

Fault = Literal[
    "timeout",
    "output_limit",
    "line_too_long",
    "oom",
    "bad_json",
    "unsolicited_output",
    "eof",
    "stdin_closed",
    "tamper",
    "killed",
]
FAULTS: Final[tuple[str, ...]] = (
    "timeout",
    "output_limit",
    "line_too_long",
    "oom",
    "bad_json",
    "unsolicited_output",
    "eof",
    "stdin_closed",
    "tamper",
    "killed",
)
"""Why a line did not come, one shared table. `bad_json` is given by the reader of the line, the rest by the sandbox."""


class ImageStep(Record, frozen=True, kw_only=True):
    """One step in the making of an image.

    files: `tree` is laid at the absolute path `path` ("/" for paths from the top, whiteouts remove). folder: `path` is
    made. install: the Python packages `requirements`. system: the packages of the system `requirements` must be there.
    run: `command` by a shell in the folder `path` with `environment`, at most `wall_ms` milliseconds, without a network; it
    may write to the folders `requirements`.
    """

    kind: Literal["files", "folder", "install", "system", "run"] = "files"
    path: str = "/"
    tree: Tree = Tree()
    requirements: tuple[str, ...] = ()
    command: str = ""
    environment: dict[str, str] = msgspec.field(default_factory=dict)
    wall_ms: int = 600_000


class Image(Record, frozen=True, kw_only=True):
    """What is installed. A non-empty `preload` makes opening it a fork of a warm process that has imported those modules.

    An absolute path in `preload` is a file of a read-only mount, imported as a module by the file's name.

    base: `python` (the resolved base interpreter, standard library only) or `system` (`/usr` with its tools).
    packages: root of an installed environment's `site-packages`, bound read-only and put on the module path; "" for none.
    container: the image of a container engine, for the rung `container`, which has no warm processes and no `base`.
    source: what `steps` are done on, as its author named it; where it is not empty, the kept folders start with what the
    steps leave, and a submission is what differs from that, by paths from the top.
    """

    base: Literal["python", "system"] = "python"
    packages: str = ""
    environment: dict[str, str] = msgspec.field(default_factory=dict)
    workdir: str = "/workspace/project"
    preload: tuple[str, ...] = ()
    container: str = ""
    source: str = ""
    steps: tuple[ImageStep, ...] = ()


class Limits(Record, frozen=True, kw_only=True):
    """Limits of one process tree. Times in milliseconds, sizes in bytes. `cpu_ms` and `wall_ms` are per started process."""

    wall_ms: int = 30_000
    cpu_ms: int = 10_000
    memory: int = 512 << 20
    tree_memory: int = 1 << 30
    pids: int = 32
    files: int = 256
    file_size: int = 32 << 20
    disk: int = 64 << 20
    inodes: int = 4096
    output: int = 1 << 20
    line: int = 1 << 20
    stderr: int = 64 << 10


class Network(Record, frozen=True, kw_only=True):
    """none; or `hosts`: only these host names and ports (`name:port`), through the egress proxy; or public.

    route, with `hosts`: a unix socket on this machine, to which plain HTTP to the sandbox's own `127.0.0.1:ROUTE_PORT` leads.
    """

    mode: Literal["none", "hosts", "public"] = "none"
    hosts: tuple[str, ...] = ()
    route: str = ""


NO_NETWORK: Final = Network()
ROUTE_PORT: Final = 3128
"""The port of a sandbox's own 127.0.0.1 that leads outside, to the egress proxy and along a `route`."""


class Mount(Record, frozen=True, kw_only=True):
    """A tree laid at an absolute path: read-only unless `writable` (then a copy in the sandbox's own quota'd storage)."""

    path: str
    tree: Tree
    writable: bool = False


class SandboxSpec(Record, frozen=True, kw_only=True):
    """All that a sandbox is made of.

    kept: absolute paths of writable folders that outlive a kill (start empty). `/tmp` is always writable and is fresh
    at each start. lowest: the lowest acceptable rung (`none` only if the user allowed it). armed: processes can be
    killed at a `KillPoint` (rungs bubblewrap only).
    """

    image: Image = Image()
    mounts: tuple[Mount, ...] = ()
    kept: tuple[str, ...] = ()
    network: Network = NO_NETWORK
    limits: Limits = Limits()
    lowest: Rung = "landlock"
    armed: bool = False


class Usage(Record, frozen=True, kw_only=True):
    """What the processes of a sandbox used: CPU and wall in microseconds, peak memory and written state in bytes."""

    cpu_us: int = 0
    wall_us: int = 0
    peak_memory: int = 0
    written: int = 0


class Reply(Record, frozen=True, kw_only=True):
    """What came of one request.

    line: the response without its line feed (None if none came). fault: why none came or why it does not count.
    killed: a kill point fired and every process is confirmed dead. calls: state-changing calls seen in an armed process
    from the request to the response.
    """

    line: bytes | None = None
    fault: Fault | None = None
    killed: bool = False
    calls: int = 0


class Ended(Record, frozen=True, kw_only=True):
    """How a process ended: exit code, or the signal; None and None if it is still alive (then `fault` says `timeout`).

    stdout holds what was not yet received, stderr the first `Limits.stderr` bytes.
    """

    code: int | None = None
    signal: int | None = None
    fault: Fault | None = None
    stdout: bytes = b""
    stderr: bytes = b""


class Process(Protocol):
    """One program at work in a sandbox."""

    def exchange(self, request: bytes, wall_ms: int, kill_at: KillPoint | None = None, *, torn: bool = False) -> Reply:
        """Send one line (a line feed is added) and wait for one line back, at most `wall_ms` milliseconds.

        torn: if the n-th state-changing call is a write to a file, the first half of its bytes (rounded down) is stored
        before the kill, as a kill in the middle of a write may leave it.

        Bytes waiting before the send are `unsolicited_output`. Raises InfrastructureError if the sandbox is lost.
        """
        ...

    def send(self, data: bytes) -> None:
        """Write bytes to standard input as they are."""
        ...

    def receive(self, wall_ms: int) -> Reply:
        """Wait for one line."""
        ...

    def finish(self, wall_ms: int) -> Ended:
        """Close standard input, read to the end of output, wait for the exit."""
        ...


class Sandbox(Protocol):
    """An isolated place. `rung` and `provenance` go onto every result."""

    @property
    def rung(self) -> Rung:
        """The rung this sandbox is on."""
        ...

    @property
    def provenance(self) -> Mapping[str, str]:
        """Rung, filter hash, interpreter version, whether every kill was confirmed: short strings."""
        ...

    def put(self, tree: Tree, path: str) -> None:
        """Lay files below a writable or kept absolute path."""
        ...

    def get(self, path: str) -> Tree:
        """Read a folder back: regular files only are read, links never followed (they come as `symlink` entries)."""
        ...

    def start(self, argv: Sequence[str], *, cwd: str = "", env: Mapping[str, str] | None = None) -> Process:
        """Start one program. `argv[0]` `python` means the image's interpreter with its fixed safe flags."""
        ...

    def kill(self) -> bool:
        """Kill every process; True only when all are known to be dead. Kept folders stay; `start` works again."""
        ...

    def snapshot(self) -> Tree:
        """The kept folders, after a confirmed kill, as one tree of paths without the leading slash."""
        ...

    def usage(self) -> Usage:
        """What all processes ended so far used."""
        ...

    def close(self) -> None:
        """Kill what lives and drop everything."""
        ...


class RungReport(Record, frozen=True, kw_only=True):
    """What the canary program found of one rung: whether it works, why not, and what it leaves open."""

    rung: Rung
    works: bool
    reason: str = ""
    open: tuple[str, ...] = ()


class Capabilities(Record, frozen=True, kw_only=True):
    """What this machine allows, best rung first."""

    rungs: tuple[RungReport, ...]
    facts: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def best(self) -> Rung | None:
        """The highest rung that works, None if only `none` does."""
        return next((r.rung for r in self.rungs if r.works and r.rung != "none"), None)


class Provider(Protocol):
    """Opens sandboxes of one kind."""

    def probe(self) -> Capabilities:
        """Run a canary program on each rung and report."""
        ...

    def open(self, spec: SandboxSpec, blobs: Blobs) -> Sandbox:
        """Open a sandbox; large contents come from and go to `blobs`.

        Raises:
            InfrastructureError: `isolation_unavailable` if nothing at or above `spec.lowest` works, `sandbox_start`.

        """
        ...

    def close(self) -> None:
        """Close all sandboxes and end every process."""
        ...
