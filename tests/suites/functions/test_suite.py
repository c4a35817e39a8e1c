"""The function suites: where data come from, what a task is made of."""

import json
import sys
from pathlib import Path

import pytest

from proofyard.core import Place, UnknownNameError, UsageError, file_bytes
from proofyard.engine.plugins import load_suite
from proofyard.formats.samples import read_samples
from proofyard.suites.functions import FunctionsSuite, bigcodebench, humaneval, humanevalplus, mbpp, mbppplus
from tests.data import data
from tests.suites.functions import rows


@pytest.fixture
def big(tmp_path: Path) -> FunctionsSuite:
    path = rows.write(tmp_path / "big.jsonl", rows.big(3), rows.big(5, ("numpy", "re")), rows.big(8, ()))
    domains = tmp_path / "domains.json"
    domains.write_text(json.dumps({"BigCodeBench/5": ["Computation", "General", "Computation"]}))
    return bigcodebench(options={"data": str(path), "domains": str(domains)})


def text(suite: FunctionsSuite, task_id: str, name: str) -> str:
    solution = suite.load(task_id).solution(name)
    assert solution is not None
    assert list(solution.tree.entries) == ["solution.py"]
    return file_bytes(solution.tree.entries["solution.py"], suite.blobs()).decode()


def test_a_task_of_big_code_bench(big: FunctionsSuite) -> None:
    task = big.load("BigCodeBench/5")
    (step,) = task.steps
    assert (task.suite, task.version, task.family, task.category) == (
        "bigcodebench",
        big.version,
        "numpy",
        "Computation",
    )
    assert task.tags == ("numpy", "re")
    assert step.brief.prompt == 'import re\ndef task_func(x=5):\n    """Return 5."""\n'
    assert step.brief.entry == "solution.py"
    assert step.grader.kind == "unittest"
    assert json.loads(step.grader.parameters) == {
        "entry_point": "task_func",
        "file": "solution.py",
        "isolation": "fork",
    }
    assert file_bytes(step.hidden.tests.entries["test.py"], big.blobs()).decode() == rows.big(5)["test"]
    assert step.hidden.expected == ""
    assert step.grading.image.environment["OMP_NUM_THREADS"] == "1"
    assert text(big, "BigCodeBench/5", "reference") == step.brief.prompt + "    return 5\n"


def test_places(big: FunctionsSuite) -> None:
    assert big.place("BigCodeBench/5") == Place("full", "numpy", "Computation")
    assert big.place("BigCodeBench/8") == Place("full", "-", "-")
    assert big.domains("BigCodeBench/5") == ("Computation", "General")
    assert big.assertions("BigCodeBench/5") == 1
    with pytest.raises(UnknownNameError, match="did you mean BigCodeBench/5"):
        big.load("BigCodeBench/55")


def test_the_split_makes_another_prompt_and_version(big: FunctionsSuite) -> None:
    other = bigcodebench(options={**big.options, "split": "instruct"})
    assert other.brief("BigCodeBench/3").prompt == "Write a function that returns 3."
    assert other.version == f"{big.version}-instruct"
    assert other.completed() == big.completed()


@pytest.mark.parametrize(
    ("subset", "wanted"),
    [
        ("", ["3", "5", "8"]),
        ("full", ["3", "5", "8"]),
        ("8,BigCodeBench/3", ["3", "8"]),
        ("5", ["5"]),
    ],
)
def test_subsets(big: FunctionsSuite, subset: str, wanted: list[str]) -> None:
    assert big.ids(subset) == tuple(f"BigCodeBench/{n}" for n in wanted)


@pytest.mark.parametrize(
    "content",
    [
        "# two\nBigCodeBench/8\n3\n",
        '["BigCodeBench/3", 8]',
        '{"task_id": "BigCodeBench/8"}\n{"task_id": "BigCodeBench/3"}\n',
    ],
)
def test_a_subset_in_a_file(big: FunctionsSuite, tmp_path: Path, content: str) -> None:
    (tmp_path / "ids").write_text(content)
    assert big.ids(str(tmp_path / "ids")) == ("BigCodeBench/3", "BigCodeBench/8")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("BigCodeBench/9\n", "unknown task 'BigCodeBench/9'"),
        ("", "names no task of this dataset"),
        ("[true]", "item 1: no task id"),
        ("[", "no JSON"),
        ('{"id": 3}', "line 1: no task id"),
    ],
)
def test_a_file_that_is_no_subset(big: FunctionsSuite, tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "ids").write_text(content)
    with pytest.raises(UsageError, match=message):
        big.ids(str(tmp_path / "ids"))


def test_unknown_subsets(big: FunctionsSuite, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown subset 'easy' .*full, hard, ids with commas"):
        big.ids("easy")
    with pytest.raises(UnknownNameError, match="unknown task '4'"):
        big.ids("3,4")
    plain = humaneval(options={"data": str(rows.write(tmp_path / "h.jsonl", rows.evals(1)))})
    with pytest.raises(UnknownNameError, match="unknown subset 'hard'"):
        plain.ids("hard")


def test_hard_comes_from_the_hub_or_a_file(
    big: FunctionsSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(UsageError) as caught:
        big.ids("hard")
    assert "which 148 tasks are hard is told by the Hugging Face hub alone" in str(caught.value)
    assert "--subset FILE" in str(caught.value)
    assert "pip install 'proofyard[hub]'" in str(caught.value)
    hard = rows.write(tmp_path / "hard.jsonl", *(rows.big(n) for n in range(148)))
    assert len(bigcodebench(options={"data": str(hard)}).ids("hard")) == 148


def test_samples_become_solutions(big: FunctionsSuite, tmp_path: Path) -> None:
    path = rows.write(
        tmp_path / "s.jsonl",
        {"task_id": "BigCodeBench/3", "completion": "    return 3"},
        {"task_id": "BigCodeBench/3", "solution": "x"},
    )
    samples = read_samples(path, big.completed())
    big.give(samples)
    assert (
        text(big, "BigCodeBench/3", "sample-0") == 'import re\ndef task_func(x=3):\n    """Return 3."""\n    return 3'
    )
    assert text(big, "BigCodeBench/3", "sample-1") == "x"
    assert big.load("BigCodeBench/5").solution("sample-0") is None
    big.give(big.calibrated(samples))
    assert text(big, "BigCodeBench/3", "sample-1") == "import re\ndef task_func(x=3):\n\n    pass\nx"


def test_humaneval_and_mbpp_are_graded_by_asserts(tmp_path: Path) -> None:
    suite = humaneval(options={"data": str(rows.write(tmp_path / "h.jsonl", rows.evals(1)))})
    step = suite.load("HumanEval/1").steps[0]
    assert step.grader.kind == "asserts"
    assert file_bytes(step.hidden.tests.entries["test.py"], suite.blobs()).decode() == rows.evals(1)["test"]
    assert step.hidden.expected == text(suite, "HumanEval/1", "reference")
    assert text(suite, "HumanEval/1", "reference") == 'def add(x):\n    """Add 1."""\n    return x + 1\n'
    assert (suite.assertions("HumanEval/1"), suite.place("HumanEval/1")) == (2, Place("full", "-", "-"))
    other = mbpp(options={"data": str(rows.write(tmp_path / "m.jsonl", rows.mbpp(7)))})
    step = other.load("Mbpp/7").steps[0]
    assert step.brief.prompt == "Add 7.\nYour code should pass these tests:\nassert add(1) == 8\n"
    assert file_bytes(step.hidden.tests.entries["test.py"], other.blobs()) == b"import math\nassert add(1) == 8\n"
    assert text(other, "Mbpp/7", "reference") == "def add(x):\n  return x + 7"
    assert other.completed() == {"Mbpp/7": ""}


def test_plus_tasks_are_graded_by_calls(tmp_path: Path) -> None:
    path = rows.write(tmp_path / "p.jsonl", rows.plus(1))
    suite = humanevalplus(options={"data": str(path)})
    step = suite.load("HumanEval/1").steps[0]
    assert step.grader.kind == "calls"
    assert (suite.assertions("HumanEval/1"), step.hidden.tests.entries) == (3, {})
    base = humanevalplus(options={"data": str(path), "base_only": "yes"})
    assert base.assertions("HumanEval/1") == 1
    assert base.load("HumanEval/1").steps[0].grader_digest != step.grader_digest


@pytest.mark.parametrize("name", ["bigcodebench", "humaneval", "humanevalplus", "mbpp", "mbppplus"])
def test_no_data_is_one_clear_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("BIGCODEBENCH_OVERRIDE_PATH", "HUMANEVAL_OVERRIDE_PATH", "MBPP_OVERRIDE_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(UsageError) as caught:
        load_suite(name)
    assert f"{name} has no data here: give --data FILE, or set " in str(caught.value)
    assert "_OVERRIDE_PATH to a file" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hub cache of our own, empty, without a network."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.delenv("BIGCODEBENCH_OVERRIDE_PATH", raising=False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path / "hub"


def cache(hub: Path, repository: str, revision: str, file: str, table: list[dict[str, object]]) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = hub / f"datasets--{repository.replace('/', '--')}" / "snapshots" / revision / file
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(arrow.Table.from_pylist(table), path)


def test_what_is_not_cached_is_one_clear_line(hub: Path) -> None:
    with pytest.raises(UsageError) as caught:
        load_suite("bigcodebench")
    assert "bigcode/bigcodebench at b74c0d0bf70d is not in this machine's hub cache" in str(caught.value)
    assert "give --data FILE, or set BIGCODEBENCH_OVERRIDE_PATH to a file, or --data hub" in str(caught.value)
    with pytest.raises(UsageError, match="cannot be fetched: ") as caught:
        load_suite("bigcodebench", None, {"data": "hub"})
    assert "\n" not in str(caught.value)


def test_the_pinned_revision_is_read_from_the_cache(hub: Path, tmp_path: Path) -> None:
    pinned = "b74c0d0bf70d2c0bc459be537895cca163007f1a"
    file = "data/v0.1.4-00000-of-00001.parquet"
    cache(hub, "bigcode/bigcodebench", "0" * 40, file, [rows.big(9)])
    cache(hub, "bigcode/bigcodebench", pinned, file, [rows.big(3), rows.big(5)])
    cache(hub, "bigcode/bigcodebench", pinned, "data/v0.1.3-00000-of-00001.parquet", [rows.big(1)])
    suite = load_suite("bigcodebench")
    assert isinstance(suite, FunctionsSuite)
    assert suite.ids() == ("BigCodeBench/3", "BigCodeBench/5")
    path = rows.write(tmp_path / "b.jsonl", rows.big(3), rows.big(5))
    assert suite.version == bigcodebench(options={"data": str(path)}).version
    assert suite.options == {}
    hard = "298d2cc7b96612e15e47313c3603ee124cee0c1f"
    with pytest.raises(UsageError, match="which 148 tasks are hard"):
        suite.ids("hard")
    cache(hub, "bigcode/bigcodebench-hard", hard, file, [rows.big(5), rows.big(7)])
    assert suite.ids("hard") == ("BigCodeBench/5",)


@pytest.mark.parametrize(
    ("make", "variable", "row"),
    [
        (bigcodebench, "BIGCODEBENCH_OVERRIDE_PATH", rows.big(1)),
        (humaneval, "HUMANEVAL_OVERRIDE_PATH", rows.evals(1)),
        (humanevalplus, "HUMANEVAL_OVERRIDE_PATH", rows.plus(1)),
        (mbpp, "MBPP_OVERRIDE_PATH", rows.mbpp(1)),
        (mbppplus, "MBPP_OVERRIDE_PATH", rows.plus(1, task_id="Mbpp/1")),
    ],
)
def test_a_variable_names_the_data(
    make: type[FunctionsSuite], variable: str, row: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = rows.write(tmp_path / "rows.jsonl", row)
    monkeypatch.setenv(variable, str(path))
    suite = make()
    assert suite.options == {"data": str(path)}
    other = (
        rows.write(tmp_path / "other.jsonl", row, {**row, "task_id": "Mbpp/2" if variable[0] == "M" else "x/2"})
        if make is not mbpp
        else rows.write(tmp_path / "other.jsonl", row, rows.mbpp(2))
    )
    assert len(make(options={"data": str(other)}).ids()) == 2


@pytest.mark.parametrize(
    ("make", "row", "message"),
    [
        (humanevalplus, rows.evals(1), r"HumanEval/1 has no inputs .*ask for humaneval"),
        (humaneval, rows.plus(1), r"HumanEval/1 has inputs .*ask for humanevalplus"),
        (bigcodebench, rows.evals(1), "there is no field `complete_prompt`"),
    ],
)
def test_another_benchmark_s_data(
    make: type[FunctionsSuite], row: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        make(options={"data": str(rows.write(tmp_path / "rows.jsonl", row))})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "hard"}, "split must be complete or instruct, not 'hard'"),
        ({"isolation": "none"}, "isolation must be fork or fresh"),
        ({"dat": "x"}, "unknown option of suite bigcodebench 'dat'; did you mean data"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        bigcodebench(options=options)


def test_a_gate_gives_truths(big: FunctionsSuite, tmp_path: Path) -> None:
    gate = tmp_path / "gate.json"
    gate.write_text(
        json.dumps({"tasks": {"BigCodeBench/3": {"truth": {"cpu_ms": 5}}, "BigCodeBench/5": {"reason": "slow"}}})
    )
    gated = bigcodebench(options={**big.options, "gate": str(gate)})
    assert gated.load("BigCodeBench/3").steps[0].hidden.expected == '{"cpu_ms": 5}'
    assert gated.load("BigCodeBench/5").steps[0].hidden.expected == ""
    assert gated.gate is not None
    assert (gated.gate.failed, gated.gate.rate) == ({"BigCodeBench/5": "slow"}, 0.5)
    gate.write_text('{"tasks": []}')
    with pytest.raises(UsageError, match=r"gate\.json: Expected `object`"):
        bigcodebench(options={**big.options, "gate": str(gate)})


def test_the_real_datasets_make_tasks() -> None:
    names = {
        "bigcodebench": ("BigCodeBench-v0.1.4.jsonl.gz", "BigCodeBench/17", 1140),
        "humaneval": ("HumanEval.jsonl.gz", "HumanEval/32", 164),
        "humanevalplus": ("HumanEvalPlus-Mini.jsonl.gz", "HumanEval/32", 164),
        "mbpp": ("sanitized-mbpp.json.gz", "Mbpp/2", 427),
        "mbppplus": ("MbppPlus.jsonl.gz", "Mbpp/2", 378),
    }
    for name, (file, task_id, count) in names.items():
        suite = load_suite(name, None, {"data": str(data(file))})
        assert len(suite.ids()) == count
        assert suite.load(task_id).solution("reference") is not None
        assert suite.assertions(task_id) > 0
