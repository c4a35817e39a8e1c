from proofyard.agents import changes
from proofyard.agents.moves import shown_files
from proofyard.core import Change, MemoryBlobs, tree_of


def test_which_files_differ() -> None:
    blobs = MemoryBlobs()
    before = tree_of({"a": "1", "b": "1", "c": "1"}, blobs)
    now = tree_of({"a": "1", "b": "2", "d/e": "1"}, blobs)
    assert changes(before, now) == (
        Change(path="b", how="changed"),
        Change(path="c", how="removed"),
        Change(path="d/e", how="added"),
    )
    assert changes(now, now) == ()


def test_files_in_words() -> None:
    blobs = MemoryBlobs()
    assert shown_files(tree_of({}, blobs), blobs) == ""
    said = shown_files(tree_of({"a.py": "x = 1\n", "b": b"\xff\x00", "c": "y" * 70_000}, blobs), blobs)
    assert "````a.py\nx = 1\n````" in said
    assert "`b`: 2 bytes, not shown" in said
    assert "`c`: 70000 bytes, not shown" in said
