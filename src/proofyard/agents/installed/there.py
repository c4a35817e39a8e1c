"""Where an installed program is: what `proofyard env build NAME` wrote down in the user's cache."""

from pathlib import Path

import msgspec

from proofyard.core import Record, UsageError, cache_folder

__all__ = ["INSIDE", "There", "there"]

INSIDE = "/opt/packages"
"""Where the folder of the program lies in a sandbox: that of `Image.packages`."""


class There(Record, frozen=True, kw_only=True):
    """An installed program. folder: all of it; executable: below that, or the module to be run if it is Python."""

    name: str
    version: str
    folder: str
    executable: str
    module: bool = False

    @property
    def inside(self) -> str:
        """The executable as it is named in the sandbox."""
        return self.executable if self.module else f"{INSIDE}/{self.executable}"


def there(name: str, version: str) -> There:
    """Return where a program is. Raises UsageError if this version of it is not installed."""
    try:
        found = msgspec.json.decode((cache_folder() / "agents" / f"{name}.json").read_bytes(), type=There)
    except (OSError, msgspec.MsgspecError):
        found = None
    if found is None or found.version != version or not Path(found.folder).is_dir():
        raise UsageError(f"{name} {version} is not installed; run: proofyard env build {name}")
    return found
