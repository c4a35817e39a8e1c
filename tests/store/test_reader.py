import os
from pathlib import Path

import pytest

from proofyard.core import Outcome, UsageError
from proofyard.store import RunStore, read_run
from tests.store.records import header, trial, verdict


def _run(path: Path) -> Path:
    with RunStore.create(path, header()) as store:
        for n in range(3):
            store.append_trial(trial(n))
    return path


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"schema":2,"trial":{"other":1}}\n', r"trials.jsonl line 2 was written by a newer proofyard \(schema 2\)"),
        (b"not json\n", r"trials.jsonl line 2 is no proofyard record \(.*; the run folder is damaged"),
        (b'{"schema":0,"trial":{}}\n', r"trials.jsonl line 2 is no proofyard record"),
        (b"\xff\xfe\n", r"trials.jsonl line 2 is no proofyard record"),
        (b"[" * 100_000 + b"\n", r"trials.jsonl line 2 is no proofyard record"),
        (b"\n", r"trials.jsonl line 2 is no proofyard record"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    path = _run(tmp_path / "run") / "trials.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + line + lines[1])
    with pytest.raises(UsageError, match=message) as caught:
        read_run(tmp_path / "run")
    assert "\n" not in str(caught.value)
    with pytest.raises(UsageError, match=message):
        RunStore.open(tmp_path / "run")


def test_a_newer_record_with_all_the_old_fields_is_refused_too(tmp_path: Path) -> None:
    path = _run(tmp_path / "run") / "trials.jsonl"
    path.write_bytes(path.read_bytes().replace(b'{"schema":1', b'{"schema":7'))
    with pytest.raises(UsageError, match=r"line 1 was written by a newer proofyard \(schema 7\); this one reads up to"):
        read_run(tmp_path / "run")


def test_a_refused_run_is_not_left_locked(tmp_path: Path) -> None:
    path = _run(tmp_path / "run") / "verdicts.jsonl"
    path.write_bytes(b"junk\n")
    with pytest.raises(UsageError, match=r"verdicts\.jsonl line 1"):
        RunStore.open(tmp_path / "run")
    path.write_bytes(b"")
    RunStore.open(tmp_path / "run").close()


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'{"schema":1}', b"\xff"])
def test_a_damaged_or_foreign_run_json(tmp_path: Path, content: bytes) -> None:
    (_run(tmp_path / "run") / "run.json").write_bytes(content)
    with pytest.raises(UsageError, match=r"run\.json is no proofyard record"):
        read_run(tmp_path / "run")


def test_a_run_json_of_a_newer_version(tmp_path: Path) -> None:
    (_run(tmp_path / "run") / "run.json").write_bytes(b'{"schema":9,"shape":"new"}')
    with pytest.raises(UsageError, match=r"run\.json was written by a newer proofyard \(schema 9\)"):
        read_run(tmp_path / "run")


def test_what_is_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none does not exist"):
        read_run(tmp_path / "none")
    with pytest.raises(UsageError, match="is no run folder of proofyard"):
        read_run(tmp_path)


@pytest.mark.parametrize("name", ["run.json", "trials.jsonl", "verdicts.jsonl", "revisions.jsonl"])
def test_a_fifo_in_the_place_of_a_journal_is_not_waited_for(tmp_path: Path, name: str) -> None:
    RunStore.create(tmp_path / "run", header()).close()
    path = tmp_path / "run" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with pytest.raises(UsageError, match=r"no run\.json" if name == "run.json" else "no regular file"):
        read_run(tmp_path / "run")


def test_the_newest_grader_wins_and_is_named(tmp_path: Path) -> None:
    t1, t2, t3 = (trial(n) for n in range(1, 4))
    with RunStore.create(tmp_path / "run", header()) as store:
        for each in (t1, t2, t3):
            store.append_trial(each)
        store.append_verdict(verdict(t1, grader="old", outcome=Outcome.PASSED))
        store.append_verdict(verdict(t2, grader="old", outcome=Outcome.PASSED))
        store.append_verdict(verdict(t1, grader="new"))
    data = read_run(tmp_path / "run")
    newest = data.newest()
    assert {v.trial: (v.grader, v.outcome) for v in newest.values()} == {
        t1.id: ("new", Outcome.FAILED),
        t2.id: ("old", Outcome.PASSED),
    }
    assert data.graders() == {"new": 1, "old": 1}


def test_of_one_grader_the_last_result_wins_over_an_error_after_it(tmp_path: Path) -> None:
    t1 = trial(1)
    with RunStore.create(tmp_path / "run", header()) as store:
        store.append_trial(t1)
        store.append_verdict(verdict(t1, outcome=Outcome.PASSED))
        store.append_verdict(verdict(t1, n=1))
        store.append_verdict(verdict(t1, n=2, outcome=Outcome.ERROR))
    assert read_run(tmp_path / "run").newest()[t1.id].n == 1
    with RunStore.open(tmp_path / "run") as store:
        store.append_verdict(verdict(t1, grader="new", outcome=Outcome.ERROR))
    assert read_run(tmp_path / "run").newest()[t1.id].grader == "new"
