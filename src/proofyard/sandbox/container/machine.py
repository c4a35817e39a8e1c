"""One container that stays, as the engine's command line knows it: made, started, killed, removed, looked at.

When proofyard is killed it ends by itself, and what is left of it, which is no process, is removed at the next start.
"""

import contextlib
import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from proofyard.core import Failure, InfrastructureError, SandboxSpec, cache_folder
from proofyard.sandbox.container.engine import PACKAGES, Engine
from proofyard.sandbox.container.hold import HOLDING, Hold
from proofyard.sandbox.container.owner import LABEL, container_name

__all__ = ["Container", "lost"]

_PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"
"""Where the image's own programs are, whatever its PATH says."""
_UP_S: Final = 60.0
_UNCOUNTED: Final = 16
_MOST_CALLS: Final = 20


class State(msgspec.Struct, rename="pascal"):
    """What the engine says of a container."""

    running: bool = False
    pid: int = 0
    status: str = ""
    exit_code: int = 0
    error: str = ""


class Container:
    """A container of an image. started: how often its first process was; pid: its number, as the engine's machine counts."""

    def __init__(self, engine: Engine, image: str, spec: SandboxSpec) -> None:
        self.engine = engine
        self.name = container_name()
        self.started = self.pid = 0
        self._down = True
        self._spec = spec
        self._hold: Hold | None = None
        self._lock = threading.RLock()
        code, found, said = engine.call(*self._creation(image), env=exec_environment(spec.image.environment))
        if code:
            raise lost(f"the container could not be made: {said or found}", "sandbox_start")
        self.id = found.split()[-1] if found else ""

    def _creation(self, image: str) -> list[str]:
        spec, limits = self._spec, self._spec.limits
        cpus = limits.cpu_ms / max(1, limits.wall_ms)
        words = ["create", "--interactive", "--name", self.name, "--label", f"{LABEL}=task", "--pull", "never"]
        words += [] if spec.network.mode == "public" else ["--network", "none"]
        words += ["--memory", str(limits.tree_memory), "--memory-swap", str(limits.tree_memory)]
        words += ["--pids-limit", str(limits.pids), "--hostname", "sandbox"]
        # An engine refuses more processors than there are, and so many are no limit.
        words += ["--cpus", f"{cpus:g}"] if cpus < min(_UNCOUNTED, os.cpu_count() or 1) else []
        words += ["--no-healthcheck"]
        words += ["--volume", f"{spec.image.packages}:{PACKAGES}:ro"] if spec.image.packages else []
        return [*words, *_variables(spec.image.environment), image, *HOLDING]

    def start(self) -> None:
        """Start its first process, if it is not running. Raises InfrastructureError."""
        with self._lock:
            if self._hold is not None and self._hold.alive():
                return
            self._leave()
            try:
                self._hold = Hold(self.engine.program, self.name)
            except OSError as error:
                raise lost(f"{self.engine.program}: {error}", "sandbox_start") from error
            self._down = False
            said = self._hold.wait(_UP_S)
            if said:
                self._leave()
                raise lost(f"the container does not stay: {said}", "sandbox_start")
            self.started += 1
            self.pid = self.state().pid

    def kill(self) -> bool:
        """Kill its processes; whether all are known to be dead."""
        with self._lock:
            for _ in range(_MOST_CALLS):
                if self._down:
                    break
                self.engine.call("kill", self.name)
                self._leave()
                self._down = not self.state().running
            self._leave()
            return self._down

    def remove(self) -> bool:
        """Kill it and drop it; whether it is known to be gone."""
        with self._lock:
            code, _, _ = self.engine.call("rm", "--force", "--volumes", self.name)
            self._down = code == 0 or self.engine.remove(self.name)
            self._leave()
            return self._down

    def state(self) -> State:
        """What it is doing. Raises InfrastructureError if the engine does not know it or does not answer."""
        code, found, said = self.engine.call("inspect", "--type", "container", "--format", "{{json .State}}", self.name)
        if code:
            raise lost(f"the container engine: {said or 'no answer'}")
        return msgspec.json.decode(found, type=State)

    def exec_words(self, argv: Sequence[str], cwd: str, env: Mapping[str, str], user: str = "") -> list[str]:
        """The command that starts a program in it. Values of `env` are named, not told: see `exec_environment`."""
        words = [self.engine.program, "exec", "--interactive"]
        words += ["--workdir", cwd] if cwd else []
        words += ["--user", user] if user else []
        return [*words, *_variables(env), self.name, *argv]

    def run(self, script: str, user: str = "0") -> str:
        """Have its `sh` do a script, as the image's own; what it printed. Raises InfrastructureError if it failed."""
        self.start()
        words = [self.engine.program, "exec", "--interactive", *(("--user", user) if user else ()), "--workdir", "/"]
        whole = f"PATH={_PATH}\n{script}\n".encode("utf-8", "surrogateescape")
        code, out, said = _piped([*words, self.name, "/bin/sh", "-s"], whole)
        if code:
            raise lost(f"the image's sh: {said or f'exit code {code}'}", "sandbox_start")
        return out.decode("utf-8", "replace").strip()

    def copy_in(self, archive: bytes) -> None:
        """Lay the files of an archive, by paths from the top; nothing of an empty one. Raises InfrastructureError."""
        if not archive:
            return
        words = [self.engine.program, "cp", "-", f"{self.name}:/"]
        if self.engine.is_podman:  # it leaves a file where temporary ones go
            cache_folder().mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".podman-", dir=cache_folder()) as place:
                code, _, said = _piped(words, archive, {**os.environ, "TMPDIR": place})
        else:
            code, _, said = _piped(words, archive)
        if code:
            raise lost(f"files could not be laid: {said or f'exit code {code}'}", "sandbox_start")

    @property
    def follows_links(self) -> bool:
        """Whether what is copied out of it is what a link leads to, not the link."""
        return self.engine.is_podman

    @contextlib.contextmanager
    def copy_out(self, path: str) -> Any:
        """The archive of what lies at a path, as a stream; an empty one if nothing does."""
        with _reading([self.engine.program, "cp", f"{self.name}:{path}", "-"]) as stream:
            yield stream

    @contextlib.contextmanager
    def all_out(self) -> Any:
        """The archive of all that is in it, as a stream."""
        with _reading([self.engine.program, "export", self.name]) as stream:
            yield stream

    def changes(self) -> list[tuple[str, str]]:
        """What differs from its image: A (added), C (changed) or D (gone), and an absolute path."""
        code, found, said = self.engine.call("diff", self.name, seconds=600)
        if code:
            raise lost(f"the container engine: {said or 'no answer'}")
        return [(line[0], line[2:]) for line in found.splitlines() if line[:1] in "ACD" and line[1:3] == " /"]

    def _leave(self) -> None:
        hold, self._hold = self._hold, None
        if hold is not None:
            hold.leave()


def exec_environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of the engine's own command: ours, and the values that it only names."""
    return {**os.environ, **{name: value for name, value in env.items() if _may_be_named(name)}}


def _variables(env: Mapping[str, str]) -> list[str]:
    """The words that give a container variables: their names, where `exec_environment` has the values."""
    named = (name if _may_be_named(name) else f"{name}={value}" for name, value in env.items())
    return [word for one in named for word in ("--env", one)]


def _may_be_named(name: str) -> bool:
    """Whether a variable can stand in the environment of the engine's command without being one of its own."""
    upper = name.upper()
    own = ("DOCKER_", "CONTAINER", "PODMAN", "XDG_", "LD_", "SSH_", "SSL_", "BUILD", "GODEBUG")
    return not (upper.startswith(own) or upper.endswith("_PROXY") or upper in {"PATH", "HOME", "TMPDIR", "USER"})


def _piped(words: Sequence[str], data: bytes, env: Mapping[str, str] | None = None) -> tuple[int, bytes, str]:
    try:
        done = subprocess.run(words, input=data, check=False, capture_output=True, timeout=600, env=env)
    except subprocess.TimeoutExpired:
        return 124, b"", "no answer within 600 s"
    except OSError as error:
        return 127, b"", str(error)
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return done.returncode, done.stdout, lines[-1] if lines else ""


@contextlib.contextmanager
def _reading(words: Sequence[str]) -> Any:
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout
        finally:
            process.kill()


def lost(message: str, code: str = "sandbox_lost") -> InfrastructureError:
    """A failure of the engine or of a container."""
    return InfrastructureError(Failure(code=code, message=message))
