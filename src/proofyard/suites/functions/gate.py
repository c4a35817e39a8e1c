"""The gate of an environment: which tasks' own solutions pass in it, what they did, and why others do not."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from proofyard.core import Record, sha256
from proofyard.formats.lines import complaint, read_object

__all__ = ["Gate", "GateTask", "read_gate"]


class GateTask(Record, frozen=True, kw_only=True):
    """One task: the truth that its own solution's run gave (the grader's own form), or why there is none."""

    truth: dict[str, Any] | None = None
    reason: str = ""


class Gate(Record, frozen=True, kw_only=True):
    """What a gate file holds. fingerprint: of the environment. Tasks that were not tried are absent."""

    tasks: dict[str, GateTask]
    fingerprint: str = ""

    def truth(self, task_id: str) -> str:
        """The truth of a task as JSON text, "" if there is none."""
        task = self.tasks.get(task_id)
        return "" if task is None or task.truth is None else json.dumps(task.truth, sort_keys=True)

    def passes(self, task_id: str) -> bool:
        """Whether the task's own solution passes here; one that was not tried does not."""
        task = self.tasks.get(task_id)
        return task is not None and task.truth is not None

    @property
    def content(self) -> str:
        """SHA-256 of all that the gate says."""
        return sha256(msgspec.json.encode(self, order="sorted"))

    @property
    def failed(self) -> Mapping[str, str]:
        """Tasks whose own solution does not pass here -> why."""
        return {task_id: task.reason or "failed" for task_id, task in self.tasks.items() if task.truth is None}

    @property
    def rate(self) -> float | None:
        """Share of the tasks tried whose own solution passes, None if none was."""
        return 1 - len(self.failed) / len(self.tasks) if self.tasks else None


def read_gate(path: Path) -> Gate:
    """Read a gate file. Raises UsageError."""
    line = read_object(path)
    try:
        return msgspec.convert(line.fields, Gate)
    except msgspec.ValidationError as error:
        raise complaint(line, error) from None
