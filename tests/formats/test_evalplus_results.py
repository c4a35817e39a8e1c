"""EvalPlus's results, named and shaped as its own tool does."""

import datetime
import json
from pathlib import Path

import pytest

from proofyard.core import Reason, UsageError
from proofyard.formats.evalplus_results import PlusRun, evalplus_path, evalplus_results, read_evalplus
from proofyard.formats.rows import EvalRow
from tests.formats import verdicts

WHEN = datetime.datetime(2026, 3, 4, 5, 6, 7)
ROW = EvalRow(
    task_id="HumanEval/1",
    prompt="",
    entry_point="f",
    canonical_solution="",
    base_input=([1], [2]),
    plus_input=([3], [4], [5]),
)
RUN = PlusRun({"HumanEval/1": ROW}, ["HumanEval/1"], [1, 3], "md5")
FOUND = verdicts.judged(
    "HumanEval/1",
    verdicts.passed(groups=verdicts.groups(base=(2, 2), plus=(3, 3))),
    verdicts.failed(groups=verdicts.groups(base=(2, 2), plus=(1, 3)), provenance={"failed_plus": "1 3"}),
    verdicts.failed(Reason.TIMEOUT, groups=verdicts.groups(base=(1, 2), plus=(0, 3)), provenance={"failed_base": "2"}),
    verdicts.broken(),
)


def test_plus_needs_base_and_plus(tmp_path: Path) -> None:
    data = evalplus_results(FOUND, RUN, WHEN)
    document = json.loads(data)
    assert (document["date"], document["hash"]) == ("2026-03-04 05:06", "md5")
    entry = {"task_id": "HumanEval/1", "solution": "x = 1\n"}
    assert document["eval"]["HumanEval/1"] == [
        {**entry, "base_status": "pass", "plus_status": "pass", "base_fail_tests": [], "plus_fail_tests": []},
        {**entry, "base_status": "pass", "plus_status": "fail", "base_fail_tests": [], "plus_fail_tests": [[3]]},
        {**entry, "base_status": "timeout", "plus_status": "timeout", "base_fail_tests": [[2]], "plus_fail_tests": []},
    ]
    assert document["pass_at_k"] == {
        "base": {"pass@1": pytest.approx(2 / 3, abs=1e-15), "pass@3": 1.0},
        "plus": {"pass@1": pytest.approx(1 / 3, abs=1e-15), "pass@3": 1.0},
    }
    (tmp_path / "r.json").write_bytes(data)
    assert read_evalplus(tmp_path / "r.json") == document["eval"]


def test_all_failing_inputs_when_asked_for() -> None:
    document = json.loads(evalplus_results(FOUND, RUN._replace(details=True), WHEN))
    assert document["eval"]["HumanEval/1"][1]["plus_fail_tests"] == [[3], [5]]


def test_base_only() -> None:
    document = json.loads(evalplus_results(FOUND, RUN._replace(base_only=True), WHEN))
    assert [entry["plus_status"] for entry in document["eval"]["HumanEval/1"]] == [None, None, None]
    assert list(document["pass_at_k"]) == ["base"]


def test_a_group_without_inputs_follows_the_rest() -> None:
    found = verdicts.judged("HumanEval/1", verdicts.passed(groups=verdicts.groups(base=(2, 2), plus=(0, 0))))
    (entry,) = json.loads(evalplus_results(found, RUN, WHEN))["eval"]["HumanEval/1"]
    assert entry["plus_status"] == "pass"


def test_names(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    assert evalplus_path(path, None) == tmp_path / "x.eval_results.json"
    (tmp_path / "x_eval_results.json").touch()
    assert evalplus_path(path, None) == tmp_path / "x_eval_results.json"
    assert evalplus_path(path, tmp_path / "o") == tmp_path / "o" / "x.eval_results.json"
    assert evalplus_path(tmp_path, None) == tmp_path / "eval_results.json"


@pytest.mark.parametrize("text", ["{", "[]", '{"eval": {"a": [{"task_id": 3}]}}'])
def test_what_is_no_results_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(UsageError, match="no results file of EvalPlus"):
        read_evalplus(tmp_path / "r.json")
