"""`proofyard new`: a folder to begin a task with."""

from pathlib import Path

import click

__all__ = ["command"]


@click.group(name="new")
def command() -> None:
    """Write something new to begin with."""


@command.command(name="task")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--name", default="", help="The task's name, org/name (default: local/ and the folder's own).")
def task(folder: Path, name: str) -> None:
    """Write a small task into FOLDER that is whole: it passes lint, and verify proves it."""
    from proofyard.suites.harbor.skeleton import write_skeleton

    written = write_skeleton(folder, name or f"local/{folder.resolve().name}")
    click.echo(f"{folder}: {len(written)} files written. Next: proofyard grade {folder}; proofyard verify {folder}")
