"""What is on record of the public set: for each task the hashes of its prompt and its scenarios, and its assertions.

A test compares the record with the tasks: a change without a new dataset version fails.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

__all__ = ["RECORD", "assertions_on_record", "hashes_on_record", "recorded"]

RECORD: Final = Path(__file__).with_name("contracts.json")


def recorded() -> dict[str, Any]:
    """The record: `version`, and `tasks` by id."""
    found: dict[str, Any] = json.loads(RECORD.read_text()) if RECORD.exists() else {"version": "", "tasks": {}}
    return found


@cache
def assertions_on_record(version: str) -> dict[str, int]:
    """Task id -> number of assertions, for the dataset version on record; nothing for any other."""
    found = recorded()
    return {task: row["num_assertions"] for task, row in found["tasks"].items()} if found["version"] == version else {}


@cache
def hashes_on_record(version: str) -> dict[str, str]:
    """Task id -> SHA-256 of its hidden tests, for the dataset version on record; nothing for any other."""
    found = recorded()
    return (
        {task: row["acceptance_tests"] for task, row in found["tasks"].items()} if found["version"] == version else {}
    )
