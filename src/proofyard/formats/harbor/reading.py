"""Harbor task folders: `task.toml`, `instruction.md`, `environment/`, `tests/`, `solution/`, `steps/` -> `Task`.

What changes how a task must be run and cannot be honoured is refused by name; keys that are not used are reported. A task
of several steps is one `Step` here: its brief says what is asked next, its grader what each part is worth.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from proofyard.core import (
    Artifact,
    Blobs,
    Brief,
    Budget,
    GraderSpec,
    Hidden,
    Preparation,
    SandboxSpec,
    Server,
    Step,
    Task,
    Tree,
    UsageError,
)
from proofyard.formats.folder import read_folder
from proofyard.formats.harbor.config import (
    AgentTable,
    Healthcheck,
    StepTable,
    TaskConfig,
    VerifierTable,
)
from proofyard.formats.harbor.config import Artifact as ArtifactRow
from proofyard.formats.harbor.document import TaskFile, read_config
from proofyard.formats.harbor.places import Ground, as_user, ground_of, network_of, spec_of
from proofyard.formats.harbor.recipe import place_of
from proofyard.formats.harbor.solutions import METADATA, SOLUTION_DIR, check_reasons, scripts, solutions, tests_of
from proofyard.formats.harbor.terms import Terms, resolved

__all__ = ["SOLUTION_DIR", "HarborTask", "read_task", "strip_canary", "task_name"]

_AGENT_S: Final = 3600.0
_IDLE: Final = ("source", "agent.user", "verifier.user", "environment.gpu_types")
"""Keys that a task may have and that do not act."""
_CANARY: Final = re.compile(r"\s*(<!--.*canary.*-->|#.*canary.*)\s*", re.IGNORECASE)
_ALWAYS_TAKEN: Final = "/logs/artifacts"


class HarborTask(NamedTuple):
    """A task, and the dotted names of keys in `task.toml` that were not used. notes: what has no effect or another one."""

    task: Task
    unused: tuple[str, ...]
    notes: tuple[str, ...] = ()


def task_name(folder: Path, config: TaskConfig) -> str:
    """The name of a task: as it says itself, else its folder's."""
    return config.task.name if config.task else folder.resolve().name


def read_task(folder: Path, blobs: Blobs, terms: Terms = Terms()) -> HarborTask:  # noqa: B008 - it is immutable
    """Read a Harbor task folder.

    Raises:
        UsageError: a part is missing or malformed, or the task needs what is not supported.

    """
    file = read_config(folder / "task.toml")
    for path in _followed(folder):
        if path.is_symlink():
            raise UsageError(f"{path} is a link, which is not followed")
    reader = _Reader(folder, file.config, blobs, terms)
    reader.check()
    return HarborTask(reader.task(), _unused(file), reader.ground.notes)


def strip_canary(text: str) -> str:
    """Drop leading canary lines, and the blank lines after them."""
    lines = text.splitlines(keepends=True)
    start = 0
    while start < len(lines) and _CANARY.fullmatch(lines[start]):
        start += 1
        while start < len(lines) and not lines[start].strip():
            start += 1
    return "".join(lines[start:])


class _Reader:
    def __init__(self, folder: Path, config: TaskConfig, blobs: Blobs, terms: Terms) -> None:
        self._folder = folder
        self._config = config
        self._blobs = blobs
        self._terms = terms
        self._name = task_name(folder, config)
        self.ground: Ground = ground_of(folder, config.environment, "environment", blobs, terms)

    def check(self) -> None:
        """Refuse what is missing or not supported. Raises UsageError."""
        config, folder = self._config, self._folder
        needed = ["instruction.md"]
        if config.steps:
            needed = [f"steps/{step.name}/instruction.md" for step in config.steps]
        elif not config.separate():
            needed.append("tests/test.sh")
        for part in needed:
            if not (folder / part).is_file():
                raise UsageError(f"{folder} is no Harbor task: it has no {part}")
        separate = config.separate() or any(config.separate(step) for step in config.steps)
        kinds = {server.transport for server in config.environment.mcp_servers} - {"stdio"}
        needs = {
            "several steps with a separate verifier": bool(config.steps) and separate,
            "an earlier trajectory": (folder / "trajectory.json").exists()
            or any((folder / "steps" / step.name / "trajectory.json").exists() for step in config.steps),
            f"MCP servers by {', '.join(sorted(kinds))}": bool(kinds),
            "artifacts of another service": any(row.service not in {None, "main"} for row in self._artifact_rows()),
        }
        for what, wanted in needs.items():
            if wanted:
                raise UsageError(f"{folder} needs {what}, which is not supported")

    def task(self) -> Task:
        """The task."""
        config = self._config
        step = self._several() if config.steps else self._single()
        seconds = [table.timeout_sec for table in (config.agent, *(one.agent for one in config.steps))]
        limit = config.agent.timeout_sec
        if config.steps:
            limit = sum(s or _AGENT_S for s in seconds[1:])
        return Task(
            id=self._name,
            suite="harbor",
            version=(config.task.version if config.task else None) or "",
            steps=(step,),
            tags=config.task.keywords if config.task else (),
            budget=Budget(wall_s=max(1, int(limit)) if limit is not None else None),
        )

    def _single(self) -> Step:
        config = self._config
        separate = config.separate()
        brief = replace(
            self._brief(self._folder, config.agent, config.environment.healthcheck),
            task=self._name,
            collect=tuple(row.command for row in config.verifier.collect if row.service == "main"),
            submits=tuple(self._artifacts()) if separate else (),
        )
        if separate and self._terms.engine:  # a container is asked for these, not for what differs
            kept = tuple(dict.fromkeys(artifact.source for artifact in brief.submits))
            brief = replace(brief, work=replace(brief.work, kept=kept))
        parameters: dict[str, Any] = {"reasons": check_reasons(config, self._folder / "task.toml")}
        if separate:
            parameters["baked"] = True
        return Step(
            brief=brief,
            grader=_grader(parameters),
            grading=self._separate() if separate else self._grading(config.verifier),
            hidden=Hidden(
                tests=Tree() if separate else tests_of(self._folder, "", self._blobs),
                solutions=self._solutions(),
            ),
        )

    def _several(self) -> Step:
        """All steps as one: the first's brief with the others after it, a part of the grader for each."""
        config = self._config
        briefs, parts, tests = [], [], Tree()
        for number, step in enumerate(config.steps):
            briefs.append(self._step_brief(number, step))
            spec = self._grading(step.verifier)
            gate = step.min_reward
            parts.append({
                "name": step.name,
                "limits": msgspec.to_builtins(spec.limits),
                "environment": spec.image.environment,
                "gates": {} if gate is None else gate if isinstance(gate, dict) else {"reward": gate},
            })  # fmt: skip
            tests = tests.merged(tests_of(self._folder, step.name, self._blobs), step.name)
            if "test.sh" not in tests_of(self._folder, step.name, self._blobs).entries:
                raise UsageError(f"{self._folder} is no Harbor task: step {step.name} has no tests/test.sh")
        networks = {self._network(step.agent, "agent") for step in config.steps}
        if len(networks) > 1 or len({self._network(step.verifier, "verifier") for step in config.steps}) > 1:
            raise UsageError(f"{self._folder}: steps with different networks are not supported")
        if self._terms.engine and len({step.agent.user for step in config.steps}) > 1:
            raise UsageError(f"{self._folder}: steps of different users are not supported")
        first = replace(briefs[0], task=self._name, then=tuple(briefs[1:]))
        parameters = {
            "reasons": check_reasons(config, self._folder / "task.toml"),
            "parts": parts,
            "strategy": config.multi_step_reward_strategy or "mean",
        }
        return Step(
            brief=first,
            grader=_grader(parameters),
            grading=self._grading(config.steps[0].verifier),
            hidden=Hidden(tests=tests, solutions=self._solutions()),
        )

    def _step_brief(self, number: int, step: StepTable) -> Brief:
        folder = self._folder / "steps" / step.name
        files = scripts(read_folder(folder / "workdir", self._blobs))
        checks = [step.healthcheck] if step.healthcheck is not None else []
        brief = self._brief(folder, step.agent, *checks, name=step.name)
        setup = (Preparation(command="bash setup.sh", wall_ms=600_000),) if "setup.sh" in files.entries else ()
        brief = replace(brief, files=files, prepare=(*setup, *brief.prepare))
        if number == 0:
            overall = self._config.environment.healthcheck
            return replace(brief, prepare=(*_checks(overall), *brief.prepare)) if overall else brief
        image = replace(brief.work.image, steps=(), source="")
        return replace(brief, work=replace(brief.work, image=image, kept=()), servers=(), skills="")

    def _brief(self, folder: Path, agent: AgentTable, *checks: Healthcheck | None, name: str = "") -> Brief:
        environment = self._config.environment
        work = spec_of(self.ground, agent.timeout_sec or _AGENT_S, environment.cpus, self._network(agent, "agent"))
        work = as_user(work, self._config.agent.user if agent.user is None else agent.user)
        return Brief(
            task=name,
            prompt=strip_canary((folder / "instruction.md").read_text(encoding="utf-8")),
            work=work,
            prepare=tuple(one for check in checks for one in _checks(check)),
            servers=tuple(Server(name=s.name, command=s.command or "", args=s.args) for s in environment.mcp_servers),
            skills=environment.skills_dir or "",
        )

    def _network(self, table: AgentTable | VerifierTable, name: str) -> Any:
        return network_of(self._config.environment, table, self._terms, self._folder, name)

    def _grading(self, table: VerifierTable) -> SandboxSpec:
        network = self._network(table, "verifier")
        spec = spec_of(self.ground, table.timeout_sec, self._config.environment.cpus, network)
        return self._with_variables(spec, table)

    def _separate(self) -> SandboxSpec:
        """The sandbox of a verifier in an environment of its own, with room for what it is given."""
        verifier = self._config.verifier
        own = verifier.environment or self._config.environment
        if own.healthcheck is not None and verifier.environment is not None:
            raise UsageError(f"{self._folder} needs a health check of its verifier, which is not supported")
        if not (self._folder / "tests" / "Dockerfile").is_file():
            raise UsageError(f"{self._folder} needs the image of its verifier: tests/Dockerfile is not there")
        ground = ground_of(self._folder, own, "tests", self._blobs, self._terms)
        places = {place_of(artifact.source) for artifact in self._artifacts()}
        kept = ground.kept if self._terms.engine else tuple(sorted({*ground.kept, *places}))
        network = network_of(own, verifier, self._terms, self._folder, "verifier")
        spec = spec_of(ground._replace(kept=kept), verifier.timeout_sec, own.cpus, network)
        return self._with_variables(spec, verifier)

    def _with_variables(self, spec: SandboxSpec, table: VerifierTable) -> SandboxSpec:
        env = resolved("verifier", table.env, self._terms, str(self._folder / "task.toml"))
        # Python's start-up files in the home are the agent's to write: the tests' own Python must not run them.
        own = {**spec.image.environment, "PYTHONNOUSERSITE": "1", **env}
        return as_user(replace(spec, image=replace(spec.image, environment=own)), table.user)

    def _artifact_rows(self) -> list[ArtifactRow]:
        rows = [*self._config.artifacts, *(row for step in self._config.steps for row in step.artifacts)]
        return [ArtifactRow(source=row) if isinstance(row, str) else row for row in rows]

    def _artifacts(self) -> list[Artifact]:
        workdir = self.ground.image.workdir
        found = [Artifact(source=_ALWAYS_TAKEN)]
        for row in self._artifact_rows():
            source = row.source if row.source.startswith("/") else f"{workdir}/{row.source}"
            found.append(Artifact(source=source.rstrip("/"), exclude=row.exclude))
        return found

    def _solutions(self) -> Any:
        where = str(self._folder / "task.toml")
        env = resolved("solution", self._config.solution.env, self._terms, where)
        return solutions(self._folder, self._config, env, self._blobs)


def _followed(folder: Path) -> Iterator[Path]:
    """The paths that are read as they are named: through a link they would lead to files that are no part of the task."""
    parts = ("environment", "tests", "solution", "steps", "instruction.md", "task.toml")
    yield from (folder / part for part in parts)
    for step in sorted((folder / "steps").glob("*")):
        yield from (step, *(step / part for part in ("workdir", "tests", "solution", "instruction.md")))


def _grader(parameters: dict[str, Any]) -> GraderSpec:
    given = {name: value for name, value in parameters.items() if value}
    return GraderSpec(kind="command", parameters=msgspec.json.encode(given, order="sorted").decode())


def _checks(check: Healthcheck | None) -> tuple[Preparation, ...]:
    if check is None:
        return ()
    return (
        Preparation(
            command=check.command,
            wall_ms=int(check.timeout_sec * 1000),
            tries=max(1, check.retries),
            pause_ms=int((check.start_interval_sec if check.start_period_sec else check.interval_sec) * 1000),
            grace_ms=int(check.start_period_sec * 1000),
        ),
    )


def _unused(file: TaskFile) -> tuple[str, ...]:
    """Unknown keys, and known ones that do not act."""
    idle = []
    for name in _IDLE:
        top, _, key = name.partition(".")
        table = file.document.get(top)
        if table is not None and (not key or (isinstance(table, dict) and key in table)):
            idle.append(name)
    return tuple(sorted({*file.unknown, *idle} - {f"metadata.{METADATA}"}))
