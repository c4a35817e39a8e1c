"""Result files of BigCodeBench: `X_eval_results.json`, `X_pass_at_k.json`, and the folders of its `inspect`."""

import datetime
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from proofyard.core import UsageError, Verdict
from proofyard.formats.judged import Judged, estimates, explanation, status_of
from proofyard.formats.samples import SampleFile, stem_of

__all__ = ["Scored", "bcb_entries", "bcb_paths", "bcb_results", "bcb_scores", "inspect_files", "read_bcb"]

_FILE_NAME: Final = re.compile(r"--bigcodebench(?:-hard)?-(?:complete|instruct)--")


class Scored(NamedTuple):
    """What `X_pass_at_k.json` says besides the rates. gt_pass_rate: None if the environment has no gate."""

    split: str
    subset: str
    calibrated: bool
    gt_pass_rate: float | None
    failed_tasks: Sequence[str]


def bcb_paths(samples: Path, folder: Path | None) -> tuple[Path, Path]:
    """Where results and score go: beside the samples, inside a folder of samples, or into `folder`, by upstream's names."""
    if samples.is_dir():
        where = folder or samples
        return where / "eval_results.json", where / "pass_at_k.json"
    where, stem = folder or samples.parent, stem_of(samples)
    return where / f"{stem}_eval_results.json", where / f"{stem}_pass_at_k.json"


def bcb_results(judged: Mapping[str, Sequence[Judged]], when: datetime.datetime) -> bytes:
    """The results file. Samples without a valid verdict are left out: there is no word for them."""
    found = {
        task: [_entry(one, one.valid) for one in samples if one.valid is not None] for task, samples in judged.items()
    }
    document = {"date": f"{when:%Y-%m-%d %H:%M}", "eval": found}
    return json.dumps(document, indent=2).encode() + b"\n"


def bcb_scores(
    judged: Mapping[str, Sequence[Judged]], tasks: Sequence[str], ks: Sequence[int], samples: SampleFile, told: Scored
) -> bytes:
    """The score file; `tasks` are all that were asked for: a k that one of them has too few samples for is left out."""
    valid = [[one for one in judged.get(task, ()) if one.valid is not None] for task in tasks]
    rates: dict[str, Any] = dict(estimates([(len(found), sum(one.passed for one in found)) for found in valid], ks))
    rates |= {
        "model": _FILE_NAME.split(stem_of(samples.path))[0],
        "split": told.split,
        "subset": told.subset,
        "calibrated": told.calibrated,
        "gt_pass_rate": told.gt_pass_rate,
        "failed_tasks": list(told.failed_tasks),
    }
    return json.dumps(rates, indent=2).encode() + b"\n"


def inspect_files(task_id: str, entries: Sequence[Mapping[str, Any]], ground_truth: str, test: str) -> dict[str, str]:
    """The files of upstream's `inspect` for a task, by path below the results' own folder; none if every sample passed."""
    failed = [(index, entry) for index, entry in enumerate(entries) if entry["status"] != "pass"]
    if not failed:
        return {}
    files = {f"{task_id}/ground_truth.py": ground_truth, f"{task_id}/test_case.py": test}
    for index, entry in failed:
        files[f"{task_id}/completion_{index}.py"] = entry["solution"]
        details: Mapping[str, str] = entry["details"]
        text = "".join(f"Test Case: {name}\n\n{trace}\n{'=' * 50}\n" for name, trace in details.items())
        files[f"{task_id}/complete_{index}_execution_trace.txt"] = text
    return files


class _Entry(msgspec.Struct):
    task_id: str
    solution: str
    status: str
    details: dict[str, str]


class _Results(msgspec.Struct):
    eval: dict[str, list[_Entry]]


def read_bcb(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Read a results file, ours or upstream's: task id -> entries. Raises UsageError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    return bcb_entries(data, str(path))


def bcb_entries(data: bytes, where: str) -> dict[str, list[dict[str, Any]]]:
    """The entries of results, task id -> entries. Raises UsageError."""
    try:
        found = msgspec.json.decode(data, type=_Results)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UsageError(f"{where}: no results file of BigCodeBench: {error}") from None
    return {task: [msgspec.structs.asdict(entry) for entry in entries] for task, entries in found.eval.items()}


def _entry(judged: Judged, verdict: Verdict) -> dict[str, Any]:
    return {
        "task_id": judged.sample.task_id,
        "solution": judged.sample.solution,
        "status": status_of(verdict),
        "details": _details(verdict),
    }


def _details(verdict: Verdict) -> dict[str, str]:
    """Traceback by test; `ALL` where no test was reached."""
    if status_of(verdict) == "pass":
        return {}
    try:
        by_test = msgspec.json.decode(verdict.provenance.get("details", "{}"), type=dict[str, str])
    except msgspec.DecodeError:
        by_test = {}
    return by_test or {"ALL": explanation(verdict)}
