"""Which folders are the tasks: below a path, or as a data set's file lists them, its digests checked."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from proofyard.core import UnknownNameError, UsageError, sha256
from proofyard.formats.harbor import (
    RegistryEntry,
    choose,
    content_digest,
    read_config,
    read_dataset,
    read_registry,
    task_name,
)

__all__ = ["Found", "find", "folders_below"]

_DEEPEST: Final = 4


class Found(NamedTuple):
    """Task folders by the tasks' names. name: what the set is called, "" for plain folders."""

    folders: dict[str, Path]
    name: str = ""
    version: str = ""


def find(path: Path, dataset: str = "") -> Found:
    """Find tasks: `path` is one, or holds some, or with `dataset` (`name` or `name@version`) a `registry.json`.

    A folder with a `dataset.toml` holds exactly the tasks which that lists.

    Raises:
        UsageError: there are none, two have the same name, or one is not as its digest says.

    """
    if not path.is_dir():
        raise UsageError(f"{path}: no such folder")
    if dataset:
        return _registered(path, choose(read_registry(path / "registry.json"), dataset))
    if (path / "dataset.toml").is_file() and not (path / "task.toml").is_file():
        return _listed(path)
    return Found(_named(folders_below(path)))


def folders_below(path: Path) -> list[Path]:
    """The task folders that a path is or holds, whatever is wrong with them. Raises UsageError if there is none."""
    if not path.is_dir():
        raise UsageError(f"{path}: no such folder")
    found = [path] if (path / "task.toml").is_file() else list(_below(path, 0))
    if not found:
        raise UsageError(f"{path} holds no Harbor task: no folder in it has a task.toml")
    return found


def _below(path: Path, depth: int) -> Iterator[Path]:
    try:
        children = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
    except OSError:
        return  # not ours to read, or gone meanwhile
    for child in children:
        if child.is_symlink() or not child.is_dir():
            continue
        if (child / "task.toml").is_file():
            yield child
        elif depth < _DEEPEST:
            yield from _below(child, depth + 1)


def _named(folders: list[Path]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in folders:
        name = task_name(folder, read_config(folder / "task.toml").config)
        if name in found:
            raise UsageError(f"two tasks are named {name!r}: {found[name]} and {folder}")
        found[name] = folder
    return found


def _registered(path: Path, entry: RegistryEntry) -> Found:
    folders = []
    for task in entry.tasks:
        if task.git_url is not None:
            raise UsageError(
                f"{path / 'registry.json'}: {task.name} lies in {task.git_url}: clone it, and give the folder as the suite"
            )
        folder = (path / task.path).resolve()
        if not folder.is_relative_to(path.resolve()):
            raise UsageError(f"{path / 'registry.json'}: {task.name}: {task.path} leads outside")
        folders.append(folder)
    names = _named(folders)
    _check_digests(path, names)
    return Found(names, entry.name, entry.version)


def _check_digests(path: Path, names: dict[str, Path]) -> None:
    """What a `dataset.toml` beside a registry says of these tasks must hold."""
    if not (path / "dataset.toml").is_file():
        return
    known = {task.name: task.content for task in read_dataset(path / "dataset.toml").tasks}
    for name, folder in names.items():
        if name in known:
            _check(path, name, folder, known[name])


def _listed(path: Path) -> Found:
    listed = read_dataset(path / "dataset.toml")
    there = _named(list(_below(path, 0)))
    for part in listed.files:
        file = path / part.path
        if not file.is_file():
            raise UsageError(f"{path / 'dataset.toml'} lists the file {part.path}, which is not there")
        if part.content is not None and part.content != f"sha256:{sha256(file.read_bytes())}":
            raise UsageError(f"{file} is not the file that {path / 'dataset.toml'} lists: its digest differs")
    folders = {}
    for task in listed.tasks:
        if task.name not in there:
            raise UnknownNameError("task", task.name, there, f"{path / 'dataset.toml'} lists it")
        _check(path, task.name, there[task.name], task.content)
        folders[task.name] = there[task.name]
    if not folders:
        raise UsageError(f"{path / 'dataset.toml'} lists no tasks")
    return Found(folders, listed.dataset.name, listed.dataset.version or "")


def _check(path: Path, name: str, folder: Path, digest: str) -> None:
    found = content_digest(folder)
    if found != digest:
        raise UsageError(
            f"{os.path.relpath(folder, path)} is not the task {name} that {path / 'dataset.toml'} lists: its digest is {found}"
        )
