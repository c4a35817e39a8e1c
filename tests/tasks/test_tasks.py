"""The framework tasks as folders: fit to be proved, and what they share is the same everywhere."""

from pathlib import Path

import pytest

from proofyard.core import MemoryBlobs, Reason
from proofyard.forge.filling import template
from proofyard.formats.harbor import read_task
from proofyard.formats.harbor.lint import lint

TASKS = sorted(path.parent for path in Path(__file__).parents[2].glob("tasks/*/task.toml"))
SHARED = ("tests/entry.py", "tests/reward.py", "tests/store_integrity.py", "tests/test.sh")


@pytest.mark.parametrize("folder", TASKS, ids=lambda folder: folder.name)
def test_folder(folder: Path) -> None:
    assert [one for one in lint(folder) if one.level != "note"] == []
    solutions = read_task(folder, MemoryBlobs()).task.steps[0].hidden.solutions
    kinds = [one.kind for one in solutions]
    assert kinds.count("reference") == 1
    assert kinds.count("alternative") >= 2
    assert kinds.count("shortcut") >= 4
    assert next(one.reason for one in solutions if one.name == "tamper_store") is Reason.TAMPER


@pytest.mark.parametrize("folder", TASKS, ids=lambda folder: folder.name)
def test_shared_files(folder: Path) -> None:
    for path in SHARED:
        if (folder / path).is_file():
            assert (folder / path).read_text() == template(f"shared/{path}"), path
    packages = [line for line in template("shared/environment/Dockerfile").splitlines() if "pip install" in line]
    assert packages[0] in (folder / "environment/Dockerfile").read_text().splitlines()
