"""The verb itself: what it prints, what it writes, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.tool import Ran, tool

PROVING = Path(__file__).parents[1] / "checks" / "proving"
BAD = "proving-two-b"


@pytest.fixture(autouse=True)
def plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PROVING))


def verify(*args: str | Path) -> Ran:
    return tool("verify", "proving", "--attempts", "2", *args)


def test_a_proved_suite(tmp_path: Path) -> None:
    ran = verify("--output", tmp_path / "report.json")
    assert ran.code == 0, ran
    assert "3/3 tasks proved" in ran.out
    rows = [line.split() for line in ran.out.splitlines() if line.startswith((" one", " two"))]
    assert rows == [
        ["one", "1", "1", "2/2", "1/1", "3/3", "0", "1/1"],
        ["two", "2", "2", "4/4", "2/2", "6/6", "0", "2/2"],
    ]
    assert "graded under 1 s of wall a session" in ran.out
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["format"], report["schema"], report["complete"]) == ("proofyard.verification", 1, True)
    assert report["totals"]["proved"] == 3
    assert [task["ok"] for task in report["tasks"]] == [True] * 3


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("reference fails", "reference: attempt 2 failed"),
        ("shortcut passes", "shortcut constant: passed"),
        ("other reason", "shortcut constant: failed for wrong_result, not for crash"),
        ("alternative fails", "no alternative passes"),
    ],
)
def test_a_task_that_is_not_proved(monkeypatch: pytest.MonkeyPatch, fault: str, words: str) -> None:
    monkeypatch.setenv("PROVING", fault)
    ran = verify("--task", BAD, "--json")
    assert ran.code == 1, ran
    report = json.loads(ran.out)
    (task,) = report["tasks"]
    assert not task["ok"]
    assert any(words in one for one in task["faults"])


def test_faults_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVING", "other reason")
    ran = verify("--family", "b")
    assert ran.code == 1, ran
    assert f"{BAD}: shortcut constant: failed for wrong_result, not for crash" in ran.out
    assert "0/1 tasks proved" in ran.out


def test_bad_calls(tmp_path: Path) -> None:
    verify("--task", BAD, "--subset", "two").refused(2, "together")
    verify("--family", "bb").refused(2, "unknown family 'bb'", "did you mean")
    verify("--output", tmp_path / "none" / "r.json").refused(2, "cannot write")
    (tmp_path / "kept" / "a" / "reference").mkdir(parents=True)
    (tmp_path / "kept" / "a" / "reference" / "mine").touch()
    verify("--run", tmp_path / "kept").refused(2, "no run folder of proofyard")
    tool("verify", "absent").refused(2, "unknown suite 'absent'")


def test_interrupted_it_ends_and_the_same_command_goes_on(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    command = ("verify", "proving", "--task", BAD, "--attempts", "40", "--concurrency", "1", "--run", str(kept))
    journal = kept / "b" / "reference" / "verdicts.jsonl"
    with subprocess.Popen(
        [sys.executable, "-m", "proofyard", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
        start_new_session=True,
    ) as running:
        deadline = time.monotonic() + 120
        while not (journal.exists() and journal.read_bytes().count(b"\n") >= 2):
            assert running.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert "Traceback" not in err
    assert "interrupted; the same command goes on" in out
    done = journal.read_bytes()
    assert 2 <= done.count(b"\n") < 40
    ran = tool(*command, "--json")
    assert ran.code == 0, ran
    assert journal.read_bytes().startswith(done)
    assert journal.read_bytes().count(b"\n") == 40
    (task,) = json.loads(ran.out)["tasks"]
    assert task["reference"] == ["passed"] * 40
