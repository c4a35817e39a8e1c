"""`proofyard verify`: references and an alternative pass, empty projects and shortcuts fail, each for its reason."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from proofyard.cli.common import echo_json, json_option, print_rich, suite_options, writable_file, write_report
from proofyard.cli.isolation import isolated, isolation_option
from proofyard.cli.progress import Live
from proofyard.cli.repository import folder_asked, repository_options

if TYPE_CHECKING:
    from rich.table import Table

    from proofyard.checks import Verification

__all__ = ["command"]

_FOLDERS = 3
"""How often the solutions of task folders other than the reference are graded: they run anew each time."""


@click.command(name="verify")
@click.argument("suite", default="")
@repository_options
@click.option("--subset", default="", help="Only tasks of this tier.")
@click.option("--family", "families", multiple=True, help="Only tasks of this family; repeatable.")
@click.option("--task", "tasks", multiple=True, help="Only this task; repeatable.")
@click.option("--attempts", type=click.IntRange(1, 1000), default=None, help="Gradings of each reference (default: 5).")
@click.option(
    "--others", type=click.IntRange(1, 1000), default=None, help="Of each other solution (default: 1; task folders: 3)."
)
@click.option("--quick", is_flag=True, help="Grade each once.")
@click.option(
    "--concurrency", type=click.IntRange(1, 256), default=None, help="Gradings at once (default: processors)."
)
@click.option("--seed", type=click.IntRange(0), default=None, help="Verify the private set of this seed.")
@suite_options
@isolation_option
@click.option(
    "--run",
    "folder",
    type=click.Path(path_type=Path),
    default=None,
    help="Keep the gradings here, and go on with them.",
)
@click.option(
    "--output", "output", type=click.Path(path_type=Path), default=None, help="Write the report here as JSON."
)
@json_option
def command(
    suite: str,
    repo: str,
    dataset: str,
    subset: str,
    families: tuple[str, ...],
    tasks: tuple[str, ...],
    attempts: int | None,
    others: int | None,
    quick: bool,
    concurrency: int | None,
    seed: int | None,
    options: dict[str, str],
    isolation: str,
    folder: Path | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Prove each task of SUITE: grade everything whose outcome is known.

    The reference must pass every time, the empty project must fail, every shortcut must fail for its declared reason,
    and a program written from the prompt alone must pass. SUITE may be a folder of Harbor tasks: there every alternative
    must pass, nothing and shortcuts must score 0, each stopped by the check declared for it. Exit code 1 if a task is not
    proved, 3 if the infrastructure failed, 130 interrupted; with --run the same command goes on.
    """
    from proofyard.checks import VerifyRequest, verify
    from proofyard.engine.plugins import is_folder

    suite, options = folder_asked(suite, options, repo, dataset)
    options = isolated(suite, options, isolation)
    if output is not None:
        writable_file(output)
    request = VerifyRequest(
        suite=suite,
        subset=subset,
        families=families,
        tasks=tasks,
        attempts=attempts or (1 if quick else 5),
        others=others or (_FOLDERS if is_folder(suite) and not quick else 1),
        suite_options=options,
        concurrency=concurrency or os.cpu_count() or 1,
        seed=seed,
        folder=str(folder or ""),
    )
    with Live(suite, scores=False) as live:
        found = verify(request, live.update)
    if output is not None:
        write_report(output, found)
    if as_json:
        echo_json(found)
    else:
        _show(found)
        if not found.complete:
            print_rich(
                ["interrupted" + ("; the same command goes on" if folder else ": --run DIR would keep what is done")]
            )
    if not found.complete:
        return 130
    return 3 if found.errors else int(bool(found.failed))


def _show(found: "Verification") -> None:
    for changed in found.changed:
        click.echo(f"{changed} changed since: its family was graded anew", err=True)
    if found.complete:  # after an interruption most faults are that something was not graded
        print_rich([f"{task.task}: {fault}" for task in found.failed for fault in task.faults])
        print_rich([f"{task.task}: to look at: {remark}" for task in found.tasks for remark in task.remarks])
    print_rich([_table(found)])
    totals = found.totals
    print_rich([f"{totals.proved}/{totals.tasks} tasks proved"])
    if found.waiting_wall_ms:
        print_rich([f"shortcuts that wait for ever: graded under {found.waiting_wall_ms / 1000:g} s of wall a session"])
    for error in found.errors:
        click.echo(f"error: {error}", err=True)


def _table(found: "Verification") -> "Table":
    from rich import box
    from rich.table import Table

    from proofyard.checks import totals_of

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("subset")
    for name in ("tasks", "proved", "reference", "empty fails", "shortcuts told", "not applicable", "alternative"):
        table.add_column(name, justify="right")
    for subset in dict.fromkeys(task.subset for task in found.tasks):
        sums = totals_of(tuple(task for task in found.tasks if task.subset == subset))
        table.add_row(
            subset,
            str(sums.tasks),
            str(sums.proved),
            f"{sums.references_passed}/{sums.tasks * found.attempts}",
            f"{sums.nop_failed}/{sums.tasks}",
            f"{sums.told}/{sums.shortcuts}",
            str(sums.not_applicable),
            f"{sums.with_alternative}/{sums.tasks}",
        )
    return table
