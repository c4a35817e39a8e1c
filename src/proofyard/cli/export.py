"""`proofyard export`: tasks and results in the formats of others."""

from pathlib import Path

import click

from proofyard.cli.common import echo_json, json_option, output_folder, print_rich
from proofyard.core import UnknownNameError

__all__ = ["command"]


@click.group(name="export")
def command() -> None:
    """Write tasks in the formats of others."""


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
