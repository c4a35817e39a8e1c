"""A run that is killed: its containers end by themselves, and the next start removes what is left of them."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.containers.conftest import containers
from tests.crash.helpers import PATIENCE_S, descendants, start, still_alive
from tests.suites.harbor.folders import task

FILES = {
    "environment/Dockerfile": "FROM debian:12\nWORKDIR /app\nCOPY . .\n",
    "solution/solve.sh": "#!/bin/bash\nsetsid sleep 301 & touch /app/here; sleep 300\n",
}


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def says(engine: str, *words: str) -> str:
    return subprocess.run([engine, *words], check=False, capture_output=True, text=True).stdout.strip()


def test_what_a_killed_run_leaves_is_no_process_and_goes_at_the_next_start(engine: str, tmp_path: Path) -> None:
    folder = task(tmp_path / "task", files=FILES)
    arguments = ["run", str(folder), "--isolation", engine, "--agent", "oracle", "--output", str(tmp_path / "run")]
    (tmp_path / "tmp").mkdir()
    process = start(arguments, tmp_path / "tmp")
    until(lambda: any(says(engine, "exec", name, "ls", "/app/here") for name in containers(engine)))
    (name,) = containers(engine)
    inside = int(says(engine, "inspect", "--format", "{{.State.Pid}}", name))
    processes = descendants(process.pid) | descendants(inside)
    assert len(descendants(inside)) >= 2
    process.kill()
    process.wait()
    assert process.stderr is not None
    process.stderr.close()
    assert still_alive(processes, PATIENCE_S) == set()
    assert list((tmp_path / "tmp").iterdir()) == []
    assert containers(engine) == [name]

    other = task(tmp_path / "other", files=FILES)
    again = start(["grade", str(other), "--untouched", "--isolation", engine], tmp_path / "tmp")
    assert again.wait(PATIENCE_S) == 1
    assert again.stderr is not None
    again.stderr.close()
    assert containers(engine) == []
