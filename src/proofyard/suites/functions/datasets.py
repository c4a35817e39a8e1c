"""The datasets of the function suites: where each comes from, and how a file or the hub becomes rows."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple

from proofyard.core import UsageError
from proofyard.formats.lines import Line, content, read_lines
from proofyard.formats.rows import BigCodeRow, EvalRow, big_code_rows, eval_rows
from proofyard.suites.functions.hub import Pin, hub_rows

__all__ = ["DATASETS", "HUB", "Dataset", "Found", "find"]

HUB: Final = "hub"
"""As option `data`: fetch from the hub."""

Form = Literal["bigcodebench", "asserts", "calls"]


class Dataset(NamedTuple):
    """One dataset. form: how its rows are graded. variable: names a file, as upstream's tools have it. pin: on the hub."""

    name: str
    form: Form
    variable: str
    pin: Pin | None = None


class Found(NamedTuple):
    """A dataset's rows. path: the file they come from, None for the hub. md5, sha: of the file's content, decompressed."""

    path: Path | None
    rows: tuple[BigCodeRow, ...] | tuple[EvalRow, ...]
    md5: str
    sha: str


DATASETS: Final = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            "bigcodebench",
            "bigcodebench",
            "BIGCODEBENCH_OVERRIDE_PATH",
            Pin("bigcode/bigcodebench", "b74c0d0bf70d2c0bc459be537895cca163007f1a", "data/v0.1.4-*.parquet"),
        ),
        Dataset(
            "humaneval",
            "asserts",
            "HUMANEVAL_OVERRIDE_PATH",
            Pin("openai/openai_humaneval", "7dce6050a7d6d172f3cc5c32aa97f52fa1a2e544", "openai_humaneval/*.parquet"),
        ),
        Dataset("humanevalplus", "calls", "HUMANEVAL_OVERRIDE_PATH"),
        Dataset(
            "mbpp",
            "asserts",
            "MBPP_OVERRIDE_PATH",
            Pin("google-research-datasets/mbpp", "4bb6404fdc6cacfda99d4ac4205087b89d32030c", "sanitized/*.parquet"),
        ),
        Dataset("mbppplus", "calls", "MBPP_OVERRIDE_PATH"),
    )
}


def find(dataset: Dataset, options: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> Found:
    """Find and read a dataset: the file of option `data`, else of the dataset's variable, else the hub's cache.

    The option `data` set to `hub` fetches the pinned revision from the hub, where the cache does not have it.

    Raises:
        UsageError: there is none of these, or what is there is no such dataset.

    """
    named = options.get("data") or environ.get(dataset.variable, "")
    if named and named != HUB:
        path = Path(named).expanduser().resolve()
        data = content(path)
        lines, where = tuple(read_lines(path)), str(path)
    else:
        path = None
        lines = _from_hub(dataset, download=named == HUB)
        where = f"the hub's {dataset.pin.repository if dataset.pin else ''}"
        data = "".join(json.dumps(line.fields) + "\n" for line in lines).encode()
    rows = _rows(dataset, lines, where)
    return Found(path, rows, hashlib.md5(data, usedforsecurity=False).hexdigest(), hashlib.sha256(data).hexdigest())


def _rows(dataset: Dataset, lines: tuple[Line, ...], where: str) -> tuple[BigCodeRow, ...] | tuple[EvalRow, ...]:
    if dataset.form == "bigcodebench":
        return big_code_rows(lines, where)
    rows = eval_rows(lines, where)
    for row in rows:
        if dataset.form == "calls" and row.base_input is None:
            plain = dataset.name.removesuffix("plus")
            raise UsageError(f"{where}: {row.task_id} has no inputs (`base_input`); if it is {plain}, ask for {plain}")
        if dataset.form == "asserts" and row.base_input is not None:
            raise UsageError(f"{where}: {row.task_id} has inputs (`base_input`): ask for {dataset.name}plus")
    return rows


def _from_hub(dataset: Dataset, *, download: bool) -> tuple[Line, ...]:
    hint = f"give --data FILE, or set {dataset.variable} to a file"
    if dataset.pin is None:
        raise UsageError(f"{dataset.name} has no data here: {hint}")
    try:
        return tuple(hub_rows(dataset.pin, download=download))
    except UsageError as error:
        raise UsageError(f"{dataset.name} has no data here: {hint}, or --data hub to fetch it ({error})") from None
