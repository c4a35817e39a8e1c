"""Files of a sandbox, written and read from outside. The candidate may have put anything there, so every step goes by
folder descriptors with O_NOFOLLOW, only regular files are opened, never blocking, and never more than a limit is read.
"""

import os
import stat
from collections.abc import Iterator
from typing import Any

__all__ = ["make_folder", "read_back", "write_file", "write_link"]

DEPTH = 64
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def make_folder(top: str, path: str) -> int:
    """Make the folder `path` below `top` and return its descriptor. Raises OSError at a link on the way."""
    fd = os.open(top, FOLDER)
    try:
        for part in filter(None, path.split("/")):
            try:
                inner = os.open(part, FOLDER, dir_fd=fd)
            except FileNotFoundError:
                os.mkdir(part, 0o755, dir_fd=fd)
                inner = os.open(part, FOLDER, dir_fd=fd)
            os.close(fd)
            fd = inner
    except OSError:
        os.close(fd)
        raise
    return fd


def write_file(top: str, path: str, data: bytes, executable: bool) -> None:
    """Write one file, replacing what is there (but not a folder)."""
    folder, fd = _replaceable(top, path)
    try:
        out = os.open(folder, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644, dir_fd=fd)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(out, view) :]
            os.fchmod(out, 0o755 if executable else 0o644)
        finally:
            os.close(out)
    finally:
        os.close(fd)


def write_link(top: str, path: str, target: str) -> None:
    """Make one symbolic link, replacing what is there."""
    name, fd = _replaceable(top, path)
    try:
        os.symlink(target, name, dir_fd=fd)
    finally:
        os.close(fd)


def _replaceable(top: str, path: str) -> tuple[str, int]:
    parent, _, name = path.rpartition("/")
    fd = make_folder(top, parent)
    try:
        os.unlink(name, dir_fd=fd)
    except FileNotFoundError:
        pass
    except OSError:
        os.close(fd)
        raise
    return name, fd


def read_back(top: str, path: str, budget: int) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield (entry, content) of all that is below the folder `path` of `top`, in the order of names.

    Entries have `path` and `kind`; a file has `executable`, a link `target`. Where a content cannot be read (unreadable,
    a name that is not UTF-8, more than `budget` bytes together, too deep) the kind is `special`. A missing folder yields
    nothing.
    """
    try:
        fd = os.open(top, FOLDER)
        for part in filter(None, path.split("/")):
            inner = os.open(part, FOLDER, dir_fd=fd)
            os.close(fd)
            fd = inner
    except OSError:
        return
    yield from _Reader(budget).folder(fd, "", DEPTH)


class _Reader:
    def __init__(self, budget: int) -> None:
        self._budget = budget

    def folder(self, fd: int, prefix: str, depth: int) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Yield what is below the folder; closes `fd`."""
        try:
            for name in sorted(os.listdir(fd), key=os.fsencode):
                yield from self._one(fd, name, prefix, depth)
        except OSError:
            yield {"path": prefix.rstrip("/") or "unreadable", "kind": "special"}, b""
        finally:
            os.close(fd)

    def _one(self, fd: int, name: str, prefix: str, depth: int) -> Iterator[tuple[dict[str, Any], bytes]]:
        shown, exact = _text(name)
        path = prefix + shown
        mode = os.lstat(name, dir_fd=fd).st_mode
        if not exact:
            yield {"path": path, "kind": "special"}, b""
        elif stat.S_ISDIR(mode):
            inner = self._open_folder(fd, name) if depth else -1
            if inner < 0:
                yield {"path": path, "kind": "special"}, b""
            else:
                yield from self.folder(inner, path + "/", depth - 1)
        elif stat.S_ISLNK(mode):
            yield {"path": path, "kind": "symlink", "target": _text(os.readlink(name, dir_fd=fd))[0]}, b""
        else:
            yield self._file(fd, name, path, mode)

    @staticmethod
    def _open_folder(fd: int, name: str) -> int:
        try:
            return os.open(name, FOLDER, dir_fd=fd)
        except OSError:
            return -1

    def _file(self, fd: int, name: str, path: str, mode: int) -> tuple[dict[str, Any], bytes]:
        special = {"path": path, "kind": "special"}, b""
        if not stat.S_ISREG(mode):
            return special
        try:
            source = os.open(name, FILE, dir_fd=fd)
        except OSError:
            return special
        try:
            info = os.fstat(source)
            if not stat.S_ISREG(info.st_mode) or info.st_size > self._budget:
                return special
            data = _all(source, info.st_size)
        finally:
            os.close(source)
        self._budget -= len(data)
        return {"path": path, "kind": "file", "executable": bool(info.st_mode & 0o100)}, data


def _all(fd: int, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        data = os.read(fd, min(1 << 20, size - len(parts)))
        if not data:
            break
        parts += data
    return bytes(parts)


def _text(name: str) -> tuple[str, bool]:
    """A name as clean UTF-8, and whether it is exact."""
    raw = os.fsencode(name)
    try:
        return raw.decode(), True
    except UnicodeDecodeError:
        return raw.decode("utf-8", "backslashreplace"), False
