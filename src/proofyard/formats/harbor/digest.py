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
    hidden = {top: _harborignore(folder / top) for top in _roots(folder)}
    return sorted(name for name in names if not patterns.ignores(name) and not _left_out(name, hidden))


def _below(folder: Path, top: str) -> Iterator[str]:
    for at, _, files in os.walk(folder / top):
        for name in files:
            yield Path(at, name).relative_to(folder).as_posix()


def _roots(folder: Path) -> Iterator[str]:
    yield from ("tests", "solution")
    steps = folder / "steps"
    for step in sorted(steps.iterdir()) if steps.is_dir() else ():
        yield from (f"steps/{step.name}/tests", f"steps/{step.name}/solution")


def _harborignore(folder: Path) -> Patterns | None:
    listed = folder / ".harborignore"
    return Patterns(listed.read_text("utf-8").splitlines()) if listed.is_file() else None


def _left_out(name: str, hidden: dict[str, Patterns | None]) -> bool:
    for top, patterns in hidden.items():
        if patterns is not None and name.startswith(f"{top}/"):
            inside = name[len(top) + 1 :]
            return inside == ".harborignore" or patterns.ignores(inside)
    return False
