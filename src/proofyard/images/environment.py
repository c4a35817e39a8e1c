"""Environments by name, and where in the user's cache what is built of them lies.

A lock is made of the `.in` file beside it:
`uv pip compile --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate NAME.in -o NAME.txt`
"""

import platform
import re
from functools import cache
from pathlib import Path
from typing import Final

from proofyard.core import Record, UnknownNameError, UsageError, cache_folder, digest_of, sha256
from proofyard.sandbox.machine import interpreter

__all__ = ["Environment", "Installed", "environments", "find_environment"]

_LOCKS: Final = Path(__file__).with_name("locks")
_PINNED: Final = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s\\;]+)", re.MULTILINE)
_ABOUT: Final = {
    "bigcodebench": "the libraries of BigCodeBench's tasks, at versions their own solutions were written for",
    "bigcodebench-small": "numpy, pandas, matplotlib and scikit-learn: enough for two thirds of BigCodeBench's tasks",
}


class Environment(Record, frozen=True, kw_only=True):
    """A set of pinned packages.

    python: the minor version they are pinned for, e.g. 3.11. lock: requirements with exact versions and hashes.
    """

    name: str
    python: str
    lock: str
    about: str = ""

    @property
    def packages(self) -> dict[str, str]:
        """Package -> version."""
        return dict(_PINNED.findall(self.lock))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what decides the content: the lock, the interpreter's version, the platform.

        Raises:
            UsageError: the packages are pinned for another Python than the one programs run on.

        """
        version = interpreter().version
        if not version.startswith(self.python + "."):
            raise UsageError(f"environment {self.name} is pinned for Python {self.python}, programs run on {version}")
        here = {
            "python": version,
            "system": platform.system(),
            "machine": platform.machine(),
            "libc": platform.libc_ver()[1],
        }
        return digest_of({"lock": sha256(self.lock.encode()), **here})

    @property
    def folder(self) -> Path:
        """Where it is, once it is built. Raises UsageError as `fingerprint`."""
        return cache_folder() / "envs" / self.fingerprint[:32]


class Installed(Record, frozen=True, kw_only=True):
    """An environment that is there. packages: its `site-packages`, for `Image.packages`."""

    name: str
    fingerprint: str
    packages: str

    def gate(self, suite: str) -> Path:
        """Where the gate of a suite in this environment is kept."""
        return cache_folder() / "gates" / f"{suite}-{self.fingerprint[:16]}.json"


@cache
def environments() -> dict[str, Environment]:
    """All environments by name."""
    return {
        name: Environment(name=name, python="3.11", lock=(_LOCKS / f"{name}.txt").read_text("utf-8"), about=about)
        for name, about in _ABOUT.items()
    }


def find_environment(name: str) -> Environment:
    """The environment of that name. Raises UnknownNameError."""
    known = environments()
    if name not in known:
        raise UnknownNameError("environment", name, known, "known: " + ", ".join(known))
    return known[name]
