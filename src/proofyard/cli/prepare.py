"""`proofyard prepare`: a place to work on a task."""

from pathlib import Path

import click

from proofyard.cli.common import find_task, output_folder, seed_option
from proofyard.core import file_bytes

__all__ = ["command"]


@click.command(name="prepare")
@click.argument("task")
@click.option("--output", "output", type=click.Path(path_type=Path), required=True, help="An empty or new folder.")
@seed_option
def command(task: str, output: Path, seed: int | None) -> None:
    """Write TASK's PROMPT.md and an empty project/ folder below --output."""
    suite, found = find_task(task, seed)
    brief = found.steps[0].brief
    folder = output_folder(output)
    (folder / "PROMPT.md").write_text(brief.prompt, encoding="utf-8")
    project = folder / "project"
    project.mkdir()
    for path, entry in brief.files.entries.items():
        target = project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file_bytes(entry, suite.blobs()))
    click.echo(f"{folder / 'PROMPT.md'}\n{project}")
    click.echo(f"next: write {project / brief.entry}, then: proofyard evaluate {task} --solution {project}", err=True)
