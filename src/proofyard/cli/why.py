"""`proofyard why`: failed attempts of a run by cause, with the move that first went wrong."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from proofyard.cli.common import echo_json, json_option, suite_named, unsafe_option
from proofyard.core import UsageError

if TYPE_CHECKING:
    from proofyard.core import Suite
    from proofyard.reports.why import Why
    from proofyard.store import RunData

__all__ = ["command"]


@click.command(name="why")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--trial", "trial", default="", help="Only this attempt: an id, its beginning, a task, TASK:K.")
@click.option(
    "--snapshots",
    "most",
    type=click.IntRange(0),
    default=12,
    show_default=True,
    help="Grade at most so many workspaces of an attempt; 0: run nothing.",
)
@unsafe_option
@json_option
def command(run: Path, trial: str, most: int, unsafe: bool, as_json: bool) -> int:
    """Say why the attempts of the run folder RUN failed: by cause, each with the move that first went wrong.

    Workspaces that were kept after moves are graded for it, once: the grades are kept in the user's cache.
    """
    from proofyard.cli.trace import find_trial
    from proofyard.reports.why_lines import why_lines
    from proofyard.store import read_run

    data = read_run(run)
    wanted = [find_trial(data, trial).id] if trial else list(data.trials)
    found = _attributed(data, wanted, most, unsafe=unsafe)
    if as_json:
        echo_json(found)
        return 0
    for line in why_lines(found):
        click.echo(line)
    return 0


def _attributed(data: "RunData", wanted: list[str], most: int, *, unsafe: bool) -> "list[Why]":
    from contextlib import ExitStack

    from proofyard.cli.why_snapshots import SnapshotGrader, chosen
    from proofyard.core import Outcome
    from proofyard.reports.why import Seen, attribute
    from proofyard.store import read_moves

    verdicts = data.newest()
    found: list[Why] = []
    with ExitStack() as stack:
        grader: SnapshotGrader | None = None
        for n, name in enumerate(wanted, 1):
            trial, verdict, moves = data.trials[name], verdicts.get(name), read_moves(data.path, name)
            asked = chosen(moves, verdict.submission if verdict else "", most)
            grades = {}
            if asked and verdict is not None and verdict.outcome is Outcome.FAILED:
                click.echo(f"{n}/{len(wanted)}: grading {len(asked)} workspaces of {trial.task}", err=True)
                grader = grader or stack.enter_context(SnapshotGrader(_suite(data), data.blobs, unsafe=unsafe))
                grades = dict(grader.grades(trial.task, asked))
            if verdict is not None:
                grades[verdict.submission] = verdict
            found.append(attribute(Seen(trial, verdict, moves, grades)))
    return found


def _suite(data: "RunData") -> "Suite":
    suite = suite_named(data.header.plan.suite, data.header.seed, data.header.suite_options)
    if suite.version != data.plan.version:
        raise UsageError(
            f"{data.path} was made with dataset version {data.plan.version}; this proofyard has {suite.version}: "
            "--snapshots 0 grades nothing"
        )
    return suite
