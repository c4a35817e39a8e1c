"""`proofyard evaluate`: grade one solution of one task."""

from pathlib import Path

import click

from proofyard.cli.common import echo_json, find_task, json_option, seed_option, unsafe_option
from proofyard.core import Outcome, UsageError

__all__ = ["command"]

EXIT = {Outcome.PASSED: 0, Outcome.FAILED: 1, Outcome.INVALID: 3, Outcome.ERROR: 3}


@click.command(name="evaluate")
@click.argument("task")
@click.option("--solution", type=click.Path(path_type=Path), required=True, help="The folder with main.py.")
@click.option(
    "--output", "output", type=click.Path(path_type=Path), default=None, help="Write the result here as JSON."
)
@click.option("--public-only", is_flag=True, help="Only the examples of the prompt; no score.")
@seed_option
@unsafe_option
@json_option
def command(
    task: str, solution: Path, output: Path | None, public_only: bool, seed: int | None, unsafe: bool, as_json: bool
) -> int:
    """Grade the solution of TASK and show the first thing that went wrong.

    Exit code 0 passed, 1 failed, 3 the infrastructure failed.
    """
    from proofyard.agents import read_tree
    from proofyard.engine import evaluate_one
    from proofyard.reports import ResultFile, explain, write_result
    from proofyard.sandbox import LocalProvider

    suite, found = find_task(task, seed)
    if not solution.is_dir():
        raise UsageError(f"{solution}: no such folder; --solution takes the folder that holds main.py")
    if output is not None and not output.parent.is_dir():
        raise UsageError(f"cannot write {output}: its folder does not exist; choose another --output")
    blobs = suite.blobs()
    provider = LocalProvider(unsafe=unsafe)
    try:
        tree = read_tree(solution, blobs)
        trial, verdict = evaluate_one(found, tree, blobs, provider, public_only=public_only, unsafe=unsafe)
    finally:
        provider.close()
    result = ResultFile(
        format="proofyard.result",
        schema=1,
        suite=suite.name,
        version=suite.version,
        trial=trial,
        verdict=verdict,
        seed=seed,
        subset=found.subset,
        public_only=public_only,
    )
    if output is not None:
        write_result(output, result)
    if as_json:
        echo_json(result)
    else:
        click.echo(f"{task}: {explain(verdict)}")
        if public_only:
            click.echo("only the public examples were played: this is no score")
        if verdict.provenance.get("rung") == "none":
            click.echo("graded WITHOUT isolation: kept off leaderboards")
    return EXIT[verdict.outcome]
