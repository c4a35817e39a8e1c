"""The folder for the Hugging Face hub, read back by the library that its users have."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proofyard.core import Scenario
from proofyard.suites.scratch import card, dataset
from proofyard.suites.scratch.dataset import COLUMNS
from tests.suites.scratch.inprocess import SUITE

pytestmark = pytest.mark.xdist_group("dataset")


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """`datasets.load_dataset`, offline and with a cache of its own."""
    patch = pytest.MonkeyPatch()
    cache = str(tmp_path_factory.mktemp("cache"))
    for name, value in {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": cache}.items():
        patch.setenv(name, value)
    from datasets import load_dataset

    yield lambda *args, **more: load_dataset(*args, cache_dir=cache, **more)
    patch.undo()


@pytest.mark.parametrize("tier", ["easy", "intermediate", "hard", "max"])
def test_each_tier_is_a_config(exported: Path, load: Any, tier: str) -> None:
    rows = load(str(exported), tier, split="test")
    assert rows.column_names == list(COLUMNS)
    assert rows["task_id"][:] == list(SUITE.ids(tier))
    assert len(rows) == 65
    written = [json.loads(line) for line in (exported / "data" / f"{tier}.jsonl").read_text().splitlines()]
    assert [dict(row) for row in rows] == written
    sample = rows[20]
    assert msgspec.json.decode(sample["acceptance_tests"], type=tuple[Scenario, ...]) == SUITE.scenarios(
        sample["task_id"]
    )


def test_without_a_name_all_tasks_are_loaded(exported: Path, load: Any) -> None:
    rows = load(str(exported), split="test")
    assert rows["task_id"][:] == list(SUITE.ids())
    assert list(load(str(exported))) == ["test"]


def test_the_card(exported: Path) -> None:
    text = (exported / "README.md").read_text()
    manifest = json.loads((exported / "data" / "manifest.json").read_text())
    assert text.startswith("---\npretty_name: ")
    for tier in ("easy", "intermediate", "hard", "max"):
        file = manifest["files"][f"{tier}.jsonl"]
        assert f"| {tier} | 65 | {file['scenarios']:,} | {file['assertions']:,} |" in text
    assert all(f"| `{column}` | " in text for column in COLUMNS)
    assert 'load_dataset("proofyard/scratch", "easy", split="test")' in text
    assert set(card._COLUMNS) == set(dataset.COLUMNS)
