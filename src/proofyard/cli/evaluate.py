"""`proofyard evaluate`: grade one solution of one task, or the samples of a function benchmark."""

from pathlib import Path
from typing import Any

import click

from proofyard.cli.common import echo_json, find_task, json_option, seed_option, unsafe_option
from proofyard.cli.evaluate_flags import SampleFlags, ignored, sample_options
from proofyard.cli.generate_flags import model_options
from proofyard.core import Outcome, UsageError

__all__ = ["command"]

EXIT = {Outcome.PASSED: 0, Outcome.FAILED: 1, Outcome.INVALID: 3, Outcome.ERROR: 3}


# Other tools' users write --pass_k, python-fire takes both spellings: so does this verb.
@click.command(name="evaluate")
@click.argument("target", metavar="TASK|BENCHMARK")
@click.option("--solution", type=click.Path(path_type=Path), default=None, help="The folder with the solution of TASK.")
@click.option(
    "--output",
    "output",
    type=click.Path(path_type=Path),
    default=None,
    help="Write the result here as JSON; of samples: the run folder.",
)
@click.option("--public-only", is_flag=True, help="Only the examples of the prompt; no score.")
@seed_option
@sample_options
@model_options
@unsafe_option
@json_option
def command(
    target: str,
    solution: Path | None,
    output: Path | None,
    public_only: bool,
    seed: int | None,
    samples: Path | None,
    unsafe: bool,
    as_json: bool,
    **flags: Any,
) -> int:
    """Grade the solution of TASK, or samples of BENCHMARK (bigcodebench, humaneval, humanevalplus, mbpp, mbppplus).

    With --model and no --samples, the model is asked for them first. Exit code 0 passed, 1 something failed, 3 the
    infrastructure failed.
    """
    of_samples = samples is not None or bool(flags["model"])
    if (solution is not None) == of_samples:
        raise UsageError(
            "evaluate takes --solution DIR (of one task) or --samples FILE (of a benchmark) or --model M "
            "(to ask for samples first): give one of them"
        )
    if solution is not None:
        return _one(target, solution, output, public_only=public_only, seed=seed, unsafe=unsafe, as_json=as_json)
    if public_only or seed is not None:
        raise UsageError("--public-only and --seed are for one solution, not for samples")
    for note in ignored(flags):
        click.echo(f"proofyard: {note}", err=True)
    from proofyard.cli.evaluate_model import samples_for
    from proofyard.cli.evaluate_samples import evaluate

    asked = samples_for(target, samples, flags, as_json=as_json)
    return evaluate(target, SampleFlags(samples=asked, output=output, unsafe=unsafe, as_json=as_json, **flags))


def _one(
    task: str, solution: Path, output: Path | None, *, public_only: bool, seed: int | None, unsafe: bool, as_json: bool
) -> int:
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
