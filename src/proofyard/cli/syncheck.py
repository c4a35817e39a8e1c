"""`proofyard syncheck`: is each task there, and is each sample a program?"""

import ast
import warnings
from pathlib import Path
from typing import Any

import click

from proofyard.cli.common import echo_json, json_option, print_rich
from proofyard.cli.sample_data import Loaded, data_options, load_samples
from proofyard.formats.samples import Sample
from proofyard.suites.functions.subsets import chosen

__all__ = ["command"]


@click.command(name="syncheck")
@data_options
@click.option("--subset", default="", help="full, hard, ids, or a file of ids: the tasks that should be there.")
@click.option("--nsample-check", type=click.IntRange(1), default=1, metavar="N", help="Samples a task should have.")
@click.option("--verbose", is_flag=True, help="Name each task and sample.")
@json_option
def command(
    samples: Path | None,
    named: Path | None,
    benchmark: str,
    data: str,
    subset: str,
    nsample_check: int,
    verbose: bool,
    as_json: bool,
) -> int:
    """Count tasks of SAMPLES that are missing, and samples that are empty or not Python, out of how many.

    Exit code 1 if there is any. Nothing is executed.
    """
    loaded = load_samples(samples, named, benchmark, data)
    tasks = chosen(subset, tuple(loaded.prompts), loaded.benchmark) if loaded.prompts else tuple(loaded.samples.of_task)
    report = _checked(loaded, tasks, nsample_check)
    if as_json:
        echo_json(report)
    else:
        print_rich(_lines(report, nsample_check, verbose))
    return 1 if any(report[name] for name in ("missing", "short", "empty", "unparsable")) else 0


def _checked(loaded: Loaded, tasks: tuple[str, ...], least: int) -> dict[str, Any]:
    counts = {task: len(loaded.samples.of_task.get(task, ())) for task in tasks}
    samples = [sample for task in tasks for sample in loaded.samples.of_task.get(task, ())]
    errors = [(sample, _error(sample.solution)) for sample in samples if sample.solution.strip()]
    return {
        "tasks": len(tasks),
        "tasks_known": bool(loaded.prompts),
        "samples": len(samples),
        "missing": [task for task, count in counts.items() if not count],
        "short": [{"task_id": task, "samples": count} for task, count in counts.items() if 0 < count < least],
        "empty": [_name(sample) for sample in samples if not sample.solution.strip()],
        "unparsable": [_name(sample) | {"error": error} for sample, error in errors if error],
    }


def _name(sample: Sample) -> dict[str, Any]:
    return {"task_id": sample.task_id, "k": sample.k}


def _error(program: str) -> str:
    """Why a program does not parse, "" if it does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(program)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "nested too deeply"
    return ""


def _lines(report: dict[str, Any], least: int, verbose: bool) -> list[str]:
    missing = f"missing: {len(report['missing'])} of {report['tasks']} tasks"
    if not report["tasks_known"]:
        missing = f"missing: not known without --data; the file has samples of {report['tasks']} tasks"
    lines = [missing, *(f"  {task}" for task in report["missing"] if verbose)]
    if least > 1:
        lines.append(f"fewer than {least} samples: {len(report['short'])} of {report['tasks']} tasks")
        lines += [f"  {item['task_id']}: {item['samples']}" for item in report["short"] if verbose]
    for name in ("empty", "unparsable"):
        lines.append(f"{name}: {len(report[name])} of {report['samples']} samples")
        lines += [
            f"  {item['task_id']} sample {item['k']} {item.get('error', '')}".rstrip()
            for item in report[name]
            if verbose
        ]
    return lines
