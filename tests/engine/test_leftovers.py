import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from proofyard.engine.leftovers import end_commands


def test_commands_of_a_killed_coordinator_are_ended(tmp_path: Path) -> None:
    def start(where: Path) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            ["sleep", "300"], env={**os.environ, "PROOFYARD_WORKSPACE": str(where / "t1" / "project")}
        )

    left, other = start(tmp_path / "run" / "work"), start(tmp_path / "run2" / "work")
    try:
        assert end_commands(tmp_path / "run" / "work")
        assert left.wait(10) == -9
        assert other.poll() is None
    finally:
        left.kill()
        other.kill()
        left.wait()
        other.wait()


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_killed_run_leaves_no_process_of_a_command(tmp_path: Path) -> None:
    """Neither of its own session nor a daemon that has nothing of the command's environment."""
    daemon = (
        f"env -i setsid sh -c 'echo $$ > {tmp_path}/daemon; while :; do sleep 0.05; done' >/dev/null 2>&1 </dev/null &"
    )
    agent = f"echo $$ > {tmp_path}/sh; {daemon} while ! [ -s {tmp_path}/daemon ]; do :; done; touch {tmp_path}/up; sleep 300"
    argv = ["run", "scratch", "--task", "scratch-easy-001-word-frequency", "--agent", f"command:{agent}", "--no-grade"]
    tool = subprocess.Popen(
        [sys.executable, "-m", "proofyard", *argv, "--output", tmp_path / "run"], stderr=subprocess.DEVNULL
    )
    pids: list[int] = []
    try:
        end = time.monotonic() + 60
        while not (tmp_path / "up").exists() and time.monotonic() < end:
            time.sleep(0.02)
        pids += [int((tmp_path / name).read_text()) for name in ("sh", "daemon")]
        assert [_alive(pid) for pid in pids] == [True, True]
        tool.kill()
        assert tool.wait() == -signal.SIGKILL
        while any(map(_alive, pids)) and time.monotonic() < end:
            time.sleep(0.02)
        assert [_alive(pid) for pid in pids] == [False, False]
    finally:
        tool.kill()
        tool.wait()
        for pid in filter(_alive, pids):
            os.kill(pid, signal.SIGKILL)
