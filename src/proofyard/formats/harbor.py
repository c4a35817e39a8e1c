"""Harbor task folders: `task.toml`, `instruction.md`, `environment/`, `tests/`, `solution/` -> `Task`.

Read so far: single-step tasks without an image of their own, with a shared verifier. What changes how a task must be run
and cannot be honoured is refused; other keys that are not used are reported.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

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

__all__ = ["SOLUTION_DIR", "HarborTask", "read_task", "strip_canary"]

SOLUTION_DIR: Final = "/solution"
"""Where a solution's files are when its command runs."""

_WORKDIR: Final = "/app"
_PORTS: Final = (80, 443)
_VERIFIER_S: Final = 600.0
_AGENT_S: Final = 3600.0
_USED: Final[dict[str, frozenset[str]]] = {
    "": frozenset({"schema_version", "version", "task", "metadata", "agent", "verifier", "environment", "solution"}),
    "task": frozenset({"name", "version", "description", "authors", "keywords"}),
    "agent": frozenset({"timeout_sec", "network_mode", "allowed_hosts"}),
    "verifier": frozenset({"timeout_sec", "env", "network_mode", "allowed_hosts", "environment_mode"}),
    "environment": frozenset(
        {"network_mode", "allowed_hosts", "memory_mb", "storage_mb", "env", "workdir", "os", "build_timeout_sec"}
    ),
    "solution": frozenset(),
}
_MODES: Final = {"public": "public", "no-network": "none", "allowlist": "hosts"}
_CANARY: Final = re.compile(r"\s*(<!--.*canary.*-->|#.*canary.*)\s*", re.IGNORECASE)
_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[?[0-9a-f:]*:[0-9a-f:.]+\]?")
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
    config = _config(folder)
    for part in ("instruction.md", "tests/test.sh"):
        if not (folder / part).is_file():
            raise UsageError(f"{folder} is no Harbor task: it has no {part}")
    _refuse_unsupported(folder, config)
    agent, verifier, environment = (_table(config, name, folder) for name in ("agent", "verifier", "environment"))
    limits, workdir = _limits(environment, folder), str(environment.get("workdir", _WORKDIR))
    agent_s = _number(agent, "timeout_sec", _AGENT_S, folder)
    verifier_s = _number(verifier, "timeout_sec", _VERIFIER_S, folder)
    image = Image(base="system", workdir=workdir, environment=_env(environment, folder))
    graded = replace(image, environment={**image.environment, **_env(verifier, folder)})
    work = SandboxSpec(
        image=image,
        kept=(workdir,),
        network=_network(environment, agent, hosts, folder),
        limits=_timed(limits, agent_s),
    )
    grading = SandboxSpec(
        image=graded, network=_network(environment, verifier, hosts, folder), limits=_timed(limits, verifier_s)
    )
    about = _table(config, "task", folder)
    name = str(about.get("name", folder.resolve().name))
    prompt = strip_canary((folder / "instruction.md").read_text(encoding="utf-8"))
    step = Step(
        brief=Brief(task=name, prompt=prompt, files=read_folder(folder / "environment", blobs), work=work),
        grader=GraderSpec(kind="command"),
        grading=grading,
        hidden=Hidden(tests=_scripts(read_folder(folder / "tests", blobs)), solutions=_solutions(folder, blobs)),
    )
    task = Task(
        id=name,
        suite="harbor",
        version=str(about.get("version", "")),
        steps=(step,),
        tags=tuple(str(word) for word in about.get("keywords", ())),
        budget=Budget(wall_s=int(agent_s) if "timeout_sec" in agent else None),
    )
    return HarborTask(task, tuple(sorted(_unused(config))))


def strip_canary(text: str) -> str:
    """Drop leading canary lines, and the blank lines after them."""
    lines = text.splitlines(keepends=True)
    start = 0
    while start < len(lines) and _CANARY.fullmatch(lines[start]):
        start += 1
        while start < len(lines) and not lines[start].strip():
            start += 1
    return "".join(lines[start:])


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "task.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{folder} is no Harbor task: it has no task.toml") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None


def _refuse_unsupported(folder: Path, config: Mapping[str, Any]) -> None:
    environment, verifier = _table(config, "environment", folder), _table(config, "verifier", folder)
    needs = {
        "several steps": "steps" in config,
        "a separate verifier": verifier.get("environment_mode") == "separate" or "environment" in verifier,
        f"the operating system {environment.get('os')}": environment.get("os", "linux") != "linux",
        "an image built from environment/Dockerfile": (folder / "environment" / "Dockerfile").exists(),
        "a container group": (folder / "environment" / "docker-compose.yaml").exists(),
        "MCP servers": bool(environment.get("mcp_servers")),
    }
    for what, needed in needs.items():
        if needed:
            raise UsageError(f"{folder} needs {what}, which is not supported")


def _table(config: Mapping[str, Any], name: str, folder: Path) -> dict[str, Any]:
    table = config.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(f"{folder / 'task.toml'}: {name} is not a table")
    return table


def _number(table: Mapping[str, Any], key: str, default: float, folder: Path) -> float:
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        raise UsageError(f"{folder / 'task.toml'}: {key} is not a positive number: {value!r}")
    return float(value)


def _limits(environment: Mapping[str, Any], folder: Path) -> Limits:
    limits = _LIMITS
    if "memory_mb" in environment:
        memory = int(_number(environment, "memory_mb", 0, folder)) << 20
        limits = replace(limits, memory=memory, tree_memory=memory)
    if "storage_mb" in environment:
        limits = replace(limits, disk=int(_number(environment, "storage_mb", 0, folder)) << 20)
    return replace(limits, file_size=limits.disk)


def _timed(limits: Limits, seconds: float) -> Limits:
    milliseconds = int(seconds * 1000)
    return replace(limits, wall_ms=milliseconds, cpu_ms=milliseconds)


def _env(table: Mapping[str, Any], folder: Path) -> dict[str, str]:
    env = table.get("env", {})
    if not isinstance(env, dict):
        raise UsageError(f"{folder / 'task.toml'}: env is not a table")
    for key, value in env.items():
        if "${" in str(value):
            raise UsageError(f"{folder / 'task.toml'}: env.{key} wants a variable of the host, which is not supported")
    return {key: str(value) for key, value in env.items()}


def _network(baseline: Mapping[str, Any], phase: Mapping[str, Any], extra: Iterable[str], folder: Path) -> Network:
    """The network of a phase: its own table if that says anything of it, else the environment's."""
    table = phase if {"network_mode", "allowed_hosts"} & phase.keys() else baseline
    named = table.get("network_mode", "public")
    mode = _MODES.get(named) if isinstance(named, str) else None
    if mode is None:
        raise UsageError(f"{folder / 'task.toml'}: unknown network_mode {named!r}")
    listed = table.get("allowed_hosts")
    if mode != "hosts":
        if listed is not None:
            raise UsageError(f'{folder / "task.toml"}: allowed_hosts needs network_mode = "allowlist"')
        return Network(mode="none" if mode == "none" else "public")
    if not isinstance(listed, list):
        raise UsageError(f'{folder / "task.toml"}: network_mode "allowlist" needs a list allowed_hosts')
    hosts = [f"{_host(entry, folder)}:{port}" for entry in listed for port in _PORTS]
    return Network(mode="hosts", hosts=(*hosts, *extra))


def _host(entry: Any, folder: Path) -> str:
    host = str(entry).strip().lower().rstrip(".")
    if not _HOST.fullmatch(host):
        raise UsageError(f"{folder / 'task.toml'}: {entry!r} in allowed_hosts is no host name or address")
    return f"[{host.strip('[]')}]" if ":" in host else host


def _scripts(tree: Tree) -> Tree:
    """Shell scripts are executable, whatever the folder says."""
    entries = {
        path: replace(entry, executable=True) if entry.kind == "file" and path.endswith(".sh") else entry
        for path, entry in tree.entries.items()
    }
    return Tree(entries=entries)


def _solutions(folder: Path, blobs: Blobs) -> tuple[Solution, ...]:
    if not (folder / "solution" / "solve.sh").is_file():
        return ()
    tree = _scripts(read_folder(folder / "solution", blobs))
    return (Solution(name="reference", kind="reference", tree=tree, argv=("bash", f"{SOLUTION_DIR}/solve.sh")),)


def _unused(config: Mapping[str, Any]) -> Iterable[str]:
    for key, value in config.items():
        if key not in _USED[""]:
            yield key
        elif key in _USED and isinstance(value, dict):
            yield from (f"{key}.{inner}" for inner in value if inner not in _USED[key])
