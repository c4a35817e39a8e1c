"""`proofyard lint`: task folders looked at without running them."""

from pathlib import Path

import click

from proofyard.cli.common import echo_json, json_option

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
    rows = [(task, one) for task in tasks for one in lint(task)]
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
