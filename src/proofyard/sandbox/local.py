"""A sandbox held by a runner: the Protocol of `core.sandbox` as questions to the runner."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from proofyard.core import (
    Blobs,
    Failure,
    InfrastructureError,
    Rung,
    SandboxSpec,
    Tree,
    Usage,
    UsageError,
)
from proofyard.sandbox.channel import Runner
from proofyard.sandbox.process import Direct, LocalProcess
from proofyard.sandbox.proxy import EgressProxy, environment, relay_argv
from proofyard.sandbox.trees import fixed_size, lay, laying, read_trees

__all__ = ["LocalSandbox"]

START_MS, PRELOAD_MS = 25_000, 125_000
SNAPSHOT_SLACK = 1 << 20
LARGE = 1 << 20
RESERVED = ("/usr", "/opt/python", "/opt/packages", "/proc", "/dev", "/lib", "/lib64", "/bin", "/sbin", "/tmp")
BELOW_RESERVED = tuple(f"{top}/" for top in RESERVED)


class LocalSandbox:
    """One open sandbox. `release` gives the runner back, with whether it may be used again."""

    def __init__(
        self, runner: Runner, spec: SandboxSpec, blobs: Blobs, rung: Rung, release: Callable[[Runner, bool], None]
    ) -> None:
        self._runner = runner
        self._spec = spec
        self._blobs = blobs
        self._rung: Rung = rung
        self._release = release
        self._closed = False
        self._used: Usage | None = None
        """What was used by the time of a confirmed kill; None as soon as anything was done since."""
        self._unconfirmed = False
        self._proxy: EgressProxy | None = None
        self._direct: list[Direct] = []
        self.armed = spec.armed

    @property
    def rung(self) -> Rung:
        """The rung this sandbox is on."""
        return self._rung

    @property
    def provenance(self) -> Mapping[str, str]:
        """Rung, isolation, filter hash, interpreter version, limits, whether every kill was confirmed."""
        confirmed = "no" if self._unconfirmed else "yes"
        limits = msgspec.structs.asdict(self._spec.limits)
        return MappingProxyType(
            {
                "rung": self._rung,
                "isolation": "none" if self._rung == "none" else self._rung,
                "filter": "" if self._rung == "none" else self._runner.facts["filter"],
                "python": self._runner.config["version"],
                "limits": " ".join(f"{name}={value}" for name, value in limits.items()),
                "network": self._spec.network.mode,
                "armed": "yes" if self.armed else "no",
                "kill_confirmed": confirmed,
                **({"image": self._spec.image.source} if self._spec.image.source else {}),
            }
        )

    def prepare(self) -> None:
        """Lay out the folders and files of the specification."""
        spec = self._spec
        places: list[dict[str, Any]] = [{"inside": m.path, "writable": m.writable, "kept": False} for m in spec.mounts]
        places += [{"inside": path, "writable": True, "kept": True} for path in spec.kept]
        _check_places([place["inside"] for place in places])
        sizes = [fixed_size(mount.tree) for mount in spec.mounts]
        opening = {
            "op": "open",
            "limits": msgspec.structs.asdict(spec.limits),
            "image": msgspec.structs.asdict(spec.image),
            "armed": spec.armed,
            "network": {"mode": spec.network.mode, "hosts": spec.network.hosts},
            "places": places,
            "fixed_bytes": sum(size for size, _ in sizes),
            "fixed_inodes": sum(count for _, count in sizes) + 2 * len(places) + 1,
        }
        questions: list[tuple[dict[str, Any], bytes]] = [(opening, b"")]
        if spec.network.mode == "hosts":
            self._runner.call_all(questions, 0)
            questions.clear()
            self._proxy = EgressProxy(spec.network.hosts, self._runner.listener(), route=spec.network.route)
            self._proxy.start()
        for mount in spec.mounts:
            for question in laying(mount.tree, mount.path, self._blobs):
                questions.append(question)
                if len(question[1]) > LARGE:
                    self._runner.call_all(questions, START_MS)
                    questions.clear()
        self._runner.call_all([*questions, ({"op": "ready"}, b"")], PRELOAD_MS if spec.image.preload else START_MS)

    def put(self, tree: Tree, path: str) -> None:
        """Lay files below a writable or kept absolute path."""
        writable = [m.path for m in self._spec.mounts if m.writable] + list(self._spec.kept)
        if not any(path == top or path.startswith(top + "/") for top in writable):
            raise UsageError(f"{path} is no writable or kept folder of this sandbox")
        self._used = None
        lay(self._runner, tree, path, self._blobs)

    def get(self, path: str) -> Tree:
        """Read a folder back: regular files only are read, links never followed (they come as `symlink` entries)."""
        return read_trees(self._runner, [path.rstrip("/")], self._budget(), self._blobs)[0]

    def start(self, argv: Sequence[str], *, cwd: str = "", env: Mapping[str, str] | None = None) -> LocalProcess:
        """Start one program. `argv[0]` `python` means the image's interpreter with its fixed safe flags."""
        if not argv:
            raise UsageError("no program to start: argv is empty")
        command, variables = list(argv), dict(env or {})
        if self._proxy is not None:
            command = ["python", *relay_argv([], self._resolved(command))]
            if self._spec.network.hosts:
                variables = {**environment(self._spec.network.hosts), **variables}
        if self._closed:
            raise closed()
        self._used = None
        number, fds = self._runner.start(START_MS, argv=command, cwd=cwd, env=variables)
        direct = Direct(fds[0], fds[1], self._spec.limits) if fds else None
        if direct is not None:
            self._direct.append(direct)
        return LocalProcess(self, number, direct)

    def _resolved(self, argv: list[str]) -> list[str]:
        """The command as it is inside, for a program that starts it."""
        if argv[0] != "python":
            return argv
        flags = ["-s", "-S", "-B"] if self._spec.image.packages else ["-E", "-s", "-S", "-B"]
        return [self._runner.config["executable"], *flags, *argv[1:]]

    def kill(self) -> bool:
        """Kill every process; True only when all are known to be dead. Kept folders stay; `start` works again."""
        self._drop_direct()
        if self._used is not None and not self._closed:
            return True
        try:
            header, _ = self.ask("kill")
        except InfrastructureError as error:
            if error.failure.code == "kill_unconfirmed":
                return False
            raise
        self._used = Usage(**header)
        return True

    def note_used(self, used: dict[str, int]) -> None:
        """Every process is known to be dead: a kill has nothing more to ask."""
        self._used = Usage(**used)

    def snapshot(self) -> Tree:
        """The kept folders, after a confirmed kill, as one tree of paths without the leading slash.

        Raises:
            InfrastructureError: `kill_unconfirmed`.

        """
        if not self.kill():
            raise InfrastructureError(Failure(code="kill_unconfirmed", message="no snapshot of a folder still in use"))
        kept = [path.rstrip("/") for path in self._spec.kept]
        tree = Tree()
        for path, found in zip(kept, read_trees(self._runner, kept, self._budget(), self._blobs), strict=True):
            tree = tree.merged(found, path.strip("/"))
        return tree

    def usage(self) -> Usage:
        """What all processes ended so far used."""
        if self._used is not None and not self._closed:
            return self._used
        header, _ = self.ask("usage")
        return Usage(**header)

    def abandon(self) -> None:
        """End the runner at once, whoever waits for an answer of it; `close` is still to be called."""
        self._runner.abandon()

    def close(self) -> None:
        """Kill what lives and drop everything. A runner that is in any doubt is not used again."""
        if self._closed:
            return
        self._closed = True
        self._drop_direct()
        good = False
        try:
            header, _ = self._runner.call("close")
            good = not header["doubt"] and not self._unconfirmed
        except InfrastructureError:
            good = False
        finally:
            if self._proxy is not None:
                self._proxy.close()
            self._release(self._runner, good)

    def ask(self, op: str, payload: bytes = b"", wall_ms: int = 0, /, **fields: Any) -> tuple[dict[str, Any], bytes]:
        """Put one question to the runner; a sandbox that was closed or is in doubt answers nothing."""
        if self._closed:
            raise closed()
        self._used = None
        try:
            return self._runner.call(op, payload, wall_ms, **fields)
        except InfrastructureError as error:
            if error.failure.code == "kill_unconfirmed":
                self._unconfirmed = True
            raise

    def _drop_direct(self) -> None:
        for direct in self._direct:
            direct.close()
        self._direct.clear()

    def _budget(self) -> int:
        return self._spec.limits.disk + sum(mount.tree.size for mount in self._spec.mounts) + SNAPSHOT_SLACK


def closed() -> InfrastructureError:
    """What a closed sandbox answers."""
    return InfrastructureError(Failure(code="sandbox_lost", message="the sandbox is closed"))


def _check_places(paths: Sequence[str]) -> None:
    if len(set(paths)) != len(paths):
        raise UsageError("two folders of a sandbox have the same path")
    for path in paths:
        parts = path.split("/")
        if parts[0] or len(parts) < 2 or not {"", ".", ".."}.isdisjoint(parts[1:]) or "\0" in path:
            raise UsageError(f"not a clean absolute path: {path!r}")
        if f"{path}/".startswith(BELOW_RESERVED):
            raise UsageError(f"{path} is reserved in a sandbox")
