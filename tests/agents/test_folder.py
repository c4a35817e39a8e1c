from pathlib import Path

import pytest

from proofyard.agents import AgentSetup, folder, unread
from proofyard.core import Brief, Finish, MemoryBlobs, UsageError, tree_of
from tests.agents.helpers import Clock, Notes


def _finish(root: Path, task: str, **limits: int) -> Finish:
    agent = folder.make(AgentSetup(folder.parameters(str(root)), Path("/nowhere"), **limits))
    assert agent.needs == "nothing"
    return agent.run(Brief(task=task, prompt="p"), None, Notes(), Clock(), MemoryBlobs())


def test_the_folder_of_the_task_is_submitted(tmp_path: Path) -> None:
    (tmp_path / "t1").mkdir()
    (tmp_path / "t1" / "main.py").write_text("x")
    assert _finish(tmp_path, "t1") == Finish(submission=tree_of({"main.py": "x"}, MemoryBlobs()))


def test_an_absent_folder_is_missing_and_an_empty_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "t1").mkdir()
    assert _finish(tmp_path, "t2") == Finish(missing=True)
    finish = _finish(tmp_path, "t1")
    assert finish.submission is not None
    assert finish.submission.entries == {}


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "t1").symlink_to("/etc")
    (tmp_path / "t2").symlink_to("nowhere")
    for task in ("t1", "t2"):
        finish = _finish(tmp_path, task)
        assert finish.submission is not None
        assert [e.kind for e in finish.submission.entries.values()] == ["symlink"]


def test_limits_hold(tmp_path: Path) -> None:
    (tmp_path / "t1").mkdir()
    (tmp_path / "t1" / "main.py").write_bytes(b"x" * 100)
    finish = _finish(tmp_path, "t1", max_bytes=99)
    assert finish.submission is not None
    assert unread(finish.submission) == "main.py"


def test_a_folder_that_is_not_there_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder that exists"):
        folder.parameters(str(tmp_path / "none"))
    with pytest.raises(UsageError, match="needs a folder"):
        folder.parameters("")
    assert folder.solution({}) is None
    assert folder.parameters(f"{tmp_path}/.") == {"folder": str(tmp_path)}
