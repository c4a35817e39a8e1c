"""Opens sandboxes in containers. Each program gets a container of its own, made when it starts and removed when it ends."""

import base64
import json
import resource
import secrets
import threading
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from proofyard.core import (
    Blobs,
    Failure,
    InfrastructureError,
    Rung,
    Sandbox,
    SandboxSpec,
    Tree,
    Usage,
    UsageError,
    file_bytes,
)
from proofyard.sandbox.container.engine import PACKAGES, WORKSPACE, Engine, find_engine, run_argv, unavailable
from proofyard.sandbox.container.inside import LENGTH
from proofyard.sandbox.container.named import engine_of
from proofyard.sandbox.container.owner import container_name
from proofyard.sandbox.container.process import ContainerProcess
from proofyard.sandbox.container.task import TaskContainer

__all__ = ["ContainerProvider", "ContainerSandbox"]

WRITABLE: Final = (WORKSPACE, "/tmp")
ENVIRONMENT: Final = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "TZ": "UTC",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


class ContainerProvider:
    """Sandboxes in containers of the engine found on this machine. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._images: dict[str, str] = {}
        self._open: set[ContainerSandbox | TaskContainer] = set()
        self._closed = False

    def open(self, spec: SandboxSpec, blobs: Blobs) -> Sandbox:
        """Open a sandbox: for an image with a source one container that stays, else one for each program, when it starts.

        Raises:
            InfrastructureError: `isolation_unavailable`, no engine answers, the image is not to be had, or the
                specification asks for what a container does not give.

        """
        if spec.image.source:
            return self._open_task(spec, blobs)
        if spec.armed or spec.kept or spec.network.mode != "none" or any(mount.writable for mount in spec.mounts):
            raise unavailable("a container here has no kill points, no network, and no folders that outlive a program")
        if not spec.image.container:
            raise unavailable("no image is named for the container")
        with self._lock:
            if self._closed:
                raise InfrastructureError(Failure(code="sandbox_lost", message="the provider is closed"))
            if self._engine is None:
                self._engine = find_engine()
            image = spec.image.container
            if image not in self._images:
                self._images[image] = self._engine.image_id(image)
            sandbox = ContainerSandbox(self._engine, spec, blobs, self._images[image], self._open.discard)
            self._open.add(sandbox)
        return sandbox

    def _open_task(self, spec: SandboxSpec, blobs: Blobs) -> "TaskContainer":
        if spec.armed:
            raise unavailable("a container has no kill points")
        engine, image = engine_of(spec.image.container)
        with self._lock:
            if self._closed:
                raise InfrastructureError(Failure(code="sandbox_lost", message="the provider is closed"))
        sandbox = TaskContainer(engine, spec, blobs, image, self._open.discard)
        with self._lock:
            self._open.add(sandbox)
        return sandbox

    def close(self) -> None:
        """Remove all containers."""
        with self._lock:
            self._closed = True
            sandboxes = list(self._open)
        for sandbox in sandboxes:
            sandbox.abandon()


class ContainerSandbox:
    """One sandbox: files to be laid out in each container, and the container that is there now, if any."""

    def __init__(self, engine: Engine, spec: SandboxSpec, blobs: Blobs, image_id: str, release: Any) -> None:
        self._engine = engine
        self._spec = spec
        self._blobs = blobs
        self._image_id = image_id
        self._release = release
        self._name = ""
        self._process: ContainerProcess | None = None
        self._used = Usage()
        self._files: dict[str, tuple[str, str, int]] = {}
        for mount in spec.mounts:
            self.put(mount.tree, mount.path)

    @property
    def rung(self) -> Rung:
        """The rung this sandbox is on."""
        return "container"

    @property
    def provenance(self) -> Mapping[str, str]:
        """Rung, engine, image, limits: short strings."""
        limits = msgspec.structs.asdict(self._spec.limits)
        return MappingProxyType(
            {
                "rung": "container",
                "isolation": "container",
                "engine": self._engine.version,
                "image": self._spec.image.container,
                "image_id": self._image_id,
                "limits": " ".join(f"{name}={value}" for name, value in limits.items()),
                "network": "none",
                "kill_confirmed": "yes",
            }
        )

    def put(self, tree: Tree, path: str) -> None:
        """Have files in the containers to come. What is not below `/workspace` or `/tmp` is left to the image."""
        if not path.startswith(tuple(f"{top}/" for top in WRITABLE)) and path not in WRITABLE:
            return
        for name, entry in tree.entries.items():
            if entry.kind == "file":
                content = base64.b64encode(file_bytes(entry, self._blobs)).decode()
                whole = f"{path}/{name}"
                self._files[whole] = (whole, content, 0o555 if entry.executable else 0o444)

    def get(self, path: str) -> Tree:
        """Raise UsageError: nothing outlives a container."""
        raise UsageError(f"{path}: nothing outlives the program in a container")

    def start(self, argv: Sequence[str], *, cwd: str = "", env: Mapping[str, str] | None = None) -> ContainerProcess:
        """Start one program in a container of its own; one that is still there is removed first."""
        self.kill()
        spec, word = self._spec, secrets.token_hex(16)
        packages = {"PYTHONPATH": PACKAGES} if spec.image.packages else {}
        order = {
            "argv": list(argv),
            "flags": ["-s", "-S", "-B"] if packages else ["-s", "-B"],
            "env": {**ENVIRONMENT, **packages, **spec.image.environment, **(env or {})},
            "cwd": cwd or spec.image.workdir,
            "files": list(self._files.values()),
            "rlimits": _rlimits(spec),
            "word": word,
        }
        text = json.dumps(order).encode()
        self._name = container_name()
        command = run_argv(self._engine, self._name, spec.image.container, spec.image.packages, spec.limits)
        data = f"{len(text):0{LENGTH}d}".encode() + text
        self._process = ContainerProcess(command, data, word, spec.limits, self)
        return self._process

    def kill(self) -> bool:
        """Remove the container, if there is one; True only when it is known to be gone."""
        process, self._process = self._process, None
        if process is None:
            return True
        try:
            return process.kill()
        finally:
            self._used = _together(self._used, process)

    def snapshot(self) -> Tree:
        """Nothing: no folder is kept."""
        self.kill()
        return Tree()

    def usage(self) -> Usage:
        """What all programs ended so far used. Of one that was killed the CPU time is unknown: its wall time stands for it."""
        return self._used

    def close(self) -> None:
        """Remove what is there."""
        try:
            self.kill()
        finally:
            self._release(self)

    def abandon(self) -> None:
        """Remove the container under the hands of whoever works with it."""
        if self._process is not None:
            self.remove()

    def remove(self) -> bool:
        """Kill the container that is there now; whether it is known to be gone."""
        return self._engine.remove(self._name)

    def was_out_of_memory(self) -> bool:
        """Whether processes of the container were killed for want of memory."""
        return self._engine.was_out_of_memory(self._name)


def _rlimits(spec: SandboxSpec) -> list[tuple[int, int, int]]:
    limits = spec.limits
    cpu = max(1, -(-limits.cpu_ms // 1000))
    return [
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_NOFILE, limits.files, limits.files),
        (resource.RLIMIT_FSIZE, limits.file_size, limits.file_size),
        (resource.RLIMIT_CORE, 0, 0),
    ]


def _together(used: Usage, process: ContainerProcess) -> Usage:
    report = process.report
    return Usage(
        cpu_us=used.cpu_us + (report.cpu_us if report else process.wall_us),
        wall_us=used.wall_us + process.wall_us,
        peak_memory=max(used.peak_memory, report.peak if report else 0),
    )
