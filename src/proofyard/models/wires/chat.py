"""OpenAI's chat completions, which most providers speak, each a little differently."""

import json
from typing import Any, Final

from proofyard.models.answer import Dropped, Stop, Tokens
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
    tidy,
    tool_calls,
)

__all__ = ["ChatReader", "build_chat"]

WIRE: Final = "openai-chat"

_STOPS: Final[dict[str, Stop]] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "tool_use": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "context_window",
    "content_filter": "refusal",
    "sensitive": "refusal",
    "refusal": "refusal",
}
_NOT_ANSWERS: Final = {
    "insufficient_system_resource": "model_overloaded",
    "error": "model_server_error",
    "network_error": "model_server_error",
}


def build_chat(request: Request, target: Target, stream: bool) -> Built:
    """Build the body of a chat completion. Raises UsageError."""
    quirks = target.quirks
    made = settings(request, quirks, "stop", lambda asked: _reasoning(asked, quirks))
    body: dict[str, Any] = {
        "model": target.model,
        "messages": _messages(request, quirks),
        "stream": stream,
        **made.body,
    }
    if stream and quirks.stream_usage:
        body["stream_options"] = {"include_usage": True}
    dropped = made.dropped
    if request.tools and quirks.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": json.loads(tool.parameters),
                },
            }
            for tool in request.tools
        ]
        if request.tool_choice != "auto":
            body["tool_choice"] = request.tool_choice
    elif request.tools:
        names = ", ".join(tool.name for tool in request.tools)
        dropped = (*dropped, Dropped(name="tools", value=names, why="this model takes no tools"))
    return Built(body, made.sent, dropped)


def _reasoning(asked: str, quirks: Quirks) -> dict[str, Any]:
    tokens = number(asked)
    if quirks.reasoning == "effort":
        return {} if tokens is not None else {"reasoning_effort": "none" if asked == "off" else asked}
    if quirks.reasoning == "effort_object":
        if asked == "off":
            return {"reasoning": {"enabled": False}}
        return {"reasoning": {"effort": asked} if tokens is None else {"max_tokens": tokens}}
    if quirks.reasoning == "toggle":
        return {"thinking": {"type": "disabled" if asked == "off" else "enabled"}}
    if quirks.reasoning == "enable":
        fields: dict[str, Any] = {"enable_thinking": asked != "off"}
        return fields if tokens is None else {**fields, "thinking_budget": tokens}
    return {}


def _messages(request: Request, quirks: Quirks) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    folded = ""
    for message in request.messages:
        if message.role == "system" and quirks.system == "fold":
            folded += message.text + "\n\n"
        elif message.role == "system":
            out.append({"role": quirks.system, "content": message.text})
        elif message.role == "assistant":
            out.append(_assistant(message, quirks))
        elif message.role == "tool":
            out.extend(
                {"role": "tool", "tool_call_id": part.call, "content": part.text}
                for part in message.parts
                if isinstance(part, ToolResult)
            )
        else:
            out.append({"role": "user", "content": folded + message.text})
            folded = ""
    return [*out, {"role": "user", "content": folded}] if folded else out


def _assistant(message: Message, quirks: Quirks) -> dict[str, Any]:
    words = "".join(part.text for part in message.parts if isinstance(part, Text))
    calls = [part for part in message.parts if isinstance(part, ToolCall)]
    out: dict[str, Any] = {"role": "assistant", "content": words or (None if calls else "")}
    for part in message.parts:
        if isinstance(part, Thinking) and part.wire == WIRE and quirks.replay:
            fields = json.loads(part.raw)
            if quirks.replay in fields:
                out[quirks.replay] = fields[quirks.replay]
    if calls:
        out["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in calls
        ]
    return out


class ChatReader:
    """Reads a chat completion, streamed or whole."""

    def __init__(self, quirks: Quirks) -> None:
        self._quirks = quirks
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._thoughts: list[str] = []
        self._details: list[dict[str, Any]] = []
        self._calls: list[dict[str, Any]] = []
        self._slots: dict[Any, dict[str, Any]] = {}
        self._stop: str | None = None
        self._names = {"model": "", "provider": "", "id": ""}
        self.tokens: Tokens | None = None
        self.begun = False

    @property
    def settled(self) -> bool:
        """Whether usage is final; this wire reports it once."""
        return self.tokens is not None

    def feed(self, data: dict[str, Any]) -> None:
        """Take one chunk."""
        self._head(data)
        for choice in objects(data.get("choices")):
            if isinstance(choice.get("usage"), dict):
                self._usage(choice["usage"])
            self._take(choice.get("delta"))
            if choice.get("finish_reason"):
                self._stop = str(choice["finish_reason"])

    def whole(self, data: dict[str, Any]) -> None:
        """Take a completion."""
        self._head(data)
        choices = objects(data.get("choices"))
        if not choices:
            raise BrokenAnswer("the answer holds no choice")
        self.begun = True
        self._take(choices[0].get("message"))
        if choices[0].get("finish_reason"):
            self._stop = str(choices[0]["finish_reason"])

    def finish(self, closed: bool) -> Draft:
        """Return the answer."""
        parts: list[Part] = []
        if self._details:
            text = "".join(str(one.get("text") or one.get("summary") or "") for one in self._details)
            parts.append(thought(WIRE, text, {"reasoning_details": self._details}))
        elif self._thoughts:
            text = "".join(self._thoughts)
            parts.append(thought(WIRE, text, {"reasoning_content": tidy(text)}))
        parts.extend(joined([*self._texts, *self._refusals]))
        parts.extend(tool_calls(self._calls))
        code = _NOT_ANSWERS.get(self._stop or "")
        if code:
            raise BrokenAnswer(f"the provider gave up: {self._stop}", code)
        stop = finished(self._stop, _STOPS, tuple(parts), closed)
        if self._refusals and stop == "stop":
            stop = "refusal"
        names = self._names
        return Draft(tuple(parts), stop, self._stop or "", self.tokens, names["model"], names["provider"], names["id"])

    def _head(self, data: dict[str, Any]) -> None:
        if data.get("error"):
            raise StreamError(data)
        for name in self._names:
            if isinstance(data.get(name), str):
                self._names[name] = data[name]
        if isinstance(data.get("usage"), dict):
            self._usage(data["usage"])

    def _take(self, delta: Any) -> None:
        if not isinstance(delta, dict):
            return
        self._content(delta.get("content"))
        for name, into in (
            ("refusal", self._refusals),
            ("reasoning_content", self._thoughts),
        ):
            if isinstance(delta.get(name), str) and delta[name]:
                into.append(delta[name])
        if isinstance(delta.get("reasoning"), str) and not delta.get("reasoning_content"):
            self._thoughts.append(delta["reasoning"])
        for one in objects(delta.get("reasoning_details")):
            self._detail(one)
        for one in objects(delta.get("tool_calls")):
            self._call(one)
        if self._texts or self._thoughts or self._calls or self._refusals or self._details:
            self.begun = True

    def _content(self, content: Any) -> None:
        if isinstance(content, str) and content:
            self._texts.append(content)
        for block in objects(content):
            if block.get("type") == "text":
                self._texts.append(str(block.get("text") or ""))
            elif block.get("type") == "thinking":
                self._thoughts.extend(str(piece.get("text") or "") for piece in objects(block.get("thinking")))

    def _detail(self, one: dict[str, Any]) -> None:
        last = self._details[-1] if self._details else None
        if last is None or (last.get("type"), last.get("index")) != (one.get("type"), one.get("index")):
            self._details.append(dict(one))
            return
        for name, value in one.items():
            grows = name in {"text", "summary", "data"} and isinstance(value, str)
            last[name] = str(last.get(name) or "") + value if grows else value

    def _call(self, one: dict[str, Any]) -> None:
        function = one.get("function") if isinstance(one.get("function"), dict) else {}
        assert isinstance(function, dict)
        slot = one.get("index", len(self._calls) if one.get("id") else len(self._calls) - 1)
        call = self._slots.get(slot)
        if call is None or (one.get("id") and call["id"] and one["id"] != call["id"]):
            call = {"id": one.get("id") or "", "name": "", "arguments": ""}
            self._slots[slot] = call
            self._calls.append(call)
        call["id"] = call["id"] or one.get("id") or ""
        call["name"] = call["name"] or function.get("name") or ""
        arguments = function.get("arguments")
        if isinstance(arguments, dict):
            arguments = json.dumps(arguments)
        call["arguments"] += arguments or ""

    def _usage(self, usage: dict[str, Any]) -> None:
        read, written = count(usage, "prompt_tokens"), count(usage, "completion_tokens")
        if read is None or written is None:
            return
        cached = count(usage, "prompt_tokens_details", "cached_tokens")
        if cached is None:
            cached = count(usage, "prompt_cache_hit_tokens")
        if cached is None:
            cached = count(usage, "cached_tokens")
        thoughts = count(usage, "completion_tokens_details", "reasoning_tokens")
        if self._quirks.reasoning_outside:
            written += thoughts or 0
        self.tokens = Tokens(
            input=read,
            output=written,
            cached=cached,
            cache_write=count(usage, "prompt_tokens_details", "cache_write_tokens"),
            reasoning=thoughts,
        )
