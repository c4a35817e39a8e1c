import os
import threading
from pathlib import Path

import pytest

from proofyard.core import InfrastructureError, sha256
from proofyard.store import FileBlobs


def test_content_comes_back_under_its_hash(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path / "blobs")
    sha = blobs.put(b"content")
    assert sha == sha256(b"content")
    assert blobs.get(sha) == b"content"
    assert (tmp_path / "blobs" / sha[:2] / sha).read_bytes() == b"content"
    blobs.sync()


def test_the_same_content_is_one_file_and_leaves_nothing_aside(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    threads = [threading.Thread(target=blobs.put, args=(b"x" * 100_000,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    FileBlobs(tmp_path).put(b"x" * 100_000)
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == [sha256(b"x" * 100_000)]


def test_missing_and_damaged_content_is_infrastructure(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    with pytest.raises(InfrastructureError, match="blob_missing"):
        blobs.get("0" * 64)
    sha = blobs.put(b"content")
    (tmp_path / sha[:2] / sha).write_bytes(b"changed")
    with pytest.raises(InfrastructureError, match="does not match its name") as caught:
        blobs.get(sha)
    assert caught.value.failure.code == "blob_missing"


def test_a_fifo_in_the_place_of_a_content_is_not_waited_for(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    path = tmp_path / "00" / ("0" * 64)
    path.parent.mkdir()
    os.mkfifo(path)
    with pytest.raises(InfrastructureError, match="no regular file") as caught:
        blobs.get(path.name)
    assert caught.value.failure.code == "blob_missing"


def test_leftovers_of_killed_writers_are_swept(tmp_path: Path) -> None:
    (tmp_path / ".aside").mkdir()
    (tmp_path / ".aside" / "half").write_bytes(b"ha")
    FileBlobs(tmp_path).sweep()
    assert list(tmp_path.iterdir()) == []
