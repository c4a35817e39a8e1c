"""`proofyard list`: the tasks of a suite."""

from typing import Any

import click

from proofyard.cli.common import echo_json, json_option, print_rich, seed_option, suite_named, suite_options
from proofyard.cli.repository import folder_asked, repository_options
from proofyard.core import Suite

__all__ = ["command"]


@click.command(name="list")
@click.argument("suite", default="")
@repository_options
@click.option("--subset", default="", help="Only tasks of this tier.")
@seed_option
@suite_options
@json_option
def command(
    suite: str, repo: str, dataset: str, subset: str, seed: int | None, options: dict[str, str], as_json: bool
) -> None:
    """List the tasks of SUITE (a name, or a folder of Harbor tasks): id, tier, family, category, number of assertions."""
    suite, options = folder_asked(suite, options, repo, dataset)
    loaded = suite_named(suite, seed, options)
    rows = [_row(loaded, task_id) for task_id in loaded.ids(subset)]
    if as_json:
        echo_json(rows)
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("task_id", "subset", "family", "category"):
        table.add_column(name, no_wrap=True)
    table.add_column("assertions", justify="right")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    total = sum(row["num_assertions"] for row in rows)
    for name, why in getattr(loaded, "skipped", {}).items():
        click.echo(f"left out: {name}: {why}", err=True)
    print_rich([table, f"{len(rows)} tasks, {total} assertions, dataset {loaded.name} {loaded.version}"])


def _row(suite: Suite, task_id: str) -> dict[str, Any]:
    place = suite.place(task_id)
    return {
        "task_id": task_id,
        "subset": place.subset,
        "family": place.family,
        "category": place.category,
        "num_assertions": suite.assertions(task_id),
    }
