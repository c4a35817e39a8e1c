import os
import subprocess
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
