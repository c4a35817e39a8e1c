"""Task folders on the command line: a new one, looked at, graded, run, proved; data sets of a folder and a repository."""

import json
import subprocess
from pathlib import Path

import pytest

from proofyard.suites.harbor.skeleton import write_skeleton

from .tool import Ran, verb


def tool(*args: str, code: int = 0) -> Ran:
    """The command, which must end with that code."""
    done = verb(*args)
    assert done.code == code, done
    return done


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    write_skeleton(tmp_path / "fresh", "toy/fresh")
    return tmp_path / "fresh"


def test_a_new_task_passes_lint_and_is_proved(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert tool("new", "task", str(folder)).out.startswith(f"{folder}: 11 files written.")
    assert tool("lint", "--strict", str(folder)).out == "1 task: 0 errors, 0 warnings, 0 notes\n"
    done = tool("verify", str(folder), "--quick", "--json")
    (proof,) = json.loads(done.out)["tasks"]
    assert (proof["task"], proof["ok"], proof["reference"], proof["nop"]["score"]) == (
        "local/mine",
        True,
        ["passed"],
        0.0,
    )
    told = {known["name"]: (known["check"], known["stopped"], known["reason"]) for known in proof["shortcuts"]}
    assert told == {
        "change_input": ("inputs_unchanged", True, "tamper"),
        "constant": ("hidden_text", True, "wrong_result"),
    }
    assert tool("new", "task", str(folder), code=2).err == f"proofyard: {folder} is not empty; choose another folder\n"


def test_grade(fresh: Path, tmp_path: Path) -> None:
    assert tool("grade", str(fresh)).out.splitlines()[:2] == [
        "toy/fresh: score 1  reward=1",
        "passed: 3/3 assertions passed",
    ]
    (tmp_path / "my.sh").write_text("echo hi; echo 'print(7)' > /app/count.py; exit 3\n")
    shown = tool("grade", str(fresh), "--patch", str(tmp_path / "my.sh"), code=1).out
    assert "toy/fresh: score 0  reward=0\nthe solution: patch ended with exit code 3\n" in shown
    assert "failed checks: hidden_text\nthe solution printed:\n    hi\n" in shown
    assert shown.splitlines()[-1].startswith("place: bubblewrap; FROM python:3.12-slim: this machine's /usr (")
    assert tool("grade", str(fresh), "--known", "by_line").out.startswith("toy/fresh: score 1")
    row = json.loads(tool("grade", str(fresh), "--untouched", "--json", code=1).out)
    assert (row["verdict"]["score"], row["verdict"]["provenance"]["failed_checks"]) == (0.0, "example, hidden_text")
    (tmp_path / "files").mkdir()
    (tmp_path / "files/count.py").write_text("import sys\nprint(len(open(sys.argv[1]).read().split()))\n")
    assert tool("grade", str(fresh), "--solution", str(tmp_path / "files")).out.startswith("toy/fresh: score 1")
    said = tool("grade", str(fresh), "--known", "nobody", code=2).err
    assert said == "proofyard: toy/fresh has no solution 'nobody'; it has: reference, by_line, change_input, constant\n"
    assert "give one of them" in tool("grade", str(fresh), "--untouched", "--known", "x", code=2).err


def test_lint(fresh: Path, tmp_path: Path) -> None:
    text = (fresh / "task.toml").read_text().replace(
        'constant = "hidden_text"\n', 'gone = "x"\n'
    ) + "bogus = 1\ngpus = 2\n"
    (fresh / "task.toml").write_text(text)
    (fresh / "tests/checks.py").write_text((fresh / "tests/checks.py").read_text().replace("/logs/verifier", "/logs"))
    (fresh / "environment/copy.py").write_bytes((fresh / "tests/checks.py").read_bytes())
    (fresh / "tests/test.sh").write_text("set -e\r\ncurl x\n")
    (fresh / "instruction.md").write_text("See /tests/test.sh and /tmp/x.\n")
    found = json.loads(tool("lint", "--json", str(tmp_path), code=1).out)
    assert [row["code"] for row in found] == [
        "refused", "line-ends", "no-interpreter", "unknown-key", "tells-of-grading", "not-kept", "leak", "no-reward",
        "tests-need-network", "may-leave-no-reward",
    ]  # fmt: skip
    assert found[0]["message"] == f"{fresh} needs a GPU, which is not supported"
    text = text.replace("gpus = 2\n", '[verifier.env]\nPATH = "/usr/bin:/app/bin:/application"\n')
    (fresh / "task.toml").write_text(text)
    found = json.loads(tool("lint", "--json", str(tmp_path), code=1).out)
    assert {"undeclared-shortcut", "missing-shortcut"} <= {row["code"] for row in found if row["level"] == "error"}
    assert [row["message"] for row in found if row["code"] == "own-programs"] == [
        "PATH of the tests leads to /app/bin, where an agent may write"
    ]
    assert tool("lint", str(tmp_path / "nothing"), code=2).err.endswith("no such folder\n")


WEAK = "#!/bin/bash\ntest -f /app/data/example.txt && r=1 || r=0\necho $r > /logs/verifier/reward.txt\n"
FLAKY = (
    "#!/bin/bash\ngrep -q 'split()' /app/count.py && r=$((RANDOM % 2)) || r=0\necho $r > /logs/verifier/reward.txt\n"
)


@pytest.mark.parametrize(("test", "fault"), [
    (WEAK, ["empty project: passed", "nothing at all: scores 1, not 0", "shortcut constant: passed, though: the tests"]),
    (FLAKY, ["reference: attempts "]),
])  # fmt: skip
def test_a_planted_grader_is_caught(fresh: Path, test: str, fault: list[str]) -> None:
    (fresh / "tests/test.sh").write_text(test)
    shown = tool("verify", str(fresh), "--attempts", "12", "--others", "1", code=1).out
    for one in fault:
        assert f"toy/fresh: {one}" in shown
    assert "0/1 tasks proved" in shown


def test_lint_of_what_this_machine_lacks(fresh: Path) -> None:
    with (fresh / "environment/Dockerfile").open("a") as file:
        file.write("RUN apt-get install -y bash no-such-package-1 && pip install six 'idna==3.10'\n")
    lines = tool("lint", str(fresh)).out.splitlines()
    assert lines[:2] == [
        f"{fresh}: warning: environment/Dockerfile: six names no exact version [open-version]",
        f"{fresh}: warning: not installed on this machine: no-such-package-1 [not-installed]",
    ]
    shown = tool("grade", str(fresh), code=3).err
    assert shown.startswith("proofyard: image: packages of the system that are not installed on this machine: no-such-")


def test_a_package_that_lacks_what_proves_it_is_refused(fresh: Path) -> None:
    for name in ("solution/alternatives/by_line.sh", "tests/shortcuts/change_input.sh", "tests/shortcuts/constant.sh"):
        (fresh / name).unlink()
    shown = tool("verify", str(fresh), "--quick", code=1).out
    for what in (
        "there is no solution/alternatives/*.sh",
        "there is no tests/shortcuts/*.sh",
        "shortcuts.constant: no tests",
    ):
        assert what in " ".join(shown.split())


def test_a_data_set_of_a_folder(fresh: Path, tmp_path: Path) -> None:
    entry = {"name": "set", "version": "1", "tasks": [{"name": "fresh", "path": "fresh"}]}
    (tmp_path / "registry.json").write_text(json.dumps([entry]))
    (row,) = json.loads(tool("list", "--repo", str(tmp_path), "-d", "set@1", "--json").out)
    assert row == {
        "task_id": "toy/fresh",
        "subset": "easy",
        "family": "fresh",
        "category": "fresh",
        "num_assertions": 1,
    }
    assert "one of them" in tool("list", code=2).err
    assert "one of them" in tool("list", "scratch", "--repo", str(tmp_path), code=2).err
    assert "unknown dataset 'sets'; did you mean set?" in tool("list", str(tmp_path), "-d", "sets", code=2).err


def test_a_repository(fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = tmp_path / "hub/org/tasks.git"
    for words in (
        ["init", "-q", "-b", "main", str(tmp_path / "fresh")],
        ["-C", str(fresh), "add", "."],
        ["-C", str(fresh), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"],
        ["-C", str(fresh), "tag", "v1"],
        ["clone", "-q", "--bare", str(fresh), str(bare)],
    ):
        subprocess.run(["git", *words], check=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.file://{tmp_path}/hub/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/")
    done = tool("list", "--repo", "org/tasks@v1", "--json")
    assert [row["task_id"] for row in json.loads(done.out)] == ["toy/fresh"]
    assert done.err == "fetching org/tasks at v1\n"
    assert tool("list", "--repo", "org/tasks@v1", "--json").err == ""
    assert "git fetch: " in tool("list", "--repo", "org/tasks@v9", code=3).err
    assert "not of the form org/name@ref" in tool("list", "--repo", "what ever", code=2).err


def test_a_run_of_a_folder(fresh: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    assert (
        tool("run", str(fresh), "--agent", "oracle", "--attempts", "2", "--output", out, "--json").out.count(
            '"passed": 2'
        )
        == 1
    )
    assert "2/2" in tool("regrade", out).err
    shown = " ".join(tool("score", out).out.split())
    assert "oracle" in shown


def test_a_shortcut_that_shows_nothing_is_refused(fresh: Path) -> None:
    (fresh / "tests/shortcuts/constant.sh").write_text("#!/bin/bash\n")
    (fresh / "tests/shortcuts/change_input.sh").write_text("#!/bin/bash\ncat /app/nowhere\n")
    (fresh / "tests/shortcuts/odd.sh").write_text("#!/bin/bash\ntouch /app/other\n")
    text = (fresh / "task.toml").read_text().replace("[agent]", 'odd = "hidden_txt"\n\n[agent]')
    (fresh / "task.toml").write_text(text.replace('inputs_unchanged = "tamper"', 'never = "tamper"'))
    found = json.loads(tool("verify", str(fresh), "--quick", "--json", code=1).out)["tasks"][0]
    assert [fault for fault in found["faults"] if "tests: " not in fault] == [
        'folder: no shortcut tampers: declare one by a check whose reason metadata.proofyard.checks names as "tamper"',
        "shortcut change_input: check inputs_unchanged did not stop it: failed checks: example, hidden_text",
        "shortcut change_input: its script broke down, so that it shows nothing: change_input ended with exit code 1: "
        "cat: /app/nowhere: No such file or directory",
        "shortcut change_input: it left all as it was, so that it shows no more than doing nothing",
        "shortcut constant: it left all as it was, so that it shows no more than doing nothing",
        "shortcut odd: check hidden_txt did not stop it: failed checks: example, hidden_text",
        "shortcut odd: there is no check hidden_txt; the tests list inputs_unchanged, example, hidden_text",
    ]
    same = "fails the very checks that doing nothing fails (example, hidden_text)"
    assert found["remarks"] == [
        f"shortcut change_input: {same}",
        f"shortcut constant: {same}",
        f"shortcut odd: {same}",
        "metadata.proofyard.checks.never: the tests list no such check",
    ]
