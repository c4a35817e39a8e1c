"""A sandbox that is one container of a task's own image: it stays from one program to the next, and from a kill to a start."""

import contextlib
import posixpath
import shlex
import tarfile
import threading
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from proofyard.core import (
    Blobs,
    Entry,
    ImageStep,
    InfrastructureError,
    Rung,
    SandboxSpec,
    Tree,
    Usage,
    UsageError,
    cache_folder,
)
from proofyard.sandbox.container.archive import Budget, Piece, packed, unpacked
from proofyard.sandbox.container.egress import listener_inside
from proofyard.sandbox.container.engine import PACKAGES, Engine
from proofyard.sandbox.container.execution import Execution
from proofyard.sandbox.container.machine import Container, exec_environment, lost
from proofyard.sandbox.container.room import making_room, making_way
from proofyard.sandbox.container.taking import ALL, Taking
from proofyard.sandbox.container.used import short_of_memory, used
from proofyard.sandbox.proxy import EgressProxy, environment

__all__ = ["TaskContainer"]

_SLACK: Final = 1 << 20
_SINGLE: Final = 48
"""More changed files than these are not asked for one by one: all of the container is read."""
_LOGS: Final = ("/logs/agent", "/logs/artifacts")
_FRESH: Final = ("/tests", "/logs/verifier")
"""What no submission brings: as the image and the mounts have it, or empty."""

_users: dict[tuple[str, str], tuple[int, int]] = {}
"""User and group of each image, by engine and id."""


class TaskContainer:
    """One open sandbox. `release` forgets it. Steps of the specification's image are what is laid over the image."""

    def __init__(
        self, engine: Engine, spec: SandboxSpec, blobs: Blobs, image_id: str, release: Callable[["TaskContainer"], None]
    ) -> None:
        self._spec = spec
        self._blobs = blobs
        self._image_id = image_id
        self._release = release
        self._taking = Taking(spec.kept)
        self._left: list[str] = []
        self._unconfirmed = self._closed = False
        self._programs: list[Execution] = []
        self._proxy: EgressProxy | None = None
        self._used = Usage()
        self._lock = threading.RLock()
        self._entered = 0
        self._interpreter = ""
        self._owner = (0, 0)
        self._container = Container(engine, image_id, spec)
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    @property
    def rung(self) -> Rung:
        """The rung this sandbox is on."""
        return "container"

    @property
    def provenance(self) -> Mapping[str, str]:
        """Rung, engine, image, limits, what of the submission was left out: short strings."""
        limits = msgspec.structs.asdict(self._spec.limits)
        facts = {
            "rung": "container",
            "isolation": "container",
            "engine": self._container.engine.version,
            "image": self._spec.image.source,
            "image_id": self._image_id,
            "limits": " ".join(f"{name}={value}" for name, value in limits.items()),
            "network": self._spec.network.mode,
            "kill_confirmed": "no" if self._unconfirmed else "yes",
        }
        if self._left:
            facts["left_out"] = f"{len(self._left)} paths of the system, first {self._left[0]}"[:200]
        return MappingProxyType(facts)

    def put(self, tree: Tree, path: str) -> None:
        """Lay files below an absolute path, through links that are on the way. Whiteouts remove."""
        self._run()
        piece = Piece(tree, path, self._owner)
        script = making_room(piece)
        if script:
            self._container.run(script)
        self._container.copy_in(packed([piece], self._blobs))

    def get(self, path: str) -> Tree:
        """Read a folder back: regular files only are read, links never followed (they come as `symlink` entries)."""
        return Tree(entries=self._copied(posixpath.normpath(path), self._budget(), inside=True))

    def start(self, argv: Sequence[str], *, cwd: str = "", env: Mapping[str, str] | None = None) -> Execution:
        """Start one program. `argv[0]` `python` means the image's `python3` with fixed safe flags.

        Raises:
            UsageError: the image has none.

        """
        self._run()
        command = list(argv)
        variables = dict(env or {})
        if command[0] == "python":
            command[:1] = [self._python(), "-s", "-B"]
        if self._spec.network.hosts and self._spec.network.mode == "hosts":
            variables = {**environment(self._spec.network.hosts), **variables}
        if self._spec.image.packages:
            variables.setdefault("PYTHONPATH", PACKAGES)
        words = self._container.exec_words(command, cwd or self._spec.image.workdir, variables)
        with self._lock:
            where = cache_folder()  # podman leaves a file where it is called from when memory runs out
            where.mkdir(parents=True, exist_ok=True)
            program = Execution(words, b"", "", self._spec.limits, self, exec_environment(variables), str(where))
            self._programs.append(program)
        return program

    def kill(self) -> bool:
        """Kill every process; True only when all are known to be dead. What they wrote stays; `start` works again."""
        gone = self.remove()
        for program in self._programs:
            with contextlib.suppress(InfrastructureError):
                program.kill()
            wall = self._used.wall_us + program.wall_us
            self._used = msgspec.structs.replace(self._used, wall_us=wall)
        self._programs.clear()
        return gone

    def snapshot(self) -> Tree:
        """After a confirmed kill, what differs from the image, with whiteouts, or what lies in the kept folders.

        Raises:
            InfrastructureError: `kill_unconfirmed`.

        """
        if not self.kill():
            raise lost("no snapshot of a container that still runs", "kill_unconfirmed")
        budget = self._budget()
        if ALL in self._spec.kept:
            return self._difference(budget)
        found: dict[str, Entry] = {}
        for place in self._spec.kept:
            found.update(self._copied(place, budget))
        return Tree(entries=found)

    def usage(self) -> Usage:
        """What all processes used up to the last kill. Where it cannot be measured wall time stands for CPU time."""
        return self._used if self._used.cpu_us else msgspec.structs.replace(self._used, cpu_us=self._used.wall_us)

    def close(self) -> None:
        """Kill what lives, and remove the container."""
        if self._closed:
            return
        self._closed = True
        try:
            self._unconfirmed |= not self._container.remove()
            for program in self._programs:
                with contextlib.suppress(InfrastructureError):
                    program.kill()
        finally:
            self._leave_network()
            self._release(self)

    def abandon(self) -> None:
        """Remove the container under the hands of whoever works with it."""
        self._container.engine.remove(self._container.name)

    # --- what its programs ask

    def remove(self) -> bool:
        """Kill all of the container; whether all are known to be dead."""
        with self._lock:
            self._measure()
            gone = self._container.kill()
            self._unconfirmed |= not gone
            self._leave_network()
            return gone

    def is_running(self) -> bool:
        """Whether the container is running. Raises InfrastructureError if the engine is lost."""
        return self._container.state().running

    def was_out_of_memory(self) -> bool:
        """Whether a process of the container was killed for want of memory."""
        container = self._container
        return short_of_memory(container, container.pid) or container.engine.was_out_of_memory(container.name)

    # --- inside

    def _prepare(self) -> None:
        """Lay over the image what is to be there."""
        spec = self._spec
        self._owner = self._user()
        whole = Tree(entries={name: one for step in spec.image.steps for name, one in _entries(step).items()})
        self._left = self._taking.left(f"/{path}" for path in whole.entries)
        allowed = Tree(entries={path: one for path, one in whole.entries.items() if self._taking.takes(f"/{path}")})
        work = Piece(allowed, "/", self._owner)
        mounts = [Piece(one.tree, one.path, self._owner if one.writable else (0, 0)) for one in spec.mounts]
        places = {mount.path for mount in spec.mounts}
        stale = " ".join(path for path in _FRESH if path in places or path in spec.kept)
        logs = " ".join((*_LOGS, *(path for path in _FRESH if path in spec.kept)))
        made = " ".join(shlex.quote(path) for path in (spec.image.workdir, *sorted(places)))
        lines = [making_way(work), f"rm -rf -- {stale}" if stale else "", f"mkdir -p -- {made} {logs} || exit 1"]
        lines += [f"chmod 777 -- {logs}", *(making_room(mount) for mount in mounts)]
        self._container.run("\n".join(line for line in lines if line))
        self._container.copy_in(packed([work, *mounts], self._blobs))
        self._run()

    def _python(self) -> str:
        if not self._interpreter:
            places = " ".join(f"/usr/{place}bin/python3" for place in ("local/", ""))
            self._interpreter = self._container.run(
                f"for one in {places}; do [ -x $one ] && echo $one && exit; done; :"
            )
        if not self._interpreter:
            raise UsageError("the task's image has no python3, which is needed to work in it")
        return self._interpreter.splitlines()[0]

    def _user(self) -> tuple[int, int]:
        """The image's user and group, by number; root where the image cannot say."""
        key = (self._container.engine.program, self._image_id)
        if key not in _users:
            said = self._container.run("id -u 2>/dev/null; id -g 2>/dev/null", user="").split()
            known = len(said) == 2 and all(number.isdigit() for number in said)
            _users[key] = (int(said[0]), int(said[1])) if known else (0, 0)
        return _users[key]

    def _run(self) -> None:
        """Have the container running, and its way out open."""
        with self._lock:
            if self._closed:
                raise lost("the sandbox is closed")
            self._container.start()
            network = self._spec.network
            if (network.hosts or network.route) and self._entered != self._container.started:
                self._leave_network()
                listener = listener_inside(self._container, self._container.pid)
                self._proxy = EgressProxy(network.hosts, listener, route=network.route)
                self._proxy.start()
                self._entered = self._container.started

    def _leave_network(self) -> None:
        proxy, self._proxy = self._proxy, None
        if proxy is not None:
            proxy.close()
        self._entered = 0

    def _difference(self, budget: Budget) -> Tree:
        changes = self._container.changes()
        folders = {posixpath.dirname(path) for _, path in changes}
        self._left = self._taking.left(path for _, path in changes if path not in folders)
        changes = [(kind, path) for kind, path in changes if self._taking.takes(path)]
        found = {path.lstrip("/"): Entry(kind="whiteout") for kind, path in changes if kind == "D"}
        there = [path for kind, path in changes if kind != "D"]
        added = {path for kind, path in changes if kind == "A"}
        # What is below an added folder comes with it; a changed folder is no more than what changed in it.
        roots = [p for p in there if posixpath.dirname(p) not in added and (p in added or p not in folders)]
        wanted = frozenset(there)
        if len(roots) > _SINGLE or (roots and self._container.follows_links):
            with self._container.all_out() as stream:
                return Tree(entries={**found, **self._read(stream, "/", budget, wanted.__contains__)})
        for root in roots:
            found.update(self._copied(root, budget, wanted=wanted.__contains__ if root in added else None))
        return Tree(entries=found)

    def _copied(
        self, path: str, budget: Budget, *, inside: bool = False, wanted: Callable[[str], bool] | None = None
    ) -> dict[str, Entry]:
        """What lies at and below an absolute path, by paths from the top; inside: by paths below it."""
        with self._container.copy_out(path) as stream:
            found = self._read(stream, posixpath.dirname(path), budget, wanted or (lambda _: True))
        prefix = f"{path.strip('/')}/"
        if not inside:
            return found
        return {name.removeprefix(prefix): entry for name, entry in found.items() if name.startswith(prefix)}

    def _read(self, stream: object, top: str, budget: Budget, wanted: Callable[[str], bool]) -> dict[str, Entry]:
        try:
            return unpacked(stream, top, self._blobs, budget, wanted)  # type: ignore[arg-type]
        except tarfile.ReadError as error:
            if "empty" in str(error):
                return {}
            raise lost(f"a container could not be read: {error}") from error
        except (OSError, tarfile.TarError) as error:
            raise lost(f"a container could not be read: {error}") from error

    def _budget(self) -> Budget:
        limits = self._spec.limits
        return Budget(limits.disk + sum(mount.tree.size for mount in self._spec.mounts) + _SLACK, limits.inodes)

    def _measure(self) -> None:
        found = used(self._container, self._container.pid)
        if found is not None:
            peak = max(self._used.peak_memory, found[1])
            self._used = msgspec.structs.replace(self._used, cpu_us=self._used.cpu_us + found[0], peak_memory=peak)


def _entries(step: ImageStep) -> Mapping[str, Entry]:
    return Piece(step.tree, step.path).entries
