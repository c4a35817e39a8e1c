"""`evaluate --isolation container`, against the stand-in for a container engine: the same verdicts as without."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.tool import verb
from tests.sandbox import stand_in
from tests.suites.functions import rows

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="the stand-in needs bubblewrap")


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return stand_in.install(tmp_path, monkeypatch)


def statuses(path: Path) -> dict[str, list[str]]:
    found = json.loads(path.read_text())["eval"]
    return {task: [entry["status"] for entry in entries] for task, entries in found.items()}


def test_unittest(tmp_path: Path, state: Path) -> None:
    rows.write(tmp_path / "big.jsonl", rows.big(3), rows.big(5))
    right = "def task_func(x=0):\n    return 3\n"
    skip = "import unittest\ndef task_func(x=0):\n    raise unittest.SkipTest('later')\n"
    rows.write(tmp_path / "s.jsonl", *({"task_id": "BigCodeBench/3", "solution": program} for program in (right, skip)))
    asked = ("bigcodebench", "--data", "big.jsonl", "--samples", "s.jsonl", "--isolation", "container")
    ran = verb("evaluate", *asked, "--container-image", "here:1", "--subset", "3", "--json", cwd=tmp_path)
    assert ran.code == 1, ran
    assert statuses(tmp_path / "s_eval_results.json") == {"BigCodeBench/3": ["pass", "fail"]}
    first = json.loads((tmp_path / "s.proofyard.jsonl").read_text().splitlines()[0])
    told = first["provenance"]
    assert (told["rung"], told["image"], told["twins"]) == ("container", "here:1", "run")
    assert sum(call[0] == "run" for call in stand_in.calls(state)) == 3  # test and twin, test
    assert json.loads(ran.out)["notes"][0] == "the tasks' libraries are those of the image here:1"


def test_calls_and_asserts(tmp_path: Path, state: Path) -> None:
    rows.write(tmp_path / "plus.jsonl", rows.plus(1))
    rows.write(tmp_path / "h.jsonl", rows.evals(1))
    always = "    return type('A', (int,), {'__eq__': lambda *a: True, '__hash__': int.__hash__})(7)\n"
    samples = [{"task_id": "HumanEval/1", "completion": body} for body in ("    return x + 1\n", always)]
    rows.write(tmp_path / "s.jsonl", *samples)
    options = ("--samples", "s.jsonl", "--isolation", "container", "--container-image", "here:1")
    plus = verb("evaluate", "humanevalplus", "--data", "plus.jsonl", *options, cwd=tmp_path)
    assert plus.code == 1, plus
    found = json.loads((tmp_path / "s.eval_results.json").read_text())["eval"]["HumanEval/1"]
    assert [(one["base_status"], one["plus_status"]) for one in found] == [("pass", "pass"), ("fail", "fail")]
    plain = verb("evaluate", "humaneval", "--data", "h.jsonl", *options, cwd=tmp_path)
    assert plain.code == 1, plain
    lines = (tmp_path / "s.jsonl_results.jsonl").read_text().splitlines()
    assert [json.loads(line)["passed"] for line in lines] == [True, False]


def test_what_does_not_go_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows.write(tmp_path / "h.jsonl", rows.evals(1))
    rows.write(tmp_path / "s.jsonl", {"task_id": "HumanEval/1", "completion": "    return x + 1\n"})
    asked = ("evaluate", "humaneval", "--data", "h.jsonl", "--samples", "s.jsonl")
    verb(*asked, "--container-image", "x", cwd=tmp_path).refused(2, "is for --isolation container")
    both = ("--isolation", "container", "--unsafe-no-sandbox")
    verb(*asked, *both, cwd=tmp_path).refused(2, "exclude each other")
    monkeypatch.setenv("PROOFYARD_CONTAINER_ENGINE", sys.executable)
    ran = verb(*asked, "--isolation", "container", cwd=tmp_path)
    assert ran.code == 3, ran
    assert "no container engine answers" in ran.err
