"""Trees into and out of containers as tar streams, as `cp` of the engine's command line takes and gives them."""

import base64
import io
import posixpath
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Final, NamedTuple

from proofyard.core import INLINE_LIMIT, Blobs, Entry, Tree, file_bytes, sha256

__all__ = ["Budget", "Piece", "packed", "unpacked"]

_BLOCK: Final = 1 << 20


class Budget:
    """What may still be read of a container: bytes and entries."""

    def __init__(self, size: int, entries: int) -> None:
        self._size = size
        self._entries = entries

    def file(self, size: int) -> bool:
        """Whether a file of that size may still be read; it counts from now on if so."""
        if size > self._size:
            return False
        self._size -= size
        return True

    def entry(self) -> bool:
        """Whether one more entry may be read."""
        self._entries -= 1
        return self._entries >= 0


class Piece(NamedTuple):
    """A tree that is to lie at an absolute path, and whose its files are (user and group)."""

    tree: Tree
    path: str
    owner: tuple[int, int] = (0, 0)

    @property
    def entries(self) -> dict[str, Entry]:
        """Its entries by paths from the top."""
        prefix = self.path.strip("/")
        return {f"{prefix}/{name}" if prefix else name: entry for name, entry in self.tree.entries.items()}


def packed(pieces: Iterable[Piece], blobs: Blobs) -> bytes:
    """A tar archive, by paths from the top, of the files and links of trees; empty if there are none."""
    stream = io.BytesIO()
    count = 0
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for piece in pieces:
            for name, entry in sorted(piece.entries.items()):
                count += entry.kind in {"file", "symlink"}
                _pack(archive, name, entry, piece.owner, blobs)
        end = archive.offset
    # Without the filling up to a whole record: podman reads to the end of the archive, and takes more for a broken pipe.
    return stream.getvalue()[: end + 2 * tarfile.BLOCKSIZE] if count else b""


def _pack(archive: tarfile.TarFile, name: str, entry: Entry, owner: tuple[int, int], blobs: Blobs) -> None:
    info = tarfile.TarInfo(name)
    info.uid, info.gid = owner
    if entry.kind == "symlink":
        info.type, info.linkname, info.mode = tarfile.SYMTYPE, entry.target, 0o777
        archive.addfile(info)
    elif entry.kind == "file":
        data = file_bytes(entry, blobs)
        info.size, info.mode = len(data), 0o755 if entry.executable else 0o644
        archive.addfile(info, io.BytesIO(data))


def unpacked(
    stream: IO[bytes], top: str, blobs: Blobs, budget: Budget, wanted: Callable[[str], bool] = lambda _: True
) -> dict[str, Entry]:
    """The wanted files and links of an archive, by clean paths from the top. top: the folder that its names start in.

    A file that the budget has no room for comes as `special`, and so does what is no file or link; folders do not come.
    Raises OSError or tarfile.TarError if the archive ends too early.
    """
    found: dict[str, Entry] = {}
    with tarfile.open(fileobj=stream, mode="r|", bufsize=_BLOCK) as archive:
        for path, info in _members(archive, top):
            if info.isdir() or not wanted(path):
                continue
            if not budget.entry():
                break
            found[path.lstrip("/")] = _entry(archive, info, found, top, blobs, budget)
    return found


def _members(archive: tarfile.TarFile, top: str) -> Iterator[tuple[str, tarfile.TarInfo]]:
    for info in archive:
        path = _path(top, info.name)
        if path != "/" and _is_text(path) and _is_text(info.linkname):
            yield path, info


def _is_text(name: str) -> bool:
    """Whether a name can be written as UTF-8, as records are."""
    return "\0" not in name and not any("\ud800" <= char <= "\udfff" for char in name)


def _path(top: str, name: str) -> str:
    return "/" + posixpath.normpath(posixpath.join(top, name.lstrip("/"))).lstrip("/")


def _entry(
    archive: tarfile.TarFile, info: tarfile.TarInfo, found: Mapping[str, Entry], top: str, blobs: Blobs, budget: Budget
) -> Entry:
    if info.issym():
        return Entry(kind="symlink", target=info.linkname)
    if info.islnk():  # its content came under the other name
        return found.get(_path(top, info.linkname).lstrip("/"), Entry(kind="special"))
    if not info.isreg() or not budget.file(info.size):
        return Entry(kind="special")
    source = archive.extractfile(info)
    data = source.read() if source is not None else b""
    small = len(data) <= INLINE_LIMIT
    sha = sha256(data) if small else blobs.put(data)
    inline = base64.b64encode(data).decode() if small else None
    return Entry(executable=bool(info.mode & 0o100), size=len(data), sha=sha, inline=inline)
