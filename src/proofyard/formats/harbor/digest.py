r"""The content digest of a task folder, as Harbor has it: `sha256:` and the SHA-256 over `{path}\\0{sha256 of content}\\n`."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from proofyard.core import UsageError, sha256
from proofyard.formats.harbor.ignore import DEFAULT_PATTERNS, Patterns

__all__ = ["content_digest", "hashed_files"]

_FILES: Final = ("task.toml", "instruction.md", "README.md", "trajectory.json")
_FOLDERS: Final = ("environment", "tests", "solution", "steps")
_HIDDEN: Final = ("tests", "solution")
_IGNORE: Final = ".harborignore"


def content_digest(folder: Path) -> str:
    """The digest of a task folder.

    Raises:
        UsageError: a file cannot be read.

    """
    try:
        lines = [f"{name}\0{sha256((folder / name).read_bytes())}\n" for name in hashed_files(folder)]
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from None
    return f"sha256:{sha256(''.join(lines).encode())}"


def hashed_files(folder: Path) -> list[str]:
    """Relative POSIX paths of the files that count, sorted. `.harborignore` files and what they match do not."""
    listed = folder / ".gitignore"
    patterns = Patterns(listed.read_text("utf-8").splitlines() if listed.is_file() else DEFAULT_PATTERNS)
    names = [name for name in _FILES if (folder / name).is_file()]
    names += [name for top in _FOLDERS for name in _below(folder, top)]
    hidden = _Hidden(folder)
    return sorted(name for name in names if not patterns.ignores(name) and not hidden.leaves_out(name))


def _below(folder: Path, top: str) -> Iterator[str]:
    for at, _, files in os.walk(folder / top):
        for name in files:
            yield Path(at, name).relative_to(folder).as_posix()


class _Hidden:
    """The `.harborignore` files in the folders of tests and solutions; those deeper down are added to those above."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, Patterns] = {}

    def leaves_out(self, name: str) -> bool:
        """Whether a file does not count."""
        parts = name.split("/")
        if parts[-1] == _IGNORE:
            return True
        start = 1 if parts[0] in _HIDDEN else 3 if parts[0] == "steps" and parts[2:3] and parts[2] in _HIDDEN else 0
        return bool(start) and any(
            self._out(parts[:end], start, folder=end < len(parts)) for end in range(start + 1, len(parts) + 1)
        )

    def _out(self, parts: list[str], start: int, *, folder: bool) -> bool:
        out = False
        for depth in range(start, len(parts)):
            said = self._patterns("/".join(parts[:depth])).decided("/".join(parts[depth:]), folder=folder)
            out = out if said is None else said
        return out

    def _patterns(self, at: str) -> Patterns:
        if at not in self._read:
            listed = self._folder / at / _IGNORE
            self._read[at] = Patterns(listed.read_text("utf-8").splitlines() if listed.is_file() else ())
        return self._read[at]
