"""Trees over trees, as a file system lays them, and back: what differs."""

from proofyard.core import Entry, Tree

__all__ = ["difference", "overlaid"]


def overlaid(base: Tree, delta: Tree) -> Tree:
    """`base` with `delta` laid over it: whiteouts remove a file or a whole folder, and what becomes a file is none any more."""
    over = {path for path, entry in delta.entries.items()}
    parents = {path[:at] for path in over for at in range(len(path)) if path[at] == "/"}
    kept = {
        path: entry
        for path, entry in base.entries.items()
        if path not in over and path not in parents and not any(path[:at] in over for at in _slashes(path))
    }
    return Tree(entries={**kept, **{path: e for path, e in delta.entries.items() if e.kind != "whiteout"}})


def difference(base: Tree, now: Tree) -> Tree:
    """What has to be laid over `base` to come to `now`; special files are left out."""
    changed = {path: e for path, e in now.entries.items() if e.kind != "special" and base.entries.get(path) != e}
    gone = {path: Entry(kind="whiteout") for path in base.entries if path not in now.entries}
    return Tree(entries={**gone, **changed})


def _slashes(path: str) -> list[int]:
    return [at for at, char in enumerate(path) if char == "/"]
