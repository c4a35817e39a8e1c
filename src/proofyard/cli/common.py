"""What several verbs share: suites by name, places to write, tables and JSON on standard output."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from proofyard.core import Suite, Task, UnknownNameError, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = [
    "echo_json",
    "find_task",
    "json_option",
    "output_folder",
    "print_rich",
    "seed_option",
    "suite_named",
    "suite_options",
    "unsafe_option",
    "writable_file",
    "write_report",
]

json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output on standard output.")
seed_option = click.option("--seed", type=click.IntRange(0), default=None, help="Of the private set of this seed.")
suite_options = click.option(
    "--suite-option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=lambda _ctx, _param, given: _named(given),
    help="What the suite is to know, e.g. data=FILE; repeatable.",
)
unsafe_option = click.option(
    "--unsafe-no-sandbox",
    "unsafe",
    is_flag=True,
    help="Run programs with your rights and NO isolation; stamped on results.",
)


def _named(given: Sequence[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for name, sign, _ in pairs:
        if not (name and sign):
            raise click.BadParameter("write NAME=VALUE, e.g. data=FILE")
    return {name: value for name, _, value in pairs}


def suite_named(name: str, seed: int | None = None, options: Mapping[str, str] | None = None) -> Suite:
    """Load the suite of that name.

    Raises:
        UnknownNameError: there is none.
        UsageError: it takes no such seed or options, or its data are not there.
    """
    from proofyard.engine.plugins import load_suite

    return load_suite(name, seed, options)


def find_task(task_id: str, seed: int | None = None) -> tuple[Suite, Task]:
    """Find a task by its id alone: the suite's name is its first part (`scratch-easy-001-word-frequency`, `HumanEval/3`).

    Raises:
        UnknownNameError: no suite has such a task; the nearest are suggested.
        UsageError: the data of its suite are not there.
    """
    from proofyard.engine.plugins import suite_names

    names = suite_names()
    first = task_id.partition("/")[0].lower()
    suite = next((suite_named(n, seed) for n in names if task_id.startswith(f"{n}-") or first == n), None)
    if suite is None:
        known = [i for name in names for i in _ids_of(name)]
        raise UnknownNameError("task", task_id, known, "proofyard list scratch shows them all")
    return suite, suite.load(task_id)


def _ids_of(name: str) -> Sequence[str]:
    """The ids of a suite, none where its data are not there."""
    try:
        return suite_named(name).ids()
    except UsageError:
        return ()


def output_folder(path: Path, *, fresh: bool = True) -> Path:
    """Make a folder to write into.

    Raises:
        UsageError: it cannot be made or written, or (with `fresh`) holds something already.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        occupied = fresh and any(path.iterdir())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another --output") from None
    if occupied:
        raise UsageError(f"{path} is not empty; choose another --output")
    if not os.access(path, os.W_OK | os.X_OK):
        raise UsageError(f"cannot write {path}: permission denied; choose another --output")
    return path


def writable_file(path: Path) -> None:
    """Check that a report can be written where it is wanted, before hours are spent on it. Raises UsageError."""
    try:
        with path.open("ab"):
            pass
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another --output") from None


def write_report(path: Path, value: Any) -> None:
    """Write a record as JSON, every field named, those that hold their default too. Raises UsageError."""
    writable_file(path)
    path.write_text(_pretty(value) + "\n", encoding="utf-8")


def echo_json(value: Any) -> None:
    """Print records or plain values as JSON, every field named, those that hold their default too."""
    click.echo(_pretty(value))


def _pretty(value: Any) -> str:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(_plain(value)), indent=2).decode()


def _plain(value: Any) -> Any:
    import msgspec

    if isinstance(value, msgspec.Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def print_rich(items: Iterable["RenderableType"]) -> None:
    """Print tables and lines on standard output; in a pipe at 160 columns, so that no cell is cut."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=160)
    for item in items:
        console.print(item, markup=False) if isinstance(item, str) else console.print(item)
