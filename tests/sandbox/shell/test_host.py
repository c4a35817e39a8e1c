"""The shell in a real sandbox; one for all tests of this file, so that each also shows that those before left it whole."""

from collections.abc import Iterator

import pytest

from proofyard.core import Image, MemoryBlobs, SandboxSpec
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.shell import Ran, Shell

pytestmark = pytest.mark.xdist_group("shell")

HOME = "/workspace/project"


@pytest.fixture(scope="module")
def shell(provider: LocalProvider) -> Iterator[Shell]:
    sandbox = provider.open(SandboxSpec(image=Image(base="system"), kept=(HOME,)), MemoryBlobs())
    yield Shell(sandbox)
    sandbox.close()


def run(shell: Shell, command: str, wall_ms: int = 20_000, most: int = 10_000) -> Ran:
    return shell.run(command, wall_ms, most)


def test_state_stays(shell: Shell) -> None:
    assert run(shell, "mkdir d; cd d; X=5; f() { echo f$1; }; false") == Ran("", 1)
    assert run(shell, "echo $? $X; pwd; f 3") == Ran(f"0 5\n{HOME}/d\nf3\n", 0)


def test_standard_input_is_empty(shell: Shell) -> None:
    assert run(shell, "cat; read line; echo $?") == Ran("1\n", 0)


@pytest.mark.parametrize("command", ["echo 'unclosed", "if true; then", "echo )"])
def test_a_mistake_of_syntax_is_an_error_of_its_own(shell: Shell, command: str) -> None:
    ran = run(shell, command)
    assert ran.code not in {0, None}
    assert not ran.restarted
    assert run(shell, "echo $X").out == "5\n"


@pytest.mark.parametrize(
    "command", ["sleep 100; echo after", "while true; do sleep 0.1; done", "while :; do :; done; echo after"]
)
def test_a_command_that_takes_too_long_is_interrupted_as_a_whole(shell: Shell, command: str) -> None:
    ran = run(shell, command, 300)
    assert (ran.code, ran.timed_out, ran.restarted) == (None, True, False)
    assert "after" not in ran.out
    assert run(shell, "echo $X").out == "5\n"


def test_one_that_takes_no_interrupt_is_killed(shell: Shell) -> None:
    deaf = "python -c 'import signal, time; signal.signal(2, signal.SIG_IGN); time.sleep(100)'"
    ran = run(shell, deaf, 300)
    assert (ran.code, ran.timed_out, ran.restarted) == (None, True, False)
    assert run(shell, "echo $X").out == "5\n"


def test_jobs_in_the_background_outlive_an_interrupt(shell: Shell) -> None:
    run(shell, "(while :; do sleep 0.1; done; echo end > end) & JOB=$!")
    assert run(shell, "sleep 100", 300).timed_out
    assert run(shell, "kill -0 $JOB; echo $?; ls").out == "0\n"
    assert run(shell, "kill $JOB; wait $JOB 2>/dev/null; echo $?").out.endswith("143\n")


def test_of_much_output_the_beginning_and_the_end_come_back(shell: Shell) -> None:
    ran = run(shell, "seq 1 100000", most=100)
    assert ran.out.startswith("1\n2\n3\n")
    assert ran.out.endswith("99999\n100000\n")
    assert ran.elided == 588_895 - 100
    assert f"[... {ran.elided} bytes left out ...]" in ran.out


def test_bytes_of_any_kind(shell: Shell) -> None:
    assert run(shell, "cat <<'E'\na 'b' \"c\" $X ü\nE\nprintf '\\xff\\n'").out == "a 'b' \"c\" $X ü\n�\n"


def test_a_shell_that_ends_is_followed_by_another_in_the_same_folder(shell: Shell) -> None:
    ran = run(shell, "exit 3")
    assert (ran.code, ran.timed_out, ran.restarted) == (3, False, True)
    assert run(shell, 'echo "[$X]"; pwd').out == f"[]\n{HOME}/d\n"
    ran = run(shell, "exec sleep 100", 300)
    assert (ran.code, ran.timed_out, ran.restarted) == (None, True, True)
    assert run(shell, "echo here").out == "here\n"


def test_a_keeper_that_is_killed_or_lied_for_is_made_anew(shell: Shell) -> None:
    ran = run(shell, "kill -9 $PPID; sleep 100")
    assert ran.fault == "eof"
    assert ran.restarted
    ran = run(shell, "echo nonsense > /proc/$PPID/fd/1; sleep 0.2")
    assert ran.fault == "tamper"
    assert run(shell, "ls").out == "d\n", "what was written stays"
