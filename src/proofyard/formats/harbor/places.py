"""The sandboxes of a task folder: what is installed, which folders are kept, network, limits, for work and for tests."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from proofyard.core import Blobs, Image, ImageStep, Limits, Network, Rung, SandboxSpec, Tree, UsageError, file_bytes
from proofyard.formats.folder import read_folder
from proofyard.formats.harbor.config import AgentTable, EnvironmentTable, VerifierTable
from proofyard.formats.harbor.context import IGNORE, Context
from proofyard.formats.harbor.network import enforceable, entry
from proofyard.formats.harbor.outline import outline
from proofyard.formats.harbor.recipe import Recipe, place_of, recipe
from proofyard.formats.harbor.solutions import without
from proofyard.formats.harbor.terms import Terms, resolved

__all__ = ["MACHINE", "Ground", "as_user", "ground_of", "network_of", "refusals", "spec_of"]

MACHINE: Final = "machine"
"""The source of an image that names none."""

_WORKDIR: Final = "/app"
_HOME: Final = "/root"
_PATH: Final = "/opt/packages/bin:/usr/local/bin:/usr/bin:/bin"
_ALWAYS: Final = (_HOME, "/logs/agent", "/logs/artifacts")
_PORTS: Final = (80, 443)
_ALL, _SYSTEM = "/", "/usr"
"""Kept of a container: whatever differs from its image but for the system's folders, and these as well."""
_LIMITS: Final = Limits(
    memory=24 << 30, tree_memory=6 << 30, pids=256, files=1024, disk=512 << 20, inodes=1 << 16, output=16 << 20
)
_ADDRESSES: Final = 4
"""Address space a process may have, in multiples of the memory: numerical libraries reserve far more than they use."""
_UNCOUNTED: Final = 16
"""Processors' worth of CPU time where a task does not say how many it may use."""


class Ground(NamedTuple):
    """What sandboxes of a folder's environment are made of. notes: what it says that has no effect."""

    image: Image
    kept: tuple[str, ...]
    limits: Limits
    notes: tuple[str, ...]


def refusals(folder: Path, table: EnvironmentTable, context: str) -> Iterable[str]:
    """Yield what an environment needs and cannot be had."""
    needs = {
        f"the operating system {table.os}": table.os != "linux",
        "a GPU": bool(table.gpus),
        "a TPU": table.tpu is not None,
        "a container group (docker-compose.yaml)": (folder / context / "docker-compose.yaml").exists(),
    }
    return [what for what, needed in needs.items() if needed]


def ground_of(folder: Path, table: EnvironmentTable, context: str, blobs: Blobs, terms: Terms) -> Ground:
    """Read an environment; `context` names the folder of its Dockerfile, below the task's.

    Raises:
        UsageError: it needs what cannot be had.

    """
    for what in refusals(folder, table, context):
        raise UsageError(f"{folder} needs {what}, which is not supported")
    tree = without(read_folder(folder / context, blobs), "shortcuts")
    if terms.engine:
        return _contained(folder, table, context, tree, blobs, terms)
    ours = {"PATH": _PATH, "HOME": _HOME}
    made = _recipe(folder, table, context, tree, blobs, terms)
    workdir = table.workdir or made.workdir or _WORKDIR
    steps = [*made.steps, ImageStep(kind="folder", path=workdir)]
    if "Dockerfile" not in tree.entries and context != "tests":
        steps.append(ImageStep(kind="files", path=workdir, tree=tree))
    env = {**ours, **made.environment, **resolved("environment", table.env, terms, str(folder / "task.toml"))}
    places = sorted({*made.places, place_of(workdir), *_ALWAYS})
    steps = [replace(step, requirements=tuple(places)) if step.kind == "run" else step for step in steps]
    notes = made.notes if made.workdir or table.workdir else (*made.notes, f"no WORKDIR is set: it is {_WORKDIR}")
    image = Image(base="system", workdir=workdir, environment=env, source=made.source, steps=tuple(steps))
    return Ground(image, tuple(places), _limits(table), notes)


def _contained(folder: Path, table: EnvironmentTable, context: str, tree: Tree, blobs: Blobs, terms: Terms) -> Ground:
    """An environment that a container engine builds and holds: its Dockerfile as it is."""
    name, text = folder / context / "Dockerfile", _text(tree, "Dockerfile", blobs)
    if table.skills_dir:
        raise UsageError(f"{folder}: skills_dir is not supported in a container")
    if text is None and table.docker_image is None:
        raise UsageError(f"{folder} names no image for {terms.engine}: it has neither {name} nor docker_image")
    if text is None:
        name, text = folder / "task.toml", f"FROM {table.docker_image}\n"
    source, found = outline(text, str(name))
    workdir = table.workdir or found or _WORKDIR
    if "Dockerfile" not in tree.entries and tree.entries:
        text += f"COPY . {workdir}\n"
    env = resolved("environment", table.env, terms, str(folder / "task.toml"))
    step = ImageStep(kind="run", command=text, tree=tree, wall_ms=int(table.build_timeout_sec * 1000))
    image = Image(
        base="system", workdir=workdir, environment=env, source=source, container=f"{terms.engine}://", steps=(step,)
    )
    notes = () if found or table.workdir else (f"no WORKDIR is set: it is {_WORKDIR}",)
    return Ground(image, (_ALL, _SYSTEM) if terms.system else (_ALL,), _limits(table), notes)


def as_user(spec: SandboxSpec, user: str | int | None) -> SandboxSpec:
    """The sandbox with its programs run by a user of the image; None is the image's own. Elsewhere there is one user."""
    if not spec.image.container or user is None:
        return spec
    first, *others = spec.image.steps
    step = replace(first, command=f"{first.command.rstrip()}\nUSER {user}\n")
    return replace(spec, image=replace(spec.image, steps=(step, *others)))


def _text(tree: Tree, name: str, blobs: Blobs) -> str | None:
    entry = tree.entries.get(name)
    return file_bytes(entry, blobs).decode("utf-8", "replace") if entry is not None and entry.kind == "file" else None


def _recipe(folder: Path, table: EnvironmentTable, context: str, tree: Tree, blobs: Blobs, terms: Terms) -> Recipe:
    written = tree.entries.get("Dockerfile")
    if written is not None and written.kind != "file":
        raise UsageError(f"{folder / context / 'Dockerfile'} is a link, which is not followed")
    if written is not None:
        text, name = file_bytes(written, blobs).decode("utf-8", "replace"), str(folder / context / "Dockerfile")
    elif table.docker_image is not None:
        text, name = f"FROM {table.docker_image}\n", f"{folder / 'task.toml'} (docker_image)"
    else:
        return Recipe(MACHINE, (), {}, "", (), ())
    ignore = tree.entries.get(IGNORE)
    ignored = file_bytes(ignore, blobs).decode("utf-8", "replace") if ignore and ignore.kind == "file" else ""
    return recipe(
        text,
        name,
        Context(tree, ignored),
        blobs,
        any_base=terms.any_base,
        own=("/tests",) if context == "tests" else (),
        wall_s=table.build_timeout_sec,
        given={"PATH": _PATH, "HOME": _HOME},
    )


def spec_of(ground: Ground, seconds: float, cpus: float | None, network: Network) -> SandboxSpec:
    """The sandbox of a phase that may take so long."""
    wall = int(seconds * 1000)
    limits = replace(ground.limits, wall_ms=wall, cpu_ms=int(wall * (cpus or _UNCOUNTED)))
    lowest: Rung = "container" if ground.image.container else "bubblewrap"
    return SandboxSpec(image=ground.image, kept=ground.kept, network=network, limits=limits, lowest=lowest)


def _limits(table: EnvironmentTable) -> Limits:
    limits = _LIMITS
    if table.memory_mb is not None:
        memory = table.memory_mb << 20
        limits = replace(limits, memory=_ADDRESSES * memory, tree_memory=memory)
    if table.storage_mb is not None:
        limits = replace(limits, disk=table.storage_mb << 20)
    return replace(limits, file_size=limits.disk)


def network_of(
    baseline: EnvironmentTable, phase: AgentTable | VerifierTable, terms: Terms, folder: Path, name: str
) -> Network:
    """The network of a phase: its own table if that says anything of it, else the environment's.

    Raises:
        UsageError: it cannot be enforced, or is the public one.

    """
    table = baseline if phase.network_mode is None else phase
    where = f"{folder / 'task.toml'}: the network of the {name}"
    if table.network_mode == "public":
        if terms.public:
            return Network(mode="public")
        if not terms.closed and terms.engine:
            raise UsageError(
                f"{where} is public (the default where network_mode is not given); --suite-option public=allowed gives it, "
                "public=no-network runs such tasks without a network"
            )
        if not terms.closed:
            raise UsageError(
                f"{where} is public (the default where network_mode is not given), which is never given; "
                "--suite-option public=no-network runs such tasks without a network"
            )
        return Network()
    if table.network_mode != "allowlist":
        return Network()
    hosts = [entry(text) for text in table.allowed_hosts or ()]
    for host in hosts:
        if not enforceable(host):
            raise UsageError(f"{folder / 'task.toml'}: {host!r} in allowed_hosts cannot be enforced: name each host")
    named = [f"[{host}]" if ":" in host else host for host in hosts]
    return Network(mode="hosts", hosts=(*(f"{host}:{port}" for host in named for port in _PORTS), *terms.hosts))
