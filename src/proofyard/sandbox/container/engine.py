"""The command line of a container engine, docker or podman."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from proofyard.core import Failure, InfrastructureError, Limits

__all__ = ["Engine", "find_engine", "run_argv"]

VARIABLE: Final = "PROOFYARD_CONTAINER_ENGINE"
"""Names the engine's program: a name on the path, or a path."""
KNOWN: Final = ("docker", "podman")
CALL_S, PULL_S = 60, 1800
USER: Final = "65534:65534"
"""`nobody`, whom the images of common distributions know by name."""
PACKAGES: Final = "/opt/packages"
WORKSPACE: Final = "/workspace"
SOURCE: Final = Path(__file__).with_name("inside.py").read_text(encoding="utf-8")


class Engine(NamedTuple):
    """An engine that answers. program: its path. version: what it says of itself."""

    program: str
    version: str

    def call(self, *words: str, seconds: float = CALL_S, env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
        """Call it; return exit code, output and the last line of errors. A call that hangs has the code 124."""
        try:
            done = subprocess.run(
                [self.program, *words], check=False, capture_output=True, text=True, timeout=seconds, env=env
            )
        except subprocess.TimeoutExpired:
            return 124, "", f"no answer within {seconds:g} s"
        except OSError as error:
            return 127, "", str(error)
        return done.returncode, done.stdout.strip(), (done.stderr.strip().splitlines() or [""])[-1]

    @property
    def is_podman(self) -> bool:
        """Whether it is podman, or behaves as that does."""
        return "podman" in Path(self.program).name

    def image_id(self, image: str) -> str:
        """The id of an image, fetched if it is not there.

        Raises:
            InfrastructureError: `isolation_unavailable`, it cannot be had.

        """
        inspect = ("image", "inspect", "--format", "{{.Id}}", image)
        code, found, _ = self.call(*inspect)
        if code:
            code, _, said = self.call("pull", "--quiet", image, seconds=PULL_S)
            if code:
                raise unavailable(f"the image {image} is neither here nor to be had: {said}")
            code, found, said = self.call(*inspect)
            if code:
                raise unavailable(f"the image {image}: {said}")
        return found

    def remove(self, name: str) -> bool:
        """Kill a container and remove it; whether it is known to be gone."""
        self.call("rm", "--force", "--volumes", name)
        code, found, _ = self.call("ps", "--all", "--quiet", "--no-trunc", "--filter", f"name=^/?{name}$")
        return code == 0 and not found

    def was_out_of_memory(self, name: str) -> bool:
        """Whether a container that ended had processes killed for want of memory."""
        return self.call("inspect", "--format", "{{.State.OOMKilled}}", name)[1] == "true"


def find_engine(environ: Mapping[str, str] = os.environ, wanted: str = "") -> Engine:
    """Find an engine that answers: the one that is wanted (by name), else the one that the variable names, docker, podman.

    Raises:
        InfrastructureError: `isolation_unavailable`, with why each does not.

    """
    named = wanted or environ.get(VARIABLE)
    why = []
    for name in (named,) if named else KNOWN:
        program = shutil.which(name)
        if program is None:
            why.append(f"{name} is not there")
            continue
        engine = Engine(program, "")
        side = "Client" if engine.is_podman else "Server"  # podman has no server of its own
        code, found, said = engine.call("version", "--format", f"{{{{.{side}.Version}}}}")
        if code == 0 and found:
            return Engine(program, f"{Path(program).name} {found}")
        why.append(f"{name}: {said or 'no answer'}")
    hint = "" if wanted else f"; {VARIABLE} may name one"
    raise unavailable(f"no container engine answers ({'; '.join(why)}){hint}")


def run_argv(engine: Engine, name: str, image: str, packages: str, limits: Limits) -> Sequence[str]:
    """The command that starts a container: no network, no capabilities, nothing writable but storage of limited size."""
    storage = f"rw,exec,nosuid,nodev,mode=1777,size={limits.disk}"
    mounts = ("--volume", f"{packages}:{PACKAGES}:ro") if packages else ()
    return [
        *(engine.program, "run", "--interactive", "--name", name, "--pull", "never", "--network", "none"),
        *("--label", "proofyard=sample", "--user", USER, "--workdir", "/", "--hostname", "sandbox"),
        *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only", "--log-driver", "none"),
        *("--memory", str(limits.tree_memory), "--memory-swap", str(limits.tree_memory)),
        *("--pids-limit", str(limits.pids + 1), "--ulimit", "core=0", "--shm-size", str(16 << 20)),
        *("--tmpfs", f"/tmp:{storage}", "--tmpfs", f"{WORKSPACE}:{storage}", *mounts),
        *("--entrypoint", "python3", image, "-I", "-S", "-B", "-c", SOURCE),
    ]


def unavailable(message: str) -> InfrastructureError:
    """The failure of a machine or an engine that cannot hold programs in containers."""
    return InfrastructureError(Failure(code="isolation_unavailable", message=message))
