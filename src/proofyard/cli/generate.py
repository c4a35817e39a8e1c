"""`proofyard generate`: ask a model for the samples of a function benchmark."""

import threading
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from proofyard.cli.common import echo_json, json_option, print_rich
from proofyard.cli.flags import micro_usd
from proofyard.cli.generate_flags import GenerateFlags, generate_options, ignored
from proofyard.cli.generate_plan import Plan, Settings, differences, opened, planned, without_login
from proofyard.cli.generate_run import Asker, ask_one
from proofyard.cli.generate_store import Entry, Job, SampleStore
from proofyard.core import Budget, Record, UsageError, decimal_text
from proofyard.formats.lines import read_object

if TYPE_CHECKING:
    from proofyard.models import Model

__all__ = ["Generated", "command", "generated"]

_SCHEMA: Final = 1
_LISTED: Final = 10
"""Failures named on a terminal; the log beside the samples holds them all."""


class Counts(Record, frozen=True, kw_only=True):
    """Samples. wanted = present + missing; before: those that were there already. failed: questions that got no answer now.

    truncated, refused, too_long, empty: of the present ones, answers cut at the limit of tokens, refused, to a conversation
    that did not fit, and without a word; foreign: of unknown origin.
    """

    wanted: int
    before: int
    present: int
    missing: int
    failed: int
    truncated: int
    refused: int
    too_long: int
    empty: int
    foreign: int


class Usage(Record, frozen=True, kw_only=True):
    """Of all questions ever asked for this file. usd: None if the cost of one is unknown; then known_usd is the rest."""

    calls: int
    calls_without_usage: int
    input: int
    output: int
    usd: str | None
    known_usd: str


class Generation(Record, frozen=True, kw_only=True):
    """The record beside the samples. prefixes: both texts as asked for; the settings have them as sent."""

    format: str
    schema: int
    version: str
    settings: Settings
    prefixes: dict[str, str]
    base_url: str
    tasks: int
    n_samples: int
    counts: Counts
    usage: Usage
    sent: dict[str, str]
    dropped: dict[str, str]
    served_models: tuple[str, ...]
    failures: dict[str, int]
    stopped: str
    samples: str
    log: str


@click.command(name="generate", context_settings={"token_normalize_func": lambda token: token.replace("_", "-")})
@click.argument("benchmark", required=False)
@click.option("--dataset", default="", help="The same as the argument.")
@generate_options
@json_option
def command(benchmark: str | None, dataset: str, as_json: bool, **options: Any) -> int:
    """Ask a model for samples of BENCHMARK (bigcodebench, humaneval, humanevalplus, mbpp, mbppplus).

    Answers are kept as they come; the same command asks for what is missing. Exit code 3 if samples are missing.
    """
    for note in ignored(options):
        click.echo(f"proofyard: {note}", err=True)
    if bool(benchmark) == bool(dataset):
        raise UsageError("which benchmark? give it once, e.g. proofyard generate bigcodebench --model PROVIDER/MODEL")
    flags = GenerateFlags(**options)
    made = generated(benchmark or dataset, flags)
    if as_json:
        echo_json(made.record)
    else:
        print_rich(made.lines)
    if made.interrupted:
        raise KeyboardInterrupt
    return 3 if made.record.counts.missing else 0


class Generated(NamedTuple):
    """What came of asking. samples: the file. tasks: the ids asked for. lines: how it went, for a person."""

    record: Generation
    samples: Path
    tasks: tuple[str, ...]
    lines: list[str]
    interrupted: bool


def generated(benchmark: str, flags: GenerateFlags) -> Generated:
    """Ask for what is missing; notes go to standard error.

    Raises:
        UsageError: the model, the data or an option is no good, or the output holds samples of other settings.

    """
    model = opened(flags)
    try:
        plan = planned(benchmark, flags, model.name)
        for note in plan.notes:
            click.echo(f"proofyard: {note}", err=True)
        record, asker = _generate(plan, flags, model)
    finally:
        model.close()
    return Generated(record, plan.output, tuple(plan.rows), _lines(record, asker.asked), asker.interrupted)


def _generate(plan: Plan, flags: GenerateFlags, model: "Model") -> tuple[Generation, Asker]:
    from proofyard.models import Account

    record_path = plan.output.with_name(f"{plan.output.stem}.generation.json")
    _allowed(plan, flags, record_path)
    with SampleStore(plan.output, lambda entry: plan.sample(entry.task_id, entry.text)) as store:
        if flags.overwrite:
            store.wipe()
        store.load()
        wanted = [Job(task_id, k) for task_id in plan.rows for k in range(flags.n_samples)]
        jobs = [job for job in wanted if job not in store.present]
        left = micro_usd(flags.max_cost)
        if left is not None:
            left = max(0, left - sum(entry.charged for entry in store.entries))
        stop = threading.Event()
        account = Account(Budget(cost_micro_usd=left), asked_to_stop=stop.is_set)
        asker = Asker(
            store, lambda job: ask_one(model, job, plan.request(job.task_id, job.k), account), flags.concurrency, stop
        )
        before = len(wanted) - len(jobs)
        _keep(record_path, _record(plan, flags, store, asker, wanted, before))
        try:
            asker.run(jobs)
        finally:
            record = _record(plan, flags, store, asker, wanted, before)
            _keep(record_path, record)
    return record, asker


def _allowed(plan: Plan, flags: GenerateFlags, record_path: Path) -> None:
    """Refuse to mix samples of different settings in one file. Raises UsageError."""
    if flags.overwrite or not plan.output.is_file() or not plan.output.stat().st_size:
        return
    if not flags.resume:
        raise UsageError(f"{plan.output} is there already: --overwrite, or choose another --output")
    if not record_path.is_file():
        raise UsageError(
            f"{plan.output} is there already, and no {record_path.name} says how it was made: --overwrite, or choose "
            "another --output"
        )
    changed = differences(read_object(record_path).fields.get("settings"), plan.settings)
    if changed:
        raise UsageError(
            f"{plan.output} was made with other settings ({', '.join(changed)}): --overwrite, or choose another --output"
        )


def _keep(path: Path, record: Generation) -> None:
    """Write the record whole or not at all."""
    import msgspec

    part = path.with_name(f".{path.name}.part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")
    part.replace(path)


def _record(
    plan: Plan, flags: GenerateFlags, store: SampleStore, asker: Asker, wanted: list[Job], before: int
) -> Generation:
    from proofyard import __version__

    mine = [store.present[job] for job in wanted if job in store.present]
    known = [entry for entry in mine if entry is not None]
    stops = Counter(entry.stop for entry in known)
    failed = [entry for entry in asker.asked if entry.failure]
    counts = Counts(
        wanted=len(wanted),
        before=before,
        present=len(mine),
        missing=len(wanted) - len(mine),
        failed=len(failed),
        truncated=stops["length"],
        refused=stops["refusal"],
        too_long=stops["context_window"],
        empty=sum(not entry.text.strip() for entry in known),
        foreign=len(mine) - len(known),
    )
    return Generation(
        format="proofyard.generation",
        schema=_SCHEMA,
        version=__version__,
        settings=plan.settings,
        prefixes={"instruction": flags.instruction_prefix, "response": flags.response_prefix},
        base_url=without_login(flags.base_url),
        tasks=len(plan.rows),
        n_samples=flags.n_samples,
        counts=counts,
        usage=_usage(store.entries),
        sent={name: value for entry in known for name, value in entry.sent.items()},
        dropped={name: why for entry in known for name, why in entry.dropped.items()},
        served_models=tuple(sorted({entry.served_model for entry in known if entry.served_model})),
        failures=dict(sorted(Counter(entry.failure for entry in failed).items())),
        stopped="interrupted" if asker.interrupted else asker.stopped,
        samples=plan.output.name,
        log=store.log_path.name,
    )


def _usage(entries: Iterable[Entry]) -> Usage:
    entries = list(entries)
    known = decimal_text(str(sum((Decimal(entry.usd) for entry in entries if entry.usd is not None), Decimal(0))))
    return Usage(
        calls=sum(entry.calls for entry in entries),
        calls_without_usage=sum(entry.unknown_calls for entry in entries),
        input=sum(entry.input for entry in entries),
        output=sum(entry.output for entry in entries),
        usd=None if any(entry.usd is None for entry in entries) else known,
        known_usd=known,
    )


def _lines(record: Generation, asked: list[Entry]) -> list[str]:
    counts, usage = record.counts, record.usage
    lines = [
        f"{counts.present} of {counts.wanted} samples ({record.tasks} tasks, {record.n_samples} each; "
        f"{counts.before} were there)"
    ]
    for count, what in (
        (counts.truncated, "cut at the limit of tokens: a higher --max-tokens lets them end"),
        (counts.refused, "refused by the model or its provider"),
        (counts.too_long, "to a prompt that did not fit"),
        (counts.empty, "without a word"),
        (counts.foreign, "of unknown origin"),
    ):
        if count:
            lines.append(f"  {count} {what}")
    cost = f"${usage.usd}" if usage.usd is not None else f"cost unknown (known: ${usage.known_usd})"
    lost = f" ({usage.calls_without_usage} calls without usage)" if usage.calls_without_usage else ""
    lines.append(f"tokens: {usage.input} in, {usage.output} out{lost}; {cost}")
    lines += [f"not sent: {name}: {why}" for name, why in record.dropped.items()]
    failed = [entry for entry in asked if entry.failure]
    if counts.missing:
        lines.append(f"{counts.missing} of {counts.wanted} missing; the same command asks for them")
        lines += [f"  {e.task_id} sample {e.k}: {e.message} [{e.failure}]" for e in failed[:_LISTED]]
        lines += [f"  and {len(failed) - _LISTED} more" for _ in [0] if len(failed) > _LISTED]
    if record.stopped:
        lines.append(f"stopped: {record.stopped}")
    lines.append(f"written to {record.samples}, how to {Path(record.log).stem}.json")
    return lines
