"""`proofyard lint`: task folders looked at without running them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from proofyard.cli.common import echo_json, json_option
from proofyard.core import UsageError

if TYPE_CHECKING:
    from proofyard.formats.harbor.lint import Finding

__all__ = ["command"]


@click.command(name="lint")
@click.argument("folders", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@json_option
def command(folders: tuple[Path, ...], strict: bool, as_json: bool) -> int:
    """Look at the tasks in FOLDERS without running anything. Exit code 1 if one is unfit to be run or proved."""
    from proofyard.formats.harbor.lint import lint
    from proofyard.suites.harbor.finding import folders_below

    tasks = [task for folder in folders for task in folders_below(folder)]
    rows = [(task, one) for task in tasks for one in (*lint(task), *_of_machine(task))]
    if as_json:
        echo_json([{"task": str(task), "level": o.level, "code": o.code, "message": o.message} for task, o in rows])
    else:
        for task, one in rows:
            click.echo(f"{task}: {one.level}: {one.message} [{one.code}]")
        counts = {level: sum(one.level == level for _, one in rows) for level in ("error", "warning", "note")}
        said = ", ".join(f"{count} {level}{'s' if count != 1 else ''}" for level, count in counts.items())
        click.echo(f"{len(tasks)} task{'s' if len(tasks) != 1 else ''}: {said}")
    bad = {"error", "warning"} if strict else {"error"}
    return 1 if any(one.level in bad for _, one in rows) else 0


def _of_machine(folder: Path) -> "list[Finding]":
    """What the task's image needs of this machine and does not find."""
    from proofyard.core import MemoryBlobs
    from proofyard.formats.harbor import read_task
    from proofyard.formats.harbor.lint import Finding
    from proofyard.images.packages import system_packages

    try:
        steps = read_task(folder, MemoryBlobs()).task.steps[0].brief.work.image.steps
    except UsageError:
        return []  # said already
    wanted = {name for step in steps if step.kind == "system" for name in step.requirements}
    missing = ", ".join(sorted(wanted - system_packages()))
    return [Finding("warning", "not-installed", f"not installed on this machine: {missing}")] if missing else []
