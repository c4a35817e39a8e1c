"""`proofyard mutants`: do the tests notice small faults of the references?"""

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from proofyard.cli.common import echo_json, json_option, print_rich
from proofyard.core import UnknownNameError

if TYPE_CHECKING:
    from proofyard.checks.mutants import Entry, MutantReport, Survivor

__all__ = ["command"]


@click.command(name="mutants")
@click.argument("suite")
@click.option("--family", "families", multiple=True, metavar="SLUG", help="Only this family's reference; repeatable.")
@click.option("--service", is_flag=True, help="The tiers' own program (alone, or with the families named).")
@click.option("--all", "redo", is_flag=True, help="Also what the ledger already holds.")
@click.option("--check", is_flag=True, help="Grade nothing: fail if the ledger is out of date.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=None, help="Mutants at once (default: processors).")
@click.option("--ledger", type=click.Path(path_type=Path, dir_okay=False), default=None, help="The ledger's file.")
@json_option
def command(
    suite: str,
    families: tuple[str, ...],
    service: bool,
    redo: bool,
    check: bool,
    concurrency: int | None,
    ledger: Path | None,
    as_json: bool,
) -> int:
    """Change the references of SUITE one spot at a time and grade each: its tests must notice.

    What did not change since the ledger was written is not graded again; a campaign that was interrupted goes on where it
    stopped. Exit code 1 if too few mutants were killed or the ledger is out of date, 3 infrastructure, 130 interrupted.
    """
    from proofyard.checks.mutants import LEDGER, Campaign, check_mutants
    from proofyard.sandbox import LocalProvider

    if suite != "scratch":
        raise UnknownNameError("suite", suite, ("scratch",), hint="only the suite scratch has references to mutate")
    campaign = Campaign(
        families=families,
        service=service,
        concurrency=concurrency or os.cpu_count() or 1,
        ledger=ledger or LEDGER,
        redo=redo,
        check=check,
    )
    provider = LocalProvider(slots=campaign.concurrency)
    try:
        with _Line() as line:
            report = check_mutants(campaign, provider, line.show)
    finally:
        provider.close()
    if as_json:
        echo_json(report)
    else:
        _print(report)
    return 1 if report.faults else 0


class _Line:
    """Progress on standard error: a line that rewrites itself on a terminal, a plain one every few seconds elsewhere."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._shown = 0.0
        self._width = 0

    def __enter__(self) -> "_Line":
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

    def show(self, text: str) -> None:
        """Show how it stands."""
        now = time.monotonic()
        if now - self._shown < (0.1 if self._terminal else 5.0):
            return
        self._shown = now
        if self._terminal:
            sys.stderr.write("\r" + text.ljust(self._width))
            self._width = max(self._width, len(text))
            sys.stderr.flush()
        else:
            click.echo(text, err=True)


def _print(report: "MutantReport") -> None:
    for name, entry in (*report.service.items(), *report.families.items()):
        print_rich([f"{name}: {_summary(entry)}"])
        print_rich([text for survivor in entry.survivors for text in _described(survivor)])
    entries = [*report.service.values(), *report.families.values()]
    made, killed = sum(entry.made for entry in entries), sum(entry.killed for entry in entries)
    equivalent = sum(entry.equivalent for entry in entries)
    print_rich(
        [
            f"{len(entries)} files: {made} mutants, {killed} killed, {equivalent} equivalent; "
            f"{len(report.graded)} files graded now"
        ]
    )
    for fault in report.faults:
        print_rich([f"fault: {fault}"])


def _summary(entry: "Entry") -> str:
    sample = f" of {entry.possible}" if entry.made < entry.possible else ""
    equivalent = f", {entry.equivalent} equivalent" if entry.equivalent else ""
    return f"{entry.made}{sample} mutants, {entry.killed} killed ({entry.share:.1f}%){equivalent}"


def _described(survivor: "Survivor") -> list[str]:
    """A survivor in two or three lines: where, what changed, and why it may be excused."""
    what = f"{_short(survivor.before)} -> {_short(survivor.after)}"
    lines = [
        f"  survivor {survivor.id} at {survivor.line}:{survivor.column} ({survivor.operator}): {what}",
        f"    {survivor.source}",
    ]
    if survivor.equivalent:
        lines.append(f"    equivalent: {survivor.equivalent} (agrees on {survivor.agreed} random requests)")
    return lines


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else line[:67] + "..."
