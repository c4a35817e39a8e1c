"""A trajectory made readable: what was thought, said, called and observed, what was edited, what it cost, and the verdict."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from proofyard.core import Blobs, Move, MoveCall, MoveMetrics, MoveResult, Trial, Verdict
from proofyard.reports.clean import clean, shorten
from proofyard.reports.edits import edit_lines, snapshot_tree
from proofyard.reports.failure import explain

__all__ = ["FULL", "SHORT", "Lengths", "move_lines", "moves_lines", "trial_lines", "verdict_lines"]

# Names under which tools take the text of a command, and the text itself; such a call is shown as a command.
_COMMANDS = ("command", "cmd", "script", "keystrokes", "input")


class Lengths(NamedTuple):
    """How much is shown of what was said and observed, in characters, and of each edited file, in lines."""

    text: int = 2000
    output: int = 2000
    edit: int = 40


SHORT: Final = Lengths()
FULL: Final = Lengths(10**9, 10**9, 10**9)


def trial_lines(trial: Trial) -> list[str]:
    """Whose attempt it was, at what, how long it took and what it cost."""
    spend = trial.spend
    cost = "unknown" if spend.cost_micro_usd is None else f"${spend.cost_micro_usd / 1e6:.6f}".rstrip("0").rstrip(".")
    used = MoveMetrics(
        input_tokens=spend.input_tokens, cached_tokens=spend.cached_tokens, output_tokens=spend.output_tokens
    )
    lines = [
        f"trial {trial.id}: {trial.task}, attempt {trial.k}, {clean(trial.subject_name)}",
        f"started {trial.started or 'at an unknown time'}, {trial.wall_us / 1e6:.1f} s, {spend.steps} moves, "
        f"tokens: {_tokens(used) or 'unknown'}, cost: {cost}",
    ]
    if trial.tries > 1:
        lines.append(f"tried {trial.tries} times: the infrastructure failed before")
    if trial.failure is not None:
        lines.append(f"{trial.failure.boundary} failure {trial.failure.code}: {clean(trial.failure.message)}")
    return lines


def verdict_lines(verdict: Verdict | None) -> list[str]:
    """What came of it."""
    return ["verdict: not graded"] if verdict is None else ["verdict: " + explain(verdict)]


def moves_lines(
    moves: Sequence[Move], blobs: Blobs | None = None, lengths: Lengths = SHORT, notes: Mapping[int, str] = {}
) -> Iterator[str]:
    """Each move in turn. blobs: of the run, for what was edited. notes: what is to be said of a move, by its number."""
    before = None
    for move in moves:
        yield ""
        yield from move_lines(move, lengths)
        after = snapshot_tree(move, blobs) if blobs is not None else None
        if after is not None and blobs is not None:
            yield from (f"  {line}" for line in edit_lines(before, after, blobs, lengths.edit))
            before = after
        else:
            yield from (f"  {change.how}: {clean(change.path)}" for change in move.changed)
        if move.n in notes:
            yield f"  => {clean(notes[move.n])}"


def move_lines(move: Move, lengths: Lengths = SHORT) -> Iterator[str]:
    """One move without its edits."""
    yield _head(move)
    if move.reasoning:
        yield from _block("thinks: ", move.reasoning, lengths.text)
    if move.message:
        yield from _block("", move.message, lengths.text)
    left = list(move.results)
    for call in move.calls:
        yield from _block(*_called(call), lengths.text)
        for result in [one for one in left if one.call == call.id]:
            left.remove(result)
            yield from _observed(result, lengths.output)
    for result in left:
        yield from _observed(result, lengths.output)


def _head(move: Move) -> str:
    parts = [f"#{move.n} {move.source}"]
    parts += [clean(text) for text in (move.model, move.at) if text]
    if move.wall_us:
        parts.append(f"{move.wall_us / 1e6:.1f} s")
    if move.metrics is not None:
        parts += [text for text in (_tokens(move.metrics), f"${move.metrics.usd}" if move.metrics.usd else "") if text]
    if move.stop:
        parts.append(f"stopped: {clean(move.stop)}")
    if move.copied:
        parts.append("taken over from another trajectory")
    return "  ".join(parts)


def _tokens(metrics: MoveMetrics) -> str:
    if metrics.input_tokens is None and metrics.output_tokens is None:
        return ""
    cached = f" ({metrics.cached_tokens:,} cached)" if metrics.cached_tokens else ""
    return f"{_count(metrics.input_tokens)} in{cached}, {_count(metrics.output_tokens)} out"


def _count(tokens: int | None) -> str:
    return "?" if tokens is None else f"{tokens:,}"


def _called(call: MoveCall) -> tuple[str, str]:
    """A prefix and the text of a call: a command as one types it, other arguments one a line."""
    try:
        given = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return f"{clean(call.name)} (arguments that are no JSON): ", call.arguments
    if not isinstance(given, dict):
        return f"{clean(call.name)}: ", call.arguments
    typed = [given[name] for name in _COMMANDS if isinstance(given.get(name), str)]
    if len(typed) == 1 and len(given) == 1:
        return f"{clean(call.name)}$ ", typed[0]
    lines = [f"{name}: {value if isinstance(value, str) else json.dumps(value)}" for name, value in given.items()]
    return f"{clean(call.name)} ", "\n".join(lines) if len(lines) < 2 else "\n" + "\n".join(lines)


def _observed(result: MoveResult, limit: int) -> Iterator[str]:
    if result.content.strip():
        yield from _block("| ", result.content.rstrip("\n"), limit, "| ")
    said = []
    if result.code is not None:
        said.append(f"exit code {result.code}")
    elif result.failed:
        said.append("failed")
    if result.elided:
        said.append(f"{result.elided:,} bytes of output were not shown to the agent")
    if said:
        yield f"  [{', '.join(said)}]"


def _block(first: str, text: str, limit: int, other: str = "") -> Iterator[str]:
    head, *rest = clean(shorten(text, limit)).split("\n")
    yield f"  {first}{head}"
    yield from (f"  {other}{line}" for line in rest)
