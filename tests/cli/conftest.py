from pathlib import Path

import pytest

from tests.cli.tool import EASY, tool


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference") / EASY
    assert tool("reference", EASY, "--output", folder).code == 0
    return folder


@pytest.fixture(scope="session")
def passed_run(tmp_path_factory: pytest.TempPathFactory, reference: Path) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "answers"
    ran = tool("run", "scratch", "--task", EASY, "--agent", f"folder:{reference.parent}", "--output", folder)
    assert ran.code == 0, ran
    return folder
