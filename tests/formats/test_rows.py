"""Rows of datasets: each public form, and one clear line for what is none."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from proofyard.core import UsageError
from proofyard.formats.rows import read_big_code, read_domains, read_evals
from tests.data import data

HUB: dict[str, Any] = {
    "task_id": "BigCodeBench/7",
    "complete_prompt": "import re\ndef task_func():\n    '''Doc.'''\n",
    "instruct_prompt": "Write it.",
    "canonical_solution": "    return 1\n",
    "code_prompt": "import re\ndef task_func():\n",
    "test": "import unittest\n",
    "entry_point": "task_func",
    "doc_struct": '{"notes": []}',
    "libs": "['re', 'os']",
}
RELEASE: dict[str, Any] = {
    "task_id": "BigCodeBench/7",
    "prompt": HUB["complete_prompt"],
    "prompt_wo_doc": HUB["code_prompt"],
    "instruction": "Write it.",
    "canonical_solution": "    # why\n    return 1\n",
    "clean_canonical_solution": "    return 1\n",
    "test": "import unittest\n",
    "apis": ["re.sub"],
    "libs": ["re", "os"],
    "doc": {"notes": []},
    "signature": "def task_func():",
}
EVAL: dict[str, Any] = {
    "task_id": "HumanEval/3",
    "prompt": "def f(x):\n",
    "entry_point": "f",
    "canonical_solution": "    return x\n",
    "test": "def check(candidate):\n    assert candidate(1) == 1\n",
}
PLUS: dict[str, Any] = {**EVAL, "base_input": [[1], [2]], "plus_input": [[3]], "atol": 1e-6, "contract": "assert x"}
SANITIZED: dict[str, Any] = {
    "source_file": "x",
    "task_id": 5,
    "prompt": "Add.",
    "code": "def helper():\n  pass\ndef add(a, b):\n  return a + b",
    "test_imports": ["import math"],
    "test_list": ["assert math.floor(add(1, 2)) == 3"],
}
FULL: dict[str, Any] = {
    "task_id": 5,
    "text": "Add.",
    "code": "def add(a, b):\n  return a + b",
    "test_list": ["assert add(1, 2) == 3"],
    "test_setup_code": "x = 1",
    "challenge_test_list": ["assert add(0, 0) == 0"],
}


def write(path: Path, *rows: object) -> Path:
    text = "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_both_forms_of_big_code_bench_are_one(tmp_path: Path) -> None:
    (hub,) = read_big_code(write(tmp_path / "a.jsonl", HUB))
    (release,) = read_big_code(write(tmp_path / "b.jsonl.gz", RELEASE))
    assert hub == release
    assert hub.libs == ("re", "os")
    assert hub.canonical_solution == "    return 1\n"
    assert hub.doc == '{"notes": []}'


def test_humaneval_with_and_without_inputs(tmp_path: Path) -> None:
    (plain,) = read_evals(write(tmp_path / "a.jsonl", EVAL))
    assert plain.test == EVAL["test"]
    assert plain.base_input is None
    (plus,) = read_evals(write(tmp_path / "b.jsonl", PLUS))
    assert plus.base_input == ([1], [2])
    assert plus.plus_input == ([3],)
    assert plus.atol == 1e-6
    assert plus.contract == "assert x"


def test_an_empty_object_is_no_input(tmp_path: Path) -> None:
    (row,) = read_evals(write(tmp_path / "a.jsonl", {**PLUS, "plus_input": {}}))
    assert row.plus_input == ()


def test_both_forms_of_mbpp(tmp_path: Path) -> None:
    (one,) = read_evals(write(tmp_path / "a.json", json.dumps([SANITIZED], indent=1)))
    assert (one.task_id, one.entry_point, one.prompt) == ("Mbpp/5", "add", "Add.")
    assert one.imports == ("import math",)
    (two,) = read_evals(write(tmp_path / "b.jsonl", FULL))
    assert two.assertions == ("assert add(1, 2) == 3", "assert add(0, 0) == 0")
    assert two.imports == ("x = 1",)


def test_numbers_beyond_json_are_kept(tmp_path: Path) -> None:
    text = json.dumps({**PLUS, "base_input": [[float("inf"), 10**40]]}) + "\n"
    (row,) = read_evals(write(tmp_path / "a.jsonl", text))
    assert row.base_input == ([float("inf"), 10**40],)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "there is no row in it"),
        ([HUB, "\n", {**HUB, "task_id": "x", "test": 3}], "a.jsonl line 3: Expected `str`, got `int` - at `$.test`"),
        ([{**HUB, "libs": "[1]"}], "line 1: field `libs` is no list of names"),
        ([{**HUB, "libs": "os.system('x')"}], "line 1: field `libs` is no list of names"),
        ([HUB, HUB], "line 2: task_id 'BigCodeBench/7' comes twice"),
        ([{**HUB, "task_id": "../up"}], "field `task_id` is no id: '../up'"),
        ([{k: v for k, v in HUB.items() if k != "test"}], "line 1: there is no field `test`"),
        ([{k: v for k, v in RELEASE.items() if "canonical" not in k}], "no field `canonical_solution` nor"),
        (["{\n"], "line 1: no JSON"),
        (["[1]\n"], "line 1: a JSON object is wanted, not list"),
    ],
)
def test_what_is_no_big_code_row(tmp_path: Path, rows: list[Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_big_code(write(tmp_path / "a.jsonl", *rows))
    assert words in str(caught.value)
    assert str(tmp_path / "a.jsonl") in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({**EVAL, "test": ""}, "nothing to grade by"),
        ({**EVAL, "base_input": []}, "come together"),
        ({**PLUS, "base_input": [1]}, "field `base_input` is no list of argument lists"),
        ({**PLUS, "plus_input": {"a": [1]}}, "field `plus_input` is no list of argument lists"),
        ({**SANITIZED, "prompt": ""}, "no field `prompt` (sanitized form)"),
        ({**SANITIZED, "test_list": []}, "`test_list` is empty"),
        ({**SANITIZED, "code": "def other(): pass"}, "no assertion of `test_list` calls a function of `code`"),
        ({**SANITIZED, "code": "def ("}, "must be Python"),
        ({**SANITIZED, "task_id": "5"}, "Expected `int`, got `str` - at `$.task_id`"),
    ],
)
def test_what_is_no_eval_row(tmp_path: Path, row: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=r"a\.jsonl line 1: ") as caught:
        read_evals(write(tmp_path / "a.jsonl", row))
    assert words in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_evals(tmp_path / "absent.jsonl")
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b"{}" * 1000)[:-9])
    with pytest.raises(UsageError, match="no whole gzip file"):
        read_evals(tmp_path / "a.jsonl.gz")
    (tmp_path / "b.jsonl.gz").write_bytes(b"{}")
    with pytest.raises(UsageError, match="gzip"):
        read_evals(tmp_path / "b.jsonl.gz")
    (tmp_path / "c.jsonl").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(UsageError, match="line 1: not UTF-8"):
        read_evals(tmp_path / "c.jsonl")
    (tmp_path / "d.jsonl").write_bytes(b'{"a":' * 1_000_000)
    with pytest.raises(UsageError, match="line 1: nested too deeply"):
        read_evals(tmp_path / "d.jsonl")


def test_domains(tmp_path: Path) -> None:
    assert read_domains(write(tmp_path / "a.json", {"BigCodeBench/0": ["General", "Time"]})) == {
        "BigCodeBench/0": ("General", "Time")
    }
    with pytest.raises(UsageError, match="Expected `str`, got `int`"):
        read_domains(write(tmp_path / "b.json", {"BigCodeBench/0": [1]}))
    with pytest.raises(UsageError, match="a JSON object is wanted, not list"):
        read_domains(write(tmp_path / "c.json", "[]"))


def test_the_real_big_code_bench() -> None:
    rows = read_big_code(data("BigCodeBench-v0.1.4.jsonl.gz"))
    assert [row.task_id for row in rows] == [f"BigCodeBench/{n}" for n in range(1140)]
    assert {row.entry_point for row in rows} == {"task_func"}
    assert len({lib for row in rows for lib in row.libs}) == 139
    assert read_domains(data("task2domain.json")).keys() == {row.task_id for row in rows}


@pytest.mark.parametrize(
    ("name", "tasks", "base", "plus"),
    [
        ("HumanEval.jsonl.gz", 164, 0, 0),
        ("HumanEvalPlus-Mini.jsonl.gz", 164, 1570, 1107),
        ("HumanEvalPlus.jsonl.gz", 164, 1570, 122_683),
        ("MbppPlus.jsonl.gz", 378, 1174, 39_841),
        ("sanitized-mbpp.json.gz", 427, 0, 0),
    ],
)
def test_the_real_evals(name: str, tasks: int, base: int, plus: int) -> None:
    rows = read_evals(data(name))
    assert len(rows) == tasks
    assert sum(len(row.base_input or ()) for row in rows) == base
    assert sum(len(row.plus_input or ()) for row in rows) == plus
