"""Tables on disk: one file, replaced as a whole, so that it never holds half of a change."""

import json
import os
from typing import Final

from .store import Tables

__all__ = ["StateFile"]

_NAME: Final = "state.json"


class StateFile:
    """The state of the service in a folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._path = os.path.join(folder, _NAME)  # noqa: PTH118 - pathlib would double the time to start
        self._descriptor: int | None = None

    def load(self) -> Tables | None:
        """Return the tables stored last, None if there are none yet."""
        try:
            with open(self._path, encoding="ascii") as file:  # noqa: PTH123
                tables: Tables = json.load(file)
                return tables
        except FileNotFoundError:
            return None

    def save(self, tables: Tables) -> None:
        """Store the tables. When this returns they survive a kill; if it is cut short, the old ones are still there."""
        fresh = f"{self._path}.new"
        with open(fresh, "wb") as file:  # noqa: PTH123
            file.write(json.dumps(tables).encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self._path)  # noqa: PTH105
        self._sync_folder()

    def _sync_folder(self) -> None:
        """Make the rename itself durable."""
        if self._descriptor is None:
            self._descriptor = os.open(self._folder, os.O_RDONLY)
        os.fsync(self._descriptor)
