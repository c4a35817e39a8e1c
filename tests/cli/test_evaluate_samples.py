"""`evaluate BENCHMARK --samples` and `inspect`, as commands, on small benchmarks of our own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proofyard.store import read_run
from tests.cli.tool import Ran, verb
from tests.suites.functions import rows

RIGHT, WRONG, SYNTAX = (
    "def task_func(x=0):\n    return {n}\n",
    "def task_func(x=0):\n    return 0\n",
    "def task_func(:\n",
)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of our own: what was built and measured here before is not there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tasks, five samples of two of them."""
    folder = tmp_path_factory.mktemp("place")
    rows.write(folder / "big.jsonl", rows.big(3), rows.big(5, ("os", "re")), rows.big(8))
    (folder / "domains.json").write_text(json.dumps({"BigCodeBench/5": ["System", "General"]}))
    programs = [(3, RIGHT.format(n=3)), (5, WRONG), (3, SYNTAX), (5, RIGHT.format(n=5)), (3, WRONG)]
    samples = [{"task_id": f"BigCodeBench/{n}", "solution": program} for n, program in programs]
    rows.write(folder / "s.jsonl", *samples)
    return folder


def evaluate(place: Path, *more: str | Path) -> Ran:
    return verb("evaluate", "bigcodebench", "--data", "big.jsonl", "--samples", "s.jsonl", *more, cwd=place)


@pytest.fixture(scope="module")
def graded(place: Path) -> Ran:
    return evaluate(
        place,
        "--pass_k",
        "1,3,4",
        "--domains",
        "domains.json",
        "--calibrated",
        "False",
        "--max-as-limit",
        "9",
        "--json",
    )


def test_rates_and_counts(graded: Ran) -> None:
    assert graded.code == 1, graded
    assert "--max-as-limit changes nothing here" in graded.err
    told = json.loads(graded.out)
    assert (told["counts"]["passed"], told["counts"]["failed"]) == (2, 3)
    overall, *rest = told["rates"]
    assert (overall["tasks"], overall["covered"], overall["planned"], overall["samples"]) == (3, 2, 9, 5)
    assert [rate["value"] for rate in overall["strict"]] == [
        pytest.approx((1 / 3 + 1 / 3) / 3),
        pytest.approx(2 / 3),
        None,
    ]
    assert [(row["kind"], row["name"]) for row in rest] == [
        ("domain", "General"),
        ("domain", "System"),
        ("library", "os"),
        ("library", "re"),
    ]


def test_result_files_are_upstream_s(place: Path, graded: Ran) -> None:
    assert graded.code == 1
    results = json.loads((place / "s_eval_results.json").read_text())
    found = {task: [(e["status"], sorted(e)) for e in entries] for task, entries in results["eval"].items()}
    keys = ["details", "solution", "status", "task_id"]
    assert found == {
        "BigCodeBench/3": [("pass", keys), ("fail", keys), ("fail", keys)],
        "BigCodeBench/5": [("fail", keys), ("pass", keys)],
    }
    failing = results["eval"]["BigCodeBench/5"][0]
    assert failing["solution"] == WRONG
    assert "AssertionError: 0 != 5" in "".join(failing["details"].values())
    scores = json.loads((place / "s_pass_at_k.json").read_text())
    assert scores == {
        "model": "s",
        "split": "complete",
        "subset": "full",
        "calibrated": False,
        "gt_pass_rate": None,
        "failed_tasks": [],
    }
    ours = lines(place / "s.proofyard.jsonl")
    assert [(line["task_id"], line["k"], line["reason"]) for line in ours] == [
        ("BigCodeBench/3", 0, None),
        ("BigCodeBench/3", 1, "syntax"),
        ("BigCodeBench/3", 2, "wrong_result"),
        ("BigCodeBench/5", 0, "wrong_result"),
        ("BigCodeBench/5", 1, None),
    ]
    assert all(line["cpu_ms"] > 0 for line in ours)


def test_the_same_again_grades_nothing_and_changes_no_file(place: Path, graded: Ran) -> None:
    assert graded.code == 1
    before = {path: path.stat().st_mtime_ns for path in place.glob("s*.json*")}
    again = evaluate(place, "--pass-k", "1,3,4", "--calibrated=False")
    assert again.code == 1
    assert "0.222" in again.out
    assert "samples for 2 of 3 tasks" in again.out
    assert "only the standard library is there for the tasks: environment bigcodebench" in again.out
    assert "no gate: " in again.out
    assert {path: path.stat().st_mtime_ns for path in place.glob("s*.json*")} == before
    (run,) = (place / "runs").iterdir()
    assert len(read_run(run).verdicts) == 5


def test_a_run_can_be_regraded_and_scored_from_anywhere(place: Path, graded: Ran, tmp_path: Path) -> None:
    assert graded.code == 1
    (run,) = (place / "runs").iterdir()
    assert read_run(run).header.suite_options["data"] == str(place / "big.jsonl")
    assert verb("regrade", run, cwd=tmp_path).code == 1
    assert len(read_run(run).verdicts) == 10
    scored = verb("score", run, "--pass-k", "1,3", "--json", cwd=tmp_path)
    assert scored.code == 0, scored
    told = json.loads(scored.out)
    assert (told["tasks"], told["subjects"][0]["rows"][0]["passed"]) == (3, 2)
    (subject,) = told["pass_rates"]
    assert subject["rates"][0]["kind"] == "overall"
    assert [rate["value"] for rate in subject["rates"][0]["strict"]] == [pytest.approx(2 / 9), pytest.approx(2 / 3)]
    assert "not computable" in verb("score", run).out


def test_changed_samples_are_another_run(place: Path, graded: Ran, tmp_path: Path) -> None:
    assert graded.code == 1
    rows.write(tmp_path / "s.jsonl", {"task_id": "BigCodeBench/8", "completion": "    return 8\n"})
    options = ("bigcodebench", "--data", place / "big.jsonl", "--samples", "s.jsonl", "--output", "run")
    first = verb("evaluate", *options, "--subset", "8", cwd=tmp_path)
    assert first.code == 0, first
    assert json.loads((tmp_path / "s_pass_at_k.json").read_text())["pass@1"] == 1.0
    program = json.loads((tmp_path / "s_eval_results.json").read_text())["eval"]["BigCodeBench/8"][0]["solution"]
    head = "import re\ndef task_func(x=8):\n"
    assert program == f'{head}\n    pass\n{head}    """Return 8."""\n    return 8\n'
    rows.write(tmp_path / "s.jsonl", {"task_id": "BigCodeBench/8", "solution": WRONG})
    verb("evaluate", *options, "--subset", "8", cwd=tmp_path).refused(2, "choose another --output")
    again = verb("evaluate", *options, "--subset", "8", "--overwrite", cwd=tmp_path)
    assert again.code == 1
    assert json.loads((tmp_path / "s_pass_at_k.json").read_text())["pass@1"] == 0.0
    assert not list(tmp_path.glob("*.bak"))


def test_a_gate_gives_truths_and_gated_rates(place: Path, tmp_path: Path) -> None:
    truth = {"tests": {"test_it": "ok"}, "cpu_ms": 50}
    gate = {"BigCodeBench/3": {"truth": truth}, "BigCodeBench/5": {"reason": "slow: it"}}
    (tmp_path / "gate.json").write_text(json.dumps({"tasks": gate}))
    (tmp_path / "packages").mkdir()
    options = ("--gate", tmp_path / "gate.json", "--packages", tmp_path / "packages", "--output-dir", tmp_path)
    ran = evaluate(place, *options, "--pass-k", "1", "--output", tmp_path / "run", "--json")
    assert ran.code == 1, ran
    told = json.loads(ran.out)
    overall = told["rates"][0]
    assert (overall["gated_tasks"], overall["gated"][0]["value"]) == (1, pytest.approx(1 / 3))
    assert told["notes"] == []
    scores = json.loads((tmp_path / "s_pass_at_k.json").read_text())
    assert (scores["gt_pass_rate"], scores["failed_tasks"]) == (0.5, ["BigCodeBench/5"])
    measured = {line["task_id"]: line["provenance"]["truth"] for line in lines(tmp_path / "s.proofyard.jsonl")}
    assert measured == {"BigCodeBench/3": "measured", "BigCodeBench/5": "none"}
    shown = evaluate(place, *options, "--pass-k", "1", "--output", tmp_path / "run")
    assert "outside the gate: BigCodeBench/5: slow: it" in shown.out
    assert "not checked yet, so outside the gate: 1 tasks" in shown.out
    (tmp_path / "gate.json").write_text(json.dumps({"tasks": {}}))
    evaluate(place, *options, "--output", tmp_path / "run").refused(2, "choose another --output")


def test_plus_inputs(tmp_path: Path) -> None:
    rows.write(tmp_path / "plus.jsonl", rows.plus(1), rows.plus(2))
    half = "    return 1 if x == 0 else None\n"
    samples = [{"task_id": "HumanEval/1", "completion": body} for body in ("    return x + 1\n", half)]
    rows.write(tmp_path / "s.jsonl", *samples, {"task_id": "HumanEval/2", "completion": "    return [x]\n"})
    options = ("--data", "plus.jsonl", "--samples", "s.jsonl", "--k", "1", "--execution", "local")
    ran = verb("evaluate", "humanevalplus", *options, cwd=tmp_path)
    assert ran.code == 1, ran
    results = json.loads((tmp_path / "s.eval_results.json").read_text())
    found = {
        t: [(e["base_status"], e["plus_status"], e["plus_fail_tests"]) for e in es] for t, es in results["eval"].items()
    }
    assert found == {
        "HumanEval/1": [("pass", "pass", []), ("pass", "fail", [[1]])],
        "HumanEval/2": [("fail", "fail", [[1]])],
    }
    assert results["pass_at_k"] == {"base": {"pass@1": 0.5}, "plus": {"pass@1": 0.25}}
    shown = verb("inspect", "s.eval_results.json", "--task", "HumanEval/1", "--data", "plus.jsonl", cwd=tmp_path)
    assert shown.code == 0, shown
    assert "HumanEval/1, sample 1 of 2 (passed, failed)" in shown.out
    assert "return x + 1" in shown.out


def test_asserts(tmp_path: Path) -> None:
    rows.write(tmp_path / "h.jsonl", rows.evals(1))
    samples = [{"task_id": "HumanEval/1", "completion": f"    return x + {n}\n", "n": n} for n in (2, 1)]
    rows.write(tmp_path / "s.jsonl", *samples)
    ran = verb(
        "evaluate", "humaneval", "--problem-file", "h.jsonl", "--samples", "s.jsonl", "--n_workers", "1", cwd=tmp_path
    )
    assert ran.code == 1, ran
    found = lines(tmp_path / "s.jsonl_results.jsonl")
    assert [(row["n"], row["passed"], row["completion"]) for row in found] == [
        (2, False, "    return x + 2\n"),
        (1, True, "    return x + 1\n"),
    ]
    assert found[0]["result"].startswith("failed: ")
    assert found[1]["result"] == "passed"
    shown = verb(
        "inspect", "s.jsonl_results.jsonl", "--task", "HumanEval/1", "--data", "h.jsonl", "--json", cwd=tmp_path
    )
    assert json.loads(shown.out)["k"] == 0
    assert json.loads(shown.out)["test"] == rows.evals(1)["test"]


def test_inspection(place: Path, graded: Ran, tmp_path: Path) -> None:
    assert graded.code == 1
    results, data = place / "s_eval_results.json", ("--data", place / "big.jsonl")
    shown = verb("inspect", results, "--task", "BigCodeBench/5", *data)
    assert shown.code == 0, shown
    assert "BigCodeBench/5, sample 0 of 2 (failed, passed)" in shown.out
    for word in ("solution", "class TestCases", "AssertionError: 0 != 5", "what was expected", "return 5"):
        assert word in shown.out
    listed = verb("inspect", results, *data, "--json")
    assert json.loads(listed.out) == {"BigCodeBench/3": ["pass", "fail", "fail"], "BigCodeBench/5": ["fail", "pass"]}
    saved = verb("inspect", "--eval_results", results, "--save_path", tmp_path / "out", *data)
    assert saved.code == 0, saved
    folder = tmp_path / "out" / "s_eval_results" / "BigCodeBench" / "5"
    assert sorted(path.name for path in folder.iterdir()) == [
        "complete_0_execution_trace.txt",
        "completion_0.py",
        "ground_truth.py",
        "test_case.py",
    ]
    assert (folder / "completion_0.py").read_text() == WRONG
    verb("inspect", results, "--save-path", tmp_path / "out", *data).refused(2, "is there already", "--in-place")
    verb("inspect", results, "--task", "BigCodeBench/8", *data).refused(2, "unknown task 'BigCodeBench/8'")
    verb("inspect", results, "--task", "BigCodeBench/5", "--sample", "2", *data).refused(2, "has 2 samples")
    verb("inspect", place / "big.jsonl").refused(2, "no row of a results file")
    verb("inspect").refused(2, "needs a results file")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ["bigcodebench", "--samples", "s.jsonl", "--data", "big.jsonl", "--env", "bigcodebench"],
            "env build bigcodebench",
        ),
        (["humaneval", "--samples", "s.jsonl", "--env", "bigcodebench"], "--env is for bigcodebench"),
        (
            ["humanevalplus", "--samples", "s.jsonl", "--mini"],
            "--mini is not taken: give the file of that version with --data",
        ),
        (["bigcodebench", "--samples", "s.jsonl", "--execution", "cloud"], "'cloud' is not one of"),
        (["bigcodebench"], "--solution DIR (of one task) or --samples FILE (of a benchmark) or --model M"),
        (["bigcodebench", "--samples", "s.jsonl", "--solution", "."], "give one of them"),
        (["bigcodebench", "--samples", "s.jsonl", "--seed", "3"], "are for one solution"),
        (["scratch", "--samples", "s.jsonl"], "suite scratch takes no samples"),
        (["bigcodebnch", "--samples", "s.jsonl"], "did you mean bigcodebench"),
        (["bigcodebench", "--samples", "absent.jsonl", "--data", "big.jsonl"], "No such file"),
        (
            ["bigcodebench", "--samples", "s.jsonl", "--data", "big.jsonl", "--subset", "8"],
            "no sample of the tasks asked for",
        ),
        (
            ["bigcodebench", "--samples", "s.jsonl", "--data", "big.jsonl", "--pass-k", "0"],
            "every k must be at least 1",
        ),
        (["bigcodebench", "--samples", "s.jsonl", "--data", "big.jsonl", "--output-dir", "absent"], "no such folder"),
    ],
)
def test_what_makes_no_sense_is_one_line(place: Path, options: list[str], words: str) -> None:
    verb("evaluate", *options, cwd=place).refused(2, words)


def test_options_of_a_suite_for_the_other_verbs(place: Path, tmp_path: Path) -> None:
    data = ("--suite-option", f"data={place / 'big.jsonl'}")
    listed = verb("list", "bigcodebench", *data, "--json")
    assert [row["task_id"] for row in json.loads(listed.out)] == ["BigCodeBench/3", "BigCodeBench/5", "BigCodeBench/8"]
    ran = verb(
        "run", "bigcodebench", "--agent", "oracle", "--task", "BigCodeBench/8", *data, "--output", tmp_path / "run"
    )
    assert ran.code == 0, ran
    verb("list", "bigcodebench", "--suite-option", "data").refused(2, "write NAME=VALUE")
    verb("list", "bigcodebench", *data, "--suite-option", "dat=x").refused(2, "did you mean data")
    verb("list", "scratch", *data).refused(2, "suite scratch takes no options (data)")
