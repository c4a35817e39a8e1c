"""A real `proofyard run` in a process of its own, made to wait at each event it logs, and killed where the test wants.

`events.jsonl` is a pipe here. A step's event cannot be written while nobody reads, so the process stands still between
two events until it is let on, and where it is killed is known exactly.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["Alive", "Gate", "Kill", "descendants", "start", "still_alive"]

PATIENCE_S = 60.0
MOST_READERS = 500  # a second of pipes that might still be opened
STARTED: list["subprocess.Popen[bytes]"] = []


class Alive(NamedTuple):
    """A process by id and start time, so that a reused id is not taken for it."""

    pid: int
    born: str


class Kill(NamedTuple):
    """Where a run was killed: the step at which one of its threads was, and all processes it had."""

    step: int
    processes: frozenset[Alive]


def start(arguments: Sequence[str], scratch: Path) -> "subprocess.Popen[bytes]":
    """Start `proofyard` with a folder for temporary files of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "proofyard", *arguments],
        env={**os.environ, "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    STARTED.append(process)
    return process


class Gate:
    """The pipe in place of a run's events.jsonl.

    A pipe is read from only when the next lies in its place. So a thread of the process that was let on past one event
    stands still at its next, however late this side is.
    """

    def __init__(self, run: Path) -> None:
        run.mkdir(parents=True, exist_ok=True)
        self.path = run / "events.jsonl"
        self.aside = run.with_name(f".{run.name}.pipe"), run.with_name(f".{run.name}.next")
        if not self.path.exists():
            os.mkfifo(self.path)

    def next(self, process: "subprocess.Popen[bytes]") -> list[int]:
        """Let each thread that waits log one event; the steps logged, none if the process ended."""
        deadline = time.monotonic() + PATIENCE_S
        readers: list[int] = []
        logged = b""
        try:
            while time.monotonic() < deadline:
                ended = process.poll() is not None
                said = [_read(reader) for reader in readers]
                logged += b"".join(filter(None, said))
                if ended or (logged and not any(data is None or data for data in said)):
                    return [json.loads(line)["step"] for line in logged.splitlines()]
                if not logged and None not in said:
                    readers.append(self._take())
                if len(readers) > MOST_READERS:
                    os.close(readers.pop(0))
                time.sleep(0.002)
            raise AssertionError("the run stands still")
        finally:
            for reader in readers:
                os.close(reader)

    def _take(self) -> int:
        """Put a new pipe in place; the old one, which nobody finds any more, opened for reading."""
        old, new = self.aside
        os.mkfifo(new)
        os.link(self.path, old)
        new.rename(self.path)
        reader = os.open(old, os.O_RDONLY | os.O_NONBLOCK)
        old.unlink()
        return reader

    def kill_at(
        self, process: "subprocess.Popen[bytes]", step: int, wait_s: float = 0.0, *, at_least: int = 0
    ) -> Kill | None:
        """SIGKILL the process `wait_s` seconds after it first logged the step, and not before it is `at_least` so many with
        those it started; None if it ended before.
        """
        while steps := self.next(process):
            if step in steps:
                time.sleep(wait_s)
                processes = descendants(process.pid)
                deadline = time.monotonic() + PATIENCE_S
                while len(processes) < at_least and time.monotonic() < deadline:
                    time.sleep(0.02)
                    processes = descendants(process.pid)
                process.send_signal(signal.SIGKILL)
                _reap(process)
                return Kill(step, processes)
        _reap(process)
        return None

    def let_run(self, process: "subprocess.Popen[bytes]") -> int:
        """Let the process run to its end; its exit code."""
        while self.next(process):
            pass
        _reap(process)
        return process.returncode


def _read(reader: int) -> bytes | None:
    """What came through a pipe; nothing if nobody has it open, None if it is open and nothing came yet."""
    try:
        return os.read(reader, 65536)
    except BlockingIOError:
        return None


def _reap(process: "subprocess.Popen[bytes]") -> None:
    process.wait(PATIENCE_S)
    if process.stderr is not None:
        process.stderr.close()


def descendants(pid: int) -> frozenset[Alive]:
    """The live processes below a process, itself included."""
    parents: dict[int, tuple[int, str]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            parents[int(stat.parent.name)] = (int(fields[1]), fields[19])
    found = {pid}
    while more := {child for child, (parent, _) in parents.items() if parent in found} - found:
        found |= more
    return frozenset(Alive(each, parents[each][1]) for each in found if each in parents)


def still_alive(processes: frozenset[Alive], patience_s: float = 15.0) -> set[Alive]:
    """Which of the processes are alive after at most that time; zombies are dead."""
    deadline = time.monotonic() + patience_s
    left = set(processes)
    while left:
        left = {process for process in left if _lives(process)}
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    return left


def _lives(process: Alive) -> bool:
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == process.born and fields[0] not in {"Z", "X"}
