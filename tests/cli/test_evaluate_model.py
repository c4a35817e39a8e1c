"""`evaluate BENCHMARK --model M`: samples first, by upstream's names, then their verdicts."""

import json
from pathlib import Path

import pytest

from proofyard.testing import ModelServer, parse_faults, say
from tests.cli.tool import Ran, verb
from tests.suites.functions import rows

NAME = "openai-compatible/m"
FILE = "m--main--bigcodebench-complete--openai-compatible-0.0-1-sanitized_calibrated"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rows.write(tmp_path / "big.jsonl", rows.big(3), rows.big(5))


def evaluate(folder: Path, server: ModelServer, *more: str) -> Ran:
    asked = ("evaluate", "bigcodebench", "--data", "big.jsonl", "--model", NAME, "--base-url")
    return verb(*asked, server.url("openai-chat"), *more, cwd=folder)


def answer(value: int) -> str:
    return f"So:\n```python\ndef task_func(x=0):\n    return {value}\n```\n"


def test_the_model_is_asked_and_its_samples_graded(tmp_path: Path) -> None:
    with ModelServer(say(answer(3))) as server:
        first = evaluate(tmp_path, server, "--max_new_tokens", "99", "--bs", "4", "--pass_k", "1", "--json")
        again = evaluate(tmp_path, server, "--max_new_tokens", "99", "--pass_k", "1")
        bodies = [entry.body for entry in server.settle()]
    assert first.code == 1, first
    assert [body["max_tokens"] for body in bodies] == [99, 99]  # the second time nobody was asked
    assert "--bs changes nothing here" in first.err
    assert "2 of 2 samples" in first.err
    assert json.loads(first.out)["counts"]["passed"] == 1
    folder = tmp_path / "bcb_results"
    results = json.loads((folder / f"{FILE}_eval_results.json").read_text())
    assert {task: [e["status"] for e in entries] for task, entries in results["eval"].items()} == {
        "BigCodeBench/3": ["pass"],
        "BigCodeBench/5": ["fail"],
    }
    scores = json.loads((folder / f"{FILE}_pass_at_k.json").read_text())
    assert (scores["model"], scores["pass@1"]) == ("m--main", 0.5)
    assert again.code == 1
    assert "2 of 2 samples (2 tasks, 1 each; 2 were there)" in again.out


def test_a_range_is_all_that_is_graded(tmp_path: Path) -> None:
    with ModelServer(say(answer(3))) as server:
        ran = evaluate(tmp_path, server, "--id_range", "0-1", "--root", "here", "--json")
    assert ran.code == 0, ran
    assert json.loads(ran.out)["rates"][0]["tasks"] == 1
    assert (tmp_path / "here" / f"{FILE}_eval_results.json").is_file()


def test_no_answer_is_no_verdict(tmp_path: Path) -> None:
    with ModelServer(say(answer(3)), faults=parse_faults("401,401")) as server:
        ran = evaluate(tmp_path, server, "--json")
    assert (ran.code, ran.out) == (3, "")
    assert "2 of 2 samples are missing: the same command asks for them" in ran.err
    assert not list(tmp_path.rglob("*_eval_results.json"))


def test_given_samples_are_not_asked_for(tmp_path: Path) -> None:
    rows.write(tmp_path / "s.jsonl", {"task_id": "BigCodeBench/3", "solution": "def task_func():\n    return 3\n"})
    with ModelServer(say(answer(3))) as server:
        ran = evaluate(tmp_path, server, "--samples", "s.jsonl", "--subset", "3")
        assert server.settle() == []
    assert ran.code == 0, ran
    assert "--model changes nothing here: the samples are given" in ran.err
    verb("evaluate", "bigcodebench", "--samples", "s.jsonl", "--lora_path", "x", cwd=tmp_path).refused(
        2, "--lora-path x is not taken"
    )
