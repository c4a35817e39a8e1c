"""OpenAI's responses. Nothing is stored at the provider's: the whole conversation is sent each time, thoughts sealed."""

import json
from typing import Any, Final

from proofyard.models.answer import Stop, Tokens
from proofyard.models.faults import BrokenAnswer, StreamError
from proofyard.models.messages import Message, Part, Request, Text, Thinking, ToolCall, ToolResult
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

__all__ = ["ResponsesReader", "build_responses"]

WIRE: Final = "openai-responses"

_STOPS: Final[dict[str, Stop]] = {
    "completed": "stop",
    "max_output_tokens": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
}
_FINAL: Final = ("response.completed", "response.incomplete", "response.done")


def build_responses(request: Request, target: Target, stream: bool) -> Built:
    """Build the body of a response. Raises UsageError."""
    quirks = target.quirks
    made = settings(request, quirks, "stop", lambda asked: _reasoning(asked, quirks))
    items = [item for message in request.messages for item in _items(message, quirks)]
    body: dict[str, Any] = {"model": target.model, "input": items, "stream": stream, "store": False, **made.body}
    if quirks.replay == "blocks":
        body["include"] = ["reasoning.encrypted_content"]
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": json.loads(tool.parameters),
                "strict": False,
            }
            for tool in request.tools
        ]
        if request.tool_choice != "auto":
            body["tool_choice"] = request.tool_choice
    return Built(body, made.sent, made.dropped)


def _reasoning(asked: str, quirks: Quirks) -> dict[str, Any]:
    if not quirks.reasoning or number(asked) is not None:
        return {}
    return {"reasoning": {"effort": "none" if asked == "off" else asked}}


def _items(message: Message, quirks: Quirks) -> list[dict[str, Any]]:
    if message.role in {"system", "user"}:
        return [{"role": quirks.system if message.role == "system" else "user", "content": message.text}]
    return [item for part in message.parts if (item := _item(part)) is not None]


def _item(part: Part) -> dict[str, Any] | None:
    if isinstance(part, ToolResult):
        return {"type": "function_call_output", "call_id": part.call, "output": part.text}
    if isinstance(part, ToolCall):
        return {"type": "function_call", "call_id": part.id, "name": part.name, "arguments": part.arguments}
    if isinstance(part, Text):
        return {"role": "assistant", "content": part.text} if part.text else None
    if isinstance(part, Thinking) and part.wire == WIRE:
        item: dict[str, Any] = json.loads(part.raw)
        return item
    return None


class ResponsesReader:
    """Reads a response, streamed or whole. The last event holds all of it; what came before fills in where it does not."""

    def __init__(self) -> None:
        self._done: list[dict[str, Any]] = []
        self._response: dict[str, Any] = {}
        self._ended = False
        self.begun = False

    @property
    def tokens(self) -> Tokens | None:
        """Usage, reported at the end."""
        usage = self._response.get("usage")
        read, written = count(usage, "input_tokens"), count(usage, "output_tokens")
        if read is None or written is None:
            return None
        return Tokens(
            input=read,
            output=written,
            cached=count(usage, "input_tokens_details", "cached_tokens"),
            cache_write=count(usage, "input_tokens_details", "cache_write_tokens"),
            reasoning=count(usage, "output_tokens_details", "reasoning_tokens"),
        )

    @property
    def settled(self) -> bool:
        """Whether usage is final; this wire reports it once."""
        return self.tokens is not None

    def feed(self, data: dict[str, Any]) -> None:
        """Take one event."""
        kind = str(data.get("type"))
        if kind == "error":
            raise StreamError(data)
        if isinstance(data.get("response"), dict):
            self._response = data["response"]
        if kind == "response.failed":
            raise StreamError(self._response)
        self._ended = self._ended or kind in _FINAL
        if kind.endswith(".delta") or kind == "response.output_item.done":
            self.begun = True
        if kind == "response.output_item.done" and isinstance(data.get("item"), dict):
            self._done.append(data["item"])

    def whole(self, data: dict[str, Any]) -> None:
        """Take a response."""
        if data.get("error") or data.get("status") == "failed":
            raise StreamError(data)
        if not isinstance(data.get("output"), list):
            raise BrokenAnswer("the answer holds no output")
        self._response = data
        self._ended = self.begun = True

    def finish(self, closed: bool) -> Draft:
        """Return the answer."""
        items = objects(self._response.get("output")) or self._done
        refused = False
        parts: list[Part] = []
        calls = iter(tool_calls([_call(item) for item in items if item.get("type") == "function_call"]))
        for item in items:
            if item.get("type") == "function_call":
                parts.append(next(calls))
            elif item.get("type") == "message":
                blocks = objects(item.get("content"))
                refused = refused or any(block.get("type") == "refusal" for block in blocks)
                parts.extend(joined([str(block.get("text") or block.get("refusal") or "") for block in blocks]))
            else:
                pieces = objects(item.get("summary")) + objects(item.get("content"))
                parts.append(thought(WIRE, "\n".join(str(one.get("text") or "") for one in pieces), item))
        raw = self._reason() if self._ended else None
        stop = finished(raw, _STOPS, tuple(parts), closed or self._ended)
        return Draft(
            parts=tuple(parts),
            stop="refusal" if refused and stop == "stop" else stop,
            raw_stop=raw or "",
            tokens=self.tokens,
            served_model=str(self._response.get("model") or ""),
            response_id=str(self._response.get("id") or ""),
        )

    def _reason(self) -> str | None:
        status = self._response.get("status")
        if status == "incomplete":
            details = self._response.get("incomplete_details")
            status = details.get("reason") if isinstance(details, dict) else None
        return str(status) if status else None


def _call(item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "id": item.get("call_id") or item.get("id")}
