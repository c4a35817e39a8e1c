"""`env` and `check-env`: environments by name, and which tasks' own solutions pass in one."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from proofyard.cli import check_env
from proofyard.core import Evidence, Reason, UsageError
from proofyard.images import Environment, build, environments
from tests.cli.tool import verb
from tests.images.conftest import offline
from tests.images.wheels import wheel

__all__ = ["offline"]  # the fixture

TEST = """
import unittest
class TestCases(unittest.TestCase):
    def test_one(self):
        self.assertEqual(task_func(2), {want})
    def test_two(self):
        self.assertEqual(task_func(0), {zero})
"""


def row(number: int, body: str, want: str = "9", zero: str = "7", test: str = TEST) -> dict[str, str]:
    head = "import toyed\ndef task_func(n):\n"
    return {
        "task_id": f"BigCodeBench/{number}",
        "complete_prompt": head + '    """Add."""\n',
        "instruct_prompt": "Add.",
        "code_prompt": head,
        "canonical_solution": body,
        "test": test.replace("{want}", want).replace("{zero}", zero),
        "entry_point": "task_func",
        "doc_struct": "{}",
        "libs": "['toyed']",
    }


ROWS = [
    row(0, "    return n + toyed.VALUE\n"),
    row(1, "    return n * toyed.VALUE\n"),
    row(2, "    import socket\n    return socket.gethostbyname('example.org')\n"),
    row(3, "    import nowhere\n"),
    row(4, "    return open('/corpora/words').read()\n"),
    row(5, "    pass\n", want="None", zero="None"),
]


@pytest.fixture
def toy(offline: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    environment = Environment(name="toy", python="3.11", lock=wheel(offline))
    monkeypatch.setitem(environments(), "toy", environment)
    return environment


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(item) + "\n" for item in ROWS).encode()))
    return path


def checked(*args: str | Path) -> int:
    code = check_env.command.main(["bigcodebench", "--env", "toy", *map(str, args)], standalone_mode=False)
    assert isinstance(code, int)
    return code


def test_the_gate_tells_what_passes_and_why_the_rest_does_not(
    toy: Environment, rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = build(toy)
    assert checked("--data", rows, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["passing"], found["tasks"], found["fingerprint"]) == (1, 6, toy.fingerprint)
    assert found["packages"] == there.packages
    reasons = {task.partition("/")[2]: reason for task, reason in found["failing"].items()}
    assert reasons.pop("5") == "weak test: an empty body passes"
    assert {number: reason.partition(":")[0] for number, reason in reasons.items()} == {
        "1": "library change",
        "2": "network",
        "3": "library missing",
        "4": "data missing",
    }
    gate = json.loads(Path(found["gate"]).read_text())
    assert gate["fingerprint"] == toy.fingerprint
    assert gate["tasks"]["BigCodeBench/0"]["truth"]["tests"] == {"test_one": "ok", "test_two": "ok"}


def test_what_is_known_is_not_run_again(
    toy: Environment, rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build(toy)
    output = tmp_path / "gate.json"

    def run(*more: str) -> list[str]:
        assert checked("--data", rows, "--output", output, *more) == 0
        out, err = capsys.readouterr()
        assert f"written: {output}" in out
        return sorted(line.partition(":")[0].partition("/")[2] for line in err.splitlines())

    assert run("--subset", "BigCodeBench/0,BigCodeBench/1") == ["0", "1"]
    assert run("--subset", "BigCodeBench/0,BigCodeBench/1,BigCodeBench/5") == ["5"]
    assert run("--subset", "BigCodeBench/0,BigCodeBench/1", "--failed") == ["1"]
    assert run("--subset", "BigCodeBench/0", "--again") == ["0"]
    held: dict[str, Any] = json.loads(output.read_text())
    assert list(held["tasks"]) == ["BigCodeBench/0", "BigCodeBench/1", "BigCodeBench/5"]
    output.write_text(json.dumps({**held, "fingerprint": "0"}))
    with pytest.raises(UsageError, match="is of another environment; choose another --output"):
        checked("--data", rows, "--output", output)


@pytest.mark.parametrize(
    ("reason", "note", "kind"),
    [
        (Reason.TIMEOUT, "over its CPU time", "slow"),
        (Reason.OOM, "out of memory", "memory"),
        (Reason.WRONG_RESULT, "PermissionError not raised", "root"),
        (Reason.WRONG_RESULT, "LookupError: Resource stopwords not found", "data missing"),
        (Reason.WRONG_RESULT, "requests.exceptions.ConnectionError: Max retries exceeded", "network"),
        (Reason.WRONG_RESULT, "AttributeError: no attribute 'append'", "library change"),
        (Reason.TAMPER, "opened a file of the grader", "taken for tampering"),
    ],
)
def test_causes(reason: Reason, note: str, kind: str) -> None:
    assert check_env.cause(reason, Evidence(where="test_x", note=note)) == f"{kind}: test_x: {note}"


def test_the_line_that_tells_is_quoted() -> None:
    evidence = Evidence(
        where="test_x", note="****", got="Traceback\n  LookupError\n  Resource \\x1b[93mpunkt\\x1b[0m not found.\n****"
    )
    assert check_env.cause(Reason.WRONG_RESULT, evidence) == "data missing: test_x: Resource punkt not found."


def test_a_solution_that_asks_the_network_may_fail_in_its_own_words() -> None:
    evidence = Evidence(where="test_x", note="None != 'dns.example'")
    told = check_env.cause(Reason.WRONG_RESULT, evidence, "    return socket.gethostbyaddr(ip)\n")
    assert told == "network: test_x: None != 'dns.example'"


def test_the_environments_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    listed = verb("env", "list", "--json")
    assert listed.code == 0
    found = {item["name"]: (item["python"], item["path"]) for item in json.loads(listed.out)}
    assert found == {"bigcodebench": ("3.11", None), "bigcodebench-small": ("3.11", None)}
    assert "not built" in verb("env", "list").out


def test_what_is_not_there_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    verb("env", "path", "bigcodebench").refused(2, "is not built", "proofyard env build bigcodebench")
    verb("env", "build", "bigcodebnch").refused(2, "unknown environment", "did you mean bigcodebench")
    verb("check-env", "humaneval").refused(2, "needs no environment")
    verb("check-env", "bigcodebench", "--env", "none").refused(2, "unknown environment")
