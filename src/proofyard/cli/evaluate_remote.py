"""`evaluate --execution e2b|gradio`: samples go to a machine that others run, verdicts come back.

One interface for all of them: files in, result files out (`Backend`). What came is kept in the run's folder, so that the same
command asks nobody twice.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click
import msgspec

from proofyard.cli.evaluate_order import Backend, Order
from proofyard.core import Outcome, Record, UsageError, Verdict
from proofyard.formats.judged import Judged
from proofyard.formats.lines import read_lines
from proofyard.formats.samples import SampleFile
from proofyard.suites.functions.datasets import HUB

if TYPE_CHECKING:
    from proofyard.cli.evaluate_flags import SampleFlags
    from proofyard.suites.functions import FunctionsSuite

__all__ = ["BACKENDS", "Kept", "Remote", "evaluated"]

BACKENDS: Final = ("e2b", "gradio")
_KEPT: Final = "remote.json"


class Kept(Record, frozen=True, kw_only=True):
    """What is kept of a remote evaluation. key: names the samples and the conditions."""

    key: str
    where: str
    verdicts: tuple[tuple[str, int, Verdict], ...]


class Remote(NamedTuple):
    """A remote evaluation: where it is kept, what came of each sample, in words of a run."""

    path: Path
    judged: dict[str, list[Judged]]
    counts: dict[str, int]
    errors: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """3 if a sample has no valid verdict, 1 if one failed, else 0."""
        if self.counts["error"] or self.counts["invalid"] or self.counts["missing"]:
            return 3
        return 1 if self.counts["failed"] else 0


def evaluated(
    suite: "FunctionsSuite", samples: SampleFile, tasks: tuple[str, ...], flags: "SampleFlags", key: str, output: Path
) -> Remote:
    """Have the samples graded by the back end that the flags name, or take what is kept of that.

    Raises:
        UsageError: the folder holds something else, or the back end cannot grade this.
        InfrastructureError: there was no answer.

    """
    kept = None if flags.overwrite else _read(output, key)
    if kept is None:
        _check(flags)
        backend = _backend(flags)
        order = _order(suite, samples, tasks, flags)
        found = backend.evaluate(order, lambda line: click.echo(f"{flags.execution}: {line}", err=True))
        verdicts = tuple((task, k, verdict) for (task, k), verdict in sorted(found.items()))
        kept = Kept(key=key, where=backend.where, verdicts=verdicts)
        _write(output, kept)
    return _remote(output, samples, kept)


def _remote(output: Path, samples: SampleFile, kept: Kept) -> Remote:
    by_sample = {(task, k): verdict for task, k, verdict in kept.verdicts}
    judged = {
        task: [Judged(sample, by_sample.get((task, sample.k))) for sample in found]
        for task, found in samples.of_task.items()
    }
    every = [one.verdict for found in judged.values() for one in found]
    counts = {outcome.value: sum(v is not None and v.outcome is outcome for v in every) for outcome in Outcome}
    errors = dict.fromkeys(v.failure.message for v in every if v is not None and v.failure)
    return Remote(output, judged, {**counts, "missing": every.count(None)}, tuple(errors)[:10])


def _backend(flags: "SampleFlags") -> Backend:
    if flags.execution == "e2b":
        from proofyard.cli.evaluate_e2b import E2B

        return E2B(flags.e2b_endpoint)
    from proofyard.cli.evaluate_gradio import Gradio

    return Gradio(flags.gradio_endpoint)


def _check(flags: "SampleFlags") -> None:
    """Refuse what says how this machine grades."""
    told = {"--isolation": flags.isolation != "fork", "--packages": flags.packages, "--env": flags.env}
    given = [name for name, value in {**told, "--unsafe-no-sandbox": flags.unsafe}.items() if value]
    if given:
        raise UsageError(f"{given[0]} is for --execution local: how {flags.execution} grades is its own affair")


def _order(suite: "FunctionsSuite", samples: SampleFile, tasks: tuple[str, ...], flags: "SampleFlags") -> Order:
    rows = [
        msgspec.json.encode({"task_id": task, "solution": sample.solution}) + b"\n"
        for task, found in samples.of_task.items()
        for sample in found
    ]
    named = suite.options.get("data", "")
    path = "" if named == HUB else named
    return Order(
        benchmark=suite.name,
        samples=b"".join(rows),
        data=b"".join(msgspec.json.encode(line.fields) + b"\n" for line in read_lines(Path(path))) if path else b"",
        split=suite.split,
        subset=flags.subset or "full",
        tasks=tuple(samples.of_task),
        whole=len(samples.of_task) == len(tasks),
        pass_k=flags.pass_k,
        wall_s=flags.remote_timeout,
        parallel=flags.concurrency,
    )


def _read(output: Path, key: str) -> Kept | None:
    path = output / _KEPT
    if not path.is_file():
        if output.is_dir() and any(output.iterdir()):
            raise UsageError(f"{output} holds something else; choose another --output")
        return None
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError) as error:
        raise UsageError(f"{path}: {error}; --overwrite drops it") from None
    if kept.key != key:
        raise UsageError(f"{output} holds other samples or conditions; --overwrite, or choose another --output")
    return kept


def _write(output: Path, kept: Kept) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
        part = output / f".{_KEPT}.part"
        part.write_bytes(msgspec.json.encode(kept))
        part.replace(output / _KEPT)
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}; choose another --output") from None
