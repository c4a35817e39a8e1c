"""What a move did to the files: one snapshot of the workspace against the one before, as readable differences."""

import difflib
from collections.abc import Iterator

import msgspec

from proofyard.core import Blobs, Entry, InfrastructureError, Move, Tree, file_bytes
from proofyard.reports.clean import clean

__all__ = ["edit_lines", "snapshot_tree"]

_LARGEST = 200_000


def snapshot_tree(move: Move, blobs: Blobs) -> Tree | None:
    """The workspace after a move, None where no snapshot was taken or it is not in `blobs` (any more)."""
    if move.snapshot is None:
        return None
    try:
        return msgspec.json.decode(blobs.get(move.snapshot.blob), type=Tree)
    except (InfrastructureError, msgspec.MsgspecError):
        return None


def edit_lines(before: Tree | None, after: Tree, blobs: Blobs, limit: int = 40) -> Iterator[str]:
    """Each file added, changed or removed, and of text the lines, at most `limit` a file."""
    old = before.entries if before is not None else {}
    for path in sorted(old.keys() | after.entries.keys()):
        one, other = old.get(path), after.entries.get(path)
        if one == other:
            continue
        how = "added" if one is None else "removed" if other is None else "changed"
        yield f"{how}: {clean(path)}"
        if other is not None:
            yield from _difference(one, other, blobs, limit)


def _difference(one: Entry | None, other: Entry, blobs: Blobs, limit: int) -> Iterator[str]:
    old, new = _text(one, blobs), _text(other, blobs)
    if old is None or new is None:
        yield f"  ({other.size:,} bytes, not shown)" if other.kind == "file" else f"  (a {other.kind})"
        return
    lines = list(difflib.unified_diff(old, new, lineterm="", n=2))[2:]
    yield from (f"  {clean(line)}" for line in lines[:limit])
    if len(lines) > limit:
        yield f"  ... {len(lines) - limit} more lines"


def _text(entry: Entry | None, blobs: Blobs) -> list[str] | None:
    """The lines of a text file, none of a file that is not there, None for what is no text or too large."""
    if entry is None:
        return []
    if entry.kind != "file" or entry.size > _LARGEST or not entry.sha:
        return None
    try:
        return file_bytes(entry, blobs).decode("utf-8").splitlines()
    except (InfrastructureError, UnicodeDecodeError):
        return None
