"""What happened in an attempt, move by move: said, thought, called, observed, spent, changed. A trajectory is a row of them."""

from typing import Literal

import msgspec

from proofyard.core.record import Record
from proofyard.core.trial import Submission

__all__ = ["Change", "Move", "MoveCall", "MoveMetrics", "MoveResult"]


class MoveCall(Record, frozen=True, kw_only=True):
    """A tool the agent used. `arguments` is JSON text as it was written; it need not be valid. extra: see `Move`."""

    id: str
    name: str
    arguments: str = "{}"
    extra: dict[str, str] = msgspec.field(default_factory=dict)


class MoveResult(Record, frozen=True, kw_only=True):
    """What was observed. call: the id of the call it answers, empty for none. elided: bytes cut out of `content`.

    failed: the tool says that it failed; code: the exit code of a command, None where there is none (not ended, no command).
    """

    call: str = ""
    content: str = ""
    failed: bool = False
    code: int | None = None
    elided: int = 0
    extra: dict[str, str] = msgspec.field(default_factory=dict)


class MoveMetrics(Record, frozen=True, kw_only=True):
    """What a move's calls of the model used; None is unknown, never 0.

    input tokens include cached ones and those written to a cache; output tokens include reasoning. usd: dollars, a decimal
    string.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    usd: str | None = None
    extra: dict[str, str] = msgspec.field(default_factory=dict)


class Change(Record, frozen=True, kw_only=True):
    """A file that differs from the move before."""

    path: str
    how: Literal["added", "changed", "removed"]


class Move(Record, frozen=True, kw_only=True):
    """One move of a trajectory.

    n: from 1, without a gap. at: UTC, ISO 8601. source: who moved; what tools gave belongs to the move that called them.
    model: the model that answered, if not the attempt's. effort: its level of reasoning. changed: files of the workspace,
    sorted by path. snapshot: the workspace after the move, None where none was taken (it is then as after the move before,
    if `changed` is empty). llm_calls: calls of the model in this move, None is unknown. copied: context taken over from
    another trajectory, which cost nothing here. stop: why the model stopped, in the model's words. wall_us: how long the move
    took, microseconds. extra: what else there is to say, JSON text by name.
    """

    n: int
    source: Literal["system", "user", "agent"]
    at: str = ""
    message: str = ""
    reasoning: str = ""
    model: str = ""
    effort: str = ""
    calls: tuple[MoveCall, ...] = ()
    results: tuple[MoveResult, ...] = ()
    metrics: MoveMetrics | None = None
    changed: tuple[Change, ...] = ()
    snapshot: Submission | None = None
    llm_calls: int | None = None
    copied: bool = False
    stop: str = ""
    wall_us: int = 0
    extra: dict[str, str] = msgspec.field(default_factory=dict)
