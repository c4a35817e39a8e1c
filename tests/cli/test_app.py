import subprocess
import sys

import proofyard
from tests.cli.tool import tool


def test_help_names_every_verb() -> None:
    ran = tool("--help")
    assert ran.code == 0
    for verb in ("list", "prepare", "evaluate", "score", "run", "regrade", "reference", "build", "validate", "doctor"):
        assert f"\n  {verb}" in ran.out
        assert tool(verb, "--help").code == 0


def test_no_verb_shows_the_help() -> None:
    assert tool().out == tool("--help").out


def test_version() -> None:
    assert tool("--version").out == f"proofyard {proofyard.__version__}\n"


def test_an_unknown_verb_suggests_the_nearest() -> None:
    tool("evalute").refused(2, "unknown command 'evalute'", "did you mean evaluate?")


def test_an_unknown_option_and_a_value_out_of_range_are_one_line() -> None:
    tool("run", "scratch", "--agnet", "nop").refused(2, "--agnet", "--agent")
    tool("run", "scratch", "--agent", "nop", "--attempts", "0").refused(2, "--attempts", "0")


def test_a_closed_pipe_is_no_error() -> None:
    line = f"{sys.executable} -m proofyard list scratch --json | head -c 20"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], check=False, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
