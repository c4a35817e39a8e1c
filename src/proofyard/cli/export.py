"""`proofyard export`: tasks and results in the formats of others."""

from pathlib import Path

import click

from proofyard.cli.common import echo_json, json_option, output_folder, print_rich
from proofyard.core import UnknownNameError, UsageError

__all__ = ["command"]


@click.group(name="export")
def command() -> None:
    """Write tasks and results in the formats of others."""


@command.command(name="hf")
@click.argument("suite")
@click.option(
    "--output", "output", type=click.Path(path_type=Path), required=True, help="Folder to write, for the hub."
)
@click.option(
    "--seed", type=click.IntRange(0), default=1729, show_default=True, help="Another seed gives a private set."
)
@click.option(
    "--repository", default="proofyard/scratch", show_default=True, help="Name on the hub, for the example in the card."
)
@json_option
def hugging_face(suite: str, output: Path, seed: int, repository: str, as_json: bool) -> None:
    """Write SUITE as a Hugging Face dataset: a card, one config a tier, and a default one with all tiers.

    `datasets.load_dataset(FOLDER, "easy", split="test")` reads it back, also offline.
    """
    if suite != "scratch":
        raise UnknownNameError("suite", suite, ["scratch"], hint="only this one can be exported as a dataset")
    from proofyard.suites.scratch import export

    manifest = export(output_folder(output, fresh=False), seed, repository)
    if as_json:
        echo_json(manifest)
        return
    print_rich([f"dataset scratch {manifest.version}, seed {seed}, {manifest.tasks} tasks, for the hub in {output}"])


@command.command(name="harbor")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--output", "output", type=click.Path(path_type=Path), required=True, help="The folder of jobs to write it into."
)
@click.option("--name", "name", default="", help="The job's name (default: the run folder's).")
@json_option
def harbor(run: Path, output: Path, name: str, as_json: bool) -> None:
    """Write the run folder RUN as a job folder of Harbor: results, trajectories, rewards; nothing where there is no reward.

    Submissions are not part of a job. `proofyard import harbor` reads it back.
    """
    from proofyard.cli.export_job import job_of
    from proofyard.formats.harbor import write_job
    from proofyard.store import read_run

    data = read_run(run)
    if name in {".", ".."} or "/" in name:
        raise UsageError(f"--name {name}: no name of a folder")
    head, attempts, notes = job_of(data, name or run.resolve().name)
    folder = output / head.name
    count = write_job(folder, head, attempts)
    for note in notes:
        click.echo(note, err=True)
    if as_json:
        echo_json({"job": str(folder), "trials": count})
        return
    click.echo(f"{folder}: {count} trials")
