"""Words and records that result files share."""

import json
from pathlib import Path

import pytest

from proofyard.core import Evidence, Outcome, Reason, Usage, UsageError
from proofyard.formats.judged import Judged, estimates, explanation, put_document, record_line, status_of
from tests.formats import verdicts


def test_only_a_time_limit_is_a_timeout() -> None:
    assert status_of(verdicts.passed()) == "pass"
    assert status_of(verdicts.failed(Reason.TIMEOUT)) == "timeout"
    assert status_of(verdicts.failed(Reason.CRASH)) == "fail"


def test_infrastructure_says_nothing_of_a_sample() -> None:
    one = verdicts.sample("a/1")
    assert Judged(one, verdicts.broken()).valid is None
    assert Judged(one, None).valid is None
    assert not Judged(one, verdicts.broken()).passed
    assert Judged(one, verdicts.passed()).passed
    assert Judged(one, verdicts.verdict(Outcome.INVALID)).valid is None


def test_an_explanation_begins_with_the_reason() -> None:
    found = verdicts.verdict(
        Outcome.FAILED, score=0.0, reason=Reason.OOM, evidence=Evidence(note="killed", stderr="last words")
    )
    assert explanation(found) == "oom\nkilled\nlast words"


def test_estimates_drop_a_k_that_a_task_has_too_few_samples_for() -> None:
    assert estimates([(5, 1), (5, 5)], [1, 5, 6]) == {"pass@1": 0.6, "pass@5": 1.0}
    assert estimates([(5, 1), (2, 0)], [1, 5]) == {"pass@1": pytest.approx(0.1, abs=1e-15)}
    assert estimates([(5, 1), (0, 0)], [1]) == {}
    assert estimates([], [1]) == {}


def test_our_record_of_a_sample() -> None:
    found = verdicts.verdict(
        Outcome.FAILED,
        score=0.0,
        reason=Reason.WRONG_RESULT,
        usage=Usage(cpu_us=1500, wall_us=2500, peak_memory=7),
        evidence=Evidence(where="test_it", note="no"),
        provenance={"stdout": "out", "stderr": "err", "details": '{"test_it": "Traceback"}', "rung": "zygote"},
    )
    line = json.loads(record_line(Judged(verdicts.sample("a/1", 2), found)))
    assert (line["task_id"], line["k"], line["outcome"], line["reason"]) == ("a/1", 2, "failed", "wrong_result")
    assert (line["cpu_ms"], line["wall_ms"], line["peak_memory"]) == (1.5, 2.5, 7)
    assert (line["stdout"], line["stderr"], line["details"]) == ("out", "err", {"test_it": "Traceback"})
    assert line["evidence"]["where"] == "test_it"
    assert line["provenance"] == {"rung": "zygote"}
    lost = json.loads(record_line(Judged(verdicts.sample("a/1"), verdicts.broken())))
    assert (lost["outcome"], lost["failure"], lost["score"]) == ("error", "gone", None)
    assert json.loads(record_line(Judged(verdicts.sample("a/1"), None))) == {"task_id": "a/1", "k": 0, "outcome": None}


def test_a_document_that_says_the_same_is_left(tmp_path: Path) -> None:
    path, other = tmp_path / "a.json", tmp_path / "a.json.bak"
    assert put_document(path, b'{"date": "1", "x": 1}')
    assert not put_document(path, b'{"x": 1, "date": "2"}')
    assert path.read_bytes() == b'{"date": "1", "x": 1}'
    assert put_document(path, b'{"date": "2", "x": 2}')
    assert (path.read_bytes(), other.read_bytes()) == (b'{"date": "2", "x": 2}', b'{"date": "1", "x": 1}')
    assert put_document(path, b"line\nline\n", backup=False)
    assert other.read_bytes() == b'{"date": "1", "x": 1}'
    assert not put_document(path, b"line\nline\n")
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.json", "a.json.bak"]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="choose another --output-dir"):
        put_document(tmp_path / "absent" / "a.json", b"{}")
