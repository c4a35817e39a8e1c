"""`proofyard reference`: the reference solution, for auditing."""

from pathlib import Path

import click

from proofyard.cli.common import find_task, output_folder, seed_option
from proofyard.core import UsageError, file_bytes

__all__ = ["command"]


@click.command(name="reference")
@click.argument("task")
@click.option("--output", "output", type=click.Path(path_type=Path), required=True, help="An empty or new folder.")
@seed_option
def command(task: str, output: Path, seed: int | None) -> None:
    """Write TASK's reference as a submission below --output."""
    suite, found = find_task(task, seed)
    solution = found.solution("reference")
    if solution is None:
        raise UsageError(f"task {task} ships no reference")
    folder = output_folder(output)
    for path, entry in solution.tree.entries.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file_bytes(entry, suite.blobs()))
    click.echo(f"{len(solution.tree.entries)} files in {folder}")
