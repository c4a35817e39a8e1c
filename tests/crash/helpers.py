"""A real `proofyard run` in a process of its own, made to wait at each event it logs, and killed where the test wants.

`events.jsonl` is a pipe here. A step's event cannot be written while nobody reads, so the process stands still between
two events until it is let on, and where it is killed is known exactly.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["Alive", "Gate", "Kill", "descendants", "start", "still_alive"]

PATIENCE_S = 60.0
STARTED: list["subprocess.Popen[bytes]"] = []


class Alive(NamedTuple):
    """A process by id and start time, so that a reused id is not taken for it."""

    pid: int
    born: str


class Kill(NamedTuple):
    """Where a run was killed: the last event it logged, and all processes it had."""

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
    """The pipe in place of a run's events.jsonl."""

    def __init__(self, run: Path) -> None:
        run.mkdir(parents=True, exist_ok=True)
        self.path = run / "events.jsonl"
        if not self.path.exists():
            os.mkfifo(self.path)

    def next(self, process: "subprocess.Popen[bytes]") -> list[int]:
        """Let the process log until a line is there; the steps logged, none if the process ended."""
        deadline = time.monotonic() + PATIENCE_S
        reader = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        ready = select.poll()
        ready.register(reader, select.POLLIN)
        try:
            data = b""
            while not data.endswith(b"\n"):
                ended = process.poll() is not None
                # The gate is open as long as the reader is: no sleeping here, or the run is steps ahead when it closes.
                if ready.poll(0 if ended else 100):
                    with contextlib.suppress(BlockingIOError):
                        data += os.read(reader, 65536)
                    ended = ended and not data
                if ended:
                    return []
                assert time.monotonic() < deadline, "the run stands still"
        finally:
            os.close(reader)
        return [json.loads(line)["step"] for line in data.splitlines()]

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
                return Kill(steps[-1], processes)
        _reap(process)
        return None

    def let_run(self, process: "subprocess.Popen[bytes]") -> int:
        """Let the process run to its end; its exit code."""
        while self.next(process):
            pass
        _reap(process)
        return process.returncode


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
