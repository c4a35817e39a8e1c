"""`trace` and `why` on a run whose trajectory is known."""

import json
from pathlib import Path

import pytest

from proofyard.formats.atif import read_atif
from tests.cli.tool import EASY, verb
from tests.cli.trajectories import SUBJECT, make_run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("trajectories") / "run"
    return path, make_run(path)


def test_trace_shows_what_was_done(made: tuple[Path, str]) -> None:
    run, trial = made
    shown = verb("trace", run)
    assert shown.code == 0, shown
    lines = shown.out.splitlines()
    assert lines[:2] == [
        f"trial {trial}: {EASY}, attempt 0, terminal:openai/gpt-x",
        "started 2026-01-01T00:00:00.000Z, 3.0 s, 3 moves, tokens: 60 in, 9 out, cost: $0.0015",
    ]
    for line in (
        "#1 user  2026-01-01T00:00:00Z",
        "  Well.",
        "#2 agent  2026-01-01T00:00:01.000Z  1.0 s  20 in (5 cached), 3 out  $0.0005  stopped: tool_calls",
        "  thinks: First the core.",
        "  bash$ cat > main.py",
        "  | ok",
        "  [exit code 0]",
        "  added: main.py",
        "  [exit code 3, 9 bytes of output were not shown to the agent]",
        "  removed: main.py",
        "first failure: scenario golden, session 1, row 1 (golden)",
    ):
        assert line in lines
    assert (
        verb("trace", run, trial[:9]).out
        == verb("trace", run, EASY).out
        == verb("trace", run, f"{EASY}:0").out
        == shown.out
    )


def test_trace_as_json_and_as_atif(made: tuple[Path, str], tmp_path: Path) -> None:
    run, trial = made
    found = json.loads(verb("trace", run, "--json").out)
    assert (found["trial"]["id"], found["verdict"]["reason"], len(found["moves"])) == (trial, "crash", 3)
    target = tmp_path / "trajectory.json"
    assert verb("trace", run, trial, "--atif", "--output", target).code == 0
    trajectory = read_atif(target.read_bytes())
    assert (trajectory.agent, trajectory.model, trajectory.id) == (SUBJECT.agent, SUBJECT.model, trial)
    assert [move.n for move in trajectory.moves] == [1, 2, 3]
    foreign = verb("trace", target)
    assert foreign.out.splitlines()[0] == "terminal 1  openai/gpt-x"
    assert "  bash$ rm main.py" in foreign.out.splitlines()


def test_trace_refuses_what_it_does_not_know(made: tuple[Path, str], tmp_path: Path) -> None:
    run, _ = made
    verb("trace", run, "ffff").refused(2, "unknown trial 'ffff'")
    verb("trace", tmp_path / "none").refused(2, "does not exist")
    bad = tmp_path / "bad.json"
    bad.write_text('{"schema_version":"ATIF-v2.0"}')
    verb("trace", bad).refused(2, "bad.json: no valid ATIF")


def test_why_grades_the_snapshots_and_finds_the_move(
    made: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, trial = made
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    blind = json.loads(verb("why", run, "--snapshots", "0", "--json").out)
    assert (blind[0]["reason"], blind[0]["sure"], blind[0]["move"]) == ("crash", False, 3)
    before = (run / "verdicts.jsonl").read_bytes()
    first = verb("why", run, "--json")
    assert first.code == 0, first
    found = json.loads(first.out)
    assert [(one["trial"], one["reason"], one["sure"], one["move"]) for one in found] == [
        (trial, "regression", True, 3)
    ]
    assert found[0]["evidence"] == "the workspace passed every assertion after move 2"
    process = found[0]["process"]
    assert (process["first_move"], process["first_tokens"], process["tail_moves"], process["recovered"]) == (
        2,
        23,
        1,
        False,
    )
    assert (run / "verdicts.jsonl").read_bytes() == before
    kept = list((tmp_path / "proofyard" / "snapshots").iterdir())
    assert len(kept) == 1
    written = kept[0].stat().st_mtime_ns
    lines = verb("why", run).out.splitlines()
    assert kept[0].stat().st_mtime_ns == written
    assert lines[:2] == ["1 attempts, 0 passed", "     1  regression"]
    assert lines[3] == f"{EASY}, attempt 0, terminal:openai/gpt-x: regression, first at move 3   [{trial}]"


def test_why_says_that_nothing_failed(passed_run: Path) -> None:
    assert verb("why", passed_run).out == "1 attempts, 1 passed\n"
