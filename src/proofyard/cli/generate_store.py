"""Where samples go as they come: the samples file, and beside it a log of every question and what came of it.

An answer is written to the log first, then its sample: whenever the process is killed, the log knows of each sample which it
is, and the sample whose line was not written any more is made of it again, not asked for again.
"""

import fcntl
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, Self

import msgspec

from proofyard.core import Record, UsageError
from proofyard.formats.lines import read_lines

__all__ = ["Entry", "Job", "SampleStore"]


class Job(NamedTuple):
    """One sample: the k-th (from 0) of a task."""

    task_id: str
    k: int


class Entry(Record, frozen=True, kw_only=True):
    """One question and what came of it; `failure` is the code of what kept an answer from coming.

    input, output: tokens of all calls that may have been billed, as far as reported. calls: how many those were, and
    unknown_calls how many of them came without their usage. usd: None if the cost of one of them is unknown. charged:
    micro-dollars entered against a budget, an upper bound where the cost is unknown.
    """

    task_id: str
    k: int
    text: str = ""
    stop: str = ""
    failure: str = ""
    message: str = ""
    attempts: int = 0
    calls: int = 0
    unknown_calls: int = 0
    input: int = 0
    output: int = 0
    usd: str | None = None
    charged: int = 0
    served_model: str = ""
    sent: dict[str, str] = msgspec.field(default_factory=dict)
    dropped: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def job(self) -> Job:
        """Which sample it is."""
        return Job(self.task_id, self.k)


class SampleStore:
    """The two files. One process writes at a time; within it, one thread.

    present: the samples that are in the file, with their log entry (None: put there by someone else). entries: the log.
    """

    def __init__(self, path: Path, row: Callable[[Entry], dict[str, str]]) -> None:
        self._row = row
        self.path = path
        self.log_path = path.with_name(f"{path.name.removesuffix('.jsonl')}.generation.jsonl")
        self.entries: list[Entry] = []
        self.present: dict[Job, Entry | None] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._log: BinaryIO = self.log_path.open("ab", buffering=0)
        except OSError as error:
            raise UsageError(f"cannot write {self.log_path}: {error.strerror}; choose another --output") from None
        try:
            fcntl.flock(self._log, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._samples: BinaryIO = path.open("ab", buffering=0)
        except BlockingIOError:
            self._log.close()
            raise UsageError(f"{path}: another process is writing it") from None
        except OSError as error:
            self._log.close()
            raise UsageError(f"cannot write {path}: {error.strerror}; choose another --output") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._samples.close()
        self._log.close()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing yet in either file."""
        return not (self.path.stat().st_size or self.log_path.stat().st_size)

    def wipe(self) -> None:
        """Drop all that is there."""
        self._samples.truncate(0)
        self._log.truncate(0)

    def load(self) -> None:
        """Take up what is there: cut off half lines, find which samples there are, write the one that a kill lost.

        Raises:
            UsageError: something in the files is not of them.

        """
        for file, path in ((self._samples, self.path), (self._log, self.log_path)):
            data = path.read_bytes()
            file.truncate(data.rfind(b"\n") + 1)
        self.entries = [self._entry(line.where, line.fields) for line in read_lines(self.log_path)]
        self._match([self._sample(line.where, line.fields) for line in read_lines(self.path)])
        last = self.entries[-1] if self.entries else None
        if last and not last.failure and last.job not in self.present:
            self._put(last)
        for path in (self.path.parent, self.log_path.parent):
            _sync_folder(path)

    def append(self, entry: Entry) -> None:
        """Keep what came of a question, for good; a sample only if it is an answer."""
        self.entries.append(entry)
        _write(self._log, msgspec.json.encode(entry))
        if not entry.failure:
            self._put(entry)

    def _put(self, entry: Entry) -> None:
        _write(self._samples, msgspec.json.encode(self._row(entry)))
        self.present[entry.job] = entry

    def _match(self, samples: list[tuple[str, str]]) -> None:
        """Find the log entry of each sample; samples without one count as the lowest that are free."""
        known: dict[tuple[str, str], list[Entry]] = {}
        for entry in self.entries:
            if not entry.failure:
                known.setdefault((entry.task_id, entry.text), []).append(entry)
        strange = []
        for task_id, text in samples:
            entries = known.get((task_id, text))
            if entries:
                entry = entries.pop(0)
                self.present[entry.job] = entry
            else:
                strange.append(task_id)
        for task_id in strange:
            self.present[_free(task_id, self.present)] = None

    def _sample(self, where: str, fields: dict[str, Any]) -> tuple[str, str]:
        task_id, text = fields.get("task_id"), fields.get("raw_solution", "")
        if not isinstance(task_id, str) or not isinstance(text, str):
            raise UsageError(f"{where}: no sample (task_id, solution, raw_solution); choose another --output")
        return task_id, text

    def _entry(self, where: str, fields: dict[str, Any]) -> Entry:
        try:
            return msgspec.convert(fields, Entry)
        except msgspec.ValidationError as error:
            raise UsageError(f"{where}: {error}; --overwrite, or choose another --output") from None


def _free(task_id: str, taken: Iterable[Job]) -> Job:
    ks = {job.k for job in taken if job.task_id == task_id}
    return Job(task_id, next(k for k in range(len(ks) + 1) if k not in ks))


def _write(file: BinaryIO, line: bytes) -> None:
    rest = memoryview(line + b"\n")
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
