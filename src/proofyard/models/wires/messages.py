"""Anthropic's messages."""

import json
from typing import Any, Final

from proofyard.core import UsageError
from proofyard.models.answer import Stop, Tokens
from proofyard.models.faults import StreamError
from proofyard.models.messages import Part, Request, Text, Thinking, ToolCall, ToolResult
from proofyard.models.providers import Quirks, Target
from proofyard.models.wires.shape import (
    Built,
    Draft,
    count,
    finished,
    joined,
    number,
    objects,
    settings,
    thought,
    tool_calls,
)

__all__ = ["MessagesReader", "build_messages"]

WIRE: Final = "anthropic-messages"

_STOPS: Final[dict[str, Stop]] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "context_window",
    "refusal": "refusal",
}
_BUDGETS: Final = {"low": 2_048, "medium": 8_192, "high": 16_384}
_CHOICES: Final = {"required": "any", "none": "none"}


def build_messages(request: Request, target: Target, stream: bool) -> Built:
    """Build the body of a message.

    Raises:
        UsageError: no limit of tokens, or one that leaves no room beside the thoughts.

    """
    quirks = target.quirks
    made = settings(request, quirks, "stop_sequences", lambda asked: _reasoning(asked, quirks))
    body: dict[str, Any] = {"model": target.model, "messages": _messages(request), "stream": stream, **made.body}
    limit = body.get("max_tokens")
    if not isinstance(limit, int):
        raise UsageError(f"{target.name} needs a limit of tokens: set max_tokens")
    budget = (made.body.get("thinking") or {}).get("budget_tokens")
    if budget and budget >= limit:
        raise UsageError(f"{target.name}: {budget} tokens to think leave none of max_tokens {limit} for the answer")
    words = "\n\n".join(message.text for message in request.messages if message.role == "system")
    if words:
        body["system"] = words
    if request.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": json.loads(tool.parameters)}
            for tool in request.tools
        ]
        if request.tool_choice != "auto":
            body["tool_choice"] = {"type": _CHOICES[request.tool_choice]}
    return Built(body, made.sent, made.dropped)


def _reasoning(asked: str, quirks: Quirks) -> dict[str, Any]:
    if asked == "off":
        return {"thinking": {"type": "disabled"}}
    tokens = number(asked)
    if quirks.reasoning == "adaptive" and tokens is None:
        return {"thinking": {"type": "adaptive"}, "output_config": {"effort": asked}}
    tokens = _BUDGETS.get(asked) if tokens is None else tokens
    return {} if tokens is None else {"thinking": {"type": "enabled", "budget_tokens": tokens}}


def _messages(request: Request) -> list[dict[str, Any]]:
    """The messages, those of one side that follow each other made one: the wire wants turns."""
    out: list[dict[str, Any]] = []
    for message in request.messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        blocks = [block for part in message.parts if (block := _block(part)) is not None]
        if not blocks:
            continue
        if out and out[-1]["role"] == role:
            out[-1]["content"].extend(blocks)
        else:
            out.append({"role": role, "content": blocks})
    return out


def _block(part: Part) -> dict[str, Any] | None:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text} if part.text.strip() else None
    if isinstance(part, ToolCall):
        return {"type": "tool_use", "id": part.id, "name": part.name, "input": _input(part.arguments)}
    if isinstance(part, ToolResult):
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": part.call, "content": part.text}
        return {**block, "is_error": True} if part.failed else block
    if isinstance(part, Thinking) and part.wire == WIRE:
        kept: dict[str, Any] = json.loads(part.raw)
        return kept
    return None


def _input(arguments: str) -> dict[str, Any]:
    """The arguments as an object, which this wire insists on; what cannot be read goes back as the text it was."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"unreadable": arguments}


class MessagesReader:
    """Reads a message, streamed or whole."""

    def __init__(self) -> None:
        self._blocks: list[dict[str, Any]] = []
        self._at: dict[int, dict[str, Any]] = {}
        self._usage: dict[str, Any] = {}
        self._stop: str | None = None
        self._model = self._id = ""
        self._closed = False
        self.begun = self.settled = False

    @property
    def tokens(self) -> Tokens | None:
        """Usage so far; the wire counts cached input beside the input."""
        plain, written = count(self._usage, "input_tokens"), count(self._usage, "output_tokens")
        if plain is None or written is None:
            return None
        cached = count(self._usage, "cache_read_input_tokens")
        stored = count(self._usage, "cache_creation_input_tokens")
        return Tokens(
            input=plain + (cached or 0) + (stored or 0),
            output=written,
            cached=cached,
            cache_write=stored,
            reasoning=count(self._usage, "output_tokens_details", "thinking_tokens"),
        )

    def feed(self, data: dict[str, Any]) -> None:
        """Take one event."""
        kind = data.get("type")
        if kind == "error":
            raise StreamError(data)
        if kind == "message_start" and isinstance(data.get("message"), dict):
            self._head(data["message"])
        elif kind == "content_block_start" and isinstance(data.get("content_block"), dict):
            block = dict(data["content_block"])
            self._at[int(data.get("index") or 0)] = block
            self._blocks.append(block)
        elif kind == "content_block_delta" and isinstance(data.get("delta"), dict):
            self.begun = True
            self._grow(self._at.get(int(data.get("index") or 0)), data["delta"])
        elif kind == "message_delta":
            self._end(data)
        elif kind == "message_stop":
            self._closed = True

    def whole(self, data: dict[str, Any]) -> None:
        """Take a message."""
        if data.get("type") == "error":
            raise StreamError(data)
        self._head(data)
        self._blocks = objects(data.get("content"))
        self.begun = True
        self._end({"delta": data})

    def finish(self, closed: bool) -> Draft:
        """Return the answer."""
        parts: list[Part] = []
        texts: list[str] = []
        found = [_call(block) for block in self._blocks if block.get("type") == "tool_use"]
        calls = iter(tool_calls(found))
        for block in self._blocks:
            if block.get("type") == "text":
                texts.append(str(block.get("text") or ""))
                continue
            parts.extend(joined(texts))
            texts = []
            if block.get("type") == "tool_use":
                parts.append(next(calls))
            else:
                parts.append(thought(WIRE, str(block.get("thinking") or ""), block))
        parts.extend(joined(texts))
        stop = finished(self._stop, _STOPS, tuple(parts), closed or self._closed)
        return Draft(
            parts=tuple(parts),
            stop=stop,
            raw_stop=self._stop or "",
            tokens=self.tokens,
            served_model=self._model,
            response_id=self._id,
        )

    def _head(self, message: dict[str, Any]) -> None:
        self._model = str(message.get("model") or "")
        self._id = str(message.get("id") or "")
        self._add(message.get("usage"))

    def _end(self, data: dict[str, Any]) -> None:
        delta = data.get("delta")
        if isinstance(delta, dict) and delta.get("stop_reason"):
            self._stop = str(delta["stop_reason"])
        self._add(data.get("usage"))
        self.settled = True

    def _add(self, usage: Any) -> None:
        if isinstance(usage, dict):
            self._usage.update({name: value for name, value in usage.items() if value is not None})

    def _grow(self, block: dict[str, Any] | None, delta: dict[str, Any]) -> None:
        if block is None:
            return
        if delta.get("type") == "input_json_delta":
            block["written"] = str(block.get("written") or "") + str(delta.get("partial_json") or "")
            return
        for name in ("text", "thinking", "signature"):
            if isinstance(delta.get(name), str):
                block[name] = str(block.get(name) or "") + delta[name]


def _call(block: dict[str, Any]) -> dict[str, Any]:
    written = block.get("written")
    return {**block, "arguments": block.get("input") if written is None else written}
