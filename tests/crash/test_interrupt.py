"""A run that is interrupted, loses its sandbox, or fills the disk."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from proofyard.store import read_events, read_run
from tests.crash.helpers import PATIENCE_S, descendants, start, still_alive

TASK = "scratch-easy-001-word-frequency"


FAMILIES = [
    "word-frequency",
    "csv-aggregate",
    "date-arithmetic",
    "matrix-ops",
    "shortest-path",
    "round-robin",
    "lru-cache",
]


def _wait(until: Callable[[], object], process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not until():
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.002)


def _end(process: "subprocess.Popen[bytes]") -> tuple[int, str]:
    _, stderr = process.communicate(timeout=PATIENCE_S)
    return process.returncode, stderr.decode()


def _candidates(coordinator: int) -> list[Path]:
    """Programs under test below the coordinator; the sandbox's own canary is none."""
    found = []
    for process in descendants(coordinator):
        with contextlib.suppress(OSError):
            argv = Path(f"/proc/{process.pid}/cmdline").read_bytes().split(b"\0")
            if b"main.py" in argv and b"/workspace/state" not in argv:
                found.append(Path(f"/proc/{process.pid}"))
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_grading_stops_and_is_taken_up_again(tmp_path: Path, number: signal.Signals) -> None:
    run = tmp_path / "run"
    arguments = ["run", "scratch", "--agent", "oracle", "--task", TASK, "--output", str(run)]
    process = start(arguments, tmp_path)
    _wait(lambda: any(e.step == 8 for e in read_events(run)), process)
    _wait(lambda: _candidates(process.pid), process)
    processes = descendants(process.pid)
    process.send_signal(number)
    code, said = _end(process)
    assert code == 130
    assert "Traceback" not in said
    assert still_alive(processes) == set()
    data = read_run(run)
    assert (len(data.trials), len(data.verdicts)) == (1, 0)
    assert not (run / "work").exists()

    assert _end(start(arguments, tmp_path))[0] == 0
    data = read_run(run)
    assert [v.score for v in data.verdicts.values()] == [1.0]
    assert (run / "trials.jsonl").read_bytes().count(b"\n") == 1


def test_a_lost_sandbox_is_no_result_and_the_grading_is_done_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = start(["run", "scratch", "--agent", "oracle", "--task", TASK, "--output", str(run)], tmp_path)
    _wait(lambda: any(e.step == 8 for e in read_events(run)), process)
    _wait(lambda: _candidates(process.pid), process)
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
    assert _end(process)[0] == 0
    notes = [e.note for e in read_events(run) if e.note]
    assert len(notes) == 1
    assert notes[0].startswith("again after sandbox_lost")
    assert [v.score for v in read_run(run).verdicts.values()] == [1.0]


def test_a_full_disk_ends_the_run_with_one_line_and_more_space_lets_it_end(tiny_disk: Path, tmp_path: Path) -> None:
    run = tiny_disk / "run"
    families = [f"--family={name}" for name in FAMILIES]
    arguments = ["run", "scratch", "--agent", "nop", "--subset", "easy", *families, "--attempts", "100"]
    arguments += ["--output", str(run)]
    code, said = _end(start(arguments, tmp_path))
    assert code == 3
    complaint = said.strip().splitlines()[-1]
    assert complaint.startswith("proofyard: store: ")
    assert complaint.endswith("free space and run again [disk_full]")
    kept = read_run(run)
    assert 50 < len(kept.trials) < 1000

    subprocess.run(["mount", "-o", "remount,size=16m", tiny_disk], check=True)
    assert _end(start(arguments, tmp_path))[0] == 1
    data = read_run(run)
    total = 100 * len(data.plan.tasks)
    assert len(data.trials) == len(data.verdicts) == total
    assert (run / "trials.jsonl").read_bytes().count(b"\n") == total
    assert {t: data.trials[t] for t in kept.trials} == kept.trials
