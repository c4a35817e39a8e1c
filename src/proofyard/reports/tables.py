"""Tables for a terminal."""

from collections.abc import Iterable

from rich import box
from rich.table import Table

from proofyard.reports.pass_rates import PassRate, Rates
from proofyard.reports.score import OVERALL, Rate, Score

__all__ = ["pass_table", "score_table"]


def score_table(scores: Iterable[Score]) -> Table:
    """One row a subject and tier: coverage, outcomes, resolve@1 strict and among submitted, with 95 % intervals."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("subject", max_width=36, overflow="fold")
    table.add_column("tier", no_wrap=True)
    for name in ("tasks", "attempts", "passed", "failed", "invalid", "error"):
        table.add_column(name, justify="right")
    table.add_column("resolve@1 (strict)", no_wrap=True)
    table.add_column("among submitted", no_wrap=True)
    table.add_column("", no_wrap=True)
    for score in scores:
        for row in score.rows:
            table.add_row(*_cells(score, row), style="bold" if row.subset == OVERALL else "")
    return table


def pass_table(rows: Iterable[Rates]) -> Table:
    """One row a line of rates: coverage, and pass@k strict and, where there is a gate, gated, with 95 % intervals."""
    rows = list(rows)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column("of", no_wrap=True)
    table.add_column("tasks", justify="right")
    table.add_column("samples", justify="right")
    for rate in rows[0].strict if rows else ():
        table.add_column(f"pass@{rate.k} (strict)", no_wrap=True)
    for rate in rows[0].gated if rows else ():
        table.add_column(f"pass@{rate.k} (gated)", no_wrap=True)
    for row in rows:
        through = "" if row.gated_tasks is None else f" ({row.gated_tasks} gated)"
        counts = (f"{row.covered}/{row.tasks}{through}", f"{row.samples - row.unjudged}/{row.planned}")
        cells = [_pass_rate(rate) for rate in (*row.strict, *row.gated)]
        table.add_row(row.kind, row.name, *counts, *cells, style="bold" if row.kind == OVERALL else "")
    return table


def _pass_rate(rate: PassRate) -> str:
    return "not computable" if rate.value is None else _rate(rate.value, rate.low, rate.high)


def _cells(score: Score, row: Rate) -> list[str]:
    return [
        score.name,
        row.subset,
        f"{row.tasks}/{row.total}",
        str(row.attempts),
        str(row.passed),
        str(row.failed),
        str(row.invalid),
        str(row.error),
        _rate(row.strict, row.strict_low, row.strict_high),
        _rate(row.submitted, row.submitted_low, row.submitted_high),
        _lack(row),
    ]


def _lack(row: Rate) -> str:
    """What a row is short of, if anything."""
    if row.complete:
        return ""
    if row.tasks < row.total:
        return f"INCOMPLETE {row.tasks}/{row.total}"
    return f"INCOMPLETE {row.passed + row.failed}/{max(row.attempts, row.planned)} attempts"


def _rate(mean: float | None, low: float | None, high: float | None) -> str:
    if mean is None or low is None or high is None:
        return "-"
    return f"{mean:.3f} [{low:.3f}, {high:.3f}]"
