"""A campaign: the mutants of all targets whose entry in the ledger no longer holds, graded on several threads."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from proofyard.checks.mutants.agreement import REQUESTS, Agreement, agree, excuses
from proofyard.checks.mutants.bench import Bench
from proofyard.checks.mutants.ledger import (
    LEDGER,
    Entry,
    Fate,
    Journal,
    Ledger,
    Survivor,
    Tally,
    read_ledger,
    write_ledger,
)
from proofyard.checks.mutants.targets import Target, family_targets, service_targets
from proofyard.core import Provider, Record, UsageError
from proofyard.source import OPERATORS, Mutant
from proofyard.suites.scratch.families import FAMILIES

__all__ = ["FLOOR", "Campaign", "MutantReport", "check_mutants"]

FLOOR: Final = 97
"""Percent of a family's mutants that must be killed, before any is excused."""

LEAST: Final = 40
"""So many mutants a family must have."""


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """What is asked for.

    families: slugs, all if empty. service: the tiers' own program. Neither named: everything. redo: also what the ledger
    already holds. check: grade nothing, only tell which entries do not hold.
    """

    families: tuple[str, ...] = ()
    service: bool = False
    concurrency: int = 1
    ledger: Path = LEDGER
    redo: bool = False
    check: bool = False

    @property
    def targets(self) -> tuple[Target, ...]:
        """The files asked for. Raises UnknownNameError for an unknown family."""
        every = not self.families and not self.service
        families = family_targets(self.families) if self.families or every else ()
        return (*(service_targets() if self.service or every else ()), *families)


class MutantReport(Record, frozen=True, kw_only=True):
    """What the ledger says of the files asked for. faults: what is not as it must be, one line each."""

    format: str = "proofyard.mutants-report"
    schema: int = 1
    families: dict[str, Entry] = msgspec.field(default_factory=dict)
    service: dict[str, Entry] = msgspec.field(default_factory=dict)
    graded: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def check_mutants(campaign: Campaign, provider: Provider, progress: Callable[[str], None]) -> MutantReport:
    """Bring the ledger up to date for the files asked for, and say what it holds of them.

    Ended in the middle, it goes on at the next call with the mutant at which it stopped.

    Raises:
        UsageError: a family is unknown, or the ledger cannot be read or written.
        InfrastructureError: a sandbox failed twice, or an unchanged reference does not pass.

    """
    if campaign.concurrency < 1:
        raise UsageError(f"at least one mutant must be graded at once, not {campaign.concurrency}")
    ledger = _known(read_ledger(campaign.ledger))
    if not campaign.check:
        write_ledger(campaign.ledger, ledger)  # better refused now than after the first file
    bench, excused = Bench(provider), excuses()
    graded, stale = [], []
    for target in campaign.targets:
        progress(f"{target.name}: looking at the ledger")
        digest = bench.digest(target, excused.get(target.name, {}))
        known = _table(ledger, target).get(target.name)
        if known is not None and known.digest == digest and not campaign.redo:
            continue
        if campaign.check:
            stale.append(target.name)
            continue
        entry = _Batch(bench, target, digest, campaign, provider, progress).run(excused.get(target.name, {}))
        ledger = _with(ledger, target, entry)
        write_ledger(campaign.ledger, ledger)
        graded.append(target.name)
    return _report(campaign, ledger, graded, stale)


class _Batch:
    """The mutants of one target."""

    def __init__(
        self,
        bench: Bench,
        target: Target,
        digest: str,
        campaign: Campaign,
        provider: Provider,
        progress: Callable[[str], None],
    ) -> None:
        self._bench = bench
        self._target = target
        self._digest = digest
        self._campaign = campaign
        self._provider = provider
        self._progress = progress

    def run(self, excused: dict[str, str]) -> Entry:
        """Grade all; those in the journal are done already."""
        journal = Journal(self._digest)
        if self._campaign.redo:
            journal.drop()
        mutants = self._target.chosen()
        fates = journal.read()
        self._progress(f"{self._target.name}: its reference, which must pass")
        self._bench.prove(self._target)
        for fate in self._graded([mutant for mutant in mutants if mutant.digest not in fates]):
            journal.add(fate)
            fates[fate.id] = fate
            killed = sum(known.killed for known in fates.values())
            self._progress(f"{self._target.name}: {len(fates)}/{len(mutants)} mutants, {killed} killed")
        self._bench.prove_again(self._target, {fate.task for fate in fates.values() if fate.reason == "timeout"})
        alive = self._survivors([mutant for mutant in mutants if not fates[mutant.digest].killed], excused)
        entry = _entry(self._digest, len(self._target.mutants()), mutants, fates, alive)
        journal.drop()
        return entry

    def _graded(self, mutants: Sequence[Mutant]) -> Iterator[Fate]:
        """Fates as they become known. Whatever ends this early ends the gradings under way too: their sandboxes are closed."""
        with ThreadPoolExecutor(self._campaign.concurrency, thread_name_prefix="proofyard-mutant") as pool:
            flying: list[Future[Fate]] = [pool.submit(self._bench.fate, self._target, mutant) for mutant in mutants]
            try:
                for future in as_completed(flying):
                    yield future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self._bench.stop()
                raise

    def _survivors(self, alive: Sequence[Mutant], excused: dict[str, str]) -> tuple[Survivor, ...]:
        listed = [mutant for mutant in alive if mutant.digest in excused]
        if listed:
            self._progress(f"{self._target.name}: {len(listed)} beside the reference on random requests")
        agreements = agree(self._target, listed, self._provider, requests=REQUESTS)
        return tuple(_survivor(mutant, excused, agreements) for mutant in alive)


def _survivor(mutant: Mutant, excused: dict[str, str], agreements: dict[str, Agreement]) -> Survivor:
    agreed, differs = agreements.get(mutant.digest, Agreement(0, ""))
    return Survivor(
        id=mutant.digest,
        operator=mutant.operator,
        line=mutant.line,
        column=mutant.column,
        before=mutant.before,
        after=mutant.after,
        source=mutant.source,
        equivalent=excused.get(mutant.digest, ""),
        agreed=agreed,
        differs=differs,
    )


def _entry(
    digest: str, possible: int, mutants: Sequence[Mutant], fates: dict[str, Fate], alive: tuple[Survivor, ...]
) -> Entry:
    made = Counter(mutant.operator for mutant in mutants)
    killed = Counter(mutant.operator for mutant in mutants if fates[mutant.digest].killed)
    return Entry(
        digest=digest,
        possible=possible,
        made=len(mutants),
        killed=killed.total(),
        reasons=dict(sorted(Counter(fates[m.digest].reason for m in mutants if fates[m.digest].killed).items())),
        operators={name: Tally(made=made[name], killed=killed[name]) for name in OPERATORS if made[name]},
        survivors=alive,
    )


def _known(ledger: Ledger) -> Ledger:
    """The ledger without what is no longer there to be mutated."""
    service = {target.name for target in service_targets()}
    return msgspec.structs.replace(
        ledger,
        families={name: entry for name, entry in ledger.families.items() if name in FAMILIES},
        service={name: entry for name, entry in ledger.service.items() if name in service},
    )


def _table(ledger: Ledger, target: Target) -> dict[str, Entry]:
    return ledger.families if target.kind == "family" else ledger.service


def _with(ledger: Ledger, target: Target, entry: Entry) -> Ledger:
    table = {**_table(ledger, target), target.name: entry}
    if target.kind == "family":
        return msgspec.structs.replace(ledger, families=table)
    return msgspec.structs.replace(ledger, service=table)


def _report(campaign: Campaign, ledger: Ledger, graded: list[str], stale: list[str]) -> MutantReport:
    found: dict[str, dict[str, Entry]] = {"family": {}, "service": {}}
    faults = [f"{name}: the ledger does not hold what is there now" for name in stale]
    for target in campaign.targets:
        entry = _table(ledger, target).get(target.name)
        if entry is not None:
            found[target.kind][target.name] = entry
            faults += _faults(target, entry)
    return MutantReport(
        families=found["family"],
        service=found["service"],
        graded=tuple(graded),
        stale=tuple(stale),
        faults=tuple(faults),
    )


def _faults(target: Target, entry: Entry) -> Iterator[str]:
    if target.kind == "family" and entry.made < LEAST:
        yield f"{target.name}: only {entry.made} mutants, at least {LEAST} are wanted"
    if target.kind == "family" and entry.share < FLOOR:
        yield f"{target.name}: {entry.killed} of {entry.made} killed, {entry.share:.1f}%, at least {FLOOR}% are wanted"
    unproved = len(entry.survivors) - entry.equivalent
    if target.kind == "service" and unproved:
        yield f"{target.name}: {unproved} of {entry.made} neither killed nor shown to be equivalent"
    for survivor in entry.survivors:
        if survivor.differs:
            yield f"{target.name}: {survivor.id} is listed as equivalent and is not: {survivor.differs}"
