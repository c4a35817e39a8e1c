"""`proofyard table`: tasks by models by conditions of run folders, as Markdown."""

from pathlib import Path

import click

from proofyard.cli.common import echo_json, json_option
from proofyard.core import UsageError

__all__ = ["command"]


@click.command(name="table")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--output", "output", type=click.Path(path_type=Path), default=None, help="A Markdown file to write it into."
)
@json_option
def command(runs: tuple[Path, ...], output: Path | None, as_json: bool) -> None:
    """Show a table of the run folders RUNS: a row for each task, agent with model, and condition; and each task's band.

    With --output it is written between the lines `<!-- results:start -->` and `<!-- results:end -->` of the file, whose other
    text stays as it is; a file that is not there is made.
    """
    from proofyard.reports.table import table_of
    from proofyard.reports.table_markdown import markdown
    from proofyard.store import read_run

    found = table_of([read_run(path) for path in dict.fromkeys(path.resolve() for path in runs)])
    if not found.rows:
        raise UsageError("the runs hold no attempt")
    text = markdown(found)
    if output is not None:
        _write(output, text)
    if as_json:
        echo_json({"rows": found.rows, "bands": found.bands, "repeated": found.repeated, "older": found.older})
    elif output is None:
        click.echo(text, nl=False)
    else:
        click.echo(f"{output}: {len(found.rows)} rows")


def _write(path: Path, text: str) -> None:
    from proofyard.cli.common import writable_file
    from proofyard.reports.table_markdown import placed

    try:
        before = path.read_text(encoding="utf-8") if path.exists() else None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    after = placed(text, before, str(path))
    writable_file(path)
    path.write_text(after, encoding="utf-8")
