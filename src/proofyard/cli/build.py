"""`proofyard build`: the dataset as files."""

from pathlib import Path

import click

from proofyard.cli.common import echo_json, json_option, output_folder, print_rich

__all__ = ["command"]


@click.command(name="build")
@click.option("--output", "output", type=click.Path(path_type=Path), required=True, help="Folder for the JSONL files.")
@click.option(
    "--seed", type=click.IntRange(0), default=1729, show_default=True, help="Another seed gives a private set."
)
@click.option("--subset", default="", help="Only the file of this tier.")
@json_option
def command(output: Path, seed: int, subset: str, as_json: bool) -> None:
    """Write the scratch dataset: one JSONL file a tier and manifest.json with a SHA-256 a file."""
    from proofyard.suites.scratch import build

    manifest = build(output_folder(output, fresh=False), seed, subset)
    if as_json:
        echo_json(manifest)
        return
    print_rich([f"dataset scratch {manifest.version}, seed {seed}, in {output}"])
    for name, file in manifest.files.items():
        print_rich([f"{name}: {file}"])
