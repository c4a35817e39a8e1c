"""Suites, agents and graders by name, through entry points; only the one asked for is imported.

A plug-in is an object in another distribution's entry points `proofyard.suites`, `proofyard.agents` or
`proofyard.graders`; the built-in ones come in by the same door.
"""

import functools
import inspect
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final, Literal

from proofyard.core import Grader, Suite, UnknownNameError, UsageError

__all__ = [
    "FOLDERS",
    "Group",
    "grader_of",
    "is_folder",
    "load",
    "load_suite",
    "loaded",
    "names",
    "options_of",
    "suite_names",
]

Group = Literal["suites", "agents", "graders"]
FOLDERS: Final = "harbor"
"""The suite that a folder stands for."""


def names(group: Group) -> list[str]:
    """Return the names in a group, sorted."""
    return sorted({point.name for point in _points(group)})


def load(group: Group, name: str) -> Any:
    """Import what a name stands for.

    Raises:
        UnknownNameError: there is no such name; the nearest are suggested.
        UsageError: it cannot be imported.

    """
    found = [point for point in _points(group) if point.name == name]
    if not found:
        raise UnknownNameError(group.removesuffix("s"), name, names(group), "known: " + ", ".join(names(group)))
    try:
        return found[0].load()
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{group.removesuffix('s')} {name!r} cannot be loaded: {error}") from error


@functools.cache
def loaded(group: Group, name: str) -> Any:
    """Import what a name stands for, once a process; for work that is done again and again. Raises as `load`."""
    return load(group, name)


def suite_names() -> list[str]:
    """Return the names of all suites."""
    return names("suites")


def load_suite(name: str, seed: int | None = None, options: Mapping[str, str] | None = None) -> Suite:
    """Return the suite of that name; `seed` makes a private set of it, None is the public one.

    options: what else the suite is to know, e.g. where its data are; handed to its factory as the keyword `options`. A folder
    in the name's place is one of Harbor tasks.

    Raises:
        UnknownNameError, UsageError: see `load`; or the suite takes no seed or no options.

    """
    if is_folder(name):
        name, options = FOLDERS, {**(options or {}), "path": name}
    factory = load("suites", name)
    takes = inspect.signature(factory).parameters
    if seed is not None and not any(parameter.kind is not parameter.KEYWORD_ONLY for parameter in takes.values()):
        raise UsageError(f"suite {name} has no private sets: leave the seed out")
    if options and "options" not in takes:
        raise UsageError(f"suite {name} takes no options ({', '.join(sorted(options))})")
    more = {"options": options} if options else {}
    suite: Suite = factory(**more) if seed is None else factory(seed, **more)
    return suite


def is_folder(name: str) -> bool:
    """Whether a folder is given in the place of a suite's name; a suite's own name is never taken for one."""
    return name not in suite_names() and Path(name).is_dir()


def options_of(suite: Suite) -> dict[str, str]:
    """Return the options that make this suite again; a suite without the attribute `options` takes none."""
    return dict(getattr(suite, "options", {}))


def grader_of(kind: str) -> Grader:
    """Return a new grader of that kind.

    Raises:
        UnknownNameError, UsageError: see `load`.

    """
    grader: Grader = load("graders", kind)()
    return grader


def _points(group: Group) -> list[EntryPoint]:
    return list(entry_points(group=f"proofyard.{group}"))
