"""Sample files and folders: what counts as a sample, in which order, and one clear line for what is none."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from proofyard.core import UnknownNameError, UsageError
from proofyard.formats.samples import read_samples, stem_of

PROMPTS = {"Big/0": "import re\ndef f():\n", "Big/1": "def g():", "Mbpp/2": ""}


def write(path: Path, *rows: object) -> Path:
    text = "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_repeated_ids_are_attempts_in_order(tmp_path: Path) -> None:
    rows = [
        {"task_id": "Big/1", "solution": "one"},
        {"task_id": "Big/0", "solution": "two", "raw_solution": "```two```", "_identifier": "x"},
        {"task_id": "Big/1", "solution": "three"},
    ]
    for name in ("a.jsonl", "b.jsonl.gz"):
        found = read_samples(write(tmp_path / name, *rows), PROMPTS)
        assert list(found.of_task) == ["Big/0", "Big/1"]
        assert [(s.k, s.solution) for s in found.of_task["Big/1"]] == [(0, "one"), (1, "three")]
        assert found.of_task["Big/0"][0].raw_solution == "```two```"
        assert found.of_task["Big/0"][0].row == rows[1]
        assert [s.position for s in found.of_task["Big/1"]] == [0, 2]
        assert (found.total, found.most) == (3, 2)


def test_completions_follow_their_prompt(tmp_path: Path) -> None:
    rows = [{"task_id": task, "completion": "    return 1"} for task in PROMPTS]
    found = read_samples(write(tmp_path / "a.jsonl", *rows), PROMPTS).of_task
    assert found["Big/0"][0].solution == "import re\ndef f():\n    return 1"
    assert found["Big/1"][0].solution == "def g():\n    return 1"
    assert found["Mbpp/2"][0].solution == "    return 1"


def test_a_solution_is_preferred_and_may_be_empty(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"task_id": "Big/0", "solution": "", "completion": "x"})
    assert read_samples(path, PROMPTS).of_task["Big/0"][0].solution == ""


def test_a_folder_of_programs(tmp_path: Path) -> None:
    for name, text in {"Big_0/0.py": "a", "Big_0/10.py": "c", "Big_0/2.py": "b", "Mbpp_2/1.py": "d"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "eval_results.json").write_text("{}")
    (tmp_path / ".cache").mkdir()
    found = read_samples(tmp_path, PROMPTS).of_task
    assert [s.solution for s in found["Big/0"]] == ["a", "b", "c"]
    assert [(s.k, s.solution, s.position) for s in found["Mbpp/2"]] == [(0, "d", 3)]


def test_the_digest_is_of_programs(tmp_path: Path) -> None:
    one = read_samples(write(tmp_path / "a.jsonl", {"task_id": "Big/0", "solution": "x"}), PROMPTS)
    same = read_samples(write(tmp_path / "b.jsonl", {"task_id": "Big/0", "solution": "x", "note": 1}), PROMPTS)
    other = read_samples(write(tmp_path / "c.jsonl", {"task_id": "Big/0", "solution": "y"}), PROMPTS)
    assert one.digest == same.digest != other.digest


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"solution": "x"}, "a.jsonl line 2: there is no field `task_id`"),
        ({"task_id": 3, "solution": "x"}, "line 2: field `task_id` is no string but int"),
        ({"task_id": "Big/0"}, "line 2: there is no field `solution` nor `completion`"),
        ({"task_id": "Big/0", "solution": ["x"]}, "line 2: field `solution` is no string but list"),
        ({"task_id": "Big/0", "completion": None}, "line 2: there is no field `completion`"),
        ({"task_id": "Big/0", "solution": "\ud800"}, "line 2: field `solution` holds half of a surrogate pair"),
        ('{"task_id": "Big/0", "sol', "line 2: no JSON"),
        ("[]\n", "line 2: a JSON object is wanted, not list"),
    ],
)
def test_what_is_no_sample(tmp_path: Path, row: Any, words: str) -> None:
    path = write(tmp_path / "a.jsonl", {"task_id": "Big/0", "solution": "x"}, row)
    with pytest.raises(UsageError) as caught:
        read_samples(path, PROMPTS)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_task_is_told_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(
        UnknownNameError, match=r"unknown task 'Bug/0'; did you mean Big/0.*a\.jsonl line 1; .* 3 tasks"
    ):
        read_samples(write(tmp_path / "a.jsonl", {"task_id": "Bug/0", "solution": "x"}), PROMPTS)
    (tmp_path / "dir" / "Bug_0").mkdir(parents=True)
    with pytest.raises(UnknownNameError, match="unknown task 'Bug/0'"):
        read_samples(tmp_path / "dir", PROMPTS)


def test_nothing_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no sample in it"):
        read_samples(write(tmp_path / "a.jsonl"), PROMPTS)
    (tmp_path / "dir" / "Big_0").mkdir(parents=True)
    with pytest.raises(UsageError, match="there is no sample in it"):
        read_samples(tmp_path / "dir", PROMPTS)
    with pytest.raises(UsageError, match="No such file"):
        read_samples(tmp_path / "absent.jsonl", PROMPTS)


def test_odd_programs_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "Big_0").mkdir()
    (tmp_path / "Big_0" / "main.py").write_text("x")
    with pytest.raises(UsageError, match="named by their number"):
        read_samples(tmp_path, PROMPTS)
    (tmp_path / "Big_0" / "main.py").rename(tmp_path / "Big_0" / "0.py").write_bytes(b"\xff")
    with pytest.raises(UsageError, match="a program is not UTF-8"):
        read_samples(tmp_path, PROMPTS)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("x.jsonl", "x"),
        ("x.y-0.8.jsonl.gz", "x.y-0.8"),
        ("x.json", "x"),
        ("folder", "folder"),
        ("x.raw.jsonl", "x.raw"),
    ],
)
def test_stems(name: str, stem: str) -> None:
    assert stem_of(Path("dir") / name) == stem
