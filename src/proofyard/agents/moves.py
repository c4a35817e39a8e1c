"""What agents that ask a model share: an answer as a move, the files of a brief as words, which files changed."""

from proofyard.core import Blobs, Change, Move, MoveCall, MoveMetrics, MoveResult, Submission, Tree, file_bytes
from proofyard.models import Answer

__all__ = ["answer_move", "changes", "shown_files"]

_SHOWN_MOST = 64 << 10


def answer_move(
    n: int,
    answer: Answer,
    results: tuple[MoveResult, ...] = (),
    changed: tuple[Change, ...] = (),
    snapshot: Submission | None = None,
) -> Move:
    """Return the move that an answer is, with what came of the tools it used."""
    tokens = answer.tokens
    metrics = None
    if tokens is not None:
        metrics = MoveMetrics(
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cached_tokens=tokens.cached,
            cache_write_tokens=tokens.cache_write,
            reasoning_tokens=tokens.reasoning,
            usd=answer.spent_usd,
        )
    wall = sum(attempt.wall_us + attempt.waited_ms * 1000 for attempt in answer.attempts)
    return Move(
        n=n,
        source="agent",
        at=answer.attempts[-1].started if answer.attempts else "",
        message=answer.text,
        reasoning=answer.thinking,
        model=answer.served_model,
        calls=tuple(MoveCall(id=call.id, name=call.name, arguments=call.arguments) for call in answer.tool_calls),
        results=results,
        metrics=metrics,
        changed=changed,
        snapshot=snapshot,
        llm_calls=len(answer.attempts),
        stop=answer.raw_stop or answer.stop,
        wall_us=wall,
    )


def changes(before: Tree, now: Tree) -> tuple[Change, ...]:
    """Return which files differ, sorted by path."""
    found = []
    for path in sorted({*before.entries, *now.entries}):
        old, new = before.entries.get(path), now.entries.get(path)
        if old is None:
            found.append(Change(path=path, how="added"))
        elif new is None:
            found.append(Change(path=path, how="removed"))
        elif old != new:
            found.append(Change(path=path, how="changed"))
    return tuple(found)


def shown_files(tree: Tree, blobs: Blobs) -> str:
    """Return the files that are there already as words for a prompt, empty if there are none."""
    if not tree.entries:
        return ""
    parts = ["\n\n# Files that are there already\n"]
    left = _SHOWN_MOST
    for path, entry in sorted(tree.entries.items()):
        if entry.kind != "file":
            continue
        data = file_bytes(entry, blobs) if entry.size <= left else None
        try:
            text = None if data is None else data.decode()
        except UnicodeDecodeError:
            text = None
        if text is None:
            parts.append(f"\n`{path}`: {entry.size} bytes, not shown\n")
            continue
        left -= entry.size
        parts.append(f"\n````{path}\n{text.removesuffix(chr(10))}\n````\n")
    return "".join(parts)
