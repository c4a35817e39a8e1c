"""What a `task.toml` must hold to beyond the types of its keys."""

import math
import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from proofyard.formats.harbor.config import (
    Artifact,
    EnvironmentTable,
    Healthcheck,
    McpServer,
    TaskConfig,
    VerifierTable,
)
from proofyard.formats.harbor.network import network_fault

__all__ = ["faults"]

_TASK: Final = re.compile(r"[a-zA-Z0-9][\w.-]*/[a-zA-Z0-9][\w.-]*")
_STEP: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TOPOLOGY: Final = re.compile(r"[1-9]\d*(x[1-9]\d*)+")
_VARIABLE: Final = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")


def faults(config: TaskConfig) -> Iterator[str]:
    """Yield each rule that is broken, with the key's dotted name."""
    if config.task is not None and (not _TASK.fullmatch(config.task.name) or ".." in config.task.name):
        yield f"task.name: {config.task.name!r} is not of the form org/name"
    yield from _environment("environment", config.environment)
    for where, table in (("agent", config.agent), *((f"steps.{s.name}.agent", s.agent) for s in config.steps)):
        if table.timeout_sec is not None:
            yield from _positive(f"{where}.timeout_sec", table.timeout_sec)
        yield from _named(where, network_fault(table.network_mode, table.allowed_hosts))
    yield from _verifier("verifier", config.verifier)
    yield from _artifacts("artifacts", config.artifacts)
    yield from _steps(config)


def _environment(where: str, table: EnvironmentTable) -> Iterator[str]:
    yield from _named(where, network_fault(table.network_mode, table.allowed_hosts))
    for key in ("build_timeout_sec", "cpus", "memory_mb", "storage_mb"):
        value = getattr(table, key)
        if value is not None:
            yield from _positive(f"{where}.{key}", value)
    if table.gpus is not None and table.gpus < 0:
        yield f"{where}.gpus: not a positive number: {table.gpus}"
    if table.tpu is not None and not _TOPOLOGY.fullmatch(table.tpu.topology):
        yield f"{where}.tpu.topology: {table.tpu.topology!r} is not of the form 2x4"
    if table.workdir is not None and not table.workdir.startswith("/"):
        yield f"{where}.workdir: {table.workdir!r} is no absolute path"
    if table.healthcheck is not None:
        yield from _healthcheck(f"{where}.healthcheck", table.healthcheck)
    for server in table.mcp_servers:
        yield from _named(f"{where}.mcp_servers.{server.name}", _server(server))


def _healthcheck(where: str, table: Healthcheck) -> Iterator[str]:
    yield from _positive(f"{where}.timeout_sec", table.timeout_sec)
    if min(table.interval_sec, table.start_period_sec, table.start_interval_sec, table.retries) < 0:
        yield f"{where}: a negative number"


def _server(server: McpServer) -> str:
    if server.transport == "stdio":
        if server.command is None:
            return "a stdio server needs a command"
        return "a stdio server has neither url nor headers" if server.url or server.headers else ""
    if server.url is None:
        return f"a server by {server.transport} needs a url"
    if server.command is not None or server.args:
        return f"a server by {server.transport} has neither command nor args"
    bad = next((v for v in server.headers.values() if "${" in v and "${" in _VARIABLE.sub("", v)), None)
    return f"a header takes ${{VAR}} without a default, not {bad!r}" if bad is not None else ""


def _verifier(where: str, table: VerifierTable) -> Iterator[str]:
    yield from _positive(f"{where}.timeout_sec", table.timeout_sec)
    yield from _named(where, network_fault(table.network_mode, table.allowed_hosts))
    if table.environment is not None:
        yield from _environment(f"{where}.environment", table.environment)
        if table.environment_mode == "shared":
            yield f'{where}: environment_mode = "shared" and an environment of its own exclude each other'


def _artifacts(where: str, items: tuple[str | Artifact, ...]) -> Iterator[str]:
    for item in items:
        one = Artifact(source=item) if isinstance(item, str) else item
        destination = one.destination or ""
        if ".." in one.source.split("/") or ".." in destination.split("/"):
            yield f"{where}: {one.source!r}: a path with .."
        elif destination.startswith("/") or "\\" in destination:
            yield f"{where}: {destination!r} is no relative path with forward slashes"
        elif destination == "manifest.json":
            yield f"{where}: the destination manifest.json is taken"
        elif one.service not in {None, "main"} and not one.source.startswith("/"):
            yield f"{where}: {one.source!r} of service {one.service} is no absolute path"


def _steps(config: TaskConfig) -> Iterator[str]:
    seen: set[str] = set()
    for step in config.steps:
        where = f"steps.{step.name}"
        if not _STEP.fullmatch(step.name):
            yield f"steps: {step.name!r} is no name of a folder that every system takes"
        folded = unicodedata.normalize("NFKC", step.name).casefold()
        if folded in seen:
            yield f"steps: two steps are named {step.name!r}"
        seen.add(folded)
        yield from _verifier(f"{where}.verifier", step.verifier)
        yield from _artifacts(f"{where}.artifacts", step.artifacts)
        if step.healthcheck is not None:
            yield from _healthcheck(f"{where}.healthcheck", step.healthcheck)
        gates = step.min_reward.values() if isinstance(step.min_reward, dict) else (step.min_reward,)
        if not all(gate is None or math.isfinite(gate) for gate in gates):
            yield f"{where}.min_reward: not a finite number"


def _positive(where: str, value: Any) -> Iterator[str]:
    if not 0 < value < 1e9:
        yield f"{where}: not a positive number: {value!r}"


def _named(where: str, fault: str) -> Iterator[str]:
    if fault:
        yield f"{where}: {fault}"
