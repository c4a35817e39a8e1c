"""What `sanitize` and `syncheck` share: a samples file, the benchmark it belongs to, and what its rows know of each task."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click

from proofyard.core import UnknownNameError, UsageError
from proofyard.formats.lines import read_lines
from proofyard.formats.rows import BigCodeRow, EvalRow, read_big_code, read_evals
from proofyard.formats.samples import SampleFile, read_samples
from proofyard.suites.functions.datasets import DATASETS, HUB, find
from proofyard.suites.functions.programs import completed

__all__ = ["Loaded", "data_options", "load_samples"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_OF_PREFIX: Final = {"BigCodeBench": "bigcodebench", "HumanEval": "humaneval", "Mbpp": "mbpp"}
_AUTO: Final = "auto"
_BIG_CODE_ENTRY: Final = "task_func"


class Loaded(NamedTuple):
    """Samples, and of their benchmark's rows the entry point and the prompt of each task.

    benchmark: "" if the ids do not tell. prompts: empty, if there is no data at hand; then entry_points holds what is known.
    """

    samples: SampleFile
    benchmark: str
    entry_points: Mapping[str, str]
    prompts: Mapping[str, str]


def data_options(command: _Command) -> _Command:
    """Add the argument and the options that say which samples, and of what."""
    path = click.Path(path_type=Path)
    names = [_AUTO, *DATASETS]
    for option in (
        click.option("--data", default="", metavar="FILE", help="The benchmark's file, or hub to fetch it."),
        click.option(
            "--benchmark",
            "--dataset",
            "benchmark",
            type=click.Choice(names),
            default=_AUTO,
            help="Default: as the ids say.",
        ),
        click.option("--samples", "named", type=path, default=None, help="The same as the argument."),
        click.argument("samples", type=path, required=False),
    ):
        command = option(command)
    return command


def load_samples(samples: Path | None, named: Path | None, benchmark: str, data: str) -> Loaded:
    """Read samples, and the rows of their benchmark if these are at hand: a file named, one of the variables, or the hub.

    Raises:
        UsageError: there is no such file, or something in it is no sample; a completion whose prompt is not known.
        UnknownNameError: a task that the benchmark does not have.

    """
    path = samples or named
    if path is None or (samples and named):
        raise UsageError("give the samples once: a .jsonl or .jsonl.gz file, or a folder")
    ids = _ids(path)
    benchmark = benchmark if benchmark != _AUTO else next((_OF_PREFIX.get(i.split("/")[0], "") for i in ids), "")
    rows = _rows(benchmark, data)
    if rows:
        prompts = {row.task_id: completed(row) for row in rows}
        entry_points = {row.task_id: row.entry_point for row in rows}
        return Loaded(read_samples(path, prompts), benchmark, entry_points, prompts)
    found = read_samples(path, dict.fromkeys(ids, ""))
    for task, attempts in found.of_task.items():
        if any("completion" in sample.row and "solution" not in sample.row for sample in attempts):
            variable = DATASETS[benchmark].variable if benchmark else "one of the *_OVERRIDE_PATH variables"
            raise UsageError(
                f"{path}: {task} has a completion, which needs its prompt: give --data FILE or set {variable}"
            )
    entry_points = dict.fromkeys(ids, _BIG_CODE_ENTRY) if benchmark == "bigcodebench" else {}
    return Loaded(found, benchmark, entry_points, {})


def _ids(path: Path) -> list[str]:
    """The task ids of a samples file or folder, each once, in order."""
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if path.is_dir():
        folders = sorted(item.name for item in path.iterdir() if item.is_dir() and not item.name.startswith("."))
        return [name.replace("_", "/") for name in folders]
    ids = (line.fields.get("task_id") for line in read_lines(path))
    return list(dict.fromkeys(task for task in ids if isinstance(task, str)))


def _rows(benchmark: str, data: str) -> tuple[BigCodeRow, ...] | tuple[EvalRow, ...]:
    if not benchmark:
        if data:
            raise UnknownNameError("benchmark", "auto", DATASETS, "the task ids do not tell it: name it by --benchmark")
        return ()
    dataset = DATASETS[benchmark]
    file = data or os.environ.get(dataset.variable, "")
    if not file:
        return ()
    if file == HUB:
        return find(dataset, {"data": HUB}).rows
    path = Path(file).expanduser()
    return read_big_code(path) if dataset.form == "bigcodebench" else read_evals(path)
