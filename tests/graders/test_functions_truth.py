"""Every tenth task of the datasets: its own solution passes in real sandboxes (benchmarks/functions_truth.py does all)."""

import os
from collections.abc import Iterator

import pytest

from proofyard.core import Given, Outcome, tree_of
from proofyard.engine.plugins import grader_of, load_suite
from proofyard.sandbox import LocalProvider

from ..data import data

FILES = {
    "humaneval": ("HumanEval.jsonl.gz", 17),
    "humanevalplus": ("HumanEvalPlus-Mini.jsonl.gz", 17),
    "mbpp": ("sanitized-mbpp.json.gz", 43),
    "mbppplus": ("MbppPlus.jsonl.gz", 38),
}


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider(slots=1)
    yield local
    local.close()


@pytest.mark.parametrize("name", FILES)
def test_solutions_pass_and_an_empty_body_does_not(
    provider: LocalProvider, name: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    file, count = FILES[name]
    suite = load_suite(name, None, {"data": str(data(file))})
    blobs = suite.blobs()
    graders = {kind: grader_of(kind) for kind in ("asserts", "calls")}
    found, empty = {}, {}
    for task_id in suite.ids()[::10]:
        step = suite.load(task_id).steps[0]
        solution = next(known.tree for known in step.hidden.solutions if known.kind == "reference")
        nothing = tree_of({"solution.py": f"def {_entry(step.grader.parameters)}(*args): pass\n"}, blobs)
        for tree, outcomes in ((solution, found), (nothing, empty)):
            grade = graders[step.grader.kind].grade(step, tree, lambda s: provider.open(s, blobs), Given(), blobs)
            outcomes[task_id] = (grade.outcome, grade.evidence.note)
    assert {task_id: got for task_id, got in found.items() if got != (Outcome.PASSED, "")} == {}
    assert [task_id for task_id, got in empty.items() if got[0] is not Outcome.FAILED] == []
    assert len(found) == len(empty) == count


def _entry(parameters: str) -> str:
    import json

    return str(json.loads(parameters)["entry_point"])
