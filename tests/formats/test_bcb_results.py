"""BigCodeBench's files, named and shaped as its own tool does."""

import datetime
import json
from pathlib import Path

import pytest

from proofyard.core import Reason, UsageError
from proofyard.formats.bcb_results import Scored, bcb_paths, bcb_results, bcb_scores, inspect_files, read_bcb
from proofyard.formats.samples import SampleFile
from tests.formats import verdicts

WHEN = datetime.datetime(2026, 3, 4, 5, 6, 7)
TOLD = Scored("instruct", "hard", True, 0.99, ["BigCodeBench/9"])
NAME = "org--model--main--bigcodebench-hard-instruct--vllm-0.8-5-sanitized_calibrated.jsonl"


def test_results_have_upstream_s_words(tmp_path: Path) -> None:
    details = json.dumps({"test_it": "Traceback: it"})
    found = verdicts.judged(
        "BigCodeBench/3",
        verdicts.passed(),
        verdicts.failed(provenance={"details": details}),
        verdicts.failed(Reason.TIMEOUT, "over its CPU time"),
        verdicts.broken(),
        None,
    )
    data = bcb_results(found, WHEN)
    assert data.startswith(b'{\n  "date": "2026-03-04 05:06",\n  "eval": {\n')
    entry = {"task_id": "BigCodeBench/3", "solution": "x = 1\n"}
    wanted = [
        {**entry, "status": "pass", "details": {}},
        {**entry, "status": "fail", "details": {"test_it": "Traceback: it"}},
        {**entry, "status": "timeout", "details": {"ALL": "timeout\nover its CPU time"}},
    ]
    assert json.loads(data) == {"date": "2026-03-04 05:06", "eval": {"BigCodeBench/3": wanted}}
    (tmp_path / "r.json").write_bytes(data)
    assert read_bcb(tmp_path / "r.json") == {"BigCodeBench/3": wanted}


def test_scores(tmp_path: Path) -> None:
    found = verdicts.judged("BigCodeBench/3", verdicts.passed(), verdicts.failed())
    samples = SampleFile(tmp_path / NAME, {})
    document = json.loads(bcb_scores(found, ["BigCodeBench/3"], [1, 2, 5], samples, TOLD))
    assert document == {
        "pass@1": 0.5,
        "pass@2": 1.0,
        "model": "org--model--main",
        "split": "instruct",
        "subset": "hard",
        "calibrated": True,
        "gt_pass_rate": 0.99,
        "failed_tasks": ["BigCodeBench/9"],
    }
    partial = json.loads(bcb_scores(found, ["BigCodeBench/3", "BigCodeBench/4"], [1], samples, TOLD))
    assert "pass@1" not in partial


@pytest.mark.parametrize(
    ("name", "results", "scores"),
    [
        ("x.jsonl", "x_eval_results.json", "x_pass_at_k.json"),
        ("x-0.8.jsonl.gz", "x-0.8_eval_results.json", "x-0.8_pass_at_k.json"),
    ],
)
def test_names(tmp_path: Path, name: str, results: str, scores: str) -> None:
    assert bcb_paths(tmp_path / name, None) == (tmp_path / results, tmp_path / scores)
    assert bcb_paths(tmp_path / name, Path("o")) == (Path("o", results), Path("o", scores))
    assert bcb_paths(tmp_path, None) == (tmp_path / "eval_results.json", tmp_path / "pass_at_k.json")


def test_inspection_is_laid_out_as_upstream_does() -> None:
    entries = [
        {"solution": "a", "status": "pass", "details": {}},
        {"solution": "b", "status": "fail", "details": {"test_it": "why"}},
    ]
    files = inspect_files("BigCodeBench/3", entries, "truth", "test")
    assert set(files) == {
        "BigCodeBench/3/ground_truth.py",
        "BigCodeBench/3/test_case.py",
        "BigCodeBench/3/completion_1.py",
        "BigCodeBench/3/complete_1_execution_trace.txt",
    }
    assert files["BigCodeBench/3/completion_1.py"] == "b"
    assert "test_it" in files["BigCodeBench/3/complete_1_execution_trace.txt"]
    assert "why" in files["BigCodeBench/3/complete_1_execution_trace.txt"]
    assert inspect_files("BigCodeBench/3", entries[:1], "truth", "test") == {}


@pytest.mark.parametrize("text", ["{", "[]", '{"eval": {"a": [{"task_id": 3}]}}'])
def test_what_is_no_results_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(UsageError, match="no results file of BigCodeBench"):
        read_bcb(tmp_path / "r.json")
    with pytest.raises(UsageError, match="cannot read"):
        read_bcb(tmp_path / "absent.json")
