"""Engines by name, as a task's image names the one that it was built by: `docker://IMAGE`, `podman://IMAGE`."""

import shutil
import threading
from typing import Final

from proofyard.sandbox.container.engine import KNOWN, Engine, find_engine, unavailable
from proofyard.sandbox.container.owner import remove_leftovers

__all__ = ["engine_of", "reference"]

_SIGN: Final = "://"
_found: dict[str, Engine] = {}
"""By the path of the program."""
_guard = threading.Lock()


def reference(name: str, image: str) -> str:
    """How an image of the engine of that name is written."""
    return f"{name}{_SIGN}{image}"


def engine_of(text: str) -> tuple[Engine, str]:
    """The engine that a reference names, and its image. What killed runs left in that engine is removed, once a process.

    Raises:
        InfrastructureError: `isolation_unavailable`, the engine does not answer.

    """
    name, _, image = text.partition(_SIGN)
    if name not in KNOWN:
        raise unavailable(f"{text!r} names no container engine")
    with _guard:
        key = shutil.which(name) or name
        if key not in _found:
            engine = find_engine(wanted=name)
            remove_leftovers(engine)
            _found[key] = engine
        return _found[key], image
