import threading
from pathlib import Path

import pytest

from proofyard.agents import AgentSetup, command
from proofyard.core import Brief, Finish, InfrastructureError, MemoryBlobs, UsageError, file_bytes
from tests.agents.helpers import Clock, Notes


def _run(where: Path, text: str, clock: Clock | None = None) -> tuple[Finish, Notes, MemoryBlobs]:
    workspace = where / "work"
    (workspace / "project").mkdir(parents=True)
    agent = command.make(AgentSetup(command.parameters(text), workspace))
    assert agent.needs == "host"
    notes, blobs = Notes(), MemoryBlobs()
    finish = agent.run(Brief(task="t1", prompt="Write ä.\n"), None, notes, clock or Clock(), blobs)
    assert finish.provenance == {"agent_isolation": "none"}
    return finish, notes, blobs


def _files(finish: Finish, blobs: MemoryBlobs) -> dict[str, bytes]:
    assert finish.submission is not None
    return {path: file_bytes(entry, blobs) for path, entry in finish.submission.entries.items()}


def test_it_gets_prompt_and_paths_and_what_it_leaves_is_submitted(tmp_path: Path) -> None:
    text = (
        'cat > stdin; cp "$PROOFYARD_PROMPT_FILE" file; echo "$PROOFYARD_TASK" > task; pwd > cwd;'
        ' echo "$PROOFYARD_WORKSPACE" > workspace; echo out; echo err >&2'
    )
    finish, notes, blobs = _run(tmp_path, text)
    project = str(tmp_path / "work" / "project")
    assert _files(finish, blobs) == {
        "stdin": "Write ä.\n".encode(),
        "file": "Write ä.\n".encode(),
        "task": b"t1\n",
        "cwd": f"{project}\n".encode(),
        "workspace": f"{project}\n".encode(),
    }
    assert finish.failure is None
    assert notes.kept == {"stdout": b"out\n", "stderr": b"err\n"}
    assert [kind for kind, _ in notes.steps] == ["command", "ended"]


def test_a_failing_command_is_recorded_and_its_work_kept(tmp_path: Path) -> None:
    finish, _, blobs = _run(tmp_path, "echo x > main.py; exit 7")
    assert _files(finish, blobs) == {"main.py": b"x\n"}
    assert finish.failure is not None
    assert (finish.failure.code, finish.failure.grade) == ("agent_exit", True)
    assert "exit code 7" in finish.failure.message


def test_a_command_that_cannot_start_is_named(tmp_path: Path) -> None:
    finish, _, _ = _run(tmp_path / "a", "no-such-agent --fast")
    assert finish.failure is not None
    assert "exit code 127 (not found): " in finish.failure.message
    assert "no-such-agent" in finish.failure.message
    (tmp_path / "plain").write_text("text")
    finish, _, _ = _run(tmp_path / "b", str(tmp_path / "plain"))
    assert finish.failure is not None
    assert "exit code 126 (found, but cannot be run): " in finish.failure.message


@pytest.mark.parametrize("text", ["my-agent 'quiet", 'echo "a', "if true; then", "a ) b"])
def test_what_the_shell_cannot_read_is_refused_before_anything_runs(text: str) -> None:
    with pytest.raises(UsageError, match=r"the shell cannot read .*check its quotes"):
        command.parameters(text)


def test_reading_a_command_does_not_run_it(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert command.parameters(f"touch {mark}") == {"command": f"touch {mark}"}
    assert not mark.exists()


def test_a_signal_is_a_failing_command(tmp_path: Path) -> None:
    finish, _, _ = _run(tmp_path, "kill -9 $$")
    assert finish.failure is not None
    assert "signal 9" in finish.failure.message


def test_at_the_end_of_its_time_all_its_processes_die(tmp_path: Path) -> None:
    text = "echo x > main.py; (setsid sleep 300 & echo $! > pid); sleep 300"
    finish, _, blobs = _run(tmp_path, text, Clock(1.0))
    assert finish.failure is not None
    assert (finish.failure.code, finish.failure.grade) == ("agent_timeout", True)
    files = _files(finish, blobs)
    assert files["main.py"] == b"x\n"
    stat = Path("/proc", files["pid"].decode().strip(), "stat")
    # Dead is also a zombie which its adoptive parent has not collected yet.
    assert not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_daemon_without_environment_cannot_write_after_the_submission(tmp_path: Path) -> None:
    late = "while :; do echo late > main.py; date > ../late; sleep 0.01; done"
    text = (
        f"env -i setsid sh -c 'echo $$ > pid; {late}' >/dev/null 2>&1 </dev/null & while ! [ -s ../late ]; do :; done"
    )
    finish, _, blobs = _run(tmp_path, text)
    assert finish.failure is None
    files = _files(finish, blobs)
    assert not Path("/proc", files["pid"].decode().strip()).exists()  # dead and reaped
    assert "main.py" in files


def test_a_command_that_kills_its_keeper_is_not_submitted(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="processes of the command are left") as caught:
        _run(tmp_path, "echo x > main.py; kill -9 $PPID; sleep 300")
    assert caught.value.failure.code == "kill_unconfirmed"


def test_a_stopped_run_stops_the_command(tmp_path: Path) -> None:
    clock = Clock()

    def halt() -> None:
        while not (tmp_path / "work" / "project" / "began").exists():
            threading.Event().wait(0.01)
        clock.halt.set()

    stopper = threading.Thread(target=halt)
    stopper.start()
    finish, _, _ = _run(tmp_path, "touch began; sleep 300", clock)
    stopper.join()
    assert finish.failure is not None


def test_a_command_that_removes_its_workspace_submits_nothing(tmp_path: Path) -> None:
    finish, _, _ = _run(tmp_path, 'rm -r "$PROOFYARD_WORKSPACE"')
    assert finish.submission is not None
    assert finish.submission.entries == {}


def test_an_empty_command_is_misuse() -> None:
    with pytest.raises(UsageError, match="needs a command"):
        command.parameters("  ")
    assert command.solution({}) is None
