"""SIGKILL of `proofyard run` at each of the ten steps, over and over on one run folder; then the run is as if nothing had
happened.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proofyard.core import Evidence, Spend, Usage
from proofyard.store import read_run
from tests.crash.helpers import Alive, Gate, Kill, start, still_alive

TASK = "scratch-easy-001-word-frequency"
# The command leaves a daemon behind and takes a moment, so that it is killed under way and its processes are orphans.
COMMAND = "setsid sleep 120 & printf 'print(1)\\n' > main.py; sleep 0.15"
ARGUMENTS = ["run", "scratch", "--agent", "oracle", "--agent", f"command:{COMMAND}", "--task", TASK]
ARGUMENTS += ["--attempts", "2", "--concurrency", "1"]
LIVE = {5, 6, 7, 8}


def _essence(path: Path) -> tuple[list[Any], list[Any]]:
    """Trials and verdicts without times, tries and usage; what is left must not depend on how often the run was killed."""
    data = read_run(path)
    trials = [
        msgspec.structs.replace(t, started="", wall_us=0, tries=1, spend=Spend())
        for _, t in sorted(data.trials.items())
    ]
    verdicts = [
        msgspec.structs.replace(v, started="", wall_us=0, usage=Usage(), evidence=Evidence())
        for _, v in sorted(data.verdicts.items())
    ]
    return trials, verdicts


def _lines(path: Path) -> list[str]:
    found = []
    for name in ("trials.jsonl", "verdicts.jsonl"):
        for line in (path / name).read_bytes().splitlines():
            record = msgspec.json.decode(line)
            found.append((record.get("trial") or record["verdict"])["id"])
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run, never killed."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "tmp").mkdir()
    gate = Gate(folder / "run")
    process = start([*ARGUMENTS, "--output", str(folder / "run")], folder / "tmp")
    assert gate.let_run(process) == 1
    return folder / "run"


def _killed(kill: Kill | None) -> list[Kill]:
    assert kill is not None, "the run ended before the step it was to be killed at"
    return [kill]


def _plan() -> Iterator[tuple[int, float]]:
    """Which step to be killed at, and how many seconds after it is first logged. Kills at 5 to 8 leave the work to do."""
    for step in (1, 2, 3, 4) * 2:
        yield step, 0.0
    for turn in range(6):
        yield 5, 0.0
        yield 6, 0.02 * turn
        yield 7, 0.0
    for turn in range(8):
        yield 8, 0.05 * turn
    for _ in range(3):
        yield 9, 0.0


def test_killed_at_every_step_the_run_ends_as_if_it_had_not_been(tmp_path: Path, whole: Path) -> None:
    (tmp_path / "tmp").mkdir()
    run = tmp_path / "run"
    gate = Gate(run)
    kills: list[Kill] = []

    def begin() -> Any:
        return start([*ARGUMENTS, "--output", str(run)], tmp_path / "tmp")

    for step, wait_s in _plan():
        kills += _killed(gate.kill_at(begin(), step, wait_s))
    assert gate.let_run(begin()) == 1
    for _ in range(2):
        kills += _killed(gate.kill_at(begin(), 10))
    assert gate.let_run(begin()) == 1

    counted = Counter(kill.step for kill in kills)
    assert {step: n for step in range(1, 11) if (n := counted[step]) < 2} == {}
    assert sum(counted[step] for step in LIVE) >= 25
    assert _essence(run) == _essence(whole)
    assert len(_lines(run)) == len(set(_lines(run))) == 8

    everything: frozenset[Alive] = frozenset().union(*(kill.processes for kill in kills))
    assert len(everything) > len(kills), "the killed runs had processes"
    assert still_alive(everything) == set()
    assert list((tmp_path / "tmp").iterdir()) == []
    assert sorted(p.name for p in run.iterdir()) == [
        "blobs", "events.jsonl", "lock", "run.json", "trials", "trials.jsonl", "verdicts.jsonl",
    ]  # fmt: skip
    assert [p for p in (run / "blobs").rglob("*") if p.name.startswith(".")] == []


def test_the_kills_are_real(tmp_path: Path) -> None:
    """The control: a killed run which nobody resumes leaves its journal short and its folder of work."""
    (tmp_path / "tmp").mkdir()
    run = tmp_path / "run"
    gate = Gate(run)
    arguments = ["run", "scratch", "--agent", f"command:{COMMAND}; sleep 60", "--task", TASK, "--output", str(run)]
    [killed] = _killed(gate.kill_at(start(arguments, tmp_path / "tmp"), 6, at_least=3))
    assert read_run(run).trials == {}
    assert len(killed.processes) >= 3  # the command and its keeper ran when it was killed
    assert (run / "work").exists()
    _killed(gate.kill_at(start(arguments, tmp_path / "tmp"), 2))
    assert still_alive(killed.processes) == set()
    assert not (run / "work").exists()
