"""`proofyard evaluate BENCHMARK --samples FILE`: a run in which row k of the file is attempt k, and its result files."""

import datetime
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from proofyard.cli.common import echo_json, print_rich
from proofyard.cli.evaluate_flags import SampleFlags
from proofyard.cli.evaluate_remote import Remote, evaluated
from proofyard.cli.evaluate_suite import choose, subset_text
from proofyard.cli.progress import Live
from proofyard.core import UsageError, digest_of
from proofyard.formats import bcb_results, evalplus_results, humaneval_results
from proofyard.formats.judged import Judged, put_document, record_line
from proofyard.formats.rows import EvalRow
from proofyard.formats.samples import SampleFile, read_samples, stem_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from proofyard.engine import RunOutcome
    from proofyard.reports import Rates
    from proofyard.suites.functions import FunctionsSuite

__all__ = ["evaluate", "result_files"]

_SHOWN: Final = 20


class _Asked(NamedTuple):
    """A benchmark, the samples of the tasks asked for, these tasks, and notes on what is lacking."""

    suite: "FunctionsSuite"
    samples: SampleFile
    tasks: Sequence[str]
    notes: tuple[str, ...]


def evaluate(name: str, flags: SampleFlags) -> int:
    """Grade samples, write the result files, show the rates; the exit code.

    Raises:
        UsageError: something asked for is not there, or the folder holds another run.
        InfrastructureError: the disk is full, or nothing isolates here.

    """
    from proofyard.engine import RunRequest, run

    suite, notes = choose(name, flags)
    subset = subset_text(flags.subset)
    tasks = suite.ids(subset)
    samples = read_samples(flags.samples, suite.completed()).only(dict.fromkeys(tasks))
    if not samples.of_task:
        raise UsageError(f"{flags.samples}: no sample of the tasks asked for ({len(tasks)})")
    if flags.calibrated:
        samples = suite.calibrated(samples)
    asked = _Asked(suite, samples, tasks, notes)
    suite.give(samples)
    key = _key(asked, flags)
    output = flags.output or Path("runs") / f"{name}-{stem_of(flags.samples)[:60]}-{key[:8]}"
    if flags.output_dir is not None and not flags.output_dir.is_dir():
        raise UsageError(f"{flags.output_dir}: no such folder; --output-dir takes one that is there")
    if flags.execution != "local":
        remote = evaluated(suite, samples, tuple(tasks), flags, key, output)
        _report(asked, flags, remote.judged, remote)
        return remote.exit_code
    if flags.overwrite:
        _drop(output)
    request = RunRequest(
        suite=name,
        output=str(output),
        agents=(f"samples:{key}",),
        subset=subset,
        tasks=tuple(samples.of_task),
        attempts=samples.most,
        concurrency=_slots(flags.concurrency),
        unsafe=flags.unsafe,
    )
    with Live(request.output) as live:
        outcome = run(request, live.update, suite=suite)
    if outcome.interrupted:
        live.close_with(outcome)
        return outcome.exit_code
    _report(asked, flags, _judged(samples, outcome.path), outcome)
    return outcome.exit_code


def _key(asked: _Asked, flags: SampleFlags) -> str:
    """What names these samples under these conditions: nothing graded under others is ever taken for it."""
    from proofyard.engine.plugins import grader_of

    suite = asked.suite
    options = {name: value for name, value in suite.options.items() if name not in {"data", "domains", "gate"}}
    grader = grader_of(suite.load(asked.tasks[0]).steps[0].grader.kind)
    named = {
        "suite": [suite.name, suite.version],
        "samples": asked.samples.digest,
        "options": options,
        "gate": suite.gate.content if suite.gate else "",
        "grader": grader.version,
    }
    if flags.execution != "local":
        named["execution"] = [flags.execution, flags.e2b_endpoint, flags.gradio_endpoint]
    return digest_of(named)[:16]


def _slots(concurrency: int | None) -> int:
    cores = os.cpu_count() or 1
    if concurrency is None:
        return cores
    return concurrency if concurrency > 0 else max(1, cores // 2)


def _drop(output: Path) -> None:
    """Remove an earlier run, which nobody holds."""
    import shutil

    from proofyard.store import RunStore

    if output.exists():
        RunStore.open(output).close()
        shutil.rmtree(output)


def _report(asked: _Asked, flags: SampleFlags, judged: dict[str, list[Judged]], outcome: "RunOutcome | Remote") -> None:
    files = result_files(asked.suite, asked.samples, judged, asked.tasks, flags)
    for path, data in files.items():
        ours = path.name.endswith("proofyard.jsonl")  # the run folder has it all
        put_document(path, data, backup=not (flags.overwrite or ours))
    rates = _rates(asked, judged, flags.pass_k)
    if flags.as_json:
        echo_json(
            {"run": outcome.path, "files": list(files), "counts": outcome.counts, "rates": rates, "notes": asked.notes}
        )
        return
    print_rich(_lines(asked, judged, rates))
    for error in outcome.errors:
        click.echo(f"error: {error}", err=True)
    print_rich([f"written: {path}" for path in files])
    print_rich([f"run: {outcome.path}"])


def _judged(samples: SampleFile, run: Path) -> dict[str, list[Judged]]:
    """Each sample with the verdict that holds for it."""
    from proofyard.store import read_run

    data = read_run(run)
    newest = data.newest()
    found = {(trial.task, trial.k): newest.get(trial.id) for trial in data.trials.values()}
    return {
        task: [Judged(sample, found.get((task, sample.k))) for sample in of_task]
        for task, of_task in samples.of_task.items()
    }


def result_files(
    suite: "FunctionsSuite",
    samples: SampleFile,
    judged: Mapping[str, Sequence[Judged]],
    tasks: Sequence[str],
    flags: SampleFlags,
) -> dict[Path, bytes]:
    """The result files of the benchmark's own tools, and our record of each sample."""
    now = datetime.datetime.now()
    where = flags.output_dir
    if suite.form == "bigcodebench":
        results, scores = bcb_results.bcb_paths(samples.path, where)
        gate = suite.gate
        failed = gate.failed if gate else {}
        told = bcb_results.Scored(
            split=suite.split,
            subset=flags.subset or "full",
            calibrated=flags.calibrated,
            gt_pass_rate=gate.rate if gate else None,
            failed_tasks=[task for task in tasks if task in failed],
        )
        files = {
            results: bcb_results.bcb_results(judged, now),
            scores: bcb_results.bcb_scores(judged, tasks, flags.pass_k, samples, told),
        }
    elif suite.form == "calls":
        rows = {task: row for task, row in suite.rows.items() if isinstance(row, EvalRow)}
        run = evalplus_results.PlusRun(rows, tasks, flags.pass_k, suite.md5, flags.base_only, flags.test_details)
        results = flags.output_file or evalplus_results.evalplus_path(samples.path, where)
        files = {results: evalplus_results.evalplus_results(judged, run, now)}
    else:
        files = {humaneval_results.humaneval_path(samples.path, where): humaneval_results.humaneval_results(judged)}
    folder = where or (samples.path if samples.path.is_dir() else samples.path.parent)
    ours = "proofyard.jsonl" if samples.path.is_dir() else f"{stem_of(samples.path)}.proofyard.jsonl"
    files[folder / ours] = b"".join(record_line(one) for of_task in judged.values() for one in of_task)
    return files


def _rates(asked: _Asked, judged: Mapping[str, Sequence[Judged]], ks: Sequence[int]) -> list["Rates"]:
    from proofyard.cli.pass_rates import pass_rates

    outcomes = {task: [one.verdict.outcome if one.verdict else None for one in found] for task, found in judged.items()}
    return pass_rates(asked.suite, asked.tasks, outcomes, ks)


def _lines(asked: _Asked, judged: Mapping[str, Sequence[Judged]], rates: list["Rates"]) -> list["RenderableType"]:
    from proofyard.reports import pass_table

    suite, overall = asked.suite, rates[0]
    reasons: dict[str, int] = {}
    for of_task in judged.values():
        for one in of_task:
            if one.valid is not None and one.valid.reason is not None:
                reasons[one.valid.reason] = reasons.get(one.valid.reason, 0) + 1
    told = ", ".join(f"{name} {number}" for name, number in sorted(reasons.items(), key=lambda item: -item[1]))
    lines: list[RenderableType] = [
        f"{suite.name}, dataset {suite.version}, {len(asked.tasks)} tasks, 95 % intervals over tasks",
        pass_table(rates),
        f"samples for {overall.covered} of {overall.tasks} tasks; strict counts what is missing as not passed",
        f"passed {overall.passed}, failed {overall.samples - overall.passed - overall.unjudged}, "
        f"without a valid verdict {overall.unjudged}" + (f"; failed by: {told}" if told else ""),
    ]
    lines += _unjudged(judged)
    return [*lines, *_outside(asked), *asked.notes]


def _outside(asked: _Asked) -> list["RenderableType"]:
    """Tasks asked for that the gated rates leave out, with why."""
    gate = asked.suite.gate
    if gate is None:
        return []
    known = gate.failed
    failed = {task: known[task] for task in asked.tasks if task in known}
    untried = sum(task not in gate.tasks for task in asked.tasks)
    lines: list[RenderableType] = [f"outside the gate: {task}: {why}" for task, why in list(failed.items())[:_SHOWN]]
    if len(failed) > _SHOWN:
        lines.append(
            f"outside the gate: {len(failed) - _SHOWN} more tasks, in the gate's file {asked.suite.options['gate']}"
        )
    if untried:
        lines.append(f"not checked yet, so outside the gate: {untried} tasks; proofyard check-env bigcodebench goes on")
    return lines


def _unjudged(judged: Mapping[str, Sequence[Judged]]) -> list["RenderableType"]:
    """Up to five different notes of verdicts that say nothing of the sample."""
    notes: dict[str, str] = {}
    for task, of_task in judged.items():
        for one in of_task:
            if one.verdict is not None and one.valid is None:
                failure = one.verdict.failure
                notes.setdefault(failure.message if failure else one.verdict.evidence.note, task)
    return [f"no verdict: {task}: {note}" for note, task in list(notes.items())[:5]]
