"""A task folder looked at without running anything: what is wrong, what will not be enforced, what gives the answer away."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from proofyard.core import MemoryBlobs, Reason, SandboxSpec, Solution, Tree, UsageError
from proofyard.formats.folder import read_folder
from proofyard.formats.harbor.config import TaskConfig
from proofyard.formats.harbor.document import TaskFile, read_config
from proofyard.formats.harbor.reading import read_task, strip_canary
from proofyard.formats.harbor.solutions import METADATA
from proofyard.formats.harbor.terms import Terms

__all__ = ["Finding", "Level", "lint"]

Level = Literal["error", "warning", "note"]

_SMALL: Final = 40
"""Files shorter than this are in many places by chance."""
_ALTERNATIVES, _SHORTCUTS = 1, 1


class Finding(NamedTuple):
    """One thing found. code: a short name. An error makes the task unfit to be run or proved."""

    level: Level
    code: str
    message: str


def lint(folder: Path, terms: Terms = Terms()) -> list[Finding]:  # noqa: B008 - it is immutable
    """Look at a task folder; errors first."""
    found = list(_found(folder, terms))
    order = {"error": 0, "warning": 1, "note": 2}
    return sorted(found, key=lambda one: order[one.level])


def _found(folder: Path, terms: Terms) -> Iterator[Finding]:
    try:
        file = read_config(folder / "task.toml")
    except UsageError as error:
        yield Finding("error", "unreadable", str(error))
        return
    yield from _keys(file)
    yield from _text(folder, file.config)
    try:
        task, _, notes = read_task(folder, MemoryBlobs(), terms)
    except UsageError as error:
        yield Finding("error", "refused", str(error))
    else:
        for note in notes:
            yield Finding("note", "no-effect", note)
        yield from _known(task.steps[0].hidden.solutions, file.config)
        yield from _paths(task.steps[0].grading)
        for step in task.steps[0].brief.work.image.steps:
            for one in step.requirements if step.kind == "install" else ():
                if "==" not in one:
                    yield Finding("warning", "open-version", f"environment/Dockerfile: {one} names no exact version")
    yield from _not_enforced(file.config)
    yield from _leaks(folder)
    yield from _scripts(folder)


def _keys(file: TaskFile) -> Iterator[Finding]:
    for name in file.unknown:
        yield Finding("warning", "unknown-key", f"task.toml: {name} is no key of the format and is not used")
    for said in file.deprecated:
        yield Finding("note", "deprecated-key", f"task.toml: {said}")
    if file.config.task is None:
        yield Finding("warning", "no-name", "task.toml: there is no [task] with a name of the form org/name")
    elif not file.config.task.description:
        yield Finding("note", "no-description", "task.toml: task.description is empty")
    if file.config.agent.timeout_sec is None and not file.config.steps:
        yield Finding("warning", "no-time-limit", "task.toml: agent.timeout_sec is not given; an hour is taken")


def _text(folder: Path, config: TaskConfig) -> Iterator[Finding]:
    places = [folder / "steps" / step.name for step in config.steps] or [folder]
    for place in places:
        path = place / "instruction.md"
        if not path.is_file():
            continue
        text = path.read_text("utf-8", "replace")
        if not strip_canary(text).strip():
            yield Finding("error", "empty-instruction", f"{path.relative_to(folder)} asks for nothing")
        for word in re.findall(r"(?<![\w/])/(?:tests|solution)\b", text):
            yield Finding(
                "warning", "tells-of-grading", f"{path.relative_to(folder)} speaks of {word}, which no agent can see"
            )
        for word in sorted(set(re.findall(r"(?<![\w/])/(?:tmp|usr|etc)/[\w./-]*[\w/-]", text))):
            yield Finding(
                "warning", "not-kept", f"{path.relative_to(folder)} speaks of {word}: nothing left there is graded"
            )


def _known(solutions: tuple[Solution, ...], config: TaskConfig) -> Iterator[Finding]:
    kinds = [one.kind for one in solutions]
    if "reference" not in kinds:
        yield Finding(
            "error", "no-reference", "there is no solution/solve.sh: nothing shows that the task can be solved"
        )
    if kinds.count("alternative") < _ALTERNATIVES:
        yield Finding(
            "warning", "no-alternative", "there is no solution/alternatives/*.sh: the tests may want one way only"
        )
    if kinds.count("shortcut") < _SHORTCUTS:
        yield Finding(
            "warning", "no-shortcut", "there is no tests/shortcuts/*.sh: nothing shows that the tests can fail"
        )
    for one in solutions:
        if one.kind == "shortcut" and one.reason is None:
            yield Finding(
                "error",
                "undeclared-shortcut",
                f"tests/shortcuts/{one.name}.sh: metadata.{METADATA}.shortcuts does not say which check must stop it",
            )
    ours = config.metadata.get(METADATA)
    declared = ours.get("shortcuts", {}) if isinstance(ours, dict) else {}
    for name in sorted(set(declared) - {one.name for one in solutions if one.kind == "shortcut"}):
        yield Finding(
            "error", "missing-shortcut", f"metadata.{METADATA}.shortcuts.{name}: no tests/shortcuts/{name}.sh"
        )
    if "shortcut" in kinds and not any(one.reason is Reason.TAMPER for one in solutions):
        yield Finding(
            "note",
            "no-tampering",
            f'no shortcut tampers: declare one by a check whose reason metadata.{METADATA}.checks names as "tamper"',
        )


def _paths(grading: SandboxSpec) -> Iterator[Finding]:
    """Folders that programs are looked up in by the tests, and that an agent may write to."""
    for name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH"):
        for folder in grading.image.environment.get(name, "").split(":"):
            if folder and any(f"{folder}/".startswith(f"{place}/") for place in grading.kept):
                yield Finding(
                    "warning", "own-programs", f"{name} of the tests leads to {folder}, where an agent may write"
                )


def _not_enforced(config: TaskConfig) -> Iterator[Finding]:
    environment = config.environment
    users = {config.agent.user, config.verifier.user, *(step.agent.user for step in config.steps)} - {None}
    if users:
        names = ", ".join(sorted(str(user) for user in users))
        yield Finding("note", "one-user", f"user {names}: every program runs as one unprivileged user")
    if environment.cpus is not None:
        yield Finding("note", "cpu-time", "environment.cpus bounds CPU time (cpus x time limit), not cores at once")
    if environment.gpu_types:
        yield Finding("note", "no-effect", "environment.gpu_types has no effect")
    if environment.network_mode == "public" and config.agent.network_mode is None:
        yield Finding("warning", "public-network", 'environment.network_mode is "public", the default: it is not given')


def _leaks(folder: Path) -> Iterator[Finding]:
    """Contents of tests or solutions that an agent can read in its environment."""
    blobs = MemoryBlobs()
    try:
        seen = _contents(read_folder(folder / "environment", blobs))
        for step in sorted((folder / "steps").glob("*/workdir")):
            seen |= _contents(read_folder(step, blobs))
        for hidden in (
            "tests",
            "solution",
            *(f"steps/{p.parent.name}/tests" for p in (folder / "steps").glob("*/tests")),
        ):
            for sha, path in _contents(read_folder(folder / hidden, blobs)).items():
                if sha in seen:
                    level: Level = "warning" if hidden.endswith("tests") else "error"
                    yield Finding(level, "leak", f"{hidden}/{path} is in the environment too, as {seen[sha]}")
    except UsageError as error:
        yield Finding("error", "unreadable", str(error))


def _contents(tree: Tree) -> dict[str, str]:
    return {item.sha: path for path, item in tree.entries.items() if item.kind == "file" and item.size >= _SMALL}


def _scripts(folder: Path) -> Iterator[Finding]:
    for pattern in ("tests/*.sh", "tests/shortcuts/*.sh", "solution/**/*.sh", "steps/*/*/*.sh"):
        for path in sorted(folder.glob(pattern)):
            data, name = path.read_bytes(), path.relative_to(folder)
            if b"\r\n" in data:
                yield Finding("error", "line-ends", f"{name} has the line ends of Windows: no shell runs it")
            if not data.startswith(b"#!") and path.name == "test.sh":
                yield Finding("error", "no-interpreter", f"{name} does not begin with #!: it cannot be started")
            if path.name == "test.sh" and not _speaks_of(path.parent, b"/logs/verifier"):
                yield Finding(
                    "warning",
                    "no-reward",
                    f"{name}: no file beside it speaks of /logs/verifier: who writes the reward?",
                )
            if path.name == "test.sh" and re.search(rb"(?m)^\s*(apt-get|apt|curl|pip3?|uvx?)\s", data):
                yield Finding(
                    "warning", "tests-need-network", f"{name} fetches things: there is no network while tests run"
                )
            if path.name == "test.sh" and re.search(rb"(?m)^set -\w*e", data):
                yield Finding("warning", "may-leave-no-reward", f"{name} stops at the first failing command (set -e)")


def _speaks_of(folder: Path, word: bytes) -> bool:
    files = (path for path in folder.rglob("*") if path.is_file() and folder / "shortcuts" not in path.parents)
    return any(word in path.read_bytes() for path in files)
