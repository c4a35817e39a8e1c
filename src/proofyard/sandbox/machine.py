"""Facts of this machine that a runner needs: the base interpreter, where its packages lie, a free uid, bubblewrap."""

import contextlib
import functools
import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from proofyard.core import Failure, InfrastructureError

__all__ = ["Interpreter", "bubblewrap_path", "free_uid", "interpreter", "package_masks"]

SYSTEM = Path("/usr")
INSIDE = Path("/opt/python")
FIRST_UID, LAST_UID = 60_000, 64_999


class Interpreter(NamedTuple):
    """The base interpreter (never a venv's or a version manager's shim).

    path: on this machine. executable: inside a sandbox. prefix: its folder, bound to /opt/python; "" below /usr.
    shared: whether it needs its own libpython. version: e.g. 3.11.7.
    """

    path: str
    executable: str
    prefix: str
    shared: bool
    version: str


@functools.cache
def interpreter() -> Interpreter:
    """The base interpreter of the running Python.

    Raises:
        InfrastructureError: `isolation_unavailable` if it cannot be found below its own prefix.

    """
    path = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    version = ".".join(str(part) for part in sys.version_info[:3])
    if path.is_relative_to(SYSTEM):
        return Interpreter(str(path), str(path), "", False, version)
    prefix = Path(sys.base_prefix).resolve()
    if not path.is_relative_to(prefix):
        message = f"the base interpreter {path} does not lie below its prefix {prefix}"
        raise InfrastructureError(Failure(code="isolation_unavailable", message=message))
    inside = INSIDE / path.relative_to(prefix)
    shared = any((prefix / "lib").glob("libpython3*.so*"))
    return Interpreter(str(path), str(inside), str(prefix), shared, version)


@functools.cache
def package_masks() -> tuple[str, ...]:
    """Folders, as named inside a sandbox, in which installed packages lie: an empty folder is laid over each."""
    found: set[Path] = set()
    patterns = ("lib/python3*/site-packages", "lib/python3*/dist-packages", "lib/python3/dist-packages")
    roots = {Path("/usr"): Path("/usr"), Path("/usr/local"): Path("/usr/local")}
    prefix = interpreter().prefix
    if prefix:
        roots[Path(prefix)] = INSIDE
    for outside, inside in roots.items():
        for pattern in patterns:
            found.update(inside / folder.relative_to(outside) for folder in outside.glob(pattern) if folder.is_dir())
    own = Path(__file__).resolve().parents[1]
    if own.is_relative_to(SYSTEM) and not any(own.is_relative_to(folder) for folder in found):
        found.add(own)
    return tuple(sorted(str(folder) for folder in found))


def bubblewrap_path() -> str:
    """Where bubblewrap lies; "" if it is not installed."""
    return shutil.which("bwrap") or ""


def free_uid(taken: set[int]) -> int:
    """An unprivileged uid of which no process lives, so that what a runner leaves behind can be counted by uid."""
    used = set(taken)
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                used.add(folder.stat().st_uid)
    span = LAST_UID - FIRST_UID + 1
    start = os.getpid() * 17 % span
    for step in range(span):
        uid = FIRST_UID + (start + step) % span
        if uid not in used:
            return uid
    raise InfrastructureError(Failure(code="sandbox_start", message="no free uid between 60000 and 64999"))
