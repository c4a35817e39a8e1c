"""BigCodeBench's own tasks in the small pinned environment: what the gate says of them, and what samples of them come to."""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofyard.images import build, find_environment
from tests.cli.tool import tool
from tests.data import data

pytestmark = [pytest.mark.xdist_group("bigcodebench"), pytest.mark.timeout(1500)]

DATA = "BigCodeBench-v0.1.4.jsonl.gz"
TASKS = """
5 11 18 25 42 55 69 93 100 109 117 122 128 134 148 154 161 175 184 197 203 210 229 249 254 260 266 273 283
293 299 309 317 324 330 346 351 358 365 371 386 405 412 430 437 444 453 460 467 472 480 493 506 512 520 526
535 541 548 554 563 569 576 589 602 611 617 624 631 641 660 667 673 679 686 693 698 704 710 716 722 730 739
746 752 758 763 768 779 798 803 812 817 823 834 841 855 860 867 872 880 887 893 898 903 909 918 925 931 938
945 952 957 963 971 976 987 992 1001 1011 1027 1033
"""
"""Tasks that need no more than the standard library, numpy, pandas, matplotlib and scikit-learn."""
SAMPLED = TASKS.split()[::12]


@pytest.fixture(scope="module")
def environment() -> Path:
    """The packages of the small environment, from the user's cache or built now."""
    return Path(build(find_environment("bigcodebench-small")).packages)


@pytest.fixture(scope="module")
def gate(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What check-env found of the tasks, not from the cache."""
    del environment
    folder = tmp_path_factory.mktemp("gate")
    ids = folder / "ids.txt"
    ids.write_text("".join(f"BigCodeBench/{number}\n" for number in TASKS.split()))
    call = ("check-env", "bigcodebench", "--env", "bigcodebench-small", "--data", data(DATA), "--subset", ids)
    ran = tool(*call, "--output", folder / "gate.json", "--concurrency", str(min(2, os.cpu_count() or 1)), timeout=1200)
    assert ran.code == 0, ran
    yield folder / "gate.json"


def rows() -> dict[str, dict[str, str]]:
    found = map(json.loads, gzip.decompress(data(DATA).read_bytes()).splitlines())
    return {row["task_id"]: row for row in found}


def test_canonical_solutions_pass_and_an_empty_body_and_a_skip_do_not(gate: Path) -> None:
    """All three is what the gate says of a task that it lets through."""
    tasks = json.loads(gate.read_text())["tasks"]
    assert len(tasks) == len(TASKS.split()) >= 120
    assert {task: found["reason"] for task, found in tasks.items() if found.get("reason")} == {}


def test_samples_are_told_apart(gate: Path, environment: Path, tmp_path: Path) -> None:
    known = rows()
    samples = tmp_path / "samples.jsonl"
    with samples.open("w") as file:
        for number in SAMPLED:
            row = known[f"BigCodeBench/{number}"]
            for solution in (
                row["complete_prompt"] + row["canonical_solution"],
                row["code_prompt"] + "    import unittest\n    raise unittest.SkipTest\n",
            ):
                file.write(json.dumps({"task_id": row["task_id"], "solution": solution}) + "\n")
    call = ("evaluate", "bigcodebench", "--samples", samples, "--data", data(DATA), "--pass-k", "1,2")
    where = ("--packages", environment, "--gate", gate, "--output", tmp_path / "run", "--concurrency", "1")
    ran = tool(*call, *where, "--json", timeout=1200)
    assert ran.code == 1, ran
    found = json.loads((tmp_path / "samples_eval_results.json").read_text())["eval"]
    assert {task: [one["status"] for one in each] for task, each in found.items()} == {
        f"BigCodeBench/{number}": ["pass", "fail"] for number in SAMPLED
    }
