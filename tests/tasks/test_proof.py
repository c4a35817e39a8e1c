"""The committed proof of the framework tasks is of the tasks as they are, and whole."""

import json
from pathlib import Path
from typing import Any

from proofyard.engine.plugins import load_suite

ROOT = Path(__file__).parents[2]
PROOF = ROOT / "docs/proof/tasks.json"


def test_the_proof_is_of_these_tasks() -> None:
    found: dict[str, Any] = json.loads(PROOF.read_text())
    assert found["version"] == load_suite(str(ROOT / "tasks")).version, (
        f"make verify-tasks REPORT={PROOF.relative_to(ROOT)}"
    )


def test_the_proof_is_whole() -> None:
    found: dict[str, Any] = json.loads(PROOF.read_text())
    assert (found["complete"], found["errors"], found["changed"]) == (True, [], [])
    folders = sorted(path.parent.name for path in ROOT.glob("tasks/*/task.toml"))
    assert sorted(task["task"].removeprefix("proofyard/") for task in found["tasks"]) == folders
    for task in found["tasks"]:
        assert task["ok"], task["task"]
        assert task["reference"] == ["passed"] * 5
        assert (task["nop"]["outcome"], task["nop"]["gradings"]) == ("failed", 3)
        assert len(task["shortcuts"]) >= 4
        assert all(
            (one["outcome"], one["stopped"], one["gradings"]) == ("failed", True, 3) for one in task["shortcuts"]
        )
        assert len(task["alternatives"]) >= 2
        assert all((one["outcome"], one["gradings"]) == ("passed", 3) for one in task["alternatives"])
