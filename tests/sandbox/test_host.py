import os
import sys
import time
from pathlib import Path

import pytest

from proofyard.core import UsageError
from proofyard.sandbox import run_command

PATH = {"PATH": os.environ["PATH"]}


def run(code: str, tmp_path: Path, **options: object):
    return run_command([sys.executable, "-c", code], cwd=tmp_path, env=PATH, **options)  # type: ignore[arg-type]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except FileNotFoundError:
        return False


def test_input_output_and_code(tmp_path):
    result = run(
        "import sys; print(sys.stdin.read().upper()); print('e', file=sys.stderr); sys.exit(3)", tmp_path, stdin=b"ab"
    )
    assert (result.code, result.signal, result.stdout, result.stderr) == (3, None, b"AB\n", b"e\n")
    assert (result.timed_out, result.stopped, result.cut, result.killed) == (False, False, False, True)


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


def test_a_program_that_is_not_there_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="cannot run /no/such/program"):
        run_command(["/no/such/program"], cwd=tmp_path, env=PATH)
