"""`proofyard doctor`: which isolation this machine gives, rung by rung, and what is not isolated."""

import platform
import sys

import click

from proofyard.cli.common import echo_json, json_option, print_rich
from proofyard.core import Capabilities

__all__ = ["command"]


@click.command(name="doctor")
@click.option("--short", is_flag=True, help="One line only.")
@json_option
def command(short: bool, as_json: bool) -> int:
    """Run a canary program on each rung of the sandbox ladder and show what this machine gives.

    Exit code 3 if no rung isolates.
    """
    from proofyard.sandbox import LocalProvider

    provider = LocalProvider()
    try:
        found = provider.probe()
    finally:
        provider.close()
    if as_json:
        echo_json(found)
    elif short:
        click.echo(f"isolation: {found.best or 'NONE (see proofyard doctor)'}")
    else:
        _show(found)
    return 0 if found.best else 3


def _show(found: Capabilities) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rung", no_wrap=True)
    table.add_column("works", no_wrap=True)
    table.add_column("why not / what it leaves open")
    for report in found.rungs:
        said = [*([report.reason] if report.reason else []), *report.open]
        table.add_row(report.rung, "yes" if report.works else "no", "\n".join(f"- {line}" for line in said))
    facts = "\n".join(f"{key}: {value}" for key, value in found.facts.items())
    best = (
        f"used by default: {found.best}" if found.best else "nothing isolates here: only --unsafe-no-sandbox would run"
    )
    print_rich([f"Python {platform.python_version()} on {sys.platform} {platform.machine()}", facts, table, best])
    if sys.platform != "linux":
        print_rich(["This is not Linux: no rung of the ladder isolates here; results that count need Linux."])
