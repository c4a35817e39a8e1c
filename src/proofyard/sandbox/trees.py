"""Trees on their way into and out of a runner."""

import base64
from collections.abc import Iterator, Sequence
from typing import Any

from proofyard.core import INLINE_LIMIT, Blobs, Entry, Tree, file_bytes, sha256
from proofyard.sandbox.channel import Runner

__all__ = ["entry_of", "fixed_size", "lay", "laying", "read_trees"]

BATCH = 4 << 20
PAGE = 4096
READ_MS = 60_000
"""Time to write or read one batch of files."""


def fixed_size(tree: Tree) -> tuple[int, int]:
    """Bytes (whole pages) and inodes that laying the tree takes."""
    folders = {path.rpartition("/")[0] for path in tree.entries}
    parents = {"/".join(folder.split("/")[:n]) for folder in folders for n in range(1, folder.count("/") + 2)}
    size = sum(-(-entry.size // PAGE) * PAGE for entry in tree.entries.values())
    return size, len(tree.entries) + len(parents)


def lay(runner: Runner, tree: Tree, path: str, blobs: Blobs) -> None:
    """Write a tree's files and links below `path`; special files and whiteouts are left out."""
    for question in laying(tree, path, blobs):
        runner.call_all([question], READ_MS)


def laying(tree: Tree, path: str, blobs: Blobs) -> Iterator[tuple[dict[str, Any], bytes]]:
    """The questions by which a runner lays out a tree, each of moderate size."""
    for entries, payload in _batches(tree, blobs):
        yield {"op": "lay", "path": path, "entries": entries}, payload


def _batches(tree: Tree, blobs: Blobs) -> Iterator[tuple[list[tuple[str, str, Any]], bytes]]:
    entries: list[tuple[str, str, Any]] = []
    payload = bytearray()
    for path, entry in tree.entries.items():
        if entry.kind == "symlink":
            entries.append((path, "symlink", entry.target))
        elif entry.kind == "file":
            data = file_bytes(entry, blobs)
            entries.append((path, "executable" if entry.executable else "file", len(data)))
            payload += data
        if len(payload) >= BATCH:
            yield entries, bytes(payload)
            entries, payload = [], bytearray()
    if entries:
        yield entries, bytes(payload)


def read_trees(runner: Runner, paths: Sequence[str], budget: int, blobs: Blobs) -> list[Tree]:
    """Read back what lies below each path, at most `budget` bytes each; contents above the inline limit go to `blobs`."""
    found: list[dict[str, Entry]] = [{} for _ in paths]
    asked = [{"path": path, "budget": budget} for path in paths]
    for number, raw, data in runner.stream("read", asked, READ_MS):
        found[number][raw["path"]] = entry_of(raw, data, blobs)
        data = b""  # not to be held while the next one comes  # noqa: PLW2901
    return [Tree(entries=entries) for entries in found]


def entry_of(raw: dict[str, Any], data: bytes, blobs: Blobs) -> Entry:
    """One entry as the runner's reader described it."""
    if raw["kind"] == "symlink":
        return Entry(kind="symlink", target=raw["target"])
    if raw["kind"] != "file":
        return Entry(kind="special")
    small = len(data) <= INLINE_LIMIT
    sha = sha256(data) if small else blobs.put(data)
    inline = base64.b64encode(data).decode() if small else None
    return Entry(executable=raw["executable"], size=len(data), sha=sha, inline=inline)
