"""The dataset files: columns, counts, the same bytes each time."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import msgspec
import pytest

import proofyard
from proofyard.core import Scenario, UsageError
from proofyard.suites.scratch import build
from proofyard.suites.scratch.cases import cases_of
from proofyard.suites.scratch.dataset import COLUMNS
from proofyard.suites.scratch.families import FAMILIES, NUMBERS
from proofyard.suites.scratch.scenarios import count, totals
from proofyard.suites.scratch.tiers import TIERS
from tests.golden import interpreters

from .inprocess import SUITE

pytestmark = pytest.mark.xdist_group("dataset")

ELSEWHERE = [*SUITE.ids("easy"), *SUITE.ids("max")[::13], *SUITE.ids("hard")[::11], *SUITE.ids("intermediate")[::11]]
"""Built on other Pythons too. A family's own code is the same in all tiers, and that of a tier in all families."""
TOTALS = {"easy": 3075, "intermediate": 5415, "hard": 9705, "max": 15_490}
"""How many assertions all 65 families have at least."""


def rows(folder: Path, tier: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / f"{tier}.jsonl").read_text().splitlines()]


@lru_cache(maxsize=1)
def max_rows(folder: Path) -> list[tuple[dict[str, object], tuple[Scenario, ...]]]:
    """The rows of the largest file with their scenarios, read once for two tests."""
    return list(read(folder, "max"))


def read(folder: Path, tier: str) -> Iterator[tuple[dict[str, object], tuple[Scenario, ...]]]:
    for row in rows(folder, tier):
        yield row, msgspec.json.decode(str(row["acceptance_tests"]), type=tuple[Scenario, ...])


@pytest.mark.parametrize("tier", ["easy", "intermediate", "hard", "max"])
def test_rows(built: Path, tier: str) -> None:
    found = max_rows(built) if tier == "max" else list(read(built, tier))
    assert [row["task_id"] for row, _ in found] == list(SUITE.ids(tier))
    for row, scenarios in found:
        assert tuple(row) == COLUMNS
        assert row["subset"] == tier
        assert (row["language"], row["entrypoint"], row["timeout_seconds"]) == ("python", "main.py", 30)
        public = msgspec.json.decode(str(row["public_tests"]), type=tuple[Scenario, ...])
        assert public == tuple(scenario for scenario in scenarios if scenario.public)
        assert row["num_scenarios"] == len(scenarios)
        assert row["num_assertions"] == count(scenarios)
    last, scenarios = found[-1]
    assert scenarios == SUITE.scenarios(str(last["task_id"]))


@pytest.mark.parametrize("tier", ["easy", "intermediate", "hard", "max"])
def test_as_many_assertions_as_promised(built: Path, tier: str) -> None:
    file = json.loads((built / "manifest.json").read_text())["files"][f"{tier}.jsonl"]
    assert file["tasks"] == len(NUMBERS)
    assert file["assertions"] >= TOTALS[tier]


def test_manifest(built: Path) -> None:
    manifest = json.loads((built / "manifest.json").read_text())
    assert list(manifest["files"]) == ["easy.jsonl", "intermediate.jsonl", "hard.jsonl", "max.jsonl"]
    assert manifest["seed"] == 1729
    assert manifest["tasks"] == len(SUITE.ids())
    for name, file in manifest["files"].items():
        content = (built / name).read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
        assert file["size"] == len(content)
        assert sum(file["kinds"].values()) == file["assertions"]
    kinds = totals(scenario for _, scenarios in max_rows(built) for scenario in scenarios)
    assert manifest["files"]["max.jsonl"]["kinds"] == dict(sorted(kinds.items()))
    assert manifest["assertions"] == sum(file["assertions"] for file in manifest["files"].values())


def _elsewhere(python: str, code: str) -> str:
    """Run code on another Python, with another hash seed, time zone and locale, where nothing made earlier is found; return
    what it printed.
    """
    source = str(Path(proofyard.__file__).parent.parent)
    settings = {"PYTHONPATH": source, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "5", "TZ": "Asia/Tokyo"}
    environment = {**os.environ, **settings, "LC_ALL": "C", "XDG_CACHE_HOME": os.devnull}
    return subprocess.run([python, "-c", code], env=environment, check=True, capture_output=True, text=True).stdout


DIGESTS = """
import hashlib, json
from proofyard.suites.scratch import suite
from proofyard.suites.scratch.dataset import row_of
made = suite()
for task in {tasks!r}:
    print(hashlib.sha256(json.dumps(row_of(made, task), separators=(",", ":")).encode()).hexdigest())
"""


def _digests(built: Path, tasks: list[str]) -> list[str]:
    lines = (line for tier in TIERS for line in (built / f"{tier}.jsonl").read_bytes().splitlines())
    known = {json.loads(line)["task_id"]: hashlib.sha256(line).hexdigest() for line in lines}
    return [known[task] for task in tasks]


def test_same_row_whatever_the_surroundings(built: Path) -> None:
    tasks = [SUITE.ids("max")[0], SUITE.ids("hard")[-1]]
    assert _elsewhere(sys.executable, DIGESTS.format(tasks=tasks)).split() == _digests(built, tasks)


@pytest.mark.parametrize("minor", interpreters.NEWER)
def test_same_bytes_on_another_python(minor: str, built: Path) -> None:
    python = interpreters.environment(minor)
    if python is None:
        pytest.skip(f"no Python {minor} here")
    assert _elsewhere(python, DIGESTS.format(tasks=ELSEWHERE)).split() == _digests(built, ELSEWHERE)


@pytest.mark.parametrize("slug", list(FAMILIES))
def test_no_generated_input_of_another_seed(slug: str) -> None:
    ours, other = (
        {json.dumps(made, sort_keys=True) for made in cases_of(FAMILIES[slug], seed).generated}
        for seed in (SUITE.seed, 99)
    )
    assert len(ours) == len(other) == 24
    assert ours.isdisjoint(other)


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        build(tmp_path / "file", 1)
