"""Where the datasets are that tests read: the folder named by PROOFYARD_DATA, else `shared/data` beside the repository."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def data(name: str) -> Path:
    """The path of a dataset's file. Absent, the test is skipped, or fails in CI."""
    path = Path(os.environ.get("PROOFYARD_DATA") or ROOT.parent / "shared" / "data") / name
    if not path.is_file():
        reason = f"no {name} (set PROOFYARD_DATA to the folder that holds it)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path
