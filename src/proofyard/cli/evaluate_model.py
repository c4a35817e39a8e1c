"""`proofyard evaluate BENCHMARK --model M`: the model is asked for samples, by the names that upstream's tools give files."""

from pathlib import Path
from typing import Any

import click

from proofyard.cli import generate_flags
from proofyard.cli.common import print_rich
from proofyard.core import ProofyardError

__all__ = ["samples_for"]


def samples_for(benchmark: str, samples: Path | None, flags: dict[str, Any], *, as_json: bool) -> Path:
    """Return the samples to grade: those given, or those that the model is asked for first.

    The options of the model are taken out of `flags`; of a part of the tasks (`--id-range`) only that part is graded.

    Raises:
        UsageError: the model, the data or an option is no good.
        ProofyardError: samples are missing, since questions got no answer.

    """
    notes = generate_flags.ignored(flags)
    asked = generate_flags.flags_of(flags, data=flags["data"], split=flags["split"], subset=flags["subset"])
    if samples is not None:
        if asked.model:
            click.echo("proofyard: --model changes nothing here: the samples are given", err=True)
        return samples
    for note in notes:
        click.echo(f"proofyard: {note}", err=True)
    from proofyard.cli.generate import generated

    made = generated(benchmark, asked)
    if as_json:
        click.echo("\n".join(made.lines), err=True)
    else:
        print_rich(made.lines)
    if made.interrupted:
        raise KeyboardInterrupt
    missing = made.record.counts.missing
    if missing:
        message = (
            f"{missing} of {made.record.counts.wanted} samples are missing: the same command asks for them, "
            f"--samples {made.samples} grades what is there"
        )
        raise ProofyardError(message)
    if asked.id_range:
        flags["subset"] = ",".join(made.tasks)
    return made.samples
