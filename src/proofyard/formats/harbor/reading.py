"""Harbor task folders: `task.toml`, `instruction.md`, `environment/`, `tests/`, `solution/` -> `Task`.

Run so far: single-step tasks without an image of their own, with a shared verifier. What changes how a task must be run
and cannot be honoured is refused by name; keys that are not used are reported.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from proofyard.core import (
    Blobs,
    Brief,
    Budget,
    GraderSpec,
    Hidden,
    Image,
    Limits,
    Network,
    SandboxSpec,
    Solution,
    Step,
    Task,
    Tree,
    UsageError,
)
from proofyard.formats.folder import read_folder
from proofyard.formats.harbor.config import AgentTable, EnvironmentTable, TaskConfig, VerifierTable
from proofyard.formats.harbor.document import TaskFile, read_config
from proofyard.formats.harbor.network import enforceable, entry

__all__ = ["SOLUTION_DIR", "HarborTask", "read_task", "strip_canary"]

SOLUTION_DIR: Final = "/solution"
"""Where a solution's files are when its command runs."""

_WORKDIR: Final = "/app"
_PORTS: Final = (80, 443)
_AGENT_S: Final = 3600.0
_IDLE: Final = (
    "source", "artifacts", "agent.user", "verifier.user", "verifier.collect", "environment.cpus", "environment.gpu_types",
    "environment.skills_dir", "solution.env",
)  # fmt: skip
"""Keys that a task may have and that do not yet act."""
_CANARY: Final = re.compile(r"\s*(<!--.*canary.*-->|#.*canary.*)\s*", re.IGNORECASE)
_LIMITS: Final = Limits(memory=2 << 30, tree_memory=2 << 30, pids=256, files=1024, disk=512 << 20, inodes=1 << 16)


class HarborTask(NamedTuple):
    """A task, and the dotted names of keys in `task.toml` that were not used."""

    task: Task
    unused: tuple[str, ...]


def read_task(folder: Path, blobs: Blobs, hosts: Iterable[str] = ()) -> HarborTask:
    """Read a Harbor task folder.

    hosts: `name:port` entries the run allows beside those of the task (not where its network is public or none).

    Raises:
        UsageError: a part is missing or malformed, or the task needs what is not supported.

    """
    file = read_config(folder / "task.toml")
    config = file.config
    _refuse_unsupported(folder, config)
    for part in ("instruction.md", "tests/test.sh"):
        if not (folder / part).is_file():
            raise UsageError(f"{folder} is no Harbor task: it has no {part}")
    name = config.task.name if config.task else folder.resolve().name
    work, grading = _places(config, hosts, folder)
    step = Step(
        brief=Brief(
            task=name,
            prompt=strip_canary((folder / "instruction.md").read_text(encoding="utf-8")),
            files=read_folder(folder / "environment", blobs),
            work=work,
        ),
        grader=GraderSpec(kind="command"),
        grading=grading,
        hidden=Hidden(tests=_scripts(read_folder(folder / "tests", blobs)), solutions=_solutions(folder, blobs)),
    )
    agent_s = config.agent.timeout_sec
    task = Task(
        id=name,
        suite="harbor",
        version=(config.task.version if config.task else None) or "",
        steps=(step,),
        tags=config.task.keywords if config.task else (),
        budget=Budget(wall_s=int(agent_s) if agent_s is not None else None),
    )
    return HarborTask(task, _unused(file))


def strip_canary(text: str) -> str:
    """Drop leading canary lines, and the blank lines after them."""
    lines = text.splitlines(keepends=True)
    start = 0
    while start < len(lines) and _CANARY.fullmatch(lines[start]):
        start += 1
        while start < len(lines) and not lines[start].strip():
            start += 1
    return "".join(lines[start:])


def _refuse_unsupported(folder: Path, config: TaskConfig) -> None:
    environment = config.environment
    needs = {
        "several steps": bool(config.steps),
        "a separate verifier": config.separate(),
        f"the operating system {environment.os}": environment.os != "linux",
        "a GPU": bool(environment.gpus),
        "a TPU": environment.tpu is not None,
        f"the image {environment.docker_image}": environment.docker_image is not None,
        "an image built from environment/Dockerfile": (folder / "environment" / "Dockerfile").exists(),
        "a container group": (folder / "environment" / "docker-compose.yaml").exists(),
        "MCP servers": bool(environment.mcp_servers),
        "a health check": environment.healthcheck is not None,
        "an earlier trajectory": (folder / "trajectory.json").exists(),
    }
    for what, needed in needs.items():
        if needed:
            raise UsageError(f"{folder} needs {what}, which is not supported")


def _places(config: TaskConfig, hosts: Iterable[str], folder: Path) -> tuple[SandboxSpec, SandboxSpec]:
    """The sandbox to work in, and that of the tests."""
    environment, extra = config.environment, tuple(hosts)
    limits, workdir = _limits(environment), environment.workdir or _WORKDIR
    image = Image(base="system", workdir=workdir, environment=_env("environment", environment.env, folder))
    graded = replace(image, environment={**image.environment, **_env("verifier", config.verifier.env, folder)})
    work = SandboxSpec(
        image=image,
        kept=(workdir,),
        network=_network(environment, config.agent, extra, folder),
        limits=_timed(limits, config.agent.timeout_sec or _AGENT_S),
    )
    network = _network(environment, config.verifier, extra, folder)
    return work, SandboxSpec(image=graded, network=network, limits=_timed(limits, config.verifier.timeout_sec))


def _limits(environment: EnvironmentTable) -> Limits:
    limits = _LIMITS
    if environment.memory_mb is not None:
        memory = environment.memory_mb << 20
        limits = replace(limits, memory=memory, tree_memory=memory)
    if environment.storage_mb is not None:
        limits = replace(limits, disk=environment.storage_mb << 20)
    return replace(limits, file_size=limits.disk)


def _timed(limits: Limits, seconds: float) -> Limits:
    milliseconds = int(seconds * 1000)
    return replace(limits, wall_ms=milliseconds, cpu_ms=milliseconds)


def _env(table: str, env: Mapping[str, str], folder: Path) -> dict[str, str]:
    for key, value in env.items():
        if "${" in value:
            where = f"{folder / 'task.toml'}: {table}.env.{key}"
            raise UsageError(f"{where} wants a variable of the host, which is not supported")
    return dict(env)


def _network(
    baseline: EnvironmentTable, phase: AgentTable | VerifierTable, extra: tuple[str, ...], folder: Path
) -> Network:
    """The network of a phase: its own table if that says anything of it, else the environment's."""
    table = baseline if phase.network_mode is None else phase
    if table.network_mode != "allowlist":
        return Network(mode="none" if table.network_mode == "no-network" else "public")
    hosts = [entry(text) for text in table.allowed_hosts or ()]
    for host in hosts:
        if not enforceable(host):
            raise UsageError(f"{folder / 'task.toml'}: {host!r} in allowed_hosts cannot be enforced: name each host")
    named = [f"[{host}]" if ":" in host else host for host in hosts]
    return Network(mode="hosts", hosts=(*(f"{host}:{port}" for host in named for port in _PORTS), *extra))


def _scripts(tree: Tree) -> Tree:
    """Shell scripts are executable, whatever the folder says."""
    entries = {
        path: replace(item, executable=True) if item.kind == "file" and path.endswith(".sh") else item
        for path, item in tree.entries.items()
    }
    return Tree(entries=entries)


def _solutions(folder: Path, blobs: Blobs) -> tuple[Solution, ...]:
    if not (folder / "solution" / "solve.sh").is_file():
        return ()
    tree = _scripts(read_folder(folder / "solution", blobs))
    return (Solution(name="reference", kind="reference", tree=tree, argv=("bash", f"{SOLUTION_DIR}/solve.sh")),)


def _unused(file: TaskFile) -> tuple[str, ...]:
    """Unknown keys, and known ones that do not act."""
    idle = []
    for name in _IDLE:
        top, _, key = name.partition(".")
        table = file.document.get(top)
        if table is not None and (not key or (isinstance(table, dict) and key in table)):
            idle.append(name)
    return tuple(sorted((*file.unknown, *idle)))
