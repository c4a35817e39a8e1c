"""`proofyard run`: agents attempt tasks; everything is graded and kept."""

from pathlib import Path

import click

from proofyard.cli.common import echo_json, json_option, suite_options, unsafe_option
from proofyard.cli.progress import Live
from proofyard.core import UsageError

__all__ = ["command"]


@click.command(name="run")
@click.argument("suite")
@click.option(
    "--agent", "agents", multiple=True, required=True, help="oracle, nop, folder:DIR or command:'CMD'; repeatable."
)
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
@unsafe_option
@json_option
def command(
    suite: str,
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
    unsafe: bool,
    as_json: bool,
) -> int:
    """Let agents attempt the tasks of SUITE, grade each attempt, and keep everything in a run folder.

    The same command again resumes an interrupted run; a larger --attempts extends it. Exit code 1 if any submission
    failed, 3 if any trial is still in error.
    """
    import os

    from proofyard.engine import RunRequest, run

    if tasks and (subset or families):
        raise UsageError("--task together with --subset or --family: give one of them")
    request = RunRequest(
        suite=suite,
        output=str(output or _default_output(suite, agents)),
        agents=agents,
        subset=subset,
        families=families,
        tasks=tasks,
        attempts=attempts,
        concurrency=concurrency or os.cpu_count() or 1,
        unsafe=unsafe,
        grade=not no_grade,
        seed=seed,
        suite_options=options,
    )
    if unsafe:
        click.echo(
            "proofyard: WARNING: --unsafe-no-sandbox: programs may run with your rights and no isolation", err=True
        )
    with Live(request.output) as live:
        outcome = run(request, live.update)
    if as_json:
        echo_json(outcome)
    else:
        live.close_with(outcome)
    return outcome.exit_code


def _default_output(suite: str, agents: tuple[str, ...]) -> Path:
    name = "-".join("".join(c if c.isalnum() else "-" for c in agent)[:24].strip("-") for agent in agents)
    return Path("runs") / f"{suite}-{name}"
