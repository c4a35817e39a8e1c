"""Live progress: a line that rewrites itself on a terminal, a plain line every few seconds elsewhere; the closing table."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import click

from proofyard.cli.common import print_rich
from proofyard.cli.run_notes import model_notes

if TYPE_CHECKING:
    from pathlib import Path

    from proofyard.engine import Counts, RunOutcome

__all__ = ["Live"]

QUIET_S: Final = 5.0
"""Seconds between two plain lines where standard error is no terminal."""

_NO_SCORE: Final = ("invalid", "error", "missing", "ungraded")


class Live:
    """Shows how a run stands. Everything live goes to standard error.

    scores: whether passed and failed are told apart while it goes on (not where failing is what is wanted of most).
    """

    def __init__(self, where: str, *, scores: bool = True) -> None:
        self._where = where
        self._outcomes = ("passed", "failed", *_NO_SCORE) if scores else _NO_SCORE
        self._terminal = sys.stderr.isatty()
        self._shown = 0.0
        self._width = 0
        self._text = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wipe()

    def update(self, counts: "Counts") -> None:
        """Take the newest counts."""
        now = time.monotonic()
        due = 0.1 if self._terminal else QUIET_S
        if now - self._shown < due and counts.owed:
            return
        self._shown = now
        text = _line(counts, self._outcomes)
        if text == self._text:
            return
        self._text = text
        if self._terminal:
            sys.stderr.write("\r" + text.ljust(self._width))
            self._width = len(text)
            sys.stderr.flush()
        else:
            click.echo(text, err=True)

    def _wipe(self) -> None:
        if self._terminal and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

    def close_with(self, outcome: "RunOutcome") -> None:
        """Print the closing table, the infrastructure failures, and where the run is."""
        from rich import box
        from rich.table import Table

        counts = outcome.counts
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        names = ("total", "passed", "failed", "invalid", "error", "missing", "ungraded", "owed")
        shown = [n for n in names if n in {"total", "passed", "failed", "invalid", "error"} or getattr(counts, n)]
        for name in shown:
            table.add_column(name, justify="right")
        table.add_row(*(str(getattr(counts, name)) for name in shown))
        print_rich([table])
        print_rich(_losses(outcome.path))
        for error in outcome.errors:
            click.echo(f"error: {error}", err=True)
        for why in outcome.stopped:
            click.echo(f"stopped: {why}", err=True)
        if outcome.calls:
            print_rich([f"{outcome.calls} call{'s' if outcome.calls > 1 else ''} of models, {_cost(outcome)}"])
        state = (
            "interrupted; the same command resumes it"
            if outcome.interrupted
            else "complete"
            if not counts.owed
            else "stopped"
        )
        print_rich([f"run {state}: {self._where}   (proofyard score {self._where})"])


def _cost(outcome: "RunOutcome") -> str:
    from proofyard.reports import dollars_text

    if outcome.cost_micro_usd is not None:
        return dollars_text(outcome.cost_micro_usd)
    calls = f"{outcome.unreported} call{'s' if outcome.unreported > 1 else ''}"
    never = f"the usage of {calls} never came" if outcome.unreported else ""
    if outcome.cost_at_most_micro_usd is not None:
        return f"at most {dollars_text(outcome.cost_at_most_micro_usd)}: {never}"
    return f"cost unknown{': ' if never else ''}{never}"


def _losses(path: "Path") -> list[str]:
    from proofyard.reports import losses
    from proofyard.store import read_run

    data = read_run(path)
    return [*losses(data.trials.values(), list(data.verdicts.values())), *model_notes(data.trials.values())]


def _line(counts: "Counts", outcomes: tuple[str, ...]) -> str:
    done = counts.total - counts.owed
    parts = [f"{done}/{counts.total}"]
    parts += [f"{name} {getattr(counts, name)}" for name in outcomes if getattr(counts, name)]
    if counts.left_s is not None and counts.owed:
        parts.append(f"about {_duration(counts.left_s)} left")
    return "  ".join(parts)


def _duration(seconds: float) -> str:
    whole = max(1, round(seconds))
    if whole < 90:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
