"""One step of ATIF and the move it stands for, both ways; and the sums of all."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any, Final, TypeVar

import msgspec

from proofyard.core import Move, MoveCall, MoveMetrics, MoveResult, decimal_text
from proofyard.formats.atif_schema import (
    Call,
    Metrics,
    Observation,
    Part,
    Result,
    Step,
    Subagent,
    Totals,
    timestamp,
)

__all__ = ["from_step", "from_totals", "plain", "text_of", "to_step", "to_totals"]

OURS: Final = "proofyard"
"""Under `extra` of ATIF: what our nouns have besides."""
THEIRS: Final = "atif"
"""Under `extra` of our nouns: what ATIF has besides."""

_TOKENS: Final = {
    "prompt_tokens": "input_tokens",
    "completion_tokens": "output_tokens",
    "cached_tokens": "cached_tokens",
}
_OF_AGENT: Final = ("model", "effort", "reasoning", "calls", "metrics")


def text_of(value: object) -> str:
    """A JSON value as compact text."""
    return msgspec.json.encode(value).decode()


def plain(text: str) -> Any:
    """The JSON value of a text; of what is no JSON, the text itself."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def from_step(step: Step) -> Move:
    """Make the move that a step stands for."""
    theirs: dict[str, Any] = {}
    message = _words(step.message, theirs, "message")
    effort = step.reasoning_effort or ""
    if not isinstance(effort, str):
        theirs["reasoning_effort"] = effort
        effort = decimal_text(effort)
    extra, ours = _split(step.extra, theirs)
    move = Move(
        n=step.step_id,
        at=step.timestamp or "",
        source=step.source,
        message=message,
        reasoning=step.reasoning_content or "",
        model=step.model_name or "",
        effort=effort,
        calls=tuple(_from_call(call) for call in step.tool_calls or ()),
        results=tuple(_from_result(result) for result in (step.observation.results if step.observation else ())),
        metrics=_from_metrics(step.metrics) if step.metrics is not None else None,
        llm_calls=step.llm_call_count,
        copied=bool(step.is_copied_context),
        extra=extra,
    )
    return _with(move, ours)


def to_step(move: Move, index: int) -> Step:
    """Make the step for a move, the `index`-th of its trajectory (from 1)."""
    ours = _lacking(move, "changed", "snapshot", "stop", "wall_us")
    if move.n != index:
        ours["n"] = move.n
    silent = move.source == "agent" and move.llm_calls == 0
    if move.source != "agent":
        ours |= _lacking(move, *_OF_AGENT)
    elif silent:
        ours |= _lacking(move, "reasoning", "metrics")
    there = _without(move, ours)
    at = there.at
    try:
        timestamp(at)
    except ValueError:
        ours |= _lacking(move, "at")
        at = ""
    theirs, extra = _joined(move.extra, ours)
    called = {call.id for call in there.calls}
    results = [_to_result(result, called) for result in there.results]
    return Step(
        step_id=index,
        timestamp=at or None,
        source=there.source,
        model_name=there.model or None,
        reasoning_effort=theirs.get("reasoning_effort", there.effort or None),
        message=_content(there.message, theirs, "message"),
        reasoning_content=there.reasoning or None,
        tool_calls=[_to_call(call) for call in there.calls] or None,
        observation=Observation(results=results) if results else None,
        metrics=_to_metrics(there.metrics) if there.metrics is not None else None,
        llm_call_count=there.llm_calls,
        is_copied_context=there.copied or None,
        extra=extra,
    )


def _from_call(call: Call) -> MoveCall:
    extra, ours = _split(call.extra, {})
    arguments = msgspec.json.format(bytes(call.arguments), indent=-1).decode()
    return _with(MoveCall(id=call.tool_call_id, name=call.function_name, arguments=arguments, extra=extra), ours)


def _to_call(call: MoveCall) -> Call:
    ours = {}
    arguments = call.arguments
    if not isinstance(plain(arguments), dict):
        ours["arguments"] = arguments
        arguments = text_of({"text": arguments})
    _, extra = _joined(call.extra, ours)
    return Call(tool_call_id=call.id, function_name=call.name, arguments=msgspec.Raw(arguments.encode()), extra=extra)


def _from_result(result: Result) -> MoveResult:
    theirs: dict[str, Any] = {}
    content = _words(result.content, theirs, "content")
    if result.subagent_trajectory_ref is not None:
        theirs["subagent_trajectory_ref"] = msgspec.to_builtins(result.subagent_trajectory_ref)
    extra, ours = _split(result.extra, theirs)
    return _with(MoveResult(call=result.source_call_id or "", content=content, extra=extra), ours)


def _to_result(result: MoveResult, called: set[str]) -> Result:
    ours = _lacking(result, "failed", "code", "elided")
    if result.call not in called:
        ours |= _lacking(result, "call")
    theirs, extra = _joined(result.extra, ours)
    refs = msgspec.convert(theirs.get("subagent_trajectory_ref") or [], type=list[Subagent])
    named = [ref for ref in refs if ref.trajectory_id is not None or ref.trajectory_path is not None]
    if len(named) < len(refs):
        # Before 1.7 a session was name enough; now it is not, and goes where anything may go.
        rest = [msgspec.to_builtins(ref) for ref in refs if ref not in named]
        extra = {**(extra or {}), "subagent_sessions": rest}
    return Result(
        source_call_id=result.call if result.call in called else None,
        content=_content(result.content, theirs, "content"),
        subagent_trajectory_ref=named or None,
        extra=extra,
    )


def _from_metrics(metrics: Metrics) -> MoveMetrics:
    rest = msgspec.to_builtins(metrics)
    theirs = {name: rest[name] for name in ("prompt_token_ids", "completion_token_ids", "logprobs") if name in rest}
    extra, ours = _split(metrics.extra, theirs)
    made = MoveMetrics(
        usd=None if metrics.cost_usd is None else decimal_text(metrics.cost_usd),
        extra=extra,
        **{name: getattr(metrics, foreign) for foreign, name in _TOKENS.items()},
    )
    return _with(made, ours)


def _to_metrics(metrics: MoveMetrics) -> Metrics:
    ours = _lacking(metrics, "cache_write_tokens", "reasoning_tokens")
    cost = None if metrics.usd is None else float(metrics.usd)
    if cost is not None and decimal_text(cost) != metrics.usd:
        ours |= _lacking(metrics, "usd")
    theirs, extra = _joined(metrics.extra, ours)
    counts = {foreign: getattr(metrics, name) for foreign, name in _TOKENS.items()}
    return msgspec.convert({**theirs, **counts, "cost_usd": cost, "extra": extra}, type=Metrics)


def _words(content: str | list[Part] | None, theirs: dict[str, Any], name: str) -> str:
    """The words of a message; what it has besides goes to `theirs`."""
    if isinstance(content, str):
        return content
    theirs[name] = None if content is None else msgspec.to_builtins(content)
    return "\n".join(_word(part) for part in content or ())


def _word(part: Part) -> str:
    return part.text if part.text is not None else f"[{part.type}: {part.source.path if part.source else ''}]"


def _content(text: str, theirs: dict[str, Any], name: str) -> Any:
    """A message in words or, where it came in parts, in its parts. A sound becomes words: 1.7 has none."""
    if theirs.get(name) is None:
        return None if name in theirs else text
    parts = msgspec.convert(theirs[name], type=list[Part])
    return [Part(type="text", text=_word(part)) if part.type == "audio" else part for part in parts]


def _split(extra: dict[str, Any] | None, theirs: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """Part ATIF's `extra` into texts by name, with `theirs` among them, and what is ours in it."""
    values = dict(extra or {})
    ours = values.pop(OURS) if isinstance(values.get(OURS), dict) else {}
    if THEIRS in values:
        theirs["extra"] = values.pop(THEIRS)
    texts = {name: text_of(value) for name, value in values.items()}
    return (texts | {THEIRS: text_of(theirs)} if theirs else texts), ours


def _joined(extra: dict[str, str], ours: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """What ATIF has besides, and its `extra`: the other way round from `_split`."""
    values = {name: plain(text) for name, text in extra.items()}
    theirs = values.pop(THEIRS, {})
    if not isinstance(theirs, dict):
        values[THEIRS], theirs = theirs, {}
    if "extra" in theirs:
        values[THEIRS] = theirs["extra"]
    if ours:
        kept = values.get(OURS)
        values[OURS] = kept | ours if isinstance(kept, dict) else ours
    return theirs, values or None


Noun = TypeVar("Noun", Move, MoveCall, MoveResult, MoveMetrics)


def _with(noun: Noun, ours: dict[str, Any]) -> Noun:
    """Put back what is ours. What does not fit is somebody else's: it stays in `extra`."""
    if not ours:
        return noun
    try:
        return msgspec.convert(msgspec.to_builtins(noun) | ours, type=type(noun))
    except (msgspec.ValidationError, ValueError):
        return msgspec.structs.replace(noun, extra=noun.extra | {OURS: text_of(ours)})


def _lacking(noun: msgspec.Struct, *names: str) -> dict[str, Any]:
    """Those fields of a noun that do not hold their default, as plain values."""
    there = msgspec.to_builtins(noun)
    return {name: there[name] for name in names if name in there}


def _without(move: Move, names: Collection[str]) -> Move:
    return msgspec.convert(
        {k: v for k, v in msgspec.to_builtins(move).items() if k not in names or k == "n"}, type=Move
    )


def to_totals(text: str, moves: Sequence[Move]) -> Totals:
    """Sums as given, or of the moves. What was taken over from elsewhere was counted there; unknown is left out."""
    if text:
        return msgspec.json.decode(text, type=Totals)
    asked = [m.metrics or MoveMetrics() for m in moves if m.source == "agent" and not m.copied and m.llm_calls != 0]
    costs = [m.usd for m in asked]
    cost = None if None in costs else float(sum((Decimal(c) for c in costs if c is not None), Decimal()))
    return Totals(
        total_prompt_tokens=_sum([m.input_tokens for m in asked]),
        total_completion_tokens=_sum([m.output_tokens for m in asked]),
        total_cached_tokens=_sum([m.cached_tokens for m in asked]),
        total_cost_usd=cost,
        total_steps=len(moves),
    )


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def from_totals(totals: Totals | None, moves: Sequence[Move]) -> str:
    """Sums as text, empty if there are none or they are those of the moves."""
    return "" if totals is None or totals == to_totals("", moves) else text_of(totals)
