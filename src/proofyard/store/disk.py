"""Writing to disk so that it stays: whole writes, atomic replacement, synced folders, and what an OSError means here."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from proofyard.core import Failure, InfrastructureError, UsageError

__all__ = ["infrastructure", "regular", "sync_data", "sync_folder", "unwritable", "write_all", "write_once"]

_FULL = {errno.ENOSPC, errno.EDQUOT}


def infrastructure(error: OSError, path: Path) -> InfrastructureError:
    """Turn an operating system's error while writing below `path` into `disk_full` or `store_io`."""
    text = error.strerror or str(error)
    if error.errno in _FULL:
        return InfrastructureError(Failure(code="disk_full", message=f"{path}: {text}; free space and run again"))
    return InfrastructureError(Failure(code="store_io", message=f"{path}: {text}"))


@contextmanager
def unwritable(path: Path) -> Iterator[None]:
    """Report an OSError of the block: a full disk is infrastructure, anything else means that `path` was a bad choice."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL or error.errno == errno.EIO:
            raise infrastructure(error, path) from error
        raise UsageError(f"cannot write to {path}: {error.strerror or error}") from error


def regular(path: str, flags: int) -> int:
    """Open a file, as `opener` of `open`, without ever waiting. Raises OSError for what is no regular file, as a FIFO."""
    fd = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "no regular file")
    return fd


def write_all(fd: int, data: bytes) -> None:
    """Write all bytes, however many calls that takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_data(fd: int) -> None:
    """Make a file's content durable; systems without fdatasync get the dearer fsync."""
    getattr(os, "fdatasync", os.fsync)(fd)


def write_once(path: Path, data: bytes) -> None:
    """Write a file that after a crash is there whole or not at all: temporary file, fsync, rename, fsync of the folder."""
    temporary = path.with_name(f".{path.name}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        write_all(fd, data)
        os.fsync(fd)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        os.close(fd)
    temporary.replace(path)
    sync_folder(path.parent)
