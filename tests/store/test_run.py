import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from proofyard.core import Failure, Outcome, UsageError
from proofyard.store import RunStore, read_events, read_run
from tests.store.records import PLAN, header, trial, verdict

LOST = Failure(code="sandbox_lost", message="gone")
CRASHED = Failure(code="agent_crash", message="bug")


def test_records_come_back_as_they_were_written(tmp_path: Path) -> None:
    trials = [trial(n) for n in range(5)]
    verdicts = [verdict(t) for t in trials]
    with RunStore.create(tmp_path / "a" / "run", header()) as store:
        assert all(store.append_trial(t) for t in trials)
        assert all(store.append_verdict(v) for v in verdicts)
    data = read_run(tmp_path / "a" / "run")
    assert data.header == header()
    assert list(data.trials.values()) == trials
    assert list(data.verdicts.values()) == verdicts
    assert data.plan == PLAN


def test_flushed_records_are_on_disk_while_the_run_is_open(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", header()) as store:
        store.append_trial(trial(1))
        store.flush()
        assert list(read_run(tmp_path / "run").trials) == [trial(1).id]


def test_the_first_terminal_record_of_an_id_wins(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", header()) as store:
        assert store.append_trial(trial(1, LOST))
        assert store.append_trial(trial(1))
        assert not store.append_trial(trial(1, CRASHED))
        assert store.append_verdict(verdict(trial(1), outcome=Outcome.ERROR))
        assert store.append_verdict(verdict(trial(1), outcome=Outcome.PASSED))
        assert not store.append_verdict(verdict(trial(1)))
    data = read_run(tmp_path / "run")
    assert data.trials == {trial(1).id: trial(1)}
    assert [v.outcome for v in data.verdicts.values()] == [Outcome.PASSED]


def test_what_is_over_stays_over_when_the_run_is_opened_again(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", header()) as store:
        store.append_trial(trial(1))
        store.append_trial(trial(2, LOST))
        store.append_trial(trial(3, CRASHED))
        store.append_verdict(verdict(trial(1)))
    with RunStore.open(tmp_path / "run") as store:
        assert not store.append_trial(trial(1))
        assert store.append_trial(trial(2))
        assert not store.append_trial(trial(3))
        assert not store.append_verdict(verdict(trial(1)))
    assert (tmp_path / "run" / "trials.jsonl").read_bytes().count(b"\n") == 4


def test_duplicate_lines_of_an_older_hand_are_read_once(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", header()) as store:
        store.append_trial(trial(1))
    path = tmp_path / "run" / "trials.jsonl"
    path.write_bytes(path.read_bytes() * 2)
    assert len(read_run(tmp_path / "run").trials) == 1


@pytest.mark.parametrize("tail", [b'{"schema":1,"tri', b"\0" * 70_000, b"{", b"x" * 200_000])
def test_a_torn_tail_is_no_record_and_is_cut(tmp_path: Path, tail: bytes) -> None:
    with RunStore.create(tmp_path / "run", header()) as store:
        store.append_trial(trial(1))
    path = tmp_path / "run" / "trials.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    assert list(read_run(tmp_path / "run").trials) == [trial(1).id]
    assert path.read_bytes() == whole + tail, "a reader changes nothing"
    with RunStore.open(tmp_path / "run") as store:
        assert path.read_bytes() == whole
        store.append_trial(trial(2))
    assert list(read_run(tmp_path / "run").trials) == [trial(1).id, trial(2).id]


def test_a_file_that_is_nothing_but_a_torn_line_becomes_empty(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "run", header()).close()
    path = tmp_path / "run" / "verdicts.jsonl"
    path.write_bytes(b'{"schema"')
    assert read_run(tmp_path / "run").verdicts == {}
    RunStore.open(tmp_path / "run").close()
    assert path.read_bytes() == b""


def test_a_second_coordinator_is_refused_and_readers_are_not(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", header()):
        with pytest.raises(UsageError, match=rf"run is in use by another proofyard \(process {os.getpid()}\)"):
            RunStore(tmp_path / "run")
        assert read_run(tmp_path / "run").trials == {}
    RunStore.open(tmp_path / "run").close()


def test_a_dead_coordinator_holds_no_lock(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from proofyard.store import RunStore;"
        "from tests.store.records import header, trial; s = RunStore.create(Path(sys.argv[1]), header());"
        "s.append_trial(trial(1)); s.flush(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    died = subprocess.run([sys.executable, "-c", code, str(tmp_path / "run")], check=False)
    assert died.returncode == -9
    with RunStore.open(tmp_path / "run") as store:
        assert store.data is not None
        assert list(store.data.trials) == [trial(1).id]


def test_a_folder_with_other_things_in_it_is_refused_and_untouched(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not empty and no run folder"):
        RunStore(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(UsageError, match="exists and is no folder"):
        RunStore(tmp_path / "notes.txt")


def test_opening_what_is_no_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"is no run folder of proofyard \(it does not exist"):
        RunStore.open(tmp_path / "none")
    with pytest.raises(UsageError, match=r"is no run folder of proofyard \(it has no run\.json"):
        RunStore.open(tmp_path)
    RunStore.create(tmp_path / "run", header()).close()
    with pytest.raises(UsageError, match="holds a run already"):
        RunStore.create(tmp_path / "run", header())


def test_a_folder_that_cannot_be_written_is_misuse(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot write to .*file/run: Not a directory"):
        RunStore(tmp_path / "file" / "run")


def test_a_run_that_never_began_leaves_nothing(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    store.event(1)
    store.discard()
    assert list(tmp_path.iterdir()) == []
    store = RunStore(tmp_path / "run")
    store.start(header())
    store.discard()
    assert read_run(tmp_path / "run").header == header()


def test_a_run_killed_before_run_json_begins_again(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    store.event(1)
    (tmp_path / "run" / ".run.json.tmp").write_bytes(b"{")
    (tmp_path / "run" / "work" / "x").mkdir(parents=True)
    store.close()
    with RunStore(tmp_path / "run") as store:
        assert store.data is None
        store.start(header())
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == [
        "events.jsonl", "lock", "run.json", "trials.jsonl", "verdicts.jsonl",
    ]  # fmt: skip


def test_workspaces_are_swept_whatever_their_modes_and_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    with RunStore.create(tmp_path / "run", header()) as store:
        inner = store.work / "t" / "project"
        inner.mkdir(parents=True)
        (inner / "deep").mkdir()
        (inner / "deep" / "file").touch()
        (inner / "link").symlink_to(outside)
        (inner / "deep").chmod(0o000)
    assert not (tmp_path / "run" / "work").exists()
    assert outside.stat().st_mode & 0o777 == 0o755


def test_a_revision_of_the_plan_is_kept_beside_the_first(tmp_path: Path) -> None:
    more = msgspec.structs.replace(PLAN, attempts=3)
    with RunStore.create(tmp_path / "run", header()) as store:
        store.extend(more)
        assert store.data is not None
        assert store.data.plan == more
    data = read_run(tmp_path / "run")
    assert data.header.plan == PLAN
    assert data.plans == (PLAN, more)
    assert data.plan == more


def test_events_survive_garbage_and_tell_the_steps(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", header()) as store:
        store.event(1)
        store.event(5, "abc", "again")
    with (tmp_path / "run" / "events.jsonl").open("ab") as handle:
        handle.write(b"{torn")
    assert [(e.step, e.name, e.trial, e.note) for e in read_events(tmp_path / "run")] == [
        (1, "request", "", ""),
        (5, "open", "abc", "again"),
    ]
    assert read_events(tmp_path / "none") == []


def test_what_is_kept_of_an_attempt(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", header()) as store:
        folder = store.folder("ab" + "0" * 30)
        folder.step("started", argv=["x"])
        folder.step("ended")
        folder.keep("stdout", b"out")
        assert folder.path == tmp_path / "run" / "trials" / "ab" / ("ab" + "0" * 30)
        steps = [msgspec.json.decode(line) for line in (folder.path / "steps.jsonl").read_bytes().splitlines()]
        assert [step["kind"] for step in steps] == ["started", "ended"]
        assert steps[0]["argv"] == ["x"]
        assert (folder.path / "stdout").read_bytes() == b"out"
        for name in ("../x", "", "steps.jsonl"):
            with pytest.raises(ValueError, match="not a name"):
                folder.keep(name, b"")
        folder.clear()
        assert not folder.path.exists()
