import os
import socket
from pathlib import Path

import pytest

from proofyard.agents import read_tree, unread, write_tree
from proofyard.core import Entry, InfrastructureError, MemoryBlobs, Tree, UsageError, sha256, tree_of


def test_a_folder_and_back(tmp_path: Path) -> None:
    blobs = MemoryBlobs()
    tree = tree_of({"main.py": "print()", "a/b/c.bin": b"\0" * 10_000, "run": "x"}, blobs, executable=["run"])
    write_tree(tree, tmp_path / "new" / "folder", blobs)
    assert (tmp_path / "new" / "folder" / "run").stat().st_mode & 0o111
    (tmp_path / "new" / "folder" / "empty").mkdir()
    got = MemoryBlobs()
    again = read_tree(tmp_path / "new" / "folder", got)
    assert again == tree
    assert again.digest == tree.digest
    assert got.content == {sha256(b"\0" * 10_000): b"\0" * 10_000}


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    project = tmp_path / "project"
    project.mkdir()
    (project / "main.py").symlink_to(tmp_path / "secret")
    (project / "dir").symlink_to(tmp_path)
    (project / "gone").symlink_to("nowhere")
    tree = read_tree(project, MemoryBlobs())
    assert tree.entries == {
        "main.py": Entry(kind="symlink", target=str(tmp_path / "secret")),
        "dir": Entry(kind="symlink", target=str(tmp_path)),
        "gone": Entry(kind="symlink", target="nowhere"),
    }


def test_devices_pipes_and_sockets_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        if os.getuid() == 0:
            os.mknod(tmp_path / "device", 0o20666, os.makedev(1, 5))
        tree = read_tree(tmp_path, MemoryBlobs())
    assert {e.kind for e in tree.entries.values()} == {"special"}
    assert {"fifo", "socket"} <= set(tree.entries)


def test_names_that_are_not_utf8_are_special_and_written_with_escapes(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.py")).write_text("x")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/d\xfe")).mkdir()
    (tmp_path / "link").symlink_to(os.fsdecode(b"to\xfd"))
    tree = read_tree(tmp_path, MemoryBlobs())
    assert tree.entries == {
        "bad\\xff.py": Entry(kind="special"),
        "d\\xfe": Entry(kind="special"),
        "link": Entry(kind="symlink", target="to\\xfd"),
    }


def test_a_folder_that_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc")
    assert read_tree(tmp_path / "link", MemoryBlobs()).entries == {"link": Entry(kind="symlink", target="/etc")}
    (tmp_path / "file").touch()
    assert read_tree(tmp_path / "file", MemoryBlobs()).entries == {"file": Entry(kind="special")}
    with pytest.raises(UsageError, match=r"cannot read .*none: No such file"):
        read_tree(tmp_path / "none", MemoryBlobs())


def test_more_bytes_than_allowed_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a" * 600)
    (tmp_path / "b").write_bytes(b"b" * 600)
    with (tmp_path / "huge").open("wb") as handle:
        handle.truncate(1 << 40)
    tree = read_tree(tmp_path, MemoryBlobs(), max_bytes=1000)
    assert tree.entries["a"].sha == sha256(b"a" * 600)
    assert tree.entries["b"] == Entry(size=600)
    assert tree.entries["huge"] == Entry(size=1 << 40)
    assert tree.size > 1 << 40
    assert unread(tree) == "b"
    assert unread(read_tree(tmp_path / "a", MemoryBlobs())) is None


def test_exactly_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a" * 600)
    assert unread(read_tree(tmp_path, MemoryBlobs(), max_bytes=600, max_files=1)) is None
    assert unread(read_tree(tmp_path, MemoryBlobs(), max_bytes=599)) == "a"


def test_more_names_than_allowed_end_the_reading(tmp_path: Path) -> None:
    for n in range(50):
        (tmp_path / f"{n:02}").touch()
    tree = read_tree(tmp_path, MemoryBlobs(), max_files=10)
    assert sorted(tree.entries) == [f"{n:02}" for n in range(11)]
    assert unread(tree) == "10"


def test_folders_count_as_names(tmp_path: Path) -> None:
    for n in range(30):
        (tmp_path / f"d{n:02}").mkdir()
    assert unread(read_tree(tmp_path, MemoryBlobs(), max_files=20)) == "d20"


def test_a_bottomless_folder_ends_the_reading(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(100):
        deep /= "d"
    deep.mkdir(parents=True)
    (deep / "f").touch()
    path = unread(read_tree(tmp_path, MemoryBlobs()))
    assert path is not None
    assert path.count("/") == 64


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="link is no regular file"):
        write_tree(Tree(entries={"link": Entry(kind="symlink", target="x")}), tmp_path, MemoryBlobs())
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot write"):
        write_tree(Tree(), tmp_path / "file" / "x", MemoryBlobs())
    with pytest.raises(InfrastructureError, match="blob_missing"):
        write_tree(Tree(entries={"f": Entry(sha="0" * 64, size=5000)}), tmp_path, MemoryBlobs())
