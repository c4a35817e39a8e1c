"""`proofyard instances`: tasks of a family made from seeds, each proved before it is kept."""

import os
from pathlib import Path

import click

from proofyard.cli.common import echo_json, json_option, output_folder, write_report

__all__ = ["command"]

_REPORT = "instances.json"


@click.command(name="instances")
@click.argument("family")
@click.option("--n", "n", type=click.IntRange(1, 100_000), default=10, show_default=True, help="How many.")
@click.option("--seed", type=click.IntRange(0), required=True, help="Of the first; the next has the next seed.")
@click.option("--output", type=click.Path(path_type=Path), required=True, help="The folder that they are written into.")
@click.option(
    "--full", is_flag=True, help="Prove by the full profile: the reference five times, all others three times."
)
@click.option("--no-prove", is_flag=True, help="Only record what the reference comes to; nothing is proved.")
@click.option(
    "--concurrency", type=click.IntRange(1, 256), default=None, help="Gradings at once (default: processors)."
)
@json_option
def command(
    family: str,
    n: int,
    seed: int,
    output: Path,
    full: bool,
    no_prove: bool,
    concurrency: int | None,
    as_json: bool,
) -> int:
    """Make instances of FAMILY (b3: stale caches; b10: why a run failed) from seeds, one task folder each.

    The same seed gives the same bytes. What is expected of an instance comes from running its reference in the sandbox.
    Each is proved: the reference passes, nothing and every shortcut score 0 for their reason, every alternative passes;
    what is not proved is not kept. DIR/instances.json says what was made, with the parameters. The same command goes on
    where it was stopped. Exit code 1 if one was not kept, 3 if the infrastructure failed, 130 interrupted.
    """
    from proofyard.core import UsageError
    from proofyard.forge import MakeRequest, family_named, make

    if full and no_prove:
        raise UsageError("--full and --no-prove: give one of them")
    chosen = family_named(family)
    output_folder(output, fresh=False)
    request = MakeRequest(
        n=n,
        seed=seed,
        output=str(output),
        proof="none" if no_prove else "full" if full else "quick",
        concurrency=concurrency or os.cpu_count() or 1,
    )
    made = make(chosen, request, lambda line: click.echo(line, err=as_json))
    write_report(output / _REPORT, made)
    if as_json:
        echo_json(made)
    else:
        kept = len(made.instances) - len(made.dropped)
        click.echo(f"{output}: {kept}/{n} instances of {family} kept" + ("" if made.complete else "; interrupted"))
    if not made.complete:
        return 130
    return 1 if made.dropped else 0
