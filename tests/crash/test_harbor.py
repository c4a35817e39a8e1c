"""SIGKILL of `proofyard run FOLDER` while an agent is at work and while tests run; then the run goes on, and grows.

The reference and the tests call on a service of this machine, which lets nobody on until it is told to: so what runs in the
sandbox when the run is killed is known.
"""

import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from proofyard.core import Outcome
from proofyard.store import RunData, read_run
from tests.crash.helpers import PATIENCE_S, Alive, Gate, descendants, start, still_alive
from tests.suites.harbor.folders import task


class Doorkeeper(ThreadingHTTPServer):
    """Who comes to a path that is `closed` waits; `arrived` is set when somebody does."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.closed = ""
        self.arrived, self.opened = threading.Event(), threading.Event()

    def close_to(self, path: str) -> None:
        self.closed = path
        self.arrived.clear()


class _Handler(BaseHTTPRequestHandler):
    server: Doorkeeper

    def do_GET(self) -> None:
        if self.path == self.server.closed:
            self.server.arrived.set()
            self.server.opened.wait(2 * PATIENCE_S)
        self.send_response(200)
        self.end_headers()

    def log_request(self, code: object = "-", size: object = "-") -> None:
        return


@pytest.fixture
def door() -> Iterator[Doorkeeper]:
    server = Doorkeeper()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.opened.set()
    server.shutdown()
    thread.join()
    server.server_close()


def folder(place: Path, door: Doorkeeper) -> Path:
    """The task. Both its scripts leave a program in the background and then call on the service."""
    call = f"import urllib.request as u; u.urlopen('http://127.0.0.1:{door.server_port}/@')"
    script = f'#!/bin/bash\nsetsid sleep 300 & python3 -c "{call}" || exit 1\n'
    files = {
        "solution/solve.sh": script.replace("@", "work") + "echo 42 > /app/answer.txt\n",
        "tests/test.sh": script.replace("@", "tests$(cat /app/answer.txt 2>/dev/null)")
        + '[ "$(cat /app/answer.txt 2>/dev/null)" = 42 ] && r=1 || r=0; echo $r > /logs/verifier/reward.txt\n',
    }
    made = task(place, files=files)
    text = (made / "task.toml").read_text()
    allowed = 'network_mode = "allowlist"\nallowed_hosts = ["example.invalid"]'
    (made / "task.toml").write_text(text.replace('network_mode = "no-network"', allowed))
    return made


def killed_at(
    gate: Gate, process: "subprocess.Popen[bytes]", step: int, nth: int, door: Doorkeeper
) -> frozenset[Alive]:
    """SIGKILL the run when it has logged the step so often and what it started has called on the service; what it had."""
    while nth:
        steps = gate.next(process)
        assert steps, "the run ended"
        nth -= steps.count(step)
    assert door.arrived.wait(PATIENCE_S)
    processes = descendants(process.pid)
    process.kill()
    process.wait(PATIENCE_S)
    assert process.stderr is not None
    process.stderr.close()
    return processes


def outcomes(data: RunData) -> dict[tuple[str, int], list[tuple[Outcome, float | None]]]:
    """By agent and attempt, what each verdict says."""
    found: dict[tuple[str, int], list[tuple[Outcome, float | None]]] = {}
    for trial in data.trials.values():
        said = [(one.outcome, one.score) for one in data.verdicts.values() if one.trial == trial.id]
        found[trial.subject_name, trial.k] = said
    return found


PASSED, FAILED = [(Outcome.PASSED, 1.0)], [(Outcome.FAILED, 0.0)]


def test_killed_at_work_and_at_the_tests_the_run_goes_on_and_grows(tmp_path: Path, door: Doorkeeper) -> None:
    run, scratch = tmp_path / "run", tmp_path / "tmp"
    scratch.mkdir()
    made = folder(tmp_path / "task", door)
    gate = Gate(run)
    asked = ["run", str(made), "--suite-option", f"hosts=127.0.0.1:{door.server_port}", "--agent", "nop"]
    asked += ["--agent", "oracle", "--concurrency", "1", "--output", str(run)]

    # The first attempt (nop's) is over when the reference is at work; it is not graded yet.
    door.close_to("/work")
    processes = killed_at(gate, start(asked, scratch), 6, 2, door)
    assert len(processes) >= 6  # the run, its runner, the sandbox and what was in it
    assert still_alive(processes) == set()
    assert list(scratch.iterdir()) == []
    assert outcomes(read_run(run)) == {("nop", 0): []}

    door.close_to("/tests42")
    processes = killed_at(gate, start(asked, scratch), 8, 2, door)
    assert len(processes) >= 6
    assert still_alive(processes) == set()
    before = read_run(run)
    assert outcomes(before) == {("nop", 0): FAILED, ("oracle", 0): []}

    door.close_to("")
    assert gate.let_run(start([*asked, "--attempts", "2"], scratch)) == 1
    grown = read_run(run)
    assert outcomes(grown) == {("nop", k): FAILED for k in (0, 1)} | {("oracle", k): PASSED for k in (0, 1)}
    assert before.trials.items() <= grown.trials.items()
    assert before.verdicts.items() <= grown.verdicts.items()
    for name, records in (("trials.jsonl", grown.trials), ("verdicts.jsonl", grown.verdicts)):
        assert (run / name).read_bytes().count(b"\n") == len(records) == 4
    assert list(scratch.iterdir()) == []
    assert not (run / "work").exists()
