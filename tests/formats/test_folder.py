import os
from pathlib import Path

import pytest

from proofyard.core import Entry, MemoryBlobs, Tree, UsageError, file_bytes
from proofyard.formats import read_folder


def test_files_modes_links_and_large_contents(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "a" / "b" / "run.sh").chmod(0o755)
    (tmp_path / "large").write_bytes(b"x" * 5000)
    (tmp_path / "a" / "up").symlink_to("../large")
    (tmp_path / "folder").symlink_to("a")
    (tmp_path / "empty").mkdir()
    blobs = MemoryBlobs()
    tree = read_folder(tmp_path, blobs)
    assert sorted(tree.entries) == ["a/b/run.sh", "a/up", "folder", "large"]
    assert tree.entries["a/b/run.sh"].executable and not tree.entries["large"].executable
    assert tree.entries["a/up"] == Entry(kind="symlink", target="../large")
    assert file_bytes(tree.entries["large"], blobs) == b"x" * 5000


def test_no_folder_is_an_empty_tree(tmp_path: Path) -> None:
    assert read_folder(tmp_path / "none", MemoryBlobs()) == Tree()


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match=r"pipe is neither a file nor a link$"):
        read_folder(tmp_path, MemoryBlobs())


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff")).write_text("")
    with pytest.raises(UsageError, match=r"xff': the name is not UTF-8$|udcff': the name is not UTF-8$"):
        read_folder(tmp_path, MemoryBlobs())


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofyard.formats.folder._MAX_FILES", 2)
    for name in "ab":
        (tmp_path / name).write_text("")
    assert len(read_folder(tmp_path, MemoryBlobs()).entries) == 2
    (tmp_path / "c").write_text("")
    with pytest.raises(UsageError, match="too large: at most 2 files"):
        read_folder(tmp_path, MemoryBlobs())
