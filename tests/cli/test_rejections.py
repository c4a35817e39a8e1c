"""What is refused, each by one clear line and the right exit code."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.tool import EASY, tool, verb


def test_an_unknown_task_suggests_the_nearest(tmp_path: Path) -> None:
    near = "scratch-easy-001-word-frequncy"
    verb("evaluate", near, "--solution", tmp_path).refused(2, near, f"did you mean {EASY}")
    verb("prepare", "word-frequency", "--output", tmp_path / "x").refused(2, "word-frequency")
    verb("run", "scratch", "--task", near, "--agent", "nop", "--output", tmp_path / "r").refused(2, EASY)
    assert not (tmp_path / "r").exists()


def test_unknown_suite_subset_agent(tmp_path: Path) -> None:
    verb("list", "scrach").refused(2, "unknown suite 'scrach'", "scratch")
    verb("list", "scratch", "--subset", "esay").refused(2, "esay", "easy")
    verb("build", "--subset", "esay", "--output", tmp_path / "d").refused(2, "esay", "easy")
    verb("run", "scratch", "--family", "lru-cahce", "--agent", "nop", "--output", tmp_path / "r").refused(
        2, "lru-cahce", "did you mean lru-cache"
    )
    verb("run", "scratch", "--agent", "orcale", "--output", tmp_path / "r").refused(2, "orcale", "oracle")
    verb("run", "scratch", "--agent", "folder:/nowhere/at/all", "--output", tmp_path / "r").refused(
        2, "/nowhere/at/all"
    )
    verb("run", "scratch", "--agent", "command:my-agent 'quiet", "--output", tmp_path / "r").refused(
        2, "my-agent 'quiet"
    )
    assert not (tmp_path / "r").exists()


def test_a_solution_folder_that_does_not_exist(tmp_path: Path) -> None:
    verb("evaluate", EASY, "--solution", tmp_path / "none").refused(2, str(tmp_path / "none"), "no such folder")


def test_an_output_that_cannot_be_written(tmp_path: Path, reference: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    for call in (
        ("prepare", EASY, "--output", blocked / "ws"),
        ("reference", EASY, "--output", blocked / "ref"),
        ("build", "--output", blocked / "data"),
        ("evaluate", EASY, "--solution", reference, "--output", blocked / "r.json"),
        ("validate", "--output", blocked / "v.json"),
        ("run", "scratch", "--agent", "nop", "--output", blocked / "run"),
    ):
        verb(*call).refused(2, str(blocked))


def test_a_foreign_a_corrupt_and_a_newer_run_folder(tmp_path: Path, passed_run: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "notes.txt").write_text("mine")
    verb("score", foreign).refused(2, str(foreign))
    verb("run", "scratch", "--agent", "nop", "--output", foreign).refused(2, str(foreign))
    assert [p.name for p in foreign.iterdir()] == ["notes.txt"]
    verb("regrade", tmp_path / "none").refused(2, str(tmp_path / "none"))

    corrupt = tmp_path / "corrupt"
    shutil.copytree(passed_run, corrupt)
    (corrupt / "trials.jsonl").write_bytes(b"\x00garbage\n" + (corrupt / "trials.jsonl").read_bytes())
    verb("score", corrupt).refused(2, "trials.jsonl", "line 1")
    verb("regrade", corrupt).refused(2, "trials.jsonl", "line 1")

    newer = tmp_path / "newer"
    shutil.copytree(passed_run, newer)
    header = json.loads((newer / "run.json").read_text())
    (newer / "run.json").write_text(json.dumps(header | {"schema": 99}))
    verb("score", newer).refused(2, "newer proofyard", "99")


def test_results_of_another_dataset_version(tmp_path: Path, passed_run: Path, reference: Path) -> None:
    result = tmp_path / "r.json"
    assert verb("evaluate", EASY, "--solution", reference, "--output", result).code == 0
    record = json.loads(result.read_text())
    result.write_text(json.dumps(record | {"version": "0.0"}))
    verb("score", result).refused(2, "scratch 0.0")
    verb("score", passed_run, result).refused(2, "scratch 0.0")

    older = tmp_path / "older"
    shutil.copytree(passed_run, older)
    header = json.loads((older / "run.json").read_text())
    header["plan"]["version"] = "0.0"
    (older / "run.json").write_text(json.dumps(header))
    verb("score", older).refused(2, "0.0")
    verb("regrade", older).refused(2, "0.0")


def test_a_second_coordinator(tmp_path: Path, passed_run: Path) -> None:
    import fcntl

    run = tmp_path / "run"
    shutil.copytree(passed_run, run)
    with (run / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        verb("regrade", run).refused(2, str(run))


def spoil(kind: str, project: Path) -> None:
    if kind == "empty":
        (project / "main.py").unlink()
    elif kind == "symlink":
        (project / "more.py").symlink_to("/etc/passwd")
    elif kind == "main is a symlink":
        (project / "real.py").write_bytes((project / "main.py").read_bytes())
        (project / "main.py").unlink()
        (project / "main.py").symlink_to("real.py")
    elif kind == "fifo":
        os.mkfifo(project / "pipe")
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(project / "s"))
    else:
        (project / "big.bin").write_bytes(b"\0" * (70 << 20))


@pytest.mark.parametrize("kind", ["empty", "symlink", "main is a symlink", "fifo", "socket", "too large"])
def test_a_submission_that_is_none_is_a_failed_verdict(kind: str, tmp_path: Path, reference: Path) -> None:
    project = tmp_path / EASY
    shutil.copytree(reference, project)
    spoil(kind, project)
    ran = verb("evaluate", EASY, "--solution", project)
    assert (ran.code, ran.err) == (1, "")
    said = "no assertion was played" if kind == "too large" else "0/"
    assert ran.out.startswith(f"{EASY}: failed: {said}")
    ran = verb("run", "scratch", "--task", EASY, "--agent", f"folder:{tmp_path}", "--output", tmp_path / "run")
    assert ran.code == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small disk")
def test_a_full_disk_is_infrastructure_and_loses_nothing(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f'mount -t tmpfs -o size=96k none {disk} && exec "$@"'
    held = ("unshare", "-m", "sh", "-c", mount, "sh")
    ran = tool("run", "scratch", "--subset", "max", "--agent", "oracle", "--output", disk / "run", prefix=held)
    assert ran.code == 3, ran
    assert "disk_full" in ran.err
    assert "Traceback" not in ran.err


def children(pid: int) -> list[int]:
    return [int(c) for task in Path(f"/proc/{pid}/task").iterdir() for c in (task / "children").read_text().split()]


def test_a_lost_sandbox_is_infrastructure(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import time\ntime.sleep(60)\n")
    argv = [sys.executable, "-m", "proofyard", "evaluate", EASY, "--solution", str(tmp_path)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        found: list[int] = []
        while not any(children(c) for c in found) and time.monotonic() < deadline:
            time.sleep(0.05)
            found = children(process.pid)
        time.sleep(0.5)
        for child in children(process.pid):
            os.kill(child, signal.SIGKILL)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 3, (out, err)
    assert "sandbox_lost" in out
    assert "Traceback" not in err


def test_ctrl_c_stops_cleanly_and_the_same_command_resumes(tmp_path: Path) -> None:
    run = tmp_path / "run"
    families = ["--family=word-frequency", "--family=csv-aggregate", "--family=matrix-ops", "--family=lru-cache"]
    call = ["run", "scratch", *families, "--subset=easy", "--agent=oracle", "--concurrency=1", "--output", str(run)]
    with subprocess.Popen(
        [sys.executable, "-m", "proofyard", *call], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 60
        while (
            not ((run / "verdicts.jsonl").exists() and (run / "verdicts.jsonl").stat().st_size)
            and time.monotonic() < deadline
        ):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    assert "resumes" in out
    kept = (run / "trials.jsonl").read_bytes()
    assert verb(*call).code == 0
    assert (run / "trials.jsonl").read_bytes().startswith(kept)
