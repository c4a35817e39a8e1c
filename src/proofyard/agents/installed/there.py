"""Where an installed program is: what `proofyard env build NAME` wrote down in the user's cache."""

from pathlib import Path
from typing import Final

import msgspec

from proofyard.core import Record, UsageError, cache_folder

__all__ = ["INSIDE", "There", "there"]

INSIDE: Final = "/opt/packages"
"""Where the folder of the program lies in a sandbox: that of `Image.packages`."""


_PATH: Final = "/opt/python/bin:/usr/local/bin:/usr/bin:/bin"


class There(Record, frozen=True, kw_only=True):
    """An installed program.

    folder: all of it; executable: below that, or the module to be run if it is Python; path: folders of what it needs on its
    PATH, below `folder`.
    """

    name: str
    version: str
    folder: str
    executable: str
    module: bool = False
    path: tuple[str, ...] = ()

    @property
    def inside(self) -> str:
        """The executable as it is named in the sandbox."""
        return self.executable if self.module else f"{INSIDE}/{self.executable}"

    def search(self, usual: str = "") -> str:
        """The PATH in the sandbox: the usual one, or that of the task, then that of the program's helpers."""
        return ":".join([usual or _PATH, *(f"{INSIDE}/{folder}" for folder in self.path)])


def there(name: str, version: str, helpers: tuple[str, ...] = ()) -> There:
    """Return where a program is. Raises UsageError if this version of it is not installed, or not with these helpers."""
    try:
        found = msgspec.json.decode((cache_folder() / "agents" / f"{name}.json").read_bytes(), type=There)
    except (OSError, msgspec.MsgspecError):
        found = None
    if found is None or found.version != version or not Path(found.folder).is_dir() or not _helped(found, helpers):
        raise UsageError(f"{name} {version} is not installed; run: proofyard env build {name}")
    return found


def _helped(found: There, helpers: tuple[str, ...]) -> bool:
    return all(any(Path(found.folder, folder, one).is_file() for folder in found.path) for one in helpers)
