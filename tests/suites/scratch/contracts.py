"""Hashes of what each task asks and expects, for the default seed. `python -m tests.suites.scratch.contracts` writes them
anew; it refuses if a task that was there changed while the dataset version did not (before a version is out, delete the
file first).
"""

import json
import sys
from collections.abc import Mapping
from typing import Any

from proofyard.core import sha256
from proofyard.suites.scratch import ScratchSuite
from proofyard.suites.scratch.contracts import RECORD, recorded
from proofyard.suites.scratch.dataset import row_of


def contract(row: Mapping[str, Any]) -> dict[str, Any]:
    """What may not change unnoticed of a task, from its row in the dataset."""
    hashes = {name: sha256(row[name].encode()) for name in ("prompt", "acceptance_tests")}
    return {**hashes, "num_assertions": row["num_assertions"]}


def main() -> int:
    """Write the file."""
    suite = ScratchSuite()
    old = recorded()
    tasks = {task_id: contract(row_of(suite, task_id)) for task_id in suite.ids()}
    changed = [task_id for task_id, known in old["tasks"].items() if tasks.get(task_id) != known]
    if changed and old["version"] == suite.version:
        print(f"{len(changed)} tasks changed ({changed[0]}, ...): raise DATASET_VERSION first", file=sys.stderr)
        return 1
    RECORD.write_text(json.dumps({"version": suite.version, "tasks": tasks}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
