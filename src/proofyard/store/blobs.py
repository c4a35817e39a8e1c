"""Contents by SHA-256 in files: `blobs/<aa>/<sha256>`, written aside and renamed, checked whenever they are read."""

import os
import threading
from pathlib import Path

from proofyard.core import Failure, InfrastructureError, sha256
from proofyard.store.disk import infrastructure, regular, sync_data, sync_folder, write_all

__all__ = ["FileBlobs"]

_ASIDE = ".aside"


class FileBlobs:
    """The blobs of one run folder. Safe for threads; several processes may put the same content."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: set[str] = set()
        self._unsynced: set[Path] = set()
        self._guard = threading.Lock()

    def put(self, data: bytes) -> str:
        """Keep `data`; return its SHA-256. Content already there is not written again.

        Raises:
            InfrastructureError: `disk_full` or `store_io`.

        """
        sha = sha256(data)
        if sha in self._known:
            return sha
        path = self._path(sha)
        if not path.exists():
            try:
                self._write(path, data)
            except OSError as error:
                raise infrastructure(error, path) from error
        self._known.add(sha)
        return sha

    def get(self, sha: str) -> bytes:
        """Return the content named `sha`.

        Raises:
            InfrastructureError: `blob_missing` if it is not there or is not what its name says.

        """
        path = self._path(sha)
        try:
            with open(path, "rb", opener=regular) as file:
                data = file.read()
        except OSError as error:
            raise _missing(f"{path}: {error.strerror}") from error
        if sha256(data) != sha:
            raise _missing(f"{path}: the content does not match its name; the run folder is damaged")
        return data

    def sync(self) -> None:
        """Make the names of all blobs put so far durable (their contents are synced as they are written)."""
        with self._guard:
            folders, self._unsynced = self._unsynced, set()
        for folder in folders:
            sync_folder(folder)

    def sweep(self) -> None:
        """Remove what writers killed in the middle left behind. Only the holder of the run's lock may call this."""
        aside = self.root / _ASIDE
        if aside.is_dir():
            for path in aside.iterdir():
                path.unlink(missing_ok=True)
            aside.rmdir()

    def _path(self, sha: str) -> Path:
        return self.root / sha[:2] / sha

    def _write(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = self.root / _ASIDE / f"{path.name}-{os.getpid()}-{threading.get_ident()}"
        aside.parent.mkdir(exist_ok=True)
        fd = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        try:
            write_all(fd, data)
            sync_data(fd)
            aside.replace(path)
        except OSError:
            aside.unlink(missing_ok=True)
            raise
        finally:
            os.close(fd)
        with self._guard:
            self._unsynced.update((path.parent, self.root))


def _missing(message: str) -> InfrastructureError:
    return InfrastructureError(Failure(code="blob_missing", message=message))
