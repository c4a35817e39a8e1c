"""Result files of EvalPlus: `X.eval_results.json` with the status of base and plus inputs, and rates for both."""

import datetime
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from proofyard.core import UsageError, Verdict
from proofyard.formats.judged import Judged, Status, estimates, status_of
from proofyard.formats.rows import EvalRow
from proofyard.formats.samples import stem_of

__all__ = ["PlusRun", "evalplus_path", "evalplus_results", "read_evalplus"]


class PlusRun(NamedTuple):
    """What a results file is made of besides verdicts. hash: MD5 of the dataset. details: all failing inputs, not the first.

    tasks: all that were asked for: a k that one of them has too few samples for is left out.
    """

    rows: Mapping[str, EvalRow]
    tasks: Sequence[str]
    ks: Sequence[int]
    hash: str
    base_only: bool = False
    details: bool = False


def evalplus_path(samples: Path, folder: Path | None) -> Path:
    """Where the results go, by upstream's names: `X_eval_results.json` if that is there already, else with a dot."""
    if samples.is_dir():
        return (folder or samples) / "eval_results.json"
    where, stem = folder or samples.parent, stem_of(samples)
    older = where / f"{stem}_eval_results.json"
    return older if older.is_file() else where / f"{stem}.eval_results.json"


def evalplus_results(judged: Mapping[str, Sequence[Judged]], run: PlusRun, when: datetime.datetime) -> bytes:
    """The results file. Samples without a valid verdict are left out: there is no word for them."""
    found = {
        task: [_entry(one, one.valid, run) for one in samples if one.valid is not None]
        for task, samples in judged.items()
    }
    rates = {"base": estimates([_count(found.get(task, []), "base") for task in run.tasks], run.ks)}
    if not run.base_only:
        rates["plus"] = estimates([_count(found.get(task, []), "base", "plus") for task in run.tasks], run.ks)
    document = {"date": f"{when:%Y-%m-%d %H:%M}", "hash": run.hash, "eval": found, "pass_at_k": rates}
    return json.dumps(document).encode() + b"\n"


class _Entry(msgspec.Struct):
    task_id: str
    solution: str
    base_status: str
    plus_status: str | None = None
    base_fail_tests: list[Any] = []
    plus_fail_tests: list[Any] = []


class _Results(msgspec.Struct):
    eval: dict[str, list[_Entry]]


def read_evalplus(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Read a results file, ours or upstream's: task id -> entries. Raises UsageError."""
    try:
        found = msgspec.convert(json.loads(path.read_bytes()), type=_Results)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: no results file of EvalPlus: {error}") from None
    return {task: [msgspec.structs.asdict(entry) for entry in entries] for task, entries in found.eval.items()}


def _entry(judged: Judged, verdict: Verdict, run: PlusRun) -> dict[str, Any]:
    row = run.rows[judged.sample.task_id]
    return {
        "task_id": judged.sample.task_id,
        "solution": judged.sample.solution,
        "base_status": _status(verdict, "base"),
        "plus_status": None if run.base_only else _status(verdict, "plus"),
        "base_fail_tests": _failing(verdict, "base", row.base_input or (), details=run.details),
        "plus_fail_tests": _failing(verdict, "plus", row.plus_input or (), details=run.details),
    }


def _status(verdict: Verdict, name: str) -> Status:
    """Of a group of inputs; one without any inputs has nothing to fail, unless the program could not be run at all."""
    group = verdict.groups.get(name)
    if group is not None and group.total and group.passed == group.total:
        return "pass"
    return status_of(verdict)


def _failing(verdict: Verdict, name: str, inputs: Sequence[Any], *, details: bool) -> list[Any]:
    numbers = [int(text) for text in verdict.provenance.get(f"failed_{name}", "").split() if text.isdigit()]
    found = [inputs[number - 1] for number in numbers if number <= len(inputs)]
    return found if details else found[:1]


def _count(entries: Sequence[Mapping[str, Any]], *groups: str) -> tuple[int, int]:
    passed = sum(all(entry[f"{group}_status"] == "pass" for group in groups) for entry in entries)
    return len(entries), passed
