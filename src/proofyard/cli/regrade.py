"""`proofyard regrade`: grade the kept submissions of a run again."""

from pathlib import Path

import click

from proofyard.cli.common import echo_json, json_option, unsafe_option
from proofyard.cli.progress import Live

__all__ = ["command"]


@click.command(name="regrade")
@click.argument("run_folder", type=click.Path(path_type=Path))
@click.option(
    "--concurrency", type=click.IntRange(1, 256), default=None, help="Gradings at once (default: processors)."
)
@unsafe_option
@json_option
def command(run_folder: Path, concurrency: int | None, unsafe: bool, as_json: bool) -> int:
    """Grade the kept submissions of RUN_FOLDER again. Verdicts are added; nothing is rewritten."""
    import os

    from proofyard.engine import regrade

    with Live(str(run_folder)) as live:
        outcome = regrade(run_folder, live.update, concurrency=concurrency or os.cpu_count() or 1, unsafe=unsafe)
    if as_json:
        echo_json(outcome)
    else:
        live.close_with(outcome)
    return outcome.exit_code
