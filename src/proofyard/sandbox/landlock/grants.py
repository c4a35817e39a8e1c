"""Which paths of the machine a program on the Landlock rung may read: the interpreter without its installed packages.

Landlock only adds rights, from a folder downwards. A folder that holds something to be kept away is therefore granted
entry by entry. Standard library only: the runner imports this file by its path.
"""

import os
from collections.abc import Callable
from typing import Final, NamedTuple

__all__ = ["DEVICES", "Grants", "machine_grants"]

DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
LIBRARIES: Final = ("/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/libx32", "/lib", "/lib64")
"""Where shared libraries live; the later ones are mostly links to the earlier."""
DATA: Final = ("/usr/share/zoneinfo",)
TOOLS: Final = ("/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/libexec", "/usr/share", "/usr/include")
"""What the image `system` adds."""
PACKAGE_FOLDERS: Final = frozenset({"site-packages", "dist-packages"})


class Grants(NamedTuple):
    """read: may be read and executed, with all below. listed: names may be listed, with all below."""

    read: tuple[str, ...]
    listed: tuple[str, ...]


def machine_grants(executable: str, stdlib: str, *, system: bool = False, packages: str = "") -> Grants:
    """Return what an interpreter needs.

    executable: the interpreter's resolved path. stdlib: the folder of its standard library. system: also the tools of
    `/usr`. packages: a folder of installed packages that the image grants, "" for none.
    """
    read = [executable, *_shared_library(executable), *DATA]
    listed = [stdlib]
    read += _entries(stdlib, lambda name: name not in PACKAGE_FOLDERS)
    for folder in _distinct(LIBRARIES):
        read += _entries(folder, lambda name: not name.startswith("python") and name != "pypy3")
    if system:
        read += TOOLS
        read += _entries("/usr/local", lambda name: name != "lib")
    if packages:
        read.append(packages)
    return Grants(tuple(read), tuple(listed))


def _shared_library(executable: str) -> list[str]:
    folder = os.path.join(os.path.dirname(os.path.dirname(executable)), "lib")  # noqa: PTH118, PTH120
    return _entries(folder, lambda name: name.startswith("libpython"))


def _entries(folder: str, wanted: Callable[[str], bool]) -> list[str]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return []
    return [f"{folder}/{name}" for name in names if wanted(name)]


def _distinct(folders: tuple[str, ...]) -> list[str]:
    seen: dict[str, str] = {}
    for folder in folders:
        seen.setdefault(os.path.realpath(folder), folder)
    return list(seen)
