"""`task.toml` as records: every key of schema 1.4, named and typed as there. Times are seconds, sizes MiB."""

from typing import Any, Literal

import msgspec

from proofyard.core import Record

__all__ = [
    "AgentTable",
    "Artifact",
    "Author",
    "Collect",
    "EnvironmentTable",
    "Healthcheck",
    "McpServer",
    "SolutionTable",
    "StepTable",
    "TaskConfig",
    "TaskTable",
    "Tpu",
    "VerifierTable",
]

NetworkMode = Literal["public", "no-network", "allowlist"]


class Author(Record, frozen=True, kw_only=True):
    """Who wrote a task."""

    name: str
    email: str | None = None


class TaskTable(Record, frozen=True, kw_only=True):
    """`[task]`: name is `org/name`."""

    name: str
    version: str | None = None
    description: str = ""
    authors: tuple[Author, ...] = ()
    keywords: tuple[str, ...] = ()


class Healthcheck(Record, frozen=True, kw_only=True):
    """A command that must succeed before work begins."""

    command: str
    interval_sec: float = 5.0
    timeout_sec: float = 30.0
    start_period_sec: float = 0.0
    start_interval_sec: float = 5.0
    retries: int = 3


class McpServer(Record, frozen=True, kw_only=True):
    """A tool server that an agent is given. url, headers: of HTTP kinds; command, args: of stdio."""

    name: str
    transport: Literal["sse", "stdio", "streamable-http"] = "sse"
    url: str | None = None
    command: str | None = None
    args: tuple[str, ...] = ()
    headers: dict[str, str] = msgspec.field(default_factory=dict)


class Tpu(Record, frozen=True, kw_only=True):
    """A TPU: its type and topology, e.g. `2x4`."""

    type: str
    topology: str


class EnvironmentTable(Record, frozen=True, kw_only=True):
    """`[environment]`, and `[verifier.environment]`."""

    network_mode: NetworkMode = "public"
    allowed_hosts: tuple[str, ...] | None = None
    build_timeout_sec: float = 600.0
    docker_image: str | None = None
    os: Literal["linux", "windows"] = "linux"
    cpus: int | float | None = None
    memory_mb: int | None = None
    storage_mb: int | None = None
    gpus: int | None = None
    gpu_types: tuple[str, ...] | None = None
    tpu: Tpu | None = None
    env: dict[str, str] = msgspec.field(default_factory=dict)
    skills_dir: str | None = None
    workdir: str | None = None
    healthcheck: Healthcheck | None = None
    mcp_servers: tuple[McpServer, ...] = ()


class AgentTable(Record, frozen=True, kw_only=True):
    """`[agent]`. timeout_sec: None is no limit. user: a name or a number."""

    timeout_sec: float | None = None
    user: str | int | None = None
    network_mode: NetworkMode | None = None
    allowed_hosts: tuple[str, ...] | None = None


class Collect(Record, frozen=True, kw_only=True):
    """A command that is run before artifacts are taken."""

    command: str
    service: str = "main"
    timeout_sec: float = 60.0
    user: str | int | None = None


class VerifierTable(Record, frozen=True, kw_only=True):
    """`[verifier]`. environment: that of a verifier which works in an environment of its own."""

    timeout_sec: float = 600.0
    env: dict[str, str] = msgspec.field(default_factory=dict)
    user: str | int | None = None
    network_mode: NetworkMode | None = None
    allowed_hosts: tuple[str, ...] | None = None
    environment_mode: Literal["shared", "separate"] | None = None
    environment: EnvironmentTable | None = None
    collect: tuple[Collect, ...] = ()


class Artifact(Record, frozen=True, kw_only=True):
    """A file or folder of the environment to be kept. A bare path in `task.toml` is one with that source."""

    source: str
    destination: str | None = None
    exclude: tuple[str, ...] = ()
    service: str | None = None


class SolutionTable(Record, frozen=True, kw_only=True):
    """`[solution]`: variables of the reference's script."""

    env: dict[str, str] = msgspec.field(default_factory=dict)


class StepTable(Record, frozen=True, kw_only=True):
    """`[[steps]]`: min_reward is a number for the key `reward`, or numbers by key."""

    name: str
    agent: AgentTable = AgentTable()
    verifier: VerifierTable = VerifierTable()
    min_reward: float | dict[str, float] | None = None
    healthcheck: Healthcheck | None = None
    artifacts: tuple[str | Artifact, ...] = ()


class TaskConfig(Record, frozen=True, kw_only=True):
    """A whole `task.toml`. multi_step_reward_strategy: None is `mean`."""

    schema_version: str = "1.4"
    source: str | None = None
    multi_step_reward_strategy: Literal["mean", "final"] | None = None
    artifacts: tuple[str | Artifact, ...] = ()
    task: TaskTable | None = None
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)
    agent: AgentTable = AgentTable()
    verifier: VerifierTable = VerifierTable()
    environment: EnvironmentTable = EnvironmentTable()
    solution: SolutionTable = SolutionTable()
    steps: tuple[StepTable, ...] = ()

    def separate(self, step: StepTable | None = None) -> bool:
        """Whether the verifier (of a step) works in an environment of its own."""
        modes = [step.verifier] if step is not None else []
        for verifier in (*modes, self.verifier):
            if verifier.environment_mode is not None:
                return verifier.environment_mode == "separate"
            if verifier.environment is not None:
                return True
        return False
