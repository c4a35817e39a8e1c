"""A folder of the host as a tree."""

import os
import stat
from pathlib import Path

from proofyard.core import Blobs, Entry, Tree, UsageError, tree_of

__all__ = ["read_folder"]

_MAX_FILES = 10_000
_MAX_BYTES = 1 << 30


def read_folder(folder: Path, blobs: Blobs) -> Tree:
    """Read all regular files below `folder`, and symbolic links as links; a folder that is not there is an empty tree.

    Raises:
        UsageError: a device, FIFO or socket; a name that is not UTF-8; over 10,000 files or 1 GiB.

    """
    files: dict[str, bytes] = {}
    links: dict[str, Entry] = {}
    executable: list[str] = []
    size = 0
    for top, folders, names in os.walk(folder):
        for name in (*names, *(name for name in folders if Path(top, name).is_symlink())):
            path = Path(top, name)
            inside = _inside(folder, path)
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                links[inside] = Entry(kind="symlink", target=str(path.readlink()))
                continue
            if not stat.S_ISREG(mode):
                raise UsageError(f"{path} is neither a file nor a link")
            size += path.stat().st_size
            if size > _MAX_BYTES or len(files) == _MAX_FILES:
                raise UsageError(f"{folder} is too large: at most {_MAX_FILES} files and {_MAX_BYTES} bytes are read")
            files[inside] = path.read_bytes()
            if mode & stat.S_IXUSR:
                executable.append(inside)
    return tree_of(dict(sorted(files.items())), blobs, executable).merged(Tree(entries=links))


def _inside(folder: Path, path: Path) -> str:
    inside = path.relative_to(folder).as_posix()
    try:
        inside.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{str(path)!a}: the name is not UTF-8") from None
    return inside
