import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofyard.core import UsageError
from proofyard.sandbox import host, run_command

PATH = {"PATH": os.environ["PATH"]}


def run(code: str, tmp_path: Path, **options: object):
    return run_command([sys.executable, "-c", code], cwd=tmp_path, env=PATH, **options)  # type: ignore[arg-type]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_input_output_and_code(tmp_path):
    result = run(
        "import sys; print(sys.stdin.read().upper()); print('e', file=sys.stderr); sys.exit(3)", tmp_path, stdin=b"ab"
    )
    assert (result.code, result.signal, result.stdout, result.stderr) == (3, None, b"AB\n", b"e\n")
    assert (result.timed_out, result.stopped, result.cut, result.killed) == (False, False, False, True)


def test_the_end_is_not_lost_where_it_comes_with_the_beginning(tmp_path, monkeypatch):
    """A keeper that is done before its first answer is read: both lines lie in the socket."""
    monkeypatch.setattr("proofyard.sandbox.host._order", slow := _Slow(host._order))
    assert [run_command(["/bin/sh", "-c", "exit 6"], cwd=tmp_path, env=PATH).code for _ in range(3)] == [6] * 3
    assert slow.calls == 3


class _Slow:
    """Starts the command, and reads nothing before its keeper has said all."""

    def __init__(self, order):
        self.order, self.calls = order, 0

    def __call__(self, control, *rest):
        self.calls += 1
        real = control.recv
        waiting = type("Waiting", (), {"settimeout": control.settimeout, "sendall": control.sendall})()
        waiting.recv = lambda size: (
            wait_for(lambda: control.recv(200, socket.MSG_PEEK).count(b"\n") == 2),
            real(size),
        )[1]
        self.order(waiting, *rest)


def test_works_in_its_folder_with_only_the_given_environment(tmp_path):
    result = run("import os; print(os.getcwd()); print('HOME' in os.environ)", tmp_path)
    assert result.stdout == f"{tmp_path}\nFalse\n".encode()


def test_output_is_cut_at_the_limit(tmp_path):
    result = run("print('x' * 100_000)", tmp_path, output_limit=1000)
    assert (result.stdout, result.cut, result.code) == (b"x" * 1000, True, 0)


def test_input_that_is_never_read_does_not_block(tmp_path):
    assert run("pass", tmp_path, stdin=b"x" * (1 << 20)).code == 0


def test_deadline_kills(tmp_path):
    result = run("import time; print('a', flush=True); time.sleep(60)", tmp_path, wall_ms=300)
    assert (result.code, result.signal, result.timed_out, result.stdout) == (None, 9, True, b"a\n")


def test_the_caller_can_stop_it(tmp_path):
    start = time.monotonic()
    result = run("import time; time.sleep(60)", tmp_path, stop=lambda: time.monotonic() > start + 0.3)
    assert (result.stopped, result.timed_out, result.killed) == (True, False, True)


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("pid", "w").write(str(os.getpid()))
        time.sleep(60)
    os._exit(0)
while not os.path.exists("pid") or not open("pid").read():
    time.sleep(0.01)
{end}
"""


@pytest.mark.parametrize("end", ["", "time.sleep(60)"])
def test_a_daemon_that_left_the_session_is_killed_too(tmp_path, end):
    result = run(DAEMON.format(end=end), tmp_path, wall_ms=None if not end else 1500)
    pid = int((tmp_path / "pid").read_text())
    assert result.killed
    assert not alive(pid)


HIDDEN = """
env -i setsid sh -c 'echo $$ > one; while :; do sleep 0.05; done' >/dev/null 2>&1 </dev/null &
(setsid sh -c 'env -i sh -c "echo \\$\\$ > two; exec sleep 300" & exit' &) >/dev/null 2>&1 </dev/null
while ! [ -s one ] || ! [ -s two ]; do sleep 0.01; done
"""
"""Two daemons in sessions of their own, without the command's environment."""


@pytest.fixture
def daemons(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for name in ("one", "two"):
        if (tmp_path / name).exists() and alive(pid := int((tmp_path / name).read_text())):
            os.kill(pid, signal.SIGKILL)


def states(where: Path) -> list[bool]:
    return [alive(int((where / name).read_text())) for name in ("one", "two")]


def wait_for(condition) -> None:
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    assert condition()


@pytest.mark.parametrize("end", ["exit 5", "touch ready; exec sleep 300"])
def test_daemons_without_environment_or_session_die_with_the_command(daemons, end):
    result = run_command(["/bin/sh", "-c", HIDDEN + end], cwd=daemons, env=PATH, stop=(daemons / "ready").exists)
    assert result.killed
    assert states(daemons) == [False, False]
    assert (result.code, result.stopped) == ((5, False) if end == "exit 5" else (None, True))


def test_without_a_keeper_such_daemons_stay(daemons):
    """What the test above can see: a kill of the session, and of all with its environment, leaves both."""
    command = subprocess.Popen(["/bin/sh", "-c", HIDDEN], cwd=daemons, env=PATH, start_new_session=True)
    assert command.wait() == 0
    assert states(daemons) == [True, True]


TOOL = """
import os, sys
from proofyard.sandbox import host, run_command
run_command(["/bin/sh", "-c", sys.argv[1] + "touch ready; exec sleep 300"], cwd=sys.argv[2], env=dict(os.environ))
"""


def test_a_kill_of_the_tool_leaves_nothing_of_the_command(daemons):
    tool = subprocess.Popen([sys.executable, "-c", TOOL, "echo $PPID > keeper; echo $$ > sh;" + HIDDEN, str(daemons)])
    try:
        wait_for((daemons / "ready").exists)
        pids = [int((daemons / name).read_text()) for name in ("keeper", "sh", "one", "two")]
        assert all(map(alive, pids))  # the tool lives, and so do they
    finally:
        tool.kill()
        tool.wait()
    wait_for(lambda: not any(map(alive, pids)))


def test_a_killed_keeper_is_no_confirmed_kill(tmp_path):
    code = "import os, time; open('pid', 'w').write(str(os.getpid())); os.kill(os.getppid(), 9); time.sleep(300)"
    result = run(code, tmp_path)
    assert (result.killed, result.code, result.signal) == (False, None, None)
    assert not alive(int((tmp_path / "pid").read_text()))


def test_a_keeper_that_is_told_to_end_takes_the_command_with_it(tmp_path):
    result = run("import os, time; os.kill(os.getppid(), 15); time.sleep(300)", tmp_path)
    assert (result.killed, result.code, result.signal, result.timed_out) == (True, None, 9, False)


def test_the_command_has_neither_its_keeper_s_descriptors_nor_signals(tmp_path):
    code = (
        "import os, signal; print(sorted(map(int, os.listdir('/proc/self/fd')))[:3], len(os.listdir('/proc/self/fd')),"
        " [l for l in open('/proc/self/status') if l.startswith(('SigBlk', 'SigCgt'))][0].split()[1],"
        " signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, os.getsid(0) == os.getpid())"
    )
    assert run(code, tmp_path).stdout == b"[0, 1, 2] 4 0000000000000000 True True\n"


def test_what_it_left_to_others_to_reap_does_not_end_it(tmp_path):
    code = (
        "import os, time; os.fork() or (os.fork() and os._exit(0)) or os._exit(1); time.sleep(0.2); raise SystemExit(4)"
    )
    assert run(code, tmp_path).code == 4


def test_a_program_that_is_not_there_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="cannot run /no/such/program"):
        run_command(["/no/such/program"], cwd=tmp_path, env=PATH)
