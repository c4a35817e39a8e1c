"""Samples: programs that models wrote, as the function benchmarks exchange them.

Either a file of rows, `task_id` with `solution` (a whole program) or `completion` (what follows the prompt), or a folder
`DIR/BigCodeBench_12/0.py`. Repeated ids are further attempts at a task, in the order in which they come.
"""

import itertools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from proofyard.core import Record, UnknownNameError, UsageError, digest_of, sha256
from proofyard.formats.lines import Line, read_lines

__all__ = ["Sample", "SampleFile", "read_samples", "stem_of"]

_SUFFIXES: Final = (".jsonl", ".json")


class Sample(Record, frozen=True, kw_only=True):
    """One attempt at a task: `k` counts from 0. solution: the whole program, prompt included.

    raw_solution: what the model said, where the file has it. row: the row as it was, for result files that repeat it;
    position: where it stood among all, from 0.
    """

    task_id: str
    k: int
    solution: str
    raw_solution: str | None = None
    row: dict[str, Any] = msgspec.field(default_factory=dict)
    position: int = 0


class SampleFile(NamedTuple):
    """The samples of a file or folder: task id -> attempts in order, tasks in the order of `tasks` given to the reader."""

    path: Path
    of_task: dict[str, tuple[Sample, ...]]

    @property
    def total(self) -> int:
        """How many samples there are."""
        return sum(len(samples) for samples in self.of_task.values())

    @property
    def most(self) -> int:
        """How many samples the task with the most of them has."""
        return max(len(samples) for samples in self.of_task.values())

    @property
    def digest(self) -> str:
        """SHA-256 of what is graded: task ids and programs; another file of the same programs has the same."""
        return digest_of({task: [sha256(s.solution.encode()) for s in found] for task, found in self.of_task.items()})

    def only(self, tasks: Mapping[str, object]) -> "SampleFile":
        """The samples of these tasks."""
        return SampleFile(self.path, {task: found for task, found in self.of_task.items() if task in tasks})


def read_samples(path: Path, prompts: Mapping[str, str]) -> SampleFile:
    """Read a file or folder of samples.

    prompts: task id -> what a `completion` is appended to, of every task there is, in dataset order. Tasks without a
    sample are allowed.

    Raises:
        UsageError: it cannot be read, a row is no sample, there is none at all.
        UnknownNameError: a task id that is not among `prompts`.

    """
    found = _folder(path, prompts) if path.is_dir() else _file(path, prompts)
    if not any(found.values()):
        raise UsageError(f"{path}: there is no sample in it")
    return SampleFile(path, {task: tuple(found[task]) for task in prompts if found[task]})


def stem_of(path: Path) -> str:
    """A sample file's name without its endings: `x.jsonl.gz` -> `x`."""
    name = path.name.removesuffix(".gz")
    return next((name.removesuffix(suffix) for suffix in _SUFFIXES if name.endswith(suffix)), name)


def _file(path: Path, prompts: Mapping[str, str]) -> dict[str, list[Sample]]:
    found: dict[str, list[Sample]] = {task: [] for task in prompts}
    for position, line in enumerate(read_lines(path)):
        task_id = _text(line, "task_id")
        _known(task_id, prompts, line.where)
        raw = line.fields.get("raw_solution")
        found[task_id].append(
            Sample(
                task_id=task_id,
                k=len(found[task_id]),
                solution=_program(line, prompts[task_id]),
                raw_solution=raw if isinstance(raw, str) else None,
                row=line.fields,
                position=position,
            )
        )
    return found


def _program(line: Line, prompt: str) -> str:
    if "solution" in line.fields:
        return _text(line, "solution")
    if "completion" not in line.fields:
        raise UsageError(f"{line.where}: there is no field `solution` nor `completion`")
    completion = _text(line, "completion")
    return f"{prompt}{completion}" if prompt.endswith("\n") or not prompt else f"{prompt}\n{completion}"


def _text(line: Line, name: str) -> str:
    value = line.fields.get(name)
    if value is None:
        raise UsageError(f"{line.where}: there is no field `{name}`")
    if not isinstance(value, str):
        raise UsageError(f"{line.where}: field `{name}` is no string but {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{line.where}: field `{name}` holds half of a surrogate pair") from None
    return value


def _known(task_id: str, prompts: Mapping[str, str], where: str) -> None:
    if task_id not in prompts:
        hint = f"{where}; this dataset has {len(prompts)} tasks"
        raise UnknownNameError("task", task_id, prompts, hint)


def _folder(path: Path, prompts: Mapping[str, str]) -> dict[str, list[Sample]]:
    """Read DIR/<task id with `_` for `/`>/<n>.py; the numbers are the order, whatever is missing between them."""
    ids = {task.replace("/", "_"): task for task in prompts}
    found: dict[str, list[Sample]] = {task: [] for task in prompts}
    positions = itertools.count()
    try:
        folders = sorted(item for item in path.iterdir() if item.is_dir() and not item.name.startswith("."))
        for folder in folders:
            task = ids.get(folder.name, folder.name.replace("_", "/"))
            _known(task, prompts, str(folder))
            for k, program in enumerate(_programs(folder)):
                text = program.read_bytes().decode()
                row = {"task_id": task, "solution": text}
                found[task].append(Sample(task_id=task, k=k, solution=text, row=row, position=next(positions)))
    except OSError as error:
        raise UsageError(f"cannot read {error.filename or path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: a program is not UTF-8: {error}") from None
    return found


def _programs(folder: Path) -> list[Path]:
    names = [item for item in folder.iterdir() if item.suffix == ".py"]
    odd = [item for item in names if not re.fullmatch(r"\d+", item.stem)]
    if odd:
        raise UsageError(f"{odd[0]}: programs are named by their number: 0.py, 1.py, ...")
    return sorted(names, key=lambda item: int(item.stem))
