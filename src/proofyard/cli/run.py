"""`proofyard run`: agents attempt tasks; everything is graded and kept."""

import os
from pathlib import Path
from typing import Any

import click

from proofyard.cli.common import echo_json, json_option, suite_options, unsafe_option
from proofyard.cli.isolation import isolated, isolation_option
from proofyard.cli.progress import Live
from proofyard.cli.repository import folder_asked, repository_options
from proofyard.cli.run_flags import ModelFlags, entrants, model_options
from proofyard.core import UsageError

__all__ = ["command"]

_UNSAFE = "proofyard: WARNING: --unsafe-no-sandbox: programs may run with your rights and no isolation"


@click.command(name="run")
@click.argument("suite", default="")
@repository_options
@click.option(
    *("--agent", "agents"),
    multiple=True,
    help="oneshot, terminal, oracle, nop, folder:DIR, command:'CMD', ...; repeatable.",
)
@model_options
@click.option("--subset", default="", help="Only tasks of this tier.")
@click.option("--family", "families", multiple=True, help="Only tasks of this family; repeatable.")
@click.option("--task", "tasks", multiple=True, help="Only this task; repeatable.")
@click.option("--attempts", type=click.IntRange(1, 10_000), default=1, show_default=True, help="Attempts a task.")
@click.option(
    "--concurrency", type=click.IntRange(1, 256), default=None, help="Attempts at once (default: processors)."
)
@click.option(
    "--output", "output", type=click.Path(path_type=Path), default=None, help="The run folder (default: runs/...)."
)
@click.option("--seed", type=click.IntRange(0), default=None, help="Run on the private set of this seed.")
@suite_options
@click.option("--no-grade", is_flag=True, help="Only collect submissions; proofyard regrade grades them later.")
@isolation_option
@unsafe_option
@json_option
def command(
    suite: str,
    repo: str,
    dataset: str,
    agents: tuple[str, ...],
    subset: str,
    families: tuple[str, ...],
    tasks: tuple[str, ...],
    attempts: int,
    concurrency: int | None,
    output: Path | None,
    seed: int | None,
    options: dict[str, str],
    no_grade: bool,
    isolation: str,
    unsafe: bool,
    as_json: bool,
    **models: Any,
) -> int:
    """Let agents attempt the tasks of SUITE (a name, or a folder of Harbor tasks), grade each attempt, and keep
    everything in a run folder.

    Agents that work with a model are measured with each --model under each --condition. The same command again resumes an
    interrupted run; a larger --attempts extends it, a larger --max-cost lets it go on. Exit code 1 if any submission failed,
    3 if any trial is still in error or was not begun.
    """
    from proofyard.engine import RunRequest, run

    if tasks and (subset or families):
        raise UsageError("--task together with --subset or --family: give one of them")
    suite, options = folder_asked(suite, options, repo, dataset)
    options = isolated(suite, options, isolation, unsafe=unsafe)
    flags = ModelFlags(**models)
    who = entrants(agents, flags)
    request = RunRequest(
        suite=suite,
        output=str(output or _default_output(suite, [f"{one.agent}-{one.model}" for one in who])),
        entrants=who,
        subset=subset,
        families=families,
        tasks=tasks,
        attempts=attempts,
        concurrency=concurrency or os.cpu_count() or 1,
        unsafe=unsafe,
        grade=not no_grade,
        seed=seed,
        suite_options=options,
        budget=flags.run_budget,
        env_file=str(flags.env_file.resolve()) if flags.env_file else "",
        prices=str(flags.prices.resolve()) if flags.prices else "",
        model_attempts=flags.model_attempts,
        answers=str(flags.answers.resolve()) if flags.answers else "",
    )
    if unsafe:
        click.echo(_UNSAFE, err=True)
    with Live(request.output) as live:
        outcome = run(request, live.update)
    echo_json(outcome) if as_json else live.close_with(outcome)
    return outcome.exit_code


def _default_output(suite: str, who: list[str]) -> Path:
    name = "-".join("".join(c if c.isalnum() else "-" for c in one.strip("-"))[:40].strip("-") for one in who)[:120]
    place = Path(suite)
    return Path("runs") / f"{place.resolve().name if place.is_dir() else suite}-{name}"
