"""Where things are kept that can be made again."""

import os
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """The user's cache for proofyard: below XDG_CACHE_HOME, or ~/.cache without it. It may not exist yet."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "proofyard"
