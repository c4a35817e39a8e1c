"""What grading costs: CPU of validating references against the same sessions played bare by `python main.py`.

Graded: `proofyard run --agent oracle` in a process of its own, start-up, task making, sandboxes, kills, the plays that count
calls, comparison and journal included. Bare: the same requests fed to a plain subprocess of the same interpreter, responses
read and thrown away, killed where the scenario kills; the requests were worked out before, so nothing but feeding counts.
CPU is that of the whole process tree (wait4). One family a category by default. Exit code 1 above the gate.
"""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from proofyard.core import Row, Scenario, Task, dumps, file_bytes, loads
from proofyard.engine import RunRequest, run
from proofyard.graders.envelope import match
from proofyard.graders.placeholders import Values
from proofyard.sandbox.machine import interpreter
from proofyard.suites.scratch import suite

GATE = 1.6
FLAGS = ["-E", "-s", "-S", "-B"]
SAMPLE = "word-frequency csv-aggregate date-arithmetic matrix-ops shortest-path round-robin double-entry convex-hull"
FAMILIES = {*SAMPLE.split(), "expression-eval", "lru-cache"}
Session = dict[str, Any]
"""lines: (Base64, whether a response is read); killed: whether it ends by a kill."""


class Bare:
    """One start of a program as a plain subprocess."""

    def __init__(self, folder: Path, argv: list[str]) -> None:
        pipe = subprocess.PIPE
        command = [interpreter().path, *FLAGS, "main.py", *argv]
        self.process = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env={})

    def ask(self, line: bytes, wanted: bool) -> bytes:
        """Send a line; return the response if one is wanted."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(line)
        return self.process.stdout.readline() if wanted else b""

    def end(self, killed: bool) -> None:
        """Kill it, or end its input."""
        if killed:
            self.process.kill()
        self.process.communicate()
        assert killed or self.process.returncode == 0


def worked_out(task: Task, folder: Path) -> list[list[Session]]:
    """The requests of all scenarios of a task, by playing them once."""
    scenarios = msgspec.json.decode(task.steps[0].hidden.expected, type=list[Scenario])
    return [_play(scenario, folder) for scenario in scenarios]


def _play(scenario: Scenario, folder: Path) -> list[Session]:
    values, sessions = Values(scenario.name), []
    state = fresh(folder)
    argv = ["--state-dir", str(state)] if scenario.argv else []
    for session in scenario.sessions:
        program = Bare(folder, argv)
        lines: list[tuple[str, bool]] = []
        killed = False
        for row in session.rows:
            line = _line(row, values) + (b"" if row.unterminated else b"\n")
            wanted = bool(row.expect) and not row.unterminated
            answer = program.ask(line, wanted)
            if wanted:
                found: dict[str, str] = {}
                match(values.expected(row.expect[-1]), loads(answer), partial(values.match, found=found))
                values.bind(found)
            lines.append((base64.b64encode(line).decode(), wanted))
            killed = row.kill is not None
            if killed:
                break
        program.end(killed)
        sessions.append({"lines": lines, "killed": killed})
    return sessions


def _line(row: Row, values: Values) -> bytes:
    if row.raw or (row.send is None and not row.expect):
        return base64.b64decode(row.raw)
    return dumps(values.request(row.send))


def fresh(folder: Path) -> Path:
    state = folder / "state"
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir()
    return state


def prepare(folder: Path, tasks: list[str]) -> None:
    """Lay the references out and work their requests out."""
    made = suite()
    for name in tasks:
        task = made.load(name)
        solution = task.solution("reference")
        assert solution
        for path, entry in solution.tree.entries.items():
            target = folder / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file_bytes(entry, made.blobs()))
        (folder / f"{name}.json").write_text(json.dumps(worked_out(task, folder / name)))


def play_bare(folder: Path, tasks: list[str]) -> None:
    for name in tasks:
        for scenario in json.loads((folder / f"{name}.json").read_text()):
            argv = ["--state-dir", str(fresh(folder / name))] if "-max-" in name else []
            for session in scenario:
                program = Bare(folder / name, argv)
                for line, wanted in session["lines"]:
                    program.ask(base64.b64decode(line), wanted)
                program.end(session["killed"])


def play_graded(folder: Path, tasks: list[str]) -> None:
    output = folder / "run"
    shutil.rmtree(output, ignore_errors=True)
    request = RunRequest(suite="scratch", output=str(output), agents=("oracle",), tasks=tuple(tasks))
    outcome = run(request, lambda _: None)
    assert outcome.counts.passed == len(tasks), outcome


def cpu(kind: str, folder: Path, tasks: list[str]) -> float:
    """CPU seconds of a worker and all it started."""
    command = [sys.executable, __file__, "--worker", kind, str(folder), "--tasks", *tasks]
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"the worker {kind} failed")
    return used.ru_utime + used.ru_stime


def report(tasks: list[str], rounds: int) -> int:
    ratios = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, tasks)
        plays = [session for task in tasks for s in json.loads((folder / f"{task}.json").read_text()) for session in s]
        lines = sum(len(session["lines"]) for session in plays)
        print(f"{len(tasks)} tasks, {len(plays)} sessions, {lines} requests")
        for _ in range(rounds):
            bare, graded = cpu("bare", folder, tasks), cpu("graded", folder, tasks)
            ratios.append(graded / bare)
            print(f"bare {bare:.1f} s CPU, graded {graded:.1f} s CPU, ratio {ratios[-1]:.2f}")
    good = median(ratios) <= GATE
    print(f"graded / bare: {median(ratios):.2f} (at most {GATE}): {'ok' if good else 'FAILED'}")
    return 0 if good else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--all", action="store_true", help="all tasks of the suite")
    parser.add_argument("--subset", default="", help="only this tier")
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--tasks", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        kind, folder = options.worker
        (play_bare if kind == "bare" else play_graded)(Path(folder), options.tasks)
        return 0
    ids = suite().ids(options.subset)
    return report([i for i in ids if options.all or i.split("-", 3)[3] in FAMILIES], options.rounds)


if __name__ == "__main__":
    sys.exit(main())
