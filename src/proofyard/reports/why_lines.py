"""Attributed attempts for a terminal: causes counted, then each attempt that did not pass, then how attempts went."""

from collections import Counter
from collections.abc import Iterator, Sequence

from proofyard.reports.clean import clean, shorten
from proofyard.reports.why import Why
from proofyard.reports.why_process import Process

__all__ = ["cause", "why_lines"]


def cause(why: Why) -> str:
    """The cause in a word."""
    if why.outcome == "error":
        return f"infrastructure ({why.failure.code})" if why.failure is not None else "infrastructure"
    return str(why.reason) if why.reason is not None else why.outcome


def why_lines(found: Sequence[Why], limit: int = 50) -> Iterator[str]:
    """Lines for a person; at most `limit` attempts are shown one by one."""
    lost = [why for why in found if why.outcome != "passed"]
    yield f"{len(found)} attempts, {len(found) - len(lost)} passed"
    for name, count in Counter(cause(why) for why in lost).most_common():
        doubtful = sum(not why.sure for why in lost if cause(why) == name)
        yield f"  {count:4d}  {name}" + (f"  ({doubtful} of them likely, not sure)" if doubtful else "")
    for why in lost[:limit]:
        yield ""
        yield from _one(why)
    if len(lost) > limit:
        yield f"and {len(lost) - limit} more (--json has them all)"


def _one(why: Why) -> Iterator[str]:
    likely = "" if why.sure else " (likely)"
    at = f", first at move {why.move}" if why.move is not None else ""
    yield f"{why.task}, attempt {why.k}, {clean(why.subject)}: {cause(why)}{likely}{at}   [{why.trial}]"
    if why.evidence:
        yield f"  {clean(shorten(' '.join(why.evidence.split()), 300))}"
    said = "; ".join(_measures(why.process))
    if said:
        yield f"  {said}"


def _measures(process: Process) -> Iterator[str]:
    if process.first_move is not None:
        tokens = "" if process.first_tokens is None else f", {process.first_tokens:,} tokens"
        wall = (process.first_wall_us or 0) / 1e6
        yield f"first assertion passed after move {process.first_move}{tokens}, {wall:.1f} s"
    if process.repeats > 1:
        yield f"one failing command {process.repeats} times ({clean(shorten(process.repeated, 80))})"
    if process.tail_moves:
        tokens = "" if process.tail_tokens is None else f", {process.tail_tokens:,} tokens"
        yield f"no progress in the last {process.tail_moves} of {process.moves} moves{tokens}"
    if process.setbacks:
        yield f"{process.setbacks} setbacks, {'recovered' if process.recovered else 'never recovered'}"
