"""`proofyard score`: resolve rates, and of function benchmarks pass@k, of result files and run folders."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from proofyard.cli.common import echo_json, json_option, print_rich, suite_named
from proofyard.cli.evaluate_flags import numbers
from proofyard.core import Suite, UsageError, digest_of
from proofyard.reports import Attempt, from_result, from_run, pass_table, read_result, score_attempts, score_table
from proofyard.reports.score import Score, TaskInfo

if TYPE_CHECKING:
    from proofyard.suites.functions import FunctionsSuite

__all__ = ["command"]


class _Source(NamedTuple):
    where: str
    suite: str
    version: str
    seed: int | None
    options: dict[str, str]
    subset: str
    attempts: tuple[Attempt, ...]
    planned: dict[str, int]


@click.command(name="score")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--subset", default=None, help="Score this tier only (default: what the runs were asked for).")
@click.option(
    "--pass-k", callback=numbers, default="1,5,10,100", show_default=True, help="Which pass@k of a function benchmark."
)
@json_option
def command(paths: tuple[Path, ...], subset: str | None, pass_k: tuple[int, ...], as_json: bool) -> None:
    """Show resolve@1 per tier and overall of run folders and result files (PATHS).

    Strict: a missing task counts as not resolved. Several attempts at one task count as their mean. Of a function benchmark
    pass@k is shown, overall, per domain and per library.
    """
    sources = [_read(path) for path in dict.fromkeys(p.resolve() for p in paths)]
    suite = _common_suite(sources)
    tasks = _universe(suite, sources, subset)
    attempts = list({a.trial: a for source in sources for a in source.attempts}.values())
    planned = {subject: count for source in sources for subject, count in source.planned.items()}
    scores = score_attempts(attempts, tasks, _grader_name(attempts), planned)
    if not scores:
        raise UsageError("no attempt to score: the runs hold none at the tasks asked for")
    functions = _functions(suite)
    if functions is not None:
        _show_functions(functions, tasks, attempts, planned, scores, pass_k, as_json=as_json)
        return
    if as_json:
        echo_json({"suite": suite.name, "version": suite.version, "tasks": len(tasks), "subjects": scores})
        return
    print_rich([f"{suite.name}, dataset {suite.version}, {len(tasks)} tasks, 95 % intervals clustered by family"])
    print_rich([score_table(scores), *_notes(scores)])


def _functions(suite: Suite) -> "FunctionsSuite | None":
    from proofyard.suites.functions import FunctionsSuite

    return suite if isinstance(suite, FunctionsSuite) else None


def _show_functions(
    suite: "FunctionsSuite",
    tasks: Mapping[str, TaskInfo],
    attempts: Iterable[Attempt],
    planned: Mapping[str, int],
    scores: Iterable[Score],
    ks: tuple[int, ...],
    *,
    as_json: bool,
) -> None:
    from proofyard.cli.pass_rates import subject_rates

    rates = subject_rates(suite, list(tasks), attempts, ks, planned)
    if as_json:
        found = [{"subject": subject, "name": name, "rates": rows} for subject, (name, rows) in rates.items()]
        head = {"suite": suite.name, "version": suite.version, "tasks": len(tasks)}
        echo_json({**head, "subjects": scores, "pass_rates": found})
        return
    print_rich([f"{suite.name}, dataset {suite.version}, {len(tasks)} tasks, 95 % intervals over tasks"])
    for name, rows in rates.values():
        print_rich([name, pass_table(rows)])
    print_rich(_notes(scores))


def _read(path: Path) -> _Source:
    if path.is_dir():
        from proofyard.store import read_run

        run = read_run(path)
        plan = run.plan
        planned = {subject.digest: plan.attempts for subject in plan.subjects}
        attempts = from_run(run.trials.values(), list(run.verdicts.values()))
        return _Source(
            str(path),
            plan.suite,
            plan.version,
            run.header.seed,
            run.header.suite_options,
            plan.subset,
            attempts,
            planned,
        )
    result = read_result(path)
    if result.public_only:
        raise UsageError(f"{path}: graded with --public-only, which is no score; evaluate it without that option")
    attempt = from_result(result, str(path))
    return _Source(str(path), result.suite, result.version, result.seed, {}, "", (attempt,), {})


def _common_suite(sources: Iterable[_Source]) -> Suite:
    first, *others = sources
    for other in others:
        if (other.suite, other.version, other.seed) != (first.suite, first.version, first.seed):
            raise UsageError(
                f"{other.where} is of {other.suite} {other.version}, {first.where} of {first.suite} {first.version}; "
                "score them apart"
            )
    suite = suite_named(first.suite, first.seed, first.options)
    if suite.version != first.version:
        raise UsageError(
            f"{first.where} is of dataset {first.suite} {first.version}, this proofyard has {suite.version}; "
            "score it with the version that made it"
        )
    return suite


def _universe(suite: Suite, sources: list[_Source], subset: str | None) -> dict[str, TaskInfo]:
    """The tasks a rate is out of: of --subset, else of the one tier that all runs were asked for, else the whole suite."""
    asked = {source.subset for source in sources}
    if subset is None:
        subset = asked.pop() if len(asked) == 1 else ""
    ids = suite.ids(subset)
    alone = _functions(suite) is not None  # no two of its tasks are variants of one another
    places = ((task_id, suite.place(task_id)) for task_id in ids)
    return {task_id: TaskInfo(place.subset, task_id if alone else place.family) for task_id, place in places}


def _grader_name(attempts: Iterable[Attempt]) -> str:
    """Name the graders that count: the digest of (task, grader digest) pairs, short."""
    pairs = sorted({(a.task, a.grader) for a in attempts if a.grader})
    return digest_of(pairs)[:12] if pairs else ""


def _notes(scores: Iterable[Score]) -> list[str]:
    lines = []
    for score in scores:
        where = f"isolation {', '.join(score.isolation)}" if score.isolation else "nothing was executed"
        older = f"; {score.older} verdicts of older graders left out" if score.older else ""
        lines.append(f"{score.name}: grader {score.grader or 'none'} (newest of {score.graders} tasks{older}); {where}")
        if not score.leaderboard:
            lines.append(f"{score.name}: not for leaderboards (the agent or the grading ran without isolation)")
        if score.unstable:
            lines.append(f"{score.name}: repeated gradings disagree on {', '.join(score.unstable)}")
        waiting = sum(row.ungraded for row in score.rows[-1:])
        if waiting:
            lines.append(
                f"{score.name}: {waiting} attempts have no verdict yet: run the same command again, or proofyard regrade"
            )
    return lines
