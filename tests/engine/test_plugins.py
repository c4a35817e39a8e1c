import subprocess
import sys
from pathlib import Path

import pytest

from proofyard.core import UnknownNameError, UsageError
from proofyard.engine.plugins import grader_of, load, load_suite, names, options_of, suite_names


def test_what_is_built_in_and_what_is_installed_come_by_the_same_door() -> None:
    assert {"given", "oracle", "nop", "folder", "command", "toy"} <= set(names("agents"))
    assert {"scratch", "toy"} <= set(suite_names())
    assert grader_of("toy").kind == "toy"
    assert load_suite("toy").version == "1"
    assert load_suite("toy", 7).version == "1-seed7"
    assert load("agents", "nop").name == "nop"


def test_options_reach_a_suite_that_takes_them() -> None:
    assert load_suite("toy", 7, {"version": "x"}).version == "1-seed7x"
    assert options_of(load_suite("toy", None, {"version": "x"})) == {"version": "x"}
    assert options_of(load_suite("scratch")) == {}
    with pytest.raises(UsageError, match=r"suite scratch takes no options \(version\)"):
        load_suite("scratch", None, {"version": "x"})
    with pytest.raises(UsageError, match="suite humaneval has no private sets"):
        load_suite("humaneval", 7)


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown suite 'scrach'; did you mean scratch") as caught:
        load_suite("scrach")
    assert "known: " in str(caught.value)
    with pytest.raises(UnknownNameError, match="unknown grader 'sesions'; did you mean sessions"):
        grader_of("sesions")
    with pytest.raises(UsageError, match=r"agent 'broken' cannot be loaded: .*absent"):
        load("agents", "broken")


def test_only_the_plugin_asked_for_is_imported() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from proofyard.engine.plugins import grader_of; grader_of('toy');"
        "bad = [m for m in sys.modules if m.startswith(('proofyard.suites', 'proofyard.graders', 'proofyard.cli'))];"
        "sys.exit(str(bad) if bad else 0)"
    )
    toy = Path(__file__).parents[1] / "toy"
    done = subprocess.run([sys.executable, "-c", code, str(toy)], check=False, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode == 0
