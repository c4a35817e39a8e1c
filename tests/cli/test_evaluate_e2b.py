"""`evaluate --execution e2b`, against a stand-in for its package: files in, verdicts out, bounded attempts."""

import json
import os
import sys
from pathlib import Path

import pytest

from proofyard.cli import evaluate_e2b, evaluate_order
from proofyard.cli.evaluate_e2b import E2B
from proofyard.cli.evaluate_order import Order, TransientError, attempts
from proofyard.core import InfrastructureError, Outcome, UsageError
from tests.cli.tool import Ran, tool
from tests.suites.functions import rows

STAND_INS = Path(__file__).with_name("stand_ins")


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The stand-in on the module path; `proofyard` on the path for its sandboxes."""
    state = tmp_path / "cloud"
    (state / "bin").mkdir(parents=True)
    program = state / "bin" / "proofyard"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m proofyard "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("E2B_STAND_IN", str(state))
    monkeypatch.setenv("PATH", f"{state / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(STAND_INS))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return state


def samples(folder: Path) -> None:
    rows.write(folder / "h.jsonl", rows.evals(1), rows.evals(2))
    programs = ((1, "x + 1"), (1, "x + 2"), (2, "x + 2"))
    rows.write(
        folder / "s.jsonl", *({"task_id": f"HumanEval/{n}", "completion": f"    return {v}\n"} for n, v in programs)
    )


def evaluate(folder: Path, *more: str) -> Ran:
    asked = ("evaluate", "humaneval", "--data", "h.jsonl", "--samples", "s.jsonl", "--execution", "e2b")
    return tool(*asked, *more, cwd=folder)


def test_verdicts_come_back(tmp_path: Path, state: Path) -> None:
    samples(tmp_path)
    ran = evaluate(tmp_path, "--e2b_endpoint", "mine", "--remote-timeout", "300", "--parallel", "1", "--json")
    assert ran.code == 1, ran
    told = json.loads(ran.out)
    assert told["counts"] == {"passed": 2, "failed": 1, "invalid": 0, "error": 0, "missing": 0}
    found = [json.loads(line) for line in (tmp_path / "s.jsonl_results.jsonl").read_text().splitlines()]
    assert [row["passed"] for row in found] == [True, False, True]
    ours = [json.loads(line) for line in (tmp_path / "s.proofyard.jsonl").read_text().splitlines()]
    assert [(line["outcome"], line["reason"]) for line in ours] == [
        ("passed", None),
        ("failed", "wrong_result"),
        ("passed", None),
    ]
    assert all(line["cpu_ms"] > 0 and line["provenance"]["rung"] for line in ours)
    made = (state / "created.jsonl").read_text()
    assert json.loads(made) == ["mine", 300, False, {"tool": "proofyard"}]
    assert (state / "killed").read_text() == "x"
    again = evaluate(tmp_path, "--e2b_endpoint", "mine", "--json")
    assert (again.code, (state / "created.jsonl").read_text()) == (1, made)  # nobody was asked again
    rows.write(tmp_path / "s.jsonl", {"task_id": "HumanEval/1", "completion": "    return x\n"})
    evaluate(tmp_path, "--output", told["run"], "--e2b_endpoint", "mine").refused(2, "--overwrite")


def order(data: bytes = b"{}\n") -> Order:
    return Order("humaneval", b"", data, "complete", "full", (), True, (1,), 30.0, None)


@pytest.fixture
def package(state: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(STAND_INS))
    monkeypatch.setattr(evaluate_order.time, "sleep", lambda _: None)
    return state


def test_trouble_is_met_a_limited_number_of_times(package: Path) -> None:
    lines: list[str] = []
    for trouble in ("busy busy busy", "full full full", "lost lost lost"):
        (package / "script").write_text(trouble)
        (package / "created.jsonl").unlink(missing_ok=True)
        for folder in package.glob("sandbox*"):
            folder.rename(package / f"old {len(list(package.iterdir()))}")
        with pytest.raises(InfrastructureError, match=r"3 attempts, the last: E2B: SandboxException"):
            E2B("t", poll_s=0).evaluate(order(), lines.append)
        assert len((package / "created.jsonl").read_text().splitlines()) == 3
    assert sum("again in" in line for line in lines) == 6


def test_what_no_attempt_mends(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / "script").write_text("key")
    with pytest.raises(InfrastructureError, match="AuthenticationException: wrong key"):
        E2B("t").evaluate(order(), lambda _: None)
    assert len((package / "created.jsonl").read_text().splitlines()) == 1
    with pytest.raises(UsageError, match="proofyard in the sandbox: proofyard: "):
        E2B("t", poll_s=0).evaluate(order(), lambda _: None)
    with pytest.raises(UsageError, match="give it by --data FILE"):
        E2B("t").evaluate(order(b""), lambda _: None)
    monkeypatch.setitem(sys.modules, "e2b", None)
    with pytest.raises(UsageError, match=r"proofyard.e2b."):
        E2B("t").evaluate(order(), lambda _: None)


def test_another_attempt_may_succeed(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / "script").write_text("busy full")
    monkeypatch.setattr(evaluate_e2b, "_command", lambda _: "cp samples.jsonl samples.proofyard.jsonl; echo 0 > code")
    line = b'{"task_id": "HumanEval/1", "k": 0, "outcome": "passed", "score": 1.0}\n'
    found = E2B("t").evaluate(order()._replace(samples=line), lambda _: None)
    assert {key: verdict.outcome for key, verdict in found.items()} == {("HumanEval/1", 0): Outcome.PASSED}


def test_no_pause_after_the_last_attempt() -> None:
    def fails() -> None:
        raise TransientError("no")

    with pytest.raises(InfrastructureError, match="1 attempts, the last: no"):
        attempts(fails, lambda _: None, ())


def test_local_options_are_refused(tmp_path: Path, state: Path) -> None:
    samples(tmp_path)
    evaluate(tmp_path, "--isolation", "fresh").refused(2, "--isolation is for --execution local")
    evaluate(tmp_path, "--unsafe-no-sandbox").refused(2, "--unsafe-no-sandbox is for --execution local")
    assert not (state / "created.jsonl").exists()
