"""`proofyard trace`: what an agent did in an attempt, move by move."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from proofyard.cli.common import echo_json, json_option
from proofyard.core import Move, Trial, UnknownNameError, UsageError

if TYPE_CHECKING:
    from proofyard.formats.atif import Trajectory
    from proofyard.store import RunData

__all__ = ["command", "find_trial"]


@click.command(name="trace")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("trial", default="")
@click.option("--atif", "atif", is_flag=True, help="Write the trajectory in ATIF 1.7.")
@click.option("--output", "output", type=click.Path(path_type=Path), default=None, help="Write here, with --atif.")
@click.option("--full", is_flag=True, help="Shorten nothing.")
@json_option
def command(run: Path, trial: str, atif: bool, output: Path | None, full: bool, as_json: bool) -> int:
    """Show the attempt TRIAL of the run folder RUN: thoughts, commands, outputs, edits, cost and verdict.

    TRIAL is a trial's id or its beginning, a task's id, or TASK:K for its attempt K. Without it the trials are listed.
    RUN may also be a file in ATIF.
    """
    from proofyard.store import read_moves, read_run

    if run.is_file():
        _foreign(run, trial, full=full, as_json=as_json)
        return 0
    data = read_run(run)
    if not trial and len(data.trials) != 1:
        _listed(data, as_json=as_json)
        return 0
    found = find_trial(data, trial)
    moves = read_moves(run, found.id)
    if atif:
        _write(_trajectory(data, found, moves), output)
    elif as_json:
        echo_json({"trial": found, "verdict": data.newest().get(found.id), "moves": moves})
    else:
        _show(data, found, moves, full=full)
    return 0


def find_trial(data: "RunData", wanted: str) -> Trial:
    """The trial meant by an id, its beginning, a task or TASK:K. Raises UsageError if it is none or not one alone."""
    trials = list(data.trials.values())
    task, _, k = wanted.rpartition(":")
    found = [t for t in trials if t.id.startswith(wanted) or t.task == wanted or (t.task == task and str(t.k) == k)]
    if not found:
        names = [*data.trials, *{t.task for t in trials}]
        raise UnknownNameError("trial", wanted, names, f"proofyard trace {data.path} lists them all")
    if len(found) > 1:
        ids = ", ".join(t.id for t in found[:4])
        raise UsageError(f"{wanted!r} names {len(found)} trials: {ids}{', ...' if len(found) > 4 else ''}; give one id")
    return found[0]


def _listed(data: "RunData", *, as_json: bool) -> None:
    verdicts = data.newest()
    rows = [(t, verdicts.get(t.id)) for t in data.trials.values()]
    if as_json:
        echo_json([{"trial": t.id, "task": t.task, "k": t.k, "outcome": v.outcome if v else None} for t, v in rows])
        return
    for trial, verdict in rows:
        came = (
            "not graded" if verdict is None else f"{verdict.outcome}{f' ({verdict.reason})' if verdict.reason else ''}"
        )
        click.echo(f"{trial.id}  {trial.task}  {trial.k}  {trial.subject_name}  {came}")


def _show(data: "RunData", trial: Trial, moves: Sequence[Move], *, full: bool) -> None:
    from proofyard.reports.trace import FULL, SHORT, moves_lines, trial_lines, verdict_lines

    _echo(trial_lines(trial))
    if moves:
        _echo(moves_lines(moves, data.blobs, FULL if full else SHORT))
    else:
        _echo(_logged(data.path, trial.id, full=full))
    _echo(["", *verdict_lines(data.newest().get(trial.id))])


def _logged(run: Path, trial: str, *, full: bool) -> Iterator[str]:
    """What there is of an agent that logs no moves: its steps, and what it printed."""
    from proofyard.reports.clean import clean, shorten
    from proofyard.store import TrialFolder, read_steps

    yield "this agent logs no moves"
    for step in read_steps(run, trial):
        facts = ", ".join(f"{name} {value!r}" for name, value in step.items() if name not in {"at", "kind"})
        yield f"  {step.get('at')} {step.get('kind')}: {clean(shorten(facts, 1000))}"
    for name in ("stdout", "stderr"):
        path = TrialFolder(run, trial).path / name
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        if text:
            yield f"  {name}:"
            yield from (f"  | {line}" for line in clean(shorten(text, 10**9 if full else 4000)).splitlines())


def _foreign(path: Path, trial: str, *, full: bool, as_json: bool) -> None:
    from proofyard.formats.atif import read_atif
    from proofyard.reports.trace import FULL, SHORT, moves_lines

    if trial:
        raise UsageError(f"{path} is a file, and so one trajectory: leave {trial!r} out")
    try:
        found = read_atif(path.read_bytes(), str(path))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    if as_json:
        echo_json(found)
        return
    click.echo(f"{found.agent} {found.version}  {found.model}".rstrip())
    _echo(moves_lines(found.moves, None, FULL if full else SHORT))


def _trajectory(data: "RunData", trial: Trial, moves: Sequence[Move]) -> "Trajectory":
    from proofyard.formats.atif import Trajectory

    subject = next(s for plan in data.plans for s in plan.subjects if s.digest == trial.subject)
    return Trajectory(
        agent=subject.agent,
        version=subject.version or "unknown",
        model=subject.model or "",
        session=trial.id,
        id=trial.id,
        moves=tuple(moves),
    )


def _write(trajectory: "Trajectory", output: Path | None) -> None:
    from proofyard.cli.common import writable_file
    from proofyard.formats.atif import write_atif

    data = write_atif(trajectory)
    if output is None:
        click.echo(data.decode(), nl=False)
        return
    writable_file(output)
    output.write_bytes(data)


def _echo(lines: Iterator[str] | list[str]) -> None:
    for line in lines:
        click.echo(line)
