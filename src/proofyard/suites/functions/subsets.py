"""Subsets of a function benchmark: `full`, BigCodeBench's `hard`, ids written out, or a file of ids."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from proofyard.core import UnknownNameError, UsageError
from proofyard.formats.lines import content
from proofyard.suites.functions.hub import Pin, hub_rows

__all__ = ["FULL", "HARD", "chosen"]

FULL: Final = "full"
HARD: Final = "hard"
_HARD_COUNT: Final = 148
_HARD_PIN: Final = Pin("bigcode/bigcodebench-hard", "298d2cc7b96612e15e47313c3603ee124cee0c1f", "data/v0.1.4-*.parquet")


def chosen(subset: str, ids: Sequence[str], suite: str, *, download: bool = False) -> tuple[str, ...]:
    """Return the ids of a subset in dataset order.

    subset: `""` or `full` is all; `hard` (BigCodeBench) is what the hub lists, or all of a dataset of 148 tasks; the path of a
    file: ids one a line, a JSON list, or rows with `task_id`; else ids with commas between them, `BigCodeBench/3` or `3`.

    Raises:
        UnknownNameError: an id that is not in the dataset.
        UsageError: the file holds no ids, or the ids of `hard` cannot be had.

    """
    if subset in {"", FULL}:
        return tuple(ids)
    if subset == HARD and suite == "bigcodebench":
        return tuple(ids) if len(ids) == _HARD_COUNT else _among(ids, set(_hard(download=download)), HARD)
    path = Path(subset).expanduser()
    if path.is_file():
        return _among(ids, _known(_listed(path), ids, str(path)), str(path))
    names = [name.strip() for name in subset.split(",") if name.strip()]
    if len(names) == 1 and names[0] not in ids and not names[0].isdigit() and "/" not in subset:
        subsets = [FULL, HARD] if suite == "bigcodebench" else [FULL]
        raise UnknownNameError("subset", subset, subsets, ", ".join(subsets) + ", ids with commas, or a file of ids")
    return _among(ids, _known(names, ids, "--subset"), subset)


def _among(ids: Sequence[str], wanted: set[str], subset: str) -> tuple[str, ...]:
    found = tuple(task_id for task_id in ids if task_id in wanted)
    if not found:
        raise UsageError(f"subset {subset} names no task of this dataset")
    return found


def _known(names: Sequence[str], ids: Sequence[str], where: str) -> set[str]:
    """Names as ids; a number alone stands for the task with that number."""
    numbers = {task_id.rpartition("/")[2]: task_id for task_id in ids}
    there = set(ids)
    found = set()
    for name in names:
        task_id = name if name in there else numbers.get(name)
        if task_id is None:
            raise UnknownNameError("task", name, ids, f"{where}; this dataset has {len(ids)} tasks")
        found.add(task_id)
    return found


def _hard(*, download: bool) -> list[str]:
    try:
        return [str(line.fields.get("task_id")) for line in hub_rows(_HARD_PIN, download=download)]
    except UsageError as error:
        raise UsageError(
            "which 148 tasks are hard is told by the Hugging Face hub alone, or by a file of yours: "
            f"--subset FILE with the ids, --data FILE with the 148 rows, or --data hub to fetch both ({error})"
        ) from None


def _listed(path: Path) -> list[str]:
    try:
        text = content(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 (byte {error.start})") from None
    if text.lstrip()[:1] == "[":
        return [_id(item, f"{path} item {n}") for n, item in enumerate(_parsed(text, str(path)), 1)]
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1)]
    return [_line(line, f"{path} line {n}") for n, line in lines if line and not line.startswith("#")]


def _line(text: str, where: str) -> str:
    return _id(_parsed(text, where), where) if text[0] in '{"' else text


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: no JSON: {error}") from None


def _id(item: Any, where: str) -> str:
    found = item.get("task_id") if isinstance(item, dict) else item
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise UsageError(f"{where}: no task id")
    return str(found)
