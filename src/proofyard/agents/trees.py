"""Folders into trees and back. Whatever lies in a folder to be read is hostile: links are not followed, only regular files
are opened, and no more is read than a submission may have.
"""

import base64
import os
import stat
from pathlib import Path

from proofyard.core import INLINE_LIMIT, Blobs, Entry, Tree, UsageError, file_bytes, sha256

__all__ = ["read_tree", "unread", "write_tree"]

_DEEPEST = 64
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def read_tree(folder: Path, blobs: Blobs, *, max_files: int = 4096, max_bytes: int = 64 << 20) -> Tree:
    """Read a folder.

    Links come as `symlink` entries, devices, FIFOs, sockets, unreadable files and names that are not UTF-8 as `special`
    ones. Beyond `max_files` names, `max_bytes` bytes or 64 levels contents are not read: such an entry has its size but
    no `sha` (see `unread`). Empty folders leave no trace. If `folder` itself is no folder, the tree has it as its only entry.

    Raises:
        UsageError: the folder does not exist or cannot be opened.
        InfrastructureError: from `blobs`.

    """
    try:
        kind = folder.lstat().st_mode
        if not stat.S_ISDIR(kind):
            return Tree(entries={_text(folder.name): _odd(folder.name, folder.parent, kind)})
        top = os.open(folder, _FOLDER)
    except OSError as error:
        raise UsageError(f"cannot read {folder}: {error.strerror}") from error
    reader = _Reader(blobs, max_files, max_bytes)
    try:
        reader.folder(top, "", 0)
    finally:
        os.close(top)
    return Tree(entries=reader.entries)


def unread(tree: Tree) -> str | None:
    """Return the first path whose content was over the limits and not read, None if the tree is whole."""
    return next((path for path, e in sorted(tree.entries.items()) if e.kind == "file" and not e.sha), None)


def write_tree(tree: Tree, folder: Path, blobs: Blobs) -> None:
    """Write a tree's regular files below a folder, which is made if need be.

    Raises:
        UsageError: it has other entries than regular files, or the folder cannot be written.
        InfrastructureError: a content is missing.

    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, entry in tree.entries.items():
            if entry.kind != "file":
                raise UsageError(f"{path} is no regular file ({entry.kind}) and is not written to {folder}")
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file_bytes(entry, blobs))
            target.chmod(0o755 if entry.executable else 0o644)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from error


class _Reader:
    def __init__(self, blobs: Blobs, max_files: int, max_bytes: int) -> None:
        self.entries: dict[str, Entry] = {}
        self._blobs = blobs
        self._names_left = max_files
        self._bytes_left = max_bytes

    def folder(self, fd: int, prefix: str, depth: int) -> None:
        with os.scandir(fd) as found:
            names = sorted(item.name for item in found)
        for name in names:
            path = prefix + _text(name)
            self._names_left -= 1
            if self._names_left < 0 or depth >= _DEEPEST:
                self.entries[path] = Entry()
                return
            try:
                kind = os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode
            except OSError:
                self.entries[path] = Entry(kind="special")
                continue
            if stat.S_ISDIR(kind) and path == prefix + name:
                self._descend(fd, name, path, depth)
            else:
                self.entries[path] = self._entry(fd, name, path == prefix + name, kind)

    def _descend(self, fd: int, name: str, path: str, depth: int) -> None:
        try:
            inner = os.open(name, _FOLDER, dir_fd=fd)
        except OSError:
            self.entries[path] = Entry(kind="special")
            return
        try:
            self.folder(inner, path + "/", depth + 1)
        finally:
            os.close(inner)

    def _entry(self, fd: int, name: str, named: bool, kind: int) -> Entry:
        if not named or not stat.S_ISREG(kind):
            return _odd(name, fd, kind) if named else Entry(kind="special")
        try:
            handle = os.open(name, _FILE, dir_fd=fd)
        except OSError:
            return Entry(kind="special")
        try:
            return self._file(handle)
        except OSError:
            return Entry(kind="special")
        finally:
            os.close(handle)

    def _file(self, handle: int) -> Entry:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return Entry(kind="special")
        executable = bool(status.st_mode & 0o100)
        if status.st_size > self._bytes_left:
            self._bytes_left = 0
            return Entry(executable=executable, size=status.st_size)
        with os.fdopen(os.dup(handle), "rb") as stream:
            data = stream.read(self._bytes_left + 1)
        if len(data) > self._bytes_left:
            self._bytes_left = 0
            return Entry(executable=executable, size=len(data))
        self._bytes_left -= len(data)
        small = len(data) <= INLINE_LIMIT
        return Entry(
            executable=executable,
            size=len(data),
            sha=sha256(data) if small else self._blobs.put(data),
            inline=base64.b64encode(data).decode() if small else None,
        )


def _odd(name: str, where: int | Path, kind: int) -> Entry:
    if not stat.S_ISLNK(kind):
        return Entry(kind="special")
    try:
        target = os.readlink(name, dir_fd=where) if isinstance(where, int) else str((where / name).readlink())
    except OSError:
        return Entry(kind="special")
    return Entry(kind="symlink", target=_text(target))


def _text(name: str) -> str:
    """A file's name as JSON can hold it: bytes that are no UTF-8 are written as escapes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
