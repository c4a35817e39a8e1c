"""`proofyard check-env`: which tasks' own solutions pass in an environment, and why the others do not."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click
import msgspec
from msgspec.structs import replace

from proofyard.cli.common import echo_json, json_option, print_rich
from proofyard.core import Evidence, Given, Outcome, Reason, Step, UsageError, tree_of
from proofyard.formats.rows import BigCodeRow
from proofyard.graders.outcome import Shortfall

if TYPE_CHECKING:
    from proofyard.core import Sandbox, SandboxSpec
    from proofyard.images import Installed
    from proofyard.suites.functions import FunctionsSuite
    from proofyard.suites.functions.gate import Gate, GateTask

__all__ = ["cause", "command"]

_BENCHMARK: Final = "bigcodebench"
_FORGED: Final = {
    "an empty body": "    pass\n",
    "a raised SkipTest": "    import unittest\n    raise unittest.SkipTest('not here')\n",
}
"""Bodies that no task's test may let pass."""
_FILE: Final = "solution.py"
_NETWORK: Final = (
    "gaierror",
    "Name or service not known",
    "Temporary failure in name resolution",
    "Network is unreachable",
    "Max retries exceeded",
    "URLError",
    "ConnectionError",
    "ConnectionRefused",
    "PageError",
)
_CAUSES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("library missing", ("ModuleNotFoundError", "No module named", "TesseractNotFound")),
    (
        "data missing",
        ("nltk_data", "Resource ", "nltk.download", "FileNotFoundError", "No such file", "OSError: [E050]"),
    ),
    ("network", _NETWORK),
    ("root", ("PermissionError", "Permission denied", "Operation not permitted", "PermissionError not raised")),
)
"""What tells a cause in what a test said, first match first; anything else is a change of a library."""
_COLOUR: Final = re.compile(r"(?:\x1b|\\x1b)\[[0-9;]*m")
"""Escapes of a terminal, as they are or as evidence shows them."""
_BY_REASON: Final = {Reason.TIMEOUT: "slow", Reason.OOM: "memory", Reason.TAMPER: "taken for tampering"}
_ASKS_NETWORK: Final = (
    "gethostby",
    "getaddrinfo",
    "urlopen(",
    "requests.get(",
    "requests.post(",
    "wikipedia.",
    "whois",
)


def cause(reason: Reason, evidence: Evidence, program: str = "") -> str:
    """Name why a task's own solution does not pass here, and quote the line that tells.

    program: the solution, since one that asks the network may fail in its own words where there is none.
    """
    texts = (_COLOUR.sub("", text) for text in (evidence.note, evidence.got, evidence.stderr))
    lines = [line.strip() for text in texts for line in text.splitlines()]
    told = ((name, line) for name, marks in _CAUSES for line in lines if any(mark in line for mark in marks))
    kind, line = next(told, ("library change", ""))
    if reason in _BY_REASON:
        kind, line = _BY_REASON[reason], ""
    elif not line and any(word in program for word in _ASKS_NETWORK):
        kind = "network"
    where = f"{evidence.where}: " if evidence.where else ""
    return f"{kind}: {where}{' '.join((line or evidence.note).split())}"[:400]


class _Bench(NamedTuple):
    """What the checks share."""

    suite: "FunctionsSuite"
    installed: "Installed"
    path: Path


@click.command(name="check-env")
@click.argument("benchmark", default=_BENCHMARK)
@click.option("--data", default="", help="The dataset's file.")
@click.option("--env", "environment", default=_BENCHMARK, help="An environment by name (proofyard env list).")
@click.option("--subset", default="", help="full, ids or a file of ids.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=None, help="The gate's file (default: in the cache)."
)
@click.option("--concurrency", type=click.IntRange(1), default=os.cpu_count() or 1, help="Tasks at once.")
@click.option("--again", is_flag=True, help="Also tasks that are in the gate's file already.")
@click.option("--failed", is_flag=True, help="Also tasks that are in the gate's file as not passing.")
@json_option
def command(
    benchmark: str,
    data: str,
    environment: str,
    subset: str,
    output: Path | None,
    concurrency: int,
    again: bool,
    failed: bool,
    as_json: bool,
) -> int:
    """Run each task's own solution in the environment: what passes is the gate that `evaluate --gate` reads.

    A task passes if its solution does, and an empty body and a raised SkipTest do not. What was found is kept task by
    task, so an interrupted check goes on where it was.
    """
    from proofyard.engine.plugins import load_suite
    from proofyard.images import find_environment, installed
    from proofyard.suites.functions import FunctionsSuite
    from proofyard.suites.functions.gate import Gate, read_gate

    if benchmark != _BENCHMARK:
        raise UsageError(f"{benchmark} needs no environment of its own; check-env is for {_BENCHMARK}")
    there = installed(find_environment(environment))
    given = {"data": data, "packages": str(there.packages)}
    suite = load_suite(benchmark, None, {name: value for name, value in given.items() if value})
    assert isinstance(suite, FunctionsSuite)
    bench = _Bench(suite, there, output or there.gate(f"{suite.name}-{suite.dataset}"))
    wanted = suite.ids(subset)
    before = read_gate(bench.path) if bench.path.is_file() else Gate(tasks={}, fingerprint=there.fingerprint)
    if before.fingerprint != there.fingerprint:
        raise UsageError(f"{bench.path} is of another environment; choose another --output")
    known = dict(before.tasks)
    owed = [i for i in wanted if again or i not in known or (failed and not before.passes(i))]
    for task_id, found in _checked(bench, owed, concurrency):
        known[task_id] = found
        _keep(bench.path, Gate(tasks=known, fingerprint=there.fingerprint))
        click.echo(f"{task_id}: {found.reason or 'passes'}", err=True)
    ordered = {task_id: known[task_id] for task_id in suite.rows if task_id in known}
    gate = Gate(tasks=ordered, fingerprint=there.fingerprint)
    _keep(bench.path, gate)
    _show(bench, gate, wanted, as_json=as_json)
    return 0


def _checked(bench: _Bench, owed: Sequence[str], concurrency: int) -> "Iterator[tuple[str, GateTask]]":
    """Check tasks side by side; yield each as it is done. Raises the first InfrastructureError."""
    from proofyard.sandbox import LocalProvider

    provider = LocalProvider(slots=concurrency)

    def opening(spec: "SandboxSpec") -> "Sandbox":
        return provider.open(spec, bench.suite.blobs())

    pool = ThreadPoolExecutor(concurrency)
    try:
        waiting = {pool.submit(_check, bench.suite, task_id, opening): task_id for task_id in owed}
        for done in as_completed(waiting):
            yield waiting[done], done.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        provider.close()


def _check(suite: "FunctionsSuite", task_id: str, opening: "Callable[[SandboxSpec], Sandbox]") -> "GateTask":
    """Measure a task's own solution, then have the forged bodies graded by what was measured."""
    from proofyard.graders.unittest_grader import truth_of
    from proofyard.suites.functions.gate import GateTask

    task = suite.load(task_id)
    step = task.steps[0]
    reference = next(known.tree for known in step.hidden.solutions if known.kind == "reference")
    truth = truth_of(step, reference, opening, suite.blobs())
    if isinstance(truth, Shortfall):
        return GateTask(reason=cause(truth.reason, truth.evidence, suite.rows[task_id].canonical_solution))
    found = msgspec.to_builtins(truth)
    measured = replace(step, hidden=replace(step.hidden, expected=json.dumps(found)))
    passed = _passed(suite, task_id, measured, opening)
    return GateTask(reason=f"weak test: {passed} passes") if passed else GateTask(truth=found)


def _passed(suite: "FunctionsSuite", task_id: str, step: Step, opening: "Callable[[SandboxSpec], Sandbox]") -> str:
    """The first forged body that passes, "" if none does."""
    from proofyard.graders.unittest_grader import UnittestGrader

    row = suite.rows[task_id]
    stub = row.code_prompt if isinstance(row, BigCodeRow) else row.prompt
    for name, body in _FORGED.items():
        tree = tree_of({_FILE: f"{stub}\n{body}"}, suite.blobs())
        if UnittestGrader().grade(step, tree, opening, Given(), suite.blobs()).outcome is Outcome.PASSED:
            return name
    return ""


def _keep(path: Path, gate: "Gate") -> None:
    """Write the gate's file whole, or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(gate), indent=1) + b"\n")
        beside.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another --output") from None


def _show(bench: _Bench, gate: "Gate", wanted: Sequence[str], *, as_json: bool) -> None:
    passing = [task_id for task_id in wanted if gate.passes(task_id)]
    failing = {task_id: gate.tasks[task_id].reason for task_id in wanted if not gate.passes(task_id)}
    causes = Counter(reason.partition(":")[0] for reason in failing.values())
    if as_json:
        found = {"environment": bench.installed.name, "fingerprint": gate.fingerprint, "gate": bench.path}
        echo_json(
            {
                **found,
                "packages": bench.installed.packages,
                "passing": len(passing),
                "tasks": len(wanted),
                "failing": failing,
                "causes": dict(causes.most_common()),
            }
        )
        return
    print_rich([f"{task_id}: {reason}" for task_id, reason in failing.items()])
    print_rich([f"{count} x {name}" for name, count in causes.most_common()])
    print_rich(
        [f"{len(passing)} of {len(wanted)} tasks pass in {bench.installed.name} ({bench.installed.fingerprint[:16]})"]
    )
    print_rich([f"written: {bench.path}", f"packages: {bench.installed.packages}"])
