"""`proofyard validate`: every reference passes, every empty project fails."""

import os
from pathlib import Path

import click

from proofyard.cli.common import echo_json, json_option, print_rich, writable_file, write_report
from proofyard.cli.progress import Live

__all__ = ["command"]


@click.command(name="validate")
@click.option("--suite", default="scratch", show_default=True)
@click.option("--subset", default="", help="Only tasks of this tier.")
@click.option("--family", "families", multiple=True, help="Only tasks of this family; repeatable.")
@click.option("--attempts", type=click.IntRange(1, 1000), default=1, show_default=True, help="Gradings of each.")
@click.option(
    "--concurrency", type=click.IntRange(1, 256), default=None, help="Gradings at once (default: processors)."
)
@click.option("--seed", type=click.IntRange(0), default=None, help="Validate the private set of this seed.")
@click.option(
    "--output", "output", type=click.Path(path_type=Path), default=None, help="Write the report here as JSON."
)
@json_option
def command(
    suite: str,
    subset: str,
    families: tuple[str, ...],
    attempts: int,
    concurrency: int | None,
    seed: int | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Grade every reference, which must pass, and every empty project, which must fail.

    Exit code 1 if a task is not as it must be, 3 if the infrastructure failed, 130 interrupted.
    """
    from proofyard.checks import validate

    if output is not None:
        writable_file(output)
    with Live(suite, scores=False) as live:
        found = validate(
            suite,
            live.update,
            subset=subset,
            families=families,
            attempts=attempts,
            concurrency=concurrency or os.cpu_count() or 1,
            seed=seed,
        )
    if output is not None:
        write_report(output, found)
    if as_json:
        echo_json(found)
    else:
        print_rich([f"{task.task}: {task.fault}" for task in found.failed])
        good = len(found.tasks) - len(found.failed)
        print_rich(
            [f"{good}/{len(found.tasks)} tasks valid: reference passes {attempts}/{attempts}, empty project fails"]
        )
        for error in found.errors:
            click.echo(f"error: {error}", err=True)
    if not found.complete:
        return 130
    if found.errors:
        return 3
    return 1 if found.failed else 0
