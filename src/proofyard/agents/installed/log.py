"""What a program says it does, as moves: one for each answer of its model, written down as soon as its tools have answered."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

from proofyard.agents.moves import changes
from proofyard.agents.plugin import AgentSetup
from proofyard.agents.terminal.watch import Watch
from proofyard.core import Blobs, Brief, Move, MoveCall, MoveMetrics, MoveResult, Recorder, Sandbox, Spend

__all__ = ["Log"]

_SHOWN_MOST: Final = 32 << 10
_SAID_MOST: Final = 1 << 20
_MICRO: Final = 1_000_000


@dataclass
class _Open:
    """A move that is not over."""

    at: str
    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    model: str = ""
    stop: str = ""
    calls: list[MoveCall] = field(default_factory=list)
    results: dict[str, MoveResult] = field(default_factory=dict)
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def waits(self) -> bool:
        """Whether a tool has not answered."""
        return len(self.results) < len(self.calls)


class Log:
    """Takes what happens by the key of the answer it belongs to, and writes moves.

    What a move used is what the gateway counted since the move before: calls that the program makes without a word of them
    are in the move that follows.
    """

    def __init__(self, setup: AgentSetup, brief: Brief, sandbox: Sandbox, recorder: Recorder, blobs: Blobs) -> None:
        assert setup.model is not None
        self._model = setup.model
        self._recorder = recorder
        self._watch = Watch(sandbox, brief.work.image.workdir, blobs, setup.max_files, setup.max_bytes)
        self._open: dict[str, _Open] = {}
        self._spend = Spend()
        self._clock = time.monotonic_ns()
        self._written = 0
        self.note("user", brief.prompt)

    def note(self, source: Literal["system", "user"], text: str) -> None:
        """Write what was said to the model at once."""
        self._written += 1
        self._recorder.move(Move(n=self._written, source=source, at=_now(), message=text))

    def said(
        self, key: str, text: str = "", *, thought: str = "", model: str = "", stop: str = "", by: str = ""
    ) -> None:
        """Add to an answer. by: the call it belongs to, of a model that works for the first one."""
        move = self._of(key)
        if text:
            move.texts.append(_shortened(text, _SAID_MOST)[0])
        if thought:
            move.thoughts.append(_shortened(thought, _SAID_MOST)[0])
        move.model = model or move.model
        move.stop = stop or move.stop
        if by:
            move.extra["called_by"] = msgspec.json.encode(by).decode()

    def called(self, key: str, call: str, name: str, arguments: object) -> None:
        """Add the use of a tool to an answer; one that is known already is told anew."""
        text = arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()
        move = self._of(key)
        move.calls = [one for one in move.calls if one.id != call]
        move.calls.append(MoveCall(id=call, name=name, arguments=_shortened(text, _SAID_MOST)[0]))

    def gave(self, call: str, content: str, *, failed: bool = False, code: int | None = None) -> None:
        """Take what a tool gave. The move is written once all of its tools have answered."""
        key = next((key for key, move in self._open.items() if any(one.id == call for one in move.calls)), None)
        if key is None:
            return
        move = self._open[key]
        shown, elided = _shortened(content)
        move.results[call] = MoveResult(call=call, content=shown, failed=failed, code=code, elided=elided)
        if not move.waits:
            self._write(key)

    def finish(self) -> None:
        """Write what is still open."""
        for key in list(self._open):
            self._write(key)

    def _of(self, key: str) -> _Open:
        if key not in self._open:
            for other in [other for other, move in self._open.items() if not move.waits]:
                self._write(other)
            self._open[key] = _Open(at=_now())
        return self._open[key]

    def _write(self, key: str) -> None:
        move = self._open.pop(key)
        before = self._watch.tree
        snapshot = self._watch.look() if move.calls else None
        clock = time.monotonic_ns()
        spend, calls = self._used()
        self._written += 1
        self._recorder.move(
            Move(
                n=self._written,
                source="agent",
                at=move.at,
                message="\n\n".join(move.texts),
                reasoning="\n\n".join(move.thoughts),
                model=move.model,
                calls=tuple(move.calls),
                results=tuple(move.results[one.id] for one in move.calls if one.id in move.results),
                metrics=spend,
                changed=changes(before, self._watch.tree),
                snapshot=snapshot,
                llm_calls=calls,
                stop=move.stop,
                wall_us=(clock - self._clock) // 1000,
                extra=move.extra,
            )
        )
        self._clock = clock

    def _used(self) -> tuple[MoveMetrics | None, int]:
        """What the gateway counted since the move before."""
        before, now = self._spend, self._model.spend()
        self._spend = now
        calls = now.calls - before.calls
        if not calls or now.input_tokens is None or now.output_tokens is None:
            return None, calls
        usd = _more(before.cost_micro_usd, now.cost_micro_usd)
        return MoveMetrics(
            input_tokens=now.input_tokens - (before.input_tokens or 0),
            output_tokens=now.output_tokens - (before.output_tokens or 0),
            cached_tokens=_more(before.cached_tokens, now.cached_tokens),
            reasoning_tokens=_more(before.reasoning_tokens, now.reasoning_tokens),
            usd=None if usd is None else f"{usd // _MICRO}.{usd % _MICRO:06d}",
        ), calls


def _more(before: int | None, now: int | None) -> int | None:
    return None if now is None else now - (before or 0)


def _shortened(text: str, most: int = _SHOWN_MOST) -> tuple[str, int]:
    """The beginning and the end of a text, and the bytes left out between."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return text, 0
    half = most // 2
    ends = (data[:half].decode("utf-8", "ignore"), data[-half:].decode("utf-8", "ignore"))
    elided = len(data) - sum(len(end.encode()) for end in ends)
    return f"{ends[0]}\n[{elided} bytes left out]\n{ends[1]}", elided


def _now() -> str:
    return datetime.now(tz=UTC).isoformat(timespec="milliseconds")
