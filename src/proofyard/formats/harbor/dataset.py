"""Sets of task folders: `registry.json` (datasets by name and version) and `dataset.toml` (tasks by digest)."""

import re
from pathlib import Path
from typing import Any, Final

import msgspec

from proofyard.core import Record, UnknownNameError, UsageError
from proofyard.formats.harbor.config import Author
from proofyard.formats.harbor.document import read_document
from proofyard.formats.harbor.toml import toml_text

__all__ = [
    "DatasetFile",
    "DatasetTable",
    "DatasetTask",
    "RegistryEntry",
    "RegistryTask",
    "choose",
    "dataset_text",
    "read_dataset",
    "read_registry",
]

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_VERSION: Final = re.compile(
    r"v?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview|dev|post|rev|r)[-_.]?(\d*))?\Z"
)
_BEFORE: Final = {"dev": -4, "a": -3, "alpha": -3, "b": -2, "beta": -2, "c": -1, "rc": -1, "pre": -1, "preview": -1}


class RegistryTask(Record, frozen=True, kw_only=True):
    """A task of a dataset: a path below the registry's folder, or within a git repository."""

    name: str
    path: str
    git_url: str | None = None
    git_commit_id: str | None = None


class RegistryEntry(Record, frozen=True, kw_only=True):
    """A dataset of a `registry.json`, at one version. metrics: `{type, kwargs}` each."""

    name: str
    version: str
    description: str = ""
    tasks: tuple[RegistryTask, ...] = ()
    metrics: tuple[dict[str, Any], ...] = ()


class DatasetTable(Record, frozen=True, kw_only=True):
    """`[dataset]`: name is `org/name`."""

    name: str
    version: str | None = None
    description: str = ""
    authors: tuple[Author, ...] = ()
    keywords: tuple[str, ...] = ()


class DatasetTask(Record, frozen=True, kw_only=True):
    """A task and its content digest, `sha256:` and 64 digits."""

    name: str
    content: str = msgspec.field(name="digest")


class DatasetPart(Record, frozen=True, kw_only=True):
    """A further file: a bare name, and perhaps its digest."""

    path: str
    content: str | None = msgspec.field(name="digest", default=None)


class DatasetFile(Record, frozen=True, kw_only=True):
    """A whole `dataset.toml`."""

    dataset: DatasetTable
    tasks: tuple[DatasetTask, ...] = ()
    files: tuple[DatasetPart, ...] = ()


def read_registry(path: Path) -> tuple[RegistryEntry, ...]:
    """Read a `registry.json`. Raises UsageError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[RegistryEntry, ...])
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} is no registry of datasets: {error}") from None


def choose(entries: tuple[RegistryEntry, ...], wanted: str) -> RegistryEntry:
    """The dataset that `name` or `name@version` stands for: without a version `head`, else the highest.

    Raises:
        UnknownNameError: there is no such name or version.

    """
    name, _, version = wanted.partition("@")
    named = [entry for entry in entries if entry.name == name]
    if not named:
        raise UnknownNameError("dataset", name, [entry.name for entry in entries])
    if not version:
        return next((entry for entry in named if entry.version == "head"), max(named, key=_order))
    found = next((entry for entry in named if entry.version == version), None)
    if found is None:
        raise UnknownNameError(f"version of {name}", version, [entry.version for entry in named])
    return found


def _order(entry: RegistryEntry) -> tuple[bool, tuple[int, ...], int, int, str]:
    """Versions that can be ordered come after those that can only be sorted as text."""
    found = _VERSION.match(entry.version.lower())
    if found is None:
        return False, (), 0, 0, entry.version
    numbers = [int(part) for part in found[1].split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    kind = 0 if found[2] is None else _BEFORE.get(found[2], 1)
    return True, tuple(numbers), kind, int(found[3] or 0), ""


def read_dataset(path: Path) -> DatasetFile:
    """Read a `dataset.toml`. Raises UsageError."""
    try:
        found = msgspec.convert(read_document(path), type=DatasetFile, strict=True)
    except FileNotFoundError:
        raise UsageError(f"cannot read {path}: there is no such file") from None
    except msgspec.ValidationError as error:
        raise UsageError(f"{path} is no dataset: {error}") from None
    for digest in (*(task.content for task in found.tasks), *(part.content for part in found.files if part.content)):
        if not _DIGEST.fullmatch(digest):
            raise UsageError(f"{path}: {digest!r} is no digest (sha256: and 64 digits)")
    for part in found.files:
        if "/" in part.path or "\\" in part.path or part.path in {"", ".", ".."}:
            raise UsageError(f"{path}: {part.path!r} is no bare name of a file")
    return found


def dataset_text(dataset: DatasetFile) -> str:
    """Write a `dataset.toml`."""
    return toml_text(msgspec.to_builtins(dataset))
