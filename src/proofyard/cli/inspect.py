"""`proofyard inspect`: what came of a task's samples: program, test, trace and what was expected, side by side."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from proofyard.cli.common import echo_json, json_option, print_rich
from proofyard.core import UnknownNameError, UsageError, file_bytes
from proofyard.formats.bcb_results import inspect_files, read_bcb
from proofyard.formats.evalplus_results import read_evalplus
from proofyard.formats.lines import read_lines, read_object

if TYPE_CHECKING:
    from rich.console import RenderableType

    from proofyard.suites.functions import FunctionsSuite

__all__ = ["command"]

_WORDS = {"pass": "passed", "fail": "failed", "timeout": "timed out"}


class _Results(NamedTuple):
    """A results file: task id -> entries with `solution`, `status`, `details`; and which benchmark's tool it is of."""

    family: str
    of_task: dict[str, list[dict[str, Any]]]


@click.command(name="inspect")
@click.argument("results", type=click.Path(path_type=Path), required=False)
@click.option("--eval-results", "named", type=click.Path(path_type=Path), default=None, help="The same as RESULTS.")
@click.option("--task", default="", help="Show this task (default: all that have a sample which did not pass).")
@click.option(
    "--sample", "k", type=click.IntRange(0), default=None, help="Which sample (default: the first not passed)."
)
@click.option("--data", default="", help="The benchmark's file, or hub to fetch it.")
@click.option("--subset", default="", help="With --save-path: full, hard, ids, or a file of ids.")
@click.option("--split", default=None, hidden=True, expose_value=False)
@click.option("--save-path", type=click.Path(path_type=Path), default=None, help="Write BigCodeBench's folders here.")
@click.option("--in-place", is_flag=True, help="With --save-path: into a folder that is there.")
@json_option
def command(
    results: Path | None,
    named: Path | None,
    task: str,
    k: int | None,
    data: str,
    subset: str,
    save_path: Path | None,
    in_place: bool,
    as_json: bool,
) -> None:
    """Show what came of the samples in RESULTS, a results file of evaluate or of the benchmarks' own tools."""
    path = results or named
    if path is None:
        raise UsageError("inspect needs a results file: proofyard inspect X_eval_results.json --task ID")
    found = _read(path)
    suite = _suite(found, data)
    if save_path is not None:
        ids = [task] if task else [one for one in suite.ids(subset) if one in found.of_task]
        click.echo(
            f"{_save(found, suite, ids, save_path / path.stem, fresh=not in_place)} files in {save_path / path.stem}"
        )
        return
    if task:
        _show(path, found, suite, task, k, as_json=as_json)
        return
    rows = {one: [entry["status"] for entry in entries] for one, entries in found.of_task.items()}
    failing = {one: statuses for one, statuses in rows.items() if set(statuses) != {"pass"}}
    if as_json:
        echo_json(failing)
        return
    print_rich([f"{one}: {', '.join(statuses)}" for one, statuses in failing.items()])
    print_rich([f"{len(failing)} of {len(rows)} tasks have a sample that did not pass; --task ID shows one"])


def _read(path: Path) -> _Results:
    if path.name.removesuffix(".gz").endswith(".jsonl"):
        return _Results("asserts", _human_eval(path))
    document = read_object(path).fields
    entries = [
        entry for of_task in _dict(document.get("eval")).values() if isinstance(of_task, list) for entry in of_task
    ]
    if any(isinstance(entry, dict) and "base_status" in entry for entry in entries):
        return _Results("calls", {one: [_plus(e) for e in of_task] for one, of_task in read_evalplus(path).items()})
    return _Results("bigcodebench", read_bcb(path))


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _plus(entry: Mapping[str, Any]) -> dict[str, Any]:
    statuses = {name: entry[f"{name}_status"] for name in ("base", "plus") if entry[f"{name}_status"] is not None}
    worst = next((status for status in statuses.values() if status != "pass"), "pass")
    failing = {f"{name}: arguments": json.dumps(entry[f"{name}_fail_tests"]) for name in statuses}
    return {
        "solution": entry["solution"],
        "status": worst,
        "details": {**statuses, **failing} if worst != "pass" else {},
    }


def _human_eval(path: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for line in read_lines(path):
        fields = line.fields
        if not isinstance(fields.get("task_id"), str) or not isinstance(fields.get("passed"), bool):
            raise UsageError(f"{line.where}: no row of a results file: `task_id` and `passed` are wanted")
        said = str(fields.get("result", ""))
        status = "pass" if fields["passed"] else "timeout" if said == "timed out" else "fail"
        solution = str(fields.get("solution", fields.get("completion", "")))
        details = {} if fields["passed"] else {"ALL": said}
        found.setdefault(fields["task_id"], []).append({"solution": solution, "status": status, "details": details})
    return found


def _suite(found: _Results, data: str) -> "FunctionsSuite":
    """The benchmark whose tasks are in the file."""
    from proofyard.suites.functions import DATASETS, FunctionsSuite

    first = next(iter(found.of_task), "").partition("/")[0].lower()
    names = [name for name, dataset in DATASETS.items() if dataset.form == found.family and name.startswith(first)]
    if not first or not names:
        raise UsageError(f"no benchmark known here has tasks like {next(iter(found.of_task), 'none at all')}")
    return FunctionsSuite(DATASETS[names[0]], {"data": data} if data else {})


def _show(path: Path, found: _Results, suite: "FunctionsSuite", task: str, k: int | None, *, as_json: bool) -> None:
    entries = found.of_task.get(task)
    if not entries:
        raise UnknownNameError("task", task, found.of_task, str(path))
    if k is None:
        k = next((n for n, entry in enumerate(entries) if entry["status"] != "pass"), 0)
    if k >= len(entries):
        raise UsageError(f"{task} has {len(entries)} samples; --sample counts from 0")
    entry, record = entries[k], _record(path, task, k)
    truth, test = _truth(suite, task), _test(suite, task)
    if as_json:
        echo_json({"task_id": task, "k": k, **entry, "ground_truth": truth, "test": test, "record": record})
        return
    statuses = ", ".join(_WORDS.get(one["status"], one["status"]) for one in entries)
    print_rich([f"{task}, sample {k} of {len(entries)} ({statuses})"])
    print_rich([_beside("solution", entry["solution"], "test", test)])
    trace = "\n".join(f"{name}\n{text}" for name, text in entry["details"].items()) or _WORDS[entry["status"]]
    expected = "\n".join(part for part in (_expected(record), "the task's own solution:", truth) if part)
    print_rich([_beside("what came of it", trace, "what was expected", expected)])


def _beside(left: str, left_text: str, right: str, right_text: str) -> "RenderableType":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, expand=True, pad_edge=False)
    table.add_column(left, ratio=1, overflow="fold")
    table.add_column(right, ratio=1, overflow="fold")
    table.add_row(Text(left_text.expandtabs(4)), Text(right_text.expandtabs(4)))
    return table


def _record(path: Path, task: str, k: int) -> dict[str, Any] | None:
    """Our own record of the sample, if it is beside the results file."""
    stem = path.name
    for suffix in ("_eval_results.json", ".eval_results.json", ".jsonl_results.jsonl", "eval_results.json"):
        stem = stem.removesuffix(suffix)
    ours = path.with_name(f"{stem}.proofyard.jsonl" if stem else "proofyard.jsonl")
    if not ours.is_file():
        return None
    return next(
        (line.fields for line in read_lines(ours) if (line.fields.get("task_id"), line.fields.get("k")) == (task, k)),
        None,
    )


def _expected(record: Mapping[str, Any] | None) -> str:
    if record is None:
        return ""
    evidence = _dict(record.get("evidence"))
    named = {name: str(evidence.get(name, "")) for name in ("where", "request", "expected", "got", "note")}
    return "\n".join([f"{name}: {text}" for name, text in named.items() if text])


def _truth(suite: "FunctionsSuite", task: str) -> str:
    solution = suite.load(task).solution("reference")
    assert solution is not None  # every task of these suites has one
    return file_bytes(solution.tree.entries["solution.py"], suite.blobs()).decode()


def _test(suite: "FunctionsSuite", task: str) -> str:
    tests = suite.load(task).steps[0].hidden.tests.entries
    if "test.py" in tests:
        return file_bytes(tests["test.py"], suite.blobs()).decode()
    return f"the function is called with {suite.assertions(task)} lists of arguments; what it returns is compared"


def _save(found: _Results, suite: "FunctionsSuite", ids: Sequence[str], folder: Path, *, fresh: bool) -> int:
    if fresh and folder.exists():
        raise UsageError(f"{folder} is there already; choose another --save-path, or give --in-place")
    count = 0
    for task in ids:
        if task not in found.of_task:
            raise UnknownNameError("task", task, found.of_task)
        files = inspect_files(task, found.of_task[task], _truth(suite, task), _test(suite, task))
        try:
            for name, text in files.items():
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {folder}: {error.strerror}; choose another --save-path") from None
        count += len(files)
    return count
