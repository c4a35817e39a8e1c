"""Which paths of a container belong to a piece of work, and which are left as the image has them."""

from collections.abc import Iterable, Sequence
from typing import Final

__all__ = ["ALL", "SYSTEM", "Taking"]

ALL: Final = "/"
"""Among the kept folders: whatever differs from the image, but for the system's folders; these too if `/usr` is named."""
SYSTEM: Final = ("/usr", "/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/boot")
"""Folders of programs, libraries and settings that tests rely on."""
# An agent's own home, folders of the tests, what engines write, what is gone with the processes.
_NEVER: Final = (
    "/tests", "/solution", "/skills", "/logs/verifier", "/tmp", "/proc", "/sys", "/dev", "/run", "/var/run", "/var/tmp",
    "/opt/packages", "/workspace/agent", "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/etc/mtab", "/.dockerenv",
)  # fmt: skip


class Taking:
    """What is taken of a container whose kept folders hold `ALL`.."""

    def __init__(self, kept: Sequence[str]) -> None:
        self._system = () if SYSTEM[0] in kept else SYSTEM

    def takes(self, path: str) -> bool:
        """Whether an absolute path is part of the work."""
        return path != "/logs" and not (_below(path, _NEVER) or _below(path, self._system))

    def left(self, paths: Iterable[str]) -> list[str]:
        """Those of the paths that lie in folders of the system and are not taken because of that."""
        return [path for path in paths if _below(path, self._system) and not _below(path, _NEVER)]


def _below(path: str, places: Sequence[str]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in places)
