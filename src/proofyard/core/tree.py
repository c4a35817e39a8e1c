"""A tree of files as a value: what a brief ships, what a submission is, what tests are."""

import base64
from collections.abc import Iterable, Mapping
from typing import Literal, Protocol

import msgspec

from proofyard.core.errors import InfrastructureError
from proofyard.core.failure import Failure
from proofyard.core.record import Record, sha256

__all__ = ["INLINE_LIMIT", "Blobs", "Entry", "MemoryBlobs", "Tree", "file_bytes", "tree_of"]

INLINE_LIMIT = 4096
"""Largest content, in bytes, kept inside an entry; larger content is a blob."""

Kind = Literal["file", "symlink", "special", "whiteout"]


class Blobs(Protocol):
    """Content by its SHA-256."""

    def put(self, data: bytes) -> str:
        """Keep `data`; return its SHA-256 (hexadecimal)."""
        ...

    def get(self, sha: str) -> bytes:
        """Return the content whose SHA-256 is `sha`.

        Raises:
            InfrastructureError: `blob_missing` if it is not there or does not match its name.

        """
        ...


class MemoryBlobs:
    """Blobs held in a dictionary."""

    def __init__(self, content: Mapping[str, bytes] | None = None) -> None:
        self.content: dict[str, bytes] = dict(content or {})

    def put(self, data: bytes) -> str:
        """Keep `data`; return its SHA-256."""
        sha = sha256(data)
        self.content[sha] = data
        return sha

    def get(self, sha: str) -> bytes:
        """Return the content named `sha`."""
        try:
            return self.content[sha]
        except KeyError:
            raise InfrastructureError(Failure(code="blob_missing", message=f"no blob {sha}")) from None


class Entry(Record, frozen=True, kw_only=True):
    """One path of a tree.

    kind `file`: `executable`, `size` in bytes, `sha` of the content, and the content itself in `inline` (base64) if it
    has at most `INLINE_LIMIT` bytes. kind `symlink`: `target`. kind `special`: a device, FIFO or socket, content
    unread. kind `whiteout`: the path is removed (in a delta).
    """

    kind: Kind = "file"
    executable: bool = False
    size: int = 0
    sha: str = ""
    inline: str | None = None
    target: str = ""

    @property
    def mode(self) -> str:
        """The mode as git writes it: 100644, 100755, 120000 (link), 000000 (special or removed)."""
        if self.kind == "file":
            return "100755" if self.executable else "100644"
        return "120000" if self.kind == "symlink" else "000000"


class Tree(Record, frozen=True, kw_only=True):
    """Path -> entry. Paths are relative POSIX paths without `.` or `..`; directories exist only through files."""

    entries: dict[str, Entry] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in self.entries:
            if not _is_clean(path):
                raise ValueError(f"not a clean relative path: {path!r}")

    @property
    def digest(self) -> str:
        r"""SHA-256 over the sorted concatenation of `{path}\\0{mode}\\0{sha256 of content}\\n`.

        This is Harbor's rule plus the mode. A link's content is its target; a special file's or a whiteout's is its kind.
        """
        lines = []
        for path in sorted(self.entries):
            entry = self.entries[path]
            content = entry.sha
            if entry.kind != "file":
                content = sha256((entry.target if entry.kind == "symlink" else entry.kind).encode())
            lines.append(f"{path}\0{entry.mode}\0{content}\n".encode("utf-8", "surrogateescape"))
        return sha256(b"".join(lines))

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(entry.size for entry in self.entries.values())

    def merged(self, other: "Tree", under: str = "") -> "Tree":
        """Return this tree with `other` laid over it, below the folder `under`; whiteouts remove."""
        entries = dict(self.entries)
        prefix = f"{under}/" if under else ""
        for path, entry in other.entries.items():
            if entry.kind == "whiteout":
                entries.pop(prefix + path, None)
            else:
                entries[prefix + path] = entry
        return Tree(entries=entries)

    def blobs(self) -> Iterable[str]:
        """The SHA-256 of each content that is not inline."""
        return sorted({e.sha for e in self.entries.values() if e.kind == "file" and e.inline is None})


def tree_of(files: Mapping[str, bytes | str], blobs: Blobs, executable: Iterable[str] = ()) -> Tree:
    """Make a tree of regular files from their contents; large ones go to `blobs`."""
    marked = set(executable)
    entries = {}
    for path, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        small = len(data) <= INLINE_LIMIT
        sha = sha256(data) if small else blobs.put(data)
        inline = base64.b64encode(data).decode() if small else None
        entries[path] = Entry(executable=path in marked, size=len(data), sha=sha, inline=inline)
    return Tree(entries=entries)


def file_bytes(entry: Entry, blobs: Blobs) -> bytes:
    """Return a regular file's content.

    Raises:
        ValueError: the entry is no regular file.
        InfrastructureError: its blob is missing.

    """
    if entry.kind != "file":
        raise ValueError(f"no regular file: {entry.kind}")
    return base64.b64decode(entry.inline) if entry.inline is not None else blobs.get(entry.sha)


def _is_clean(path: str) -> bool:
    parts = path.split("/")
    return bool(path) and "\0" not in path and not any(part in {"", ".", ".."} for part in parts)
