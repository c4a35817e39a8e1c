"""The dataset as files, made once for all tests of it."""

from pathlib import Path

import pytest

from proofyard.suites.scratch import export
from tests.suites.scratch.inprocess import SUITE


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for the hub."""
    folder = tmp_path_factory.mktemp("hub") / "scratch"
    export(folder, SUITE.seed)
    return folder


@pytest.fixture(scope="session")
def built(exported: Path) -> Path:
    """The data files and their manifest."""
    return exported / "data"
