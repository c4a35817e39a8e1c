import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.tool import verb

PROGRAM = "import os\n\n\ndef task_func(a):\n    return a"
CHAT = f"Here's one:\n```python\n{PROGRAM}\n\nprint(task_func(1))\n```\n"
ROW = {
    "task_id": "BigCodeBench/{n}",
    "complete_prompt": 'import os\n\n\ndef task_func(a):\n    """Give it back."""\n',
    "instruct_prompt": "Give it back.",
    "code_prompt": "import os\ndef task_func(a):\n",
    "canonical_solution": "    return a\n",
    "test": "class TestCases(unittest.TestCase): pass",
    "entry_point": "task_func",
    "libs": "['os']",
}


def rows(path: Path, *items: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return rows(tmp_path / "data.jsonl", *(ROW | {"task_id": f"BigCodeBench/{n}"} for n in range(3)))


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    return rows(
        tmp_path / "s.jsonl",
        {"task_id": "BigCodeBench/1", "solution": CHAT, "raw_solution": "kept in place"},
        {"task_id": "BigCodeBench/0", "solution": PROGRAM},
        {"task_id": "BigCodeBench/1", "solution": "Sorry, no (\n"},
    )


def test_a_file_in_its_order(samples: Path) -> None:
    ran = verb("sanitize", samples, "--parallel", "4")
    assert ran.code == 0, ran
    assert read(samples.with_name("s-sanitized.jsonl")) == [
        {"task_id": "BigCodeBench/1", "solution": PROGRAM + "\n"},
        {"task_id": "BigCodeBench/0", "solution": PROGRAM},
        {"task_id": "BigCodeBench/1", "solution": ""},
    ]
    assert ran.out.splitlines()[:3] == [
        "3 samples (1 fenced, 1 none, 1 whole): 2 changed",
        "1 of 3 do not define their entry point:",
        "  BigCodeBench/1 sample 1",
    ]


def test_names_as_other_tools_have_them(samples: Path) -> None:
    ran = verb("sanitize", "--samples", samples, "--debug_task", "BigCodeBench/1")
    assert ran.code == 0, ran
    assert "-print(task_func(1))" in ran.out.splitlines()
    assert not samples.with_name("s-sanitized.jsonl").exists()


def test_in_place_keeps_what_else_a_row_holds(samples: Path) -> None:
    assert verb("sanitize", samples, "--inplace").code == 0
    assert read(samples)[0] == {
        "task_id": "BigCodeBench/1",
        "solution": PROGRAM + "\n",
        "raw_solution": "kept in place",
    }
    assert not samples.with_name("s-sanitized.jsonl").exists()


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "s" / "BigCodeBench_7").mkdir(parents=True)
    (tmp_path / "s" / "BigCodeBench_7" / "3.py").write_text(CHAT)
    ran = verb("sanitize", tmp_path / "s")
    assert ran.code == 0, ran
    assert (tmp_path / "s-sanitized" / "BigCodeBench_7" / "3.py").read_text() == PROGRAM + "\n"
    verb("sanitize", tmp_path / "s").refused(2, "s-sanitized is not empty")


def test_json_and_flags(tmp_path: Path) -> None:
    path = rows(tmp_path / "s.jsonl", {"task_id": "BigCodeBench/1", "solution": PROGRAM + "\n\nos.remove('x')\n"})
    ran = verb("sanitize", path, "--json")
    flag = {"task_id": "BigCodeBench/1", "k": 0, "line": 7, "column": 0, "category": "file system", "what": "os.remove"}
    assert json.loads(ran.out) == {
        "samples": 1,
        "changed": 1,
        "ways": {"whole": 1},
        "undefined": [],
        "unsafe": [flag],
        "output": str(tmp_path / "s-sanitized.jsonl"),
    }


def test_unsafe_programs_are_refused_if_asked(tmp_path: Path) -> None:
    path = rows(tmp_path / "s.jsonl", {"task_id": "BigCodeBench/1", "solution": PROGRAM + "\n\nos.remove('x')\n"})
    ran = verb("sanitize", path, "--refuse_unsafe")
    assert ran.code == 1
    assert ran.out.splitlines()[1:] == [
        "1 of 1 reach beyond themselves (1 file system):",
        "  BigCodeBench/1 sample 0 line 7: file system: os.remove",
        "refused: nothing was written",
    ]
    assert not (tmp_path / "s-sanitized.jsonl").exists()


def test_bodies_complete_their_prompts(tmp_path: Path, dataset: Path) -> None:
    body = "```python\n    return a\n```"
    path = rows(
        tmp_path / "s.jsonl",
        {"task_id": "BigCodeBench/1", "solution": body},
        {"task_id": "BigCodeBench/2", "completion": "    return a\n\nprint(task_func(1))\n"},
    )
    program = ROW["complete_prompt"] + "    return a"
    for sanitizer in ("proofyard", "bcb-compat"):
        ran = verb("sanitize", path, "--data", dataset, "--calibrate", "--sanitizer", sanitizer)
        assert ran.code == 0, ran
        found = read(tmp_path / "s-sanitized-calibrated.jsonl")
        assert [row["solution"].replace("\n\n\n", "\n").rstrip("\n") for row in found] == [
            program.replace("\n\n\n", "\n")
        ] * 2


def test_what_is_wrong_is_one_line(tmp_path: Path, samples: Path, dataset: Path) -> None:
    completion = rows(tmp_path / "c.jsonl", {"task_id": "BigCodeBench/1", "completion": "    return a"})
    verb("sanitize", completion).refused(2, "BigCodeBench/1", "completion", "--data", "BIGCODEBENCH_OVERRIDE_PATH")
    verb("sanitize", samples, "--calibrate").refused(2, "--calibrate", "--data")
    verb("sanitize", samples, "--debug-task", "BigCodeBench/5").refused(2, "BigCodeBench/5", "2 tasks")
    verb("sanitize", tmp_path / "no.jsonl").refused(2, "no.jsonl")
    verb("sanitize").refused(2, "give the samples")
    other = rows(tmp_path / "o.jsonl", {"task_id": "HumanEval/1", "solution": "x = 1"})
    verb("sanitize", other).refused(2, "HumanEval/1", "--entry-point")
    strange = rows(tmp_path / "t.jsonl", {"task_id": "BigCodeBench/9", "solution": "x = 1"})
    verb("sanitize", strange, "--data", dataset).refused(2, "BigCodeBench/9", "3 tasks")


def test_syncheck_counts_out_of_what(tmp_path: Path, dataset: Path) -> None:
    path = tmp_path / "s.jsonl.gz"
    items = [
        {"task_id": "BigCodeBench/0", "solution": PROGRAM},
        {"task_id": "BigCodeBench/0", "solution": " \n"},
        {"task_id": "BigCodeBench/2", "solution": "def task_func(\n"},
    ]
    path.write_bytes(gzip.compress("".join(json.dumps(item) + "\n" for item in items).encode()))
    ran = verb("syncheck", path, "--data", dataset, "--nsample_check", "2", "--verbose")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "missing: 1 of 3 tasks",
        "  BigCodeBench/1",
        "fewer than 2 samples: 1 of 3 tasks",
        "  BigCodeBench/2: 1",
        "empty: 1 of 3 samples",
        "  BigCodeBench/0 sample 1",
        "unparsable: 1 of 3 samples",
        "  BigCodeBench/2 sample 0 line 1: '(' was never closed",
    ]
    found = json.loads(verb("syncheck", path, "--data", dataset, "--subset", "0", "--json").out)
    assert (found["tasks"], found["samples"], found["missing"]) == (1, 2, [])


def test_syncheck_of_good_samples(tmp_path: Path) -> None:
    path = rows(tmp_path / "s.jsonl", {"task_id": "HumanEval/0", "solution": PROGRAM})
    ran = verb("syncheck", path)
    assert (ran.code, ran.out.splitlines()[0]) == (
        0,
        "missing: not known without --data; the file has samples of 1 tasks",
    )
