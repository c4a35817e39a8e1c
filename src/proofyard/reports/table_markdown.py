"""The table as Markdown, the same for the same runs, and its place in a document."""

from collections.abc import Iterable, Sequence
from typing import Final

from proofyard.core import UsageError
from proofyard.reports.clean import clean
from proofyard.reports.money import dollars_text
from proofyard.reports.table import BandRow, Row, Table
from proofyard.stats import BAND_RULE

__all__ = ["END", "START", "markdown", "placed"]

START: Final = "<!-- results:start -->"
END: Final = "<!-- results:end -->"

_HEAD: Final = (
    *("task", "agent", "model", "condition", "passed/attempted", "95 % interval", "passed/planned"),
    *("cost an attempt", "tokens an attempt", "infrastructure errors", "otherwise no verdict"),
)
_BAND_HEAD: Final = ("task", "condition", "band", "models", "attempts")
_LEGEND: Final = (
    "Attempted: attempts that the tests decided (Wilson's interval); planned: all that were asked for, where one without a "
    "verdict counts as not passed. Infrastructure errors are no score. Cost and tokens are medians of the attempts that "
    "tell theirs."
)


def markdown(table: Table) -> str:
    """The rows, the bands and the rules that both follow; ends in a line feed."""
    parts = [
        _grid(_HEAD, (_cells(row) for row in table.rows), right=range(4, 9)),
        _LEGEND,
        _grid(_BAND_HEAD, (_band_cells(row) for row in table.bands), right=range(3, 5)),
        f"Bands, of agents that have a model: {BAND_RULE}.",
    ]
    notes = _notes(table)
    if notes:
        parts.append("\n".join(f"- {note}" for note in notes))
    return "\n\n".join(parts) + "\n"


def placed(text: str, document: str | None, where: str) -> str:
    """A document with the text between its markers; without a document, a new one.

    Raises:
        UsageError: the document has not exactly one pair of markers, in order. `where` names it.

    """
    block = f"{START}\n{text}{END}\n"
    if document is None:
        return block
    if document.count(START) != 1 or document.count(END) != 1 or document.index(START) > document.index(END):
        raise UsageError(f"{where}: {START} and {END}, once each and in this order, must say where the table stands")
    before, _, rest = document.partition(START)
    after = rest.partition(END)[2].removeprefix("\n")
    return before + block + after


def _grid(head: Sequence[str], rows: Iterable[Sequence[str]], right: range) -> str:
    rule = ["---:" if n in right else "---" for n in range(len(head))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def _cells(row: Row) -> tuple[str, ...]:
    interval = f"{row.low:.2f} to {row.high:.2f}" if row.attempted else "-"
    return (
        _named(row.task, row.version),
        _text(row.agent),
        _text(row.model) or "-",
        _text(row.condition),
        f"{row.passed}/{row.attempted}",
        interval,
        f"{row.passed}/{row.planned}",
        _cost(row),
        _tokens(row),
        _listed(row.errors.items()),
        _listed((("invalid", row.invalid), ("not graded", row.ungraded), ("not made", row.planned - row.made))),
    )


def _band_cells(row: BandRow) -> tuple[str, ...]:
    return (
        _named(row.task, row.version),
        _text(row.condition),
        row.band,
        str(row.models),
        str(row.attempted),
    )


def _named(task: str, version: str) -> str:
    return _text(f"{task} ({version})" if version else task)


def _text(text: str) -> str:
    """Text of others as a cell: nothing in it is a mark-up of its own."""
    plain = " ".join(clean(text).split())
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|~" else c for c in plain) if _risky(plain) else plain


def _risky(text: str) -> bool:
    return any(c in "\\`*{}[]<>#|~" for c in text) or text.startswith("_") or " _" in text


def _cost(row: Row) -> str:
    if row.cost_micro_usd is None:
        return "unknown" if row.model and row.made else "-"
    return f"{dollars_text(row.cost_micro_usd)}{_known(row.costs, row.made)}"


def _tokens(row: Row) -> str:
    if row.input_tokens is None or row.output_tokens is None:
        return "unknown" if row.model and row.made else "-"
    return f"{row.input_tokens:,} in, {row.output_tokens:,} out{_known(row.counted, row.made)}"


def _known(known: int, made: int) -> str:
    return "" if known == made else f" ({known} of {made})"


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts if count) or "0"


def _notes(table: Table) -> list[str]:
    notes = []
    for row in table.rows:
        what = ", ".join(_text(part) for part in (row.task, row.agent, row.model, row.condition) if part)
        if row.imported:
            notes.append(f"{what}: {row.imported} of {row.made} attempts were imported, not made here")
        if row.bare_metal:
            notes.append(f"{what}: {row.bare_metal} of {row.made} attempts ran without isolation")
    if table.repeated:
        notes.append(f"{table.repeated} attempts are in more than one of the runs and counted once")
    if table.older:
        notes.append(f"{table.older} verdicts of older graders left out")
    return notes
