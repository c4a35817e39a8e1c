"""human-eval's results: the samples' own rows, in their order, with what came of them."""

import json
from pathlib import Path

from proofyard.core import Reason
from proofyard.formats.humaneval_results import humaneval_path, humaneval_results
from proofyard.formats.judged import Judged
from proofyard.formats.samples import Sample
from tests.formats import verdicts


def row(task: str, position: int) -> Sample:
    fields = {"task_id": task, "completion": "    pass", "seed": position}
    return Sample(task_id=task, k=0, solution="def f():\n    pass", row=fields, position=position)


def test_rows_keep_their_order_and_fields() -> None:
    found = {
        "HumanEval/1": [Judged(row("HumanEval/1", 2), verdicts.passed()), Judged(row("HumanEval/1", 3), None)],
        "HumanEval/2": [
            Judged(row("HumanEval/2", 0), verdicts.failed(Reason.CRASH, "by\nsignal 11")),
            Judged(row("HumanEval/2", 1), verdicts.failed(Reason.TIMEOUT)),
        ],
    }
    lines = [json.loads(line) for line in humaneval_results(found).splitlines()]
    common = {"completion": "    pass"}
    assert lines == [
        {"task_id": "HumanEval/2", **common, "seed": 0, "result": "failed: crash by signal 11", "passed": False},
        {"task_id": "HumanEval/2", **common, "seed": 1, "result": "timed out", "passed": False},
        {"task_id": "HumanEval/1", **common, "seed": 2, "result": "passed", "passed": True},
    ]


def test_names(tmp_path: Path) -> None:
    assert humaneval_path(tmp_path / "samples.jsonl", None) == tmp_path / "samples.jsonl_results.jsonl"
    assert humaneval_path(tmp_path / "s.jsonl.gz", Path("o")) == Path("o/s.jsonl.gz_results.jsonl")
