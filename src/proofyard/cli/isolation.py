"""Where tasks of folders are held: this machine's own sandbox, or containers of docker or podman."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from proofyard.core import UsageError

__all__ = ["isolated", "isolation_option"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def isolation_option(command: _Command) -> _Command:
    """Add the option."""
    return click.option(
        "--isolation",
        type=click.Choice(["local", "docker", "podman"]),
        default="local",
        show_default=True,
        help="Task folders: this machine's own sandbox, or images built and held by an engine.",
    )(command)


def isolated(suite: str, options: Mapping[str, str], isolation: str, *, unsafe: bool = False) -> dict[str, str]:
    """The suite's options, with the engine among them.

    Raises:
        UsageError: the suite is no folder of tasks, or no isolation was asked for as well.

    """
    from proofyard.engine.plugins import FOLDERS, is_folder

    if isolation == "local":
        return dict(options)
    if unsafe:
        raise UsageError(f"--unsafe-no-sandbox and --isolation {isolation} exclude each other")
    if not is_folder(suite) and suite != FOLDERS:
        raise UsageError(f"--isolation {isolation} is for folders of tasks, not for the suite {suite}")
    return {**options, "isolation": isolation}
