"""`proofyard import`: results of others as run folders."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from proofyard.cli.common import echo_json, json_option
from proofyard.core import Plan, UsageError, digest_of

if TYPE_CHECKING:
    from proofyard.formats.harbor import Attempt, ReadJob
    from proofyard.store import RunHeader, RunStore

__all__ = ["command"]

_MOST: Final = 20
"""How many things left out are named one by one."""


@click.group(name="import")
def command() -> None:
    """Make run folders of what others left."""


@command.command(name="harbor")
@click.argument("job", type=click.Path(path_type=Path))
@click.option(
    "--output", "output", type=click.Path(path_type=Path), default=None, help="The run folder (default: runs/JOB)."
)
@json_option
def harbor(job: Path, output: Path | None, as_json: bool) -> None:
    """Make a run folder of JOB, a job folder of Harbor: proofyard score, table, trace and why read it.

    Rewards, exceptions, tokens, cost, times and trajectories are taken over, and everything is marked as imported. What is
    not taken over is named on standard error. Nothing of it can be run or graded again.
    """
    from proofyard.formats.harbor import read_job
    from proofyard.store import RunStore

    found = read_job(job)
    path = output or Path("runs") / found.name
    with RunStore.create(path, _header(found)) as store:
        for attempt in found.attempts:
            _store(store, attempt)
        store.flush()
    for name, why in list(found.left.items())[:_MOST]:
        click.echo(f"left out: {name}: {why}", err=True)
    if len(found.left) > _MOST:
        click.echo(f"left out: {len(found.left) - _MOST} more (--json names them all)", err=True)
    graded = sum(attempt.verdict is not None for attempt in found.attempts)
    if as_json:
        echo_json({"run": str(path), "trials": len(found.attempts), "graded": graded, "left_out": found.left})
        return
    click.echo(f"{path}: {len(found.attempts)} trials of job {found.name}, {graded} with a verdict")


def _header(found: "ReadJob") -> "RunHeader":
    from proofyard import __version__
    from proofyard.store import SCHEMA, RunHeader

    if not found.created:
        raise UsageError(f"job {found.name} says nowhere when it began")
    briefs = {attempt.trial.task: attempt.trial.brief for attempt in found.attempts}
    subjects = {attempt.subject.digest: attempt.subject for attempt in found.attempts}
    version = digest_of(briefs)[:12]
    plan = Plan(
        suite="imported",
        version=version,
        tasks=tuple(sorted(briefs)),
        subjects=tuple(subjects.values()),
        attempts=1 + max(attempt.trial.k for attempt in found.attempts),
    )
    options = {"job": found.name, "tasks": json.dumps(plan.tasks), "version": version}
    return RunHeader(
        schema=SCHEMA, created=found.created, proofyard=__version__, plan=plan, suite_options=options, briefs=briefs
    )


def _store(store: "RunStore", attempt: "Attempt") -> None:
    folder = store.folder(attempt.trial.id)
    for move in attempt.moves:
        folder.move(move)
    for name, path in attempt.kept.items():
        folder.keep(name, path.read_bytes())
    store.append_trial(attempt.trial)
    if attempt.verdict is not None:
        store.append_verdict(attempt.verdict)
