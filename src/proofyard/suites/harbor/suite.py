"""Task folders as a `Suite`: found at once, read when they are asked for."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from proofyard.core import Blobs, Brief, MemoryBlobs, Place, Task, UnknownNameError, UsageError, digest_of
from proofyard.formats.harbor import HarborTask, TaskConfig, Terms, content_digest, read_config, read_task
from proofyard.suites.harbor.finding import find

__all__ = ["OPTIONS", "HarborSuite", "suite"]

OPTIONS: Final[dict[str, str]] = {
    "path": "a task's folder, or one that holds tasks",
    "dataset": "NAME or NAME@VERSION of the registry.json in that folder",
    "isolation": "docker or podman: images are built, and tasks held, by that engine",
    "public": "no-network: tasks that ask for the public network (the default of the format) get none; allowed (with an "
    "engine): they get it",
    "system": "taken (with an engine): changes of the system's folders (/usr, /etc, ...) are part of the work",
    "from": "machine: take every image that FROM names for this machine's system",
    "env": "variables of this machine that tasks may have, by name, with commas",
    "hosts": "NAME:PORT that are reached beside what a task allows, with commas",
    "skip": "unsupported: leave out tasks that cannot be run here",
}
"""What the suite can be told."""

_VALUES: Final = {
    "isolation": ("docker", "podman"),
    "public": ("no-network", "allowed"),
    "system": ("taken",),
    "from": ("machine",),
    "skip": ("unsupported",),
}


class HarborSuite:
    """Tasks below a folder. `options` (see `OPTIONS`) make the same suite again. skipped: name -> why it was left out."""

    name = "harbor"

    def __init__(self, options: Mapping[str, str]) -> None:
        _check(options)
        self.terms = _terms(options)
        path = Path(options["path"]).resolve()
        found = find(path, options.get("dataset", ""))
        self.options = {**options, "path": str(path)}
        self.folders = found.folders
        self.title = f"{found.name}@{found.version}" if found.version else found.name
        self.skipped: dict[str, str] = {}
        self._blobs = MemoryBlobs()
        self._tasks: dict[str, HarborTask] = {}
        self._configs: dict[str, TaskConfig] = {}
        if "skip" in options:
            self._skip()
        self.digests = {name: content_digest(folder) for name, folder in self.folders.items()}
        asked = {key: value for key, value in options.items() if key not in {"path", "skip"}}
        self.version = digest_of({"tasks": self.digests, "options": asked})[:12]

    def ids(self, subset: str = "") -> Sequence[str]:
        """Task ids in dataset order, all or those of a subset (their tier). Raises UnknownNameError."""
        if not subset:
            return list(self.folders)
        found = [name for name in self.folders if self.place(name).subset == subset]
        if not found:
            raise UnknownNameError("subset", subset, {self.place(name).subset for name in self.folders})
        return found

    def read(self, task_id: str) -> HarborTask:
        """The task, with what of its folder has no effect. Raises UnknownNameError; UsageError if it cannot be run."""
        if task_id not in self._tasks:
            self._tasks[task_id] = read_task(self._folder(task_id), self._blobs, self.terms)
        return self._tasks[task_id]

    def load(self, task_id: str) -> Task:
        """The task of that id. Raises UnknownNameError; UsageError if it cannot be run."""
        place = self.place(task_id)
        try:
            task = self.read(task_id).task
        except UsageError as error:
            if len(self.folders) == 1:
                raise
            raise UsageError(f"{error} (--suite-option skip=unsupported leaves such tasks out)") from None
        return Task(
            id=task.id,
            suite=self.name,
            version=self.version,
            steps=task.steps,
            family=place.family,
            category=place.category,
            subset=place.subset,
            tags=task.tags,
            budget=task.budget,
        )

    def brief(self, task_id: str) -> Brief:
        """What an agent gets of a task. Raises UnknownNameError; UsageError if it cannot be run."""
        return self.read(task_id).task.steps[0].brief

    def place(self, task_id: str) -> Place:
        """Subset is the tier or difficulty, family and category as the task's metadata say. Raises UnknownNameError."""
        row = self._config(task_id).metadata
        return Place(_word(row, "tier", "difficulty"), _word(row, "family"), _word(row, "category", "family"))

    def assertions(self, task_id: str) -> int:
        """One a step: what its tests count is not known before they ran. Raises UnknownNameError."""
        return max(1, len(self._config(task_id).steps))

    def blobs(self) -> Blobs:
        """The contents which the tasks' trees refer to."""
        return self._blobs

    def _folder(self, task_id: str) -> Path:
        if task_id not in self.folders:
            raise UnknownNameError("task", task_id, self.folders)
        return self.folders[task_id]

    def _config(self, task_id: str) -> TaskConfig:
        if task_id not in self._configs:
            self._configs[task_id] = read_config(self._folder(task_id) / "task.toml").config
        return self._configs[task_id]

    def _skip(self) -> None:
        for name in list(self.folders):
            try:
                self.read(name)
            except UsageError as error:
                self.skipped[name] = str(error)
                del self.folders[name]
        if not self.folders:
            first = next(iter(self.skipped.values()), "")
            raise UsageError(f"none of the {len(self.skipped)} tasks can be run here; the first: {first}")


def suite(*, options: Mapping[str, str] | None = None) -> HarborSuite:
    """Make the suite. Raises UsageError."""
    return HarborSuite(options or {})


def _check(options: Mapping[str, str]) -> None:
    for name, value in options.items():
        if name not in OPTIONS:
            raise UnknownNameError("option of suite harbor", name, OPTIONS, "known: " + ", ".join(OPTIONS))
        if value not in _VALUES.get(name, (value,)):
            raise UsageError(f"option {name} of suite harbor is {' or '.join(_VALUES[name])}, not {value!r}")
    needing = [f"{name}={options[name]}" for name in ("public", "system") if options.get(name) in {"allowed", "taken"}]
    if needing and "isolation" not in options:
        raise UsageError(f"option {needing[0]} of suite harbor needs a container engine: --isolation docker or podman")
    if not options.get("path"):
        raise UsageError(
            "suite harbor needs a folder of tasks: give it in the suite's place, or --suite-option path=DIR"
        )


def _terms(options: Mapping[str, str]) -> Terms:
    wanted = [name for name in options.get("env", "").split(",") if name]
    missing = next((name for name in wanted if name not in os.environ), None)
    if missing is not None:
        raise UsageError(f"option env of suite harbor: {missing} is not set")
    return Terms(
        hosts=tuple(host for host in options.get("hosts", "").split(",") if host),
        closed=options.get("public") == "no-network",
        any_base="from" in options,
        variables={name: os.environ[name] for name in wanted},
        engine=options.get("isolation", ""),
        public=options.get("public") == "allowed",
        system="system" in options,
    )


def _word(row: Mapping[str, Any], *names: str) -> str:
    return next((str(row[name]) for name in names if isinstance(row.get(name), str | int)), "")
