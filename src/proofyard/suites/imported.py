"""The tasks of results that were made elsewhere: their names and nothing else. They can be scored and not be run."""

import json
from collections.abc import Mapping, Sequence

from proofyard.core import Blobs, Brief, MemoryBlobs, Place, Task, UnknownNameError, UsageError

__all__ = ["ImportedSuite", "suite"]


class ImportedSuite:
    """Tasks by name. options: `tasks`, a JSON array of their ids in order, and the `version` of the set."""

    name = "imported"

    def __init__(self, options: Mapping[str, str]) -> None:
        try:
            tasks = json.loads(options["tasks"])
            self.version = options["version"]
        except (KeyError, ValueError):
            raise UsageError("suite imported is that of run folders which proofyard import made") from None
        self.options = dict(options)
        self._tasks: tuple[str, ...] = tuple(str(task) for task in tasks)

    def ids(self, subset: str = "") -> Sequence[str]:
        """Task ids in order; there are no subsets. Raises UnknownNameError."""
        if subset:
            raise UnknownNameError("subset", subset, [])
        return self._tasks

    def load(self, task_id: str) -> Task:
        """Not possible. Raises UsageError."""
        raise UsageError(f"{task_id}: only results of this task were imported, not the task itself")

    def brief(self, task_id: str) -> Brief:
        """Not possible. Raises UsageError."""
        return self.load(task_id).steps[0].brief

    def place(self, task_id: str) -> Place:
        """A family of its own for each. Raises UnknownNameError."""
        if task_id not in self._tasks:
            raise UnknownNameError("task", task_id, self._tasks)
        return Place("", task_id, "")

    def assertions(self, task_id: str) -> int:
        """One, for want of knowing better. Raises UnknownNameError."""
        self.place(task_id)
        return 1

    def blobs(self) -> Blobs:
        """No contents."""
        return MemoryBlobs()


def suite(*, options: Mapping[str, str] | None = None) -> ImportedSuite:
    """Make the suite. Raises UsageError."""
    return ImportedSuite(options or {})
