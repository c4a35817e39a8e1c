"""A run to a job of Harbor's and back on the command line, and the table of what came of it."""

import json
from pathlib import Path

import pytest

from proofyard.store import read_moves, read_run
from proofyard.suites.harbor.skeleton import write_skeleton

from .tool import EASY, Ran, verb
from .trajectories import make_run


def tool(*args: str | Path, code: int = 0) -> Ran:
    done = verb(*args)
    assert done.code == code, done
    return done


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path, str]:
    """A run, the run that was made of its job, and the trial in both."""
    trial = make_run(tmp_path / "ours")
    assert tool("export", "harbor", tmp_path / "ours", "--output", tmp_path / "jobs").out == (
        f"{tmp_path}/jobs/ours: 1 trials\n"
    )
    job, back = tmp_path / "jobs/ours", tmp_path / "back"
    done = tool("import", "harbor", job, "--output", back)
    assert (done.out, done.err) == (f"{back}: 1 trials of job ours, 1 with a verdict\n", "")
    return tmp_path / "ours", back, trial


def test_there_and_back(both: tuple[Path, Path, str]) -> None:
    ours, back, name = both
    before, after = read_run(ours), read_run(back)
    assert after.header.created == before.header.created
    assert after.trials[name].spend == before.trials[name].spend
    told, came = before.newest()[name], after.newest()[name]
    assert (came.outcome, came.score, came.reason, came.grader) == (told.outcome, told.score, told.reason, told.grader)
    assert came.provenance["imported"] == f"harbor job ours, trial {EASY[:32]}__{name[:7]}"
    moves = read_moves(ours, name)
    assert [move.message for move in read_moves(back, name)] == [move.message for move in moves]
    assert [move.metrics for move in read_moves(back, name)] == [move.metrics for move in moves]
    assert [move.changed for move in read_moves(back, name)] == [move.changed for move in moves]


def test_what_reads_it(both: tuple[Path, Path, str]) -> None:
    _, back, name = both
    assert "INCOMPLETE" not in tool("score", back).out
    assert "First the core." in tool("trace", back, name).out
    assert "crash" in tool("why", back).out
    assert "verdict: failed: no assertion was played  (reason: crash)" in tool("trace", back, name).out
    assert "0/0" in tool("regrade", back).err
    assert tool("run", "scratch", "--agent", "nop", "--output", back, code=2).err.startswith(
        f"proofyard: {back} was started with suite imported, not scratch"
    )
    assert "run folders which proofyard import made" in tool("list", "imported", code=2).err


def test_a_table_of_both_counts_once(both: tuple[Path, Path, str], tmp_path: Path) -> None:
    ours, back, _ = both
    row = f"| {EASY} | terminal | openai/gpt-x | bare | 0/1 | 0.00 to 0.79 | 0/1 | $0.0015 | 60 in, 9 out | 0 | 0 |\n"
    assert row in tool("table", ours).out
    found = json.loads(tool("table", ours, back, "--json").out)
    assert [(r["passed"], r["attempted"], r["imported"]) for r in found["rows"]] == [(0, 1, 1)]
    assert (found["repeated"], found["bands"][0]["band"]) == (1, "floor")
    page = tmp_path / "README.md"
    page.write_text("# A\n\n<!-- results:start -->\n<!-- results:end -->\nend\n")
    assert tool("table", ours, "--output", page).out == f"{page}: 1 rows\n"
    text = page.read_text()
    assert text.startswith("# A\n\n<!-- results:start -->\n| task |")
    assert text.endswith(".\n<!-- results:end -->\nend\n")
    assert row in text
    tool("table", ours, "--output", page)
    assert page.read_text() == text
    page.write_text("mine")
    assert "once each and in this order" in tool("table", ours, "--output", page, code=2).err
    assert page.read_text() == "mine"
    tool("table", ours, "--output", tmp_path / "new.md")
    assert row in (tmp_path / "new.md").read_text()


def test_a_job_of_task_folders_tells_of_them(tmp_path: Path) -> None:
    write_skeleton(tmp_path / "set/fresh", "toy/fresh")
    run = tmp_path / "run"
    tool("run", tmp_path / "set", "--agent", "oracle", "--agent", "nop", "--output", run, code=1)
    tool("export", "harbor", run, "--output", tmp_path, "--name", "first")
    documents = [json.loads(path.read_text()) for path in sorted(tmp_path.glob("first/*/result.json"))]
    assert {(one["agent_info"]["name"], one["verifier_result"]["rewards"]["reward"]) for one in documents} == {
        ("oracle", 1.0),
        ("nop", 0.0),
    }
    assert {(one["task_name"], one["task_id"]["path"], one["source"]) for one in documents} == {
        ("toy/fresh", f"{tmp_path}/set/fresh", "set")
    }
    assert len(json.loads((tmp_path / "first/lock.json").read_text())["trials"]) == 2
    (tmp_path / "set/fresh/instruction.md").write_text("Otherwise.")
    done = tool("export", "harbor", run, "--output", tmp_path, "--name", "second")
    assert done.err == "the task folders are not told of in the job (they have changed since the run)\n"
    assert not (tmp_path / "second/lock.json").exists()


def test_what_is_left_out_is_named(tmp_path: Path) -> None:
    make_run(tmp_path / "ours")
    tool("export", "harbor", tmp_path / "ours", "--output", tmp_path / "jobs")
    for number in range(22):
        (tmp_path / f"jobs/ours/{number:02}.txt").write_text("x")
    done = tool("import", "harbor", tmp_path / "jobs/ours", "--output", tmp_path / "back", "--json")
    lines = done.err.splitlines()
    assert (lines[0], len(lines)) == ("left out: 00.txt: not of a job", 21)
    assert lines[-1] == "left out: 2 more (--json names them all)"
    assert len(json.loads(done.out)["left_out"]) == 22


def test_what_is_refused(tmp_path: Path) -> None:
    make_run(tmp_path / "ours")
    out = ("--output", tmp_path / "jobs")
    tool("export", "harbor", tmp_path / "ours", *out)
    tool("export", "harbor", tmp_path / "ours", *out, code=2).refused(2, "is there already")
    tool("export", "harbor", tmp_path, *out, code=2).refused(2, "no run folder")
    tool("export", "harbor", tmp_path / "ours", *out, "--name", "a/b", code=2).refused(2, "no name of a folder")
    tool("import", "harbor", tmp_path / "jobs", code=2).refused(2, "holds jobs, such as ours: name one")
    tool("import", "harbor", tmp_path / "jobs/ours", "--output", tmp_path / "ours", code=2).refused(2, "holds a run")
    tool("table", tmp_path, code=2).refused(2, "no run folder")
