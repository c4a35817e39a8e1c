"""How an attempt went on its way: when something first worked, what was tried again and again, what was wasted at the end."""

from collections import Counter
from collections.abc import Mapping, Sequence

from proofyard.core import Grade, Move, Outcome, Record

__all__ = ["Process", "points", "process_of"]


class Process(Record, frozen=True, kw_only=True):
    """Measures of one attempt; None is unknown (no snapshots were graded, or usage is not known).

    moves: of the agent. tokens: read and written, in all. first_move, first_tokens, first_wall_us: the move after which an
    assertion first passed, and tokens and microseconds of all moves up to it. repeats: how often the failing command that was
    repeated most was given (0: none failed); repeated: that command. tail_moves, tail_tokens: moves after the last one that
    made more assertions pass than ever before, and their tokens. setbacks: how often fewer passed than after the move before,
    or, without snapshots, how often a command failed. recovered: whether the best count was reached again after the last
    setback (without snapshots: whether a command ended well after it); None without a setback.
    """

    moves: int = 0
    tokens: int | None = None
    first_move: int | None = None
    first_tokens: int | None = None
    first_wall_us: int | None = None
    repeats: int = 0
    repeated: str = ""
    tail_moves: int | None = None
    tail_tokens: int | None = None
    setbacks: int = 0
    recovered: bool | None = None


def points(grade: Grade) -> int:
    """How many assertions a grade says passed; of a grader without groups 1 for a pass."""
    passed = sum(group.passed for group in grade.groups.values())
    return passed or int(grade.outcome is Outcome.PASSED)


def process_of(moves: Sequence[Move], grades: Mapping[str, Grade]) -> Process:
    """Measure an attempt. grades: of snapshots, by the digest of their tree."""
    own = [move for move in moves if move.source == "agent" and not move.copied]
    counts = _counts(own, grades)
    command, repeats = _repeated(own)
    first = next((n for n, count in enumerate(counts) if count), None)
    best = _last_best(counts)
    known = any(count is not None for count in counts)
    setbacks, recovered = _setbacks([count for count in counts if count is not None]) if known else _failures(own)
    return Process(
        moves=len(own),
        tokens=_tokens(own),
        first_move=None if first is None else own[first].n,
        first_tokens=None if first is None else _tokens(own[: first + 1]),
        first_wall_us=None if first is None else sum(move.wall_us for move in own[: first + 1]),
        repeats=repeats,
        repeated=command,
        tail_moves=None if best is None else len(own) - 1 - best,
        tail_tokens=None if best is None else _tokens(own[best + 1 :]),
        setbacks=setbacks,
        recovered=recovered,
    )


def _counts(own: Sequence[Move], grades: Mapping[str, Grade]) -> list[int | None]:
    """Assertions passing after each move; a move without a snapshot that changed nothing leaves them as they were."""
    counts: list[int | None] = []
    for move in own:
        grade = grades.get(move.snapshot.tree) if move.snapshot is not None else None
        if grade is not None and grade.score is not None:
            counts.append(points(grade))
        elif move.snapshot is None and not move.changed and counts:
            counts.append(counts[-1])
        else:
            counts.append(None)
    return counts


def _last_best(counts: Sequence[int | None]) -> int | None:
    """The index of the last move that made more pass than ever before; of none, None."""
    best, found = 0, None
    for index, count in enumerate(counts):
        if count is not None and count > best:
            best, found = count, index
    return found


def _setbacks(counts: Sequence[int]) -> tuple[int, bool | None]:
    falls = [index for index in range(1, len(counts)) if counts[index] < counts[index - 1]]
    if not falls:
        return 0, None
    best = max(counts[: falls[-1]])
    return len(falls), max(counts[falls[-1] :]) >= best


def _failures(own: Sequence[Move]) -> tuple[int, bool | None]:
    """Setbacks by what commands said, where no snapshot tells more."""
    ends = [result.failed or bool(result.code) for move in own for result in move.results]
    if not any(ends):
        return 0, None
    last = len(ends) - 1 - ends[::-1].index(True)
    return sum(ends), last < len(ends) - 1


def _repeated(own: Sequence[Move]) -> tuple[str, int]:
    failing: Counter[str] = Counter()
    for move in own:
        ended = {result.call: result for result in move.results}
        for call in move.calls:
            result = ended.get(call.id)
            if result is not None and (result.failed or result.code):
                failing[f"{call.name} {call.arguments}"] += 1
    return failing.most_common(1)[0] if failing else ("", 0)


def _tokens(moves: Sequence[Move]) -> int | None:
    total = 0
    for move in moves:
        used = move.metrics
        if used is not None and used.input_tokens is not None and used.output_tokens is not None:
            total += used.input_tokens + used.output_tokens
        elif move.llm_calls != 0:
            return None
    return total
