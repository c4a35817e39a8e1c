"""A run folder held for writing by one coordinator."""

import contextlib
import os
import shutil
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from proofyard.core import Plan, ProofyardError, Trial, UsageError, Verdict
from proofyard.store.blobs import FileBlobs
from proofyard.store.calls import CALLS
from proofyard.store.disk import sync_folder, unwritable, write_all, write_once
from proofyard.store.events import append_event, now
from proofyard.store.folder import TrialFolder
from proofyard.store.journal import (
    cut_torn_tail,
    encode_plan,
    encode_trial,
    encode_verdict,
    terminal_trial,
    terminal_verdict,
)
from proofyard.store.lock import RunLock
from proofyard.store.reader import RunData, RunHeader, read_run
from proofyard.store.writer import JOURNALS, JournalWriter

__all__ = ["RunStore", "sweep"]

# What a run leaves that was killed before it wrote run.json.
_BEGINNINGS = {"lock", "events.jsonl", "work", "blobs", ".run.json.tmp"}


class RunStore:
    """A run folder and its lock.

    `RunStore(path)` makes the folder if need be and takes the lock; then either `data` holds what an earlier coordinator
    journalled, or it is None and `start` begins the run.

    Raises:
        UsageError: the folder is foreign, damaged, of a newer version, not writable, or in use.
        InfrastructureError: `disk_full`.

    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer: JournalWriter | None = None
        self._made = _claim(path)
        self._lock = RunLock(path)
        self.blobs = FileBlobs(path / "blobs")
        self._trials: set[str] = set()
        self._verdicts: set[str] = set()
        self.data: RunData | None = None
        try:
            self._recover()
        except BaseException:
            self._lock.release()
            raise

    @classmethod
    def create(cls, path: Path, header: RunHeader) -> Self:
        """Begin a run in a new or empty folder. Raises UsageError if there is a run already."""
        store = cls(path)
        if store.data is not None:
            store.close()
            raise UsageError(f"{path} holds a run already")
        try:
            store.start(header)
        except ProofyardError:
            store.discard()
            raise
        return store

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a run that is there. Raises UsageError if there is none."""
        if not (path / "run.json").is_file():
            reason = "it has no run.json" if path.exists() else "it does not exist"
            raise UsageError(f"{path} is no run folder of proofyard ({reason})")
        return cls(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self, header: RunHeader) -> None:
        """Write run.json, once, and begin the journal. Raises UsageError or InfrastructureError if that fails."""
        with unwritable(self.path):
            write_once(self.path / "run.json", msgspec.json.format(msgspec.json.encode(header), indent=2) + b"\n")
        self.data = RunData(path=self.path, header=header, plans=(header.plan,), trials={}, verdicts={})
        self._writer = JournalWriter(self.path, self.blobs)

    def extend(self, plan: Plan) -> None:
        """Append a revision of the plan; it is durable on return."""
        path = self.path / "revisions.jsonl"
        with unwritable(path):
            size = path.stat().st_size if path.exists() else 0
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            try:
                write_all(fd, encode_plan(plan, now()))
                os.fsync(fd)
            except OSError:
                os.ftruncate(fd, size)
                raise
            finally:
                os.close(fd)
            sync_folder(self.path)
        if self.data is not None:
            self.data = msgspec.structs.replace(self.data, plans=(*self.data.plans, plan))

    def append_trial(self, trial: Trial) -> bool:
        """Journal a trial; False if one with its id is over already (the first terminal record wins).

        Raises InfrastructureError if the journal cannot be written (any more).
        """
        if trial.id in self._trials:
            return False
        self._journal("trials.jsonl", encode_trial(trial))
        if terminal_trial(trial):
            self._trials.add(trial.id)
        return True

    def append_verdict(self, verdict: Verdict) -> bool:
        """Journal a verdict; False if one with its id is over already.

        Raises InfrastructureError if the journal cannot be written (any more), ValueError for a number that is not finite.
        """
        if verdict.id in self._verdicts:
            return False
        self._journal("verdicts.jsonl", encode_verdict(verdict))
        if terminal_verdict(verdict):
            self._verdicts.add(verdict.id)
        return True

    def event(self, step: int, trial: str = "", note: str = "") -> None:
        """Log that a step of the main job begins."""
        append_event(self.path, step, trial, note)

    def folder(self, trial: str) -> TrialFolder:
        """The folder of what is kept of an attempt."""
        return TrialFolder(self.path, trial)

    @property
    def work(self) -> Path:
        """Where workspaces of attempts under way are; swept when the run is opened and when it is closed."""
        return self.path / "work"

    def flush(self) -> None:
        """Wait until everything journalled is durable. Raises InfrastructureError if it is not."""
        if self._writer is not None:
            self._writer.flush()

    def close(self) -> None:
        """Write what is queued, drop temporary folders, let go of the lock."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        sweep(self.work)
        self._lock.release()

    def discard(self) -> None:
        """Close; if the run never began, also take away what it made."""
        began = self.data is not None
        self.close()
        if not began:
            with contextlib.suppress(OSError):
                for name in ("events.jsonl", "lock"):
                    (self.path / name).unlink(missing_ok=True)
                if self._made:
                    self.path.rmdir()

    def _journal(self, name: str, line: bytes) -> None:
        if self._writer is None:
            raise ProofyardError(f"{self.path}: the run is not open for writing")
        self._writer.append(name, line)

    def _recover(self) -> None:
        sweep(self.work)
        with unwritable(self.path):
            self.blobs.sweep()
            (self.path / ".run.json.tmp").unlink(missing_ok=True)
            if not (self.path / "run.json").exists():
                return
            for name in (*JOURNALS, "revisions.jsonl", CALLS):
                cut_torn_tail(self.path / name)
        self.data = read_run(self.path)
        self._trials = {t.id for t in self.data.trials.values() if terminal_trial(t)}
        self._verdicts = {v.id for v in self.data.verdicts.values() if terminal_verdict(v)}
        self._writer = JournalWriter(self.path, self.blobs)


def sweep(folder: Path) -> None:
    """Remove a folder of workspaces whatever a program did to the modes in it; what cannot go stays for the next time."""
    if not folder.exists():
        return
    for top, names, _ in os.walk(folder):
        for name in names:
            path = Path(top, name)
            if not path.is_symlink():
                with contextlib.suppress(OSError):
                    path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _claim(path: Path) -> bool:
    """Make the folder or check that it is empty or a run's. Return whether it was made."""
    with unwritable(path):
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            if not path.is_dir():
                raise UsageError(f"{path} exists and is no folder") from None
            names = {item.name for item in path.iterdir()}
            if "run.json" not in names and not names <= _BEGINNINGS:
                raise UsageError(f"{path} is not empty and no run folder of proofyard; choose another folder") from None
            return False
        return True
