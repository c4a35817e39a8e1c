"""How the scripted server writes an answer on each wire, whole and as a stream. Written apart from the adapters that are
tested against it: nothing here imports them.
"""

import base64
import json
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple

from proofyard.testing.script import Asked, Turn, Usage

__all__ = ["Piece", "pieces", "whole"]

Place = Literal["head", "content", "arguments", "end"]

_CHAT_STOP: Final = {"filter": "content_filter", "refusal": "stop"}
_MESSAGES_STOP: Final = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "filter": "refusal",
    "refusal": "refusal",
}
_GEMINI_STOP: Final = {
    "stop": "STOP",
    "tool_calls": "STOP",
    "length": "MAX_TOKENS",
    "filter": "SAFETY",
    "refusal": "PROHIBITED_CONTENT",
}


class Piece(NamedTuple):
    """One event of a stream, ready to be sent, and where it stands: what can be cut goes by that."""

    place: Place
    data: bytes


def whole(asked: Asked, turn: Turn, number: int) -> dict[str, Any]:
    """Return the body of an answer that is not streamed."""
    writer = {
        "openai-chat": _chat,
        "openai-responses": _responses,
        "anthropic-messages": _messages,
        "gemini": _gemini,
    }[asked.wire]
    return writer(asked, turn, number)


def pieces(asked: Asked, turn: Turn, number: int) -> Iterator[Piece]:
    """Yield the events of a streamed answer."""
    writer = {
        "openai-chat": _chat_stream,
        "openai-responses": _responses_stream,
        "anthropic-messages": _messages_stream,
        "gemini": _gemini_stream,
    }[asked.wire]
    return writer(asked, turn, number)


def _event(place: Place, data: Any, name: str = "") -> Piece:
    text = data if isinstance(data, str) else json.dumps(data)
    head = f"event: {name}\n" if name else ""
    return Piece(place, f"{head}data: {text}\n\n".encode())


def _split(text: str) -> list[str]:
    """Cut a text in pieces as tokens come: not at words, never none."""
    return [text[i : i + 7] for i in range(0, len(text), 7)]


def _ids(turn: Turn, number: int) -> list[tuple[str, str, str]]:
    return [(call.id or f"call_{number}_{n}", call.name, call.text) for n, call in enumerate(turn.calls)]


# ---- OpenAI chat completions


def _chat_usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def _chat(asked: Asked, turn: Turn, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None, "refusal": None}
    if turn.stop == "refusal":
        message.update(content=None, refusal=turn.text or "I cannot help with that.")
    if turn.thinking:
        message["reasoning_content"] = turn.thinking
    if turn.calls:
        message["tool_calls"] = [
            {"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in _ids(turn, number)
        ]
    why = turn.why
    choice = {"index": 0, "message": message, "finish_reason": _CHAT_STOP.get(why or "", why), "logprobs": None}
    body = {"id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1, "model": asked.model}
    return {**body, "choices": [choice], **({"usage": _chat_usage(turn.usage)} if turn.usage else {})}


def _chat_stream(asked: Asked, turn: Turn, number: int) -> Iterator[Piece]:
    def chunk(place: Place, delta: dict[str, Any], why: str | None = None) -> Piece:
        choice = {"index": 0, "delta": delta, "finish_reason": why, "logprobs": None}
        return _event(place, {**base, "choices": [choice]})

    base = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1, "model": asked.model}
    yield chunk("head", {"role": "assistant", "content": ""})
    for text in _split(turn.thinking):
        yield chunk("content", {"reasoning_content": text})
    field = "refusal" if turn.stop == "refusal" else "content"
    for text in _split(turn.text or ("I cannot help with that." if field == "refusal" else "")):
        yield chunk("content", {field: text})
    for n, (call, name, arguments) in enumerate(_ids(turn, number)):
        opening = {"index": n, "id": call, "type": "function", "function": {"name": name, "arguments": ""}}
        yield chunk("content", {"tool_calls": [opening]})
        for text in _split(arguments):
            yield chunk("arguments", {"tool_calls": [{"index": n, "function": {"arguments": text}}]})
    why = turn.why
    yield chunk("end", {}, _CHAT_STOP.get(why or "", why))
    if turn.usage and (asked.body.get("stream_options") or {}).get("include_usage"):
        yield _event("end", {**base, "choices": [], "usage": _chat_usage(turn.usage)})
    yield _event("end", "[DONE]")


# ---- OpenAI responses


def _responses_items(turn: Turn, number: int) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if turn.thinking:
        summary = [{"type": "summary_text", "text": turn.thinking}]
        sealed = base64.b64encode(turn.thinking.encode()).decode()
        items.append({"type": "reasoning", "id": f"rs_{number}", "summary": summary, "encrypted_content": sealed})
    content: dict[str, Any] = {"type": "output_text", "text": turn.text, "annotations": []}
    if turn.stop == "refusal":
        content = {"type": "refusal", "refusal": turn.text or "I cannot help with that."}
    if turn.text or turn.stop == "refusal":
        message = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
        items.append({**message, "content": [content]})
    for n, (call, name, arguments) in enumerate(_ids(turn, number)):
        one = {"type": "function_call", "id": f"fc_{number}_{n}", "call_id": call, "name": name}
        space = turn.calls[n].namespace
        items.append(one | ({"namespace": space} if space else {}) | {"arguments": arguments, "status": "completed"})
    return items


def _responses(asked: Asked, turn: Turn, number: int) -> dict[str, Any]:
    why = turn.why
    cut = {"length": "max_output_tokens", "filter": "content_filter"}.get(why or "")
    body: dict[str, Any] = {"id": f"resp_{number}", "object": "response", "created_at": 1, "model": asked.model}
    body["status"] = None if why is None else "incomplete" if cut else "completed"
    body["incomplete_details"] = {"reason": cut} if cut else None
    body["error"] = None
    body["output"] = _responses_items(turn, number)
    body.update({"parallel_tool_calls": True, "tool_choice": "auto", "tools": []})
    if turn.usage:
        used = turn.usage
        body["usage"] = {
            "input_tokens": used.input,
            "input_tokens_details": {"cached_tokens": used.cached},
            "output_tokens": used.output,
            "output_tokens_details": {"reasoning_tokens": used.reasoning},
            "total_tokens": used.input + used.output,
        }
    return body


def _responses_stream(asked: Asked, turn: Turn, number: int) -> Iterator[Piece]:
    count = 0

    def event(place: Place, name: str, **data: Any) -> Piece:
        nonlocal count
        count += 1
        return _event(place, {"type": name, "sequence_number": count - 1, **data}, name)

    final = _responses(asked, turn, number)
    opening = {**final, "status": "in_progress", "output": [], "usage": None, "incomplete_details": None}
    yield event("head", "response.created", response=opening)
    for n, item in enumerate(final["output"]):
        bare: dict[str, Any] = {**item, "status": "in_progress"}
        bare["content" if item["type"] == "message" else "arguments"] = [] if item["type"] == "message" else ""
        where = {"output_index": n, "item_id": item["id"]}
        yield event("head", "response.output_item.added", output_index=n, item=bare)
        if item["type"] == "message":
            block = item["content"][0]
            kind = "refusal" if block["type"] == "refusal" else "output_text"
            for text in _split(block.get("text") or block.get("refusal") or ""):
                yield event("content", f"response.{kind}.delta", content_index=0, delta=text, **where)
        elif item["type"] == "function_call":
            for text in _split(item["arguments"]):
                yield event("arguments", "response.function_call_arguments.delta", delta=text, **where)
        yield event("content", "response.output_item.done", output_index=n, item=item)
    if turn.why is not None:
        yield event("end", f"response.{final['status']}", response=final)


# ---- Anthropic messages


def _messages_usage(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.input - usage.cached - usage.cache_write,
        "cache_read_input_tokens": usage.cached,
        "cache_creation_input_tokens": usage.cache_write,
        "output_tokens": usage.output,
    }


def _messages_blocks(turn: Turn, number: int) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if turn.thinking:
        signature = base64.b64encode(turn.thinking.encode()).decode()
        blocks.append({"type": "thinking", "thinking": turn.thinking, "signature": signature})
    if turn.text:
        blocks.append({"type": "text", "text": turn.text})
    for call, name, arguments in _ids(turn, number):
        blocks.append({"type": "tool_use", "id": call, "name": name, "input": arguments})
    return blocks


def _messages(asked: Asked, turn: Turn, number: int) -> dict[str, Any]:
    blocks = _messages_blocks(turn, number)
    for block in blocks:
        if block["type"] == "tool_use":
            try:
                block["input"] = json.loads(block["input"])
            except ValueError:
                block["input"] = str(block["input"])
    why = turn.why
    body = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": asked.model, "content": blocks}
    stop = None if why is None else _MESSAGES_STOP[why]
    used = {"usage": _messages_usage(turn.usage)} if turn.usage else {}
    return {**body, "stop_reason": stop, "stop_sequence": None, **used}


def _messages_stream(asked: Asked, turn: Turn, number: int) -> Iterator[Piece]:
    def event(place: Place, name: str, **data: Any) -> Piece:
        return _event(place, {"type": name, **data}, name)

    opening = {**_messages(asked, turn, number), "content": [], "stop_reason": None}
    if turn.usage:
        opening["usage"] = {**_messages_usage(turn.usage), "output_tokens": 1}
    yield event("head", "message_start", message=opening)
    yield event("head", "ping")
    for n, block in enumerate(_messages_blocks(turn, number)):
        bare = dict(block)
        for field, empty in (("text", ""), ("thinking", ""), ("signature", ""), ("input", {})):
            if field in bare:
                bare[field] = empty
        yield event("head", "content_block_start", index=n, content_block=bare)
        field, kind = {
            "text": ("text", "text_delta"),
            "thinking": ("thinking", "thinking_delta"),
            "tool_use": ("input", "input_json_delta"),
        }[block["type"]]
        place: Place = "arguments" if field == "input" else "content"
        for text in _split(block[field]):
            name = "partial_json" if field == "input" else field
            yield event(place, "content_block_delta", index=n, delta={"type": kind, name: text})
        if "signature" in block:
            delta = {"type": "signature_delta", "signature": block["signature"]}
            yield event("content", "content_block_delta", index=n, delta=delta)
        yield event("content", "content_block_stop", index=n)
    why = turn.why
    used = {"usage": {"output_tokens": turn.usage.output}} if turn.usage else {}
    stop = None if why is None else _MESSAGES_STOP[why]
    yield event("end", "message_delta", delta={"stop_reason": stop, "stop_sequence": None}, **used)
    yield event("end", "message_stop")


# ---- Gemini


def _gemini_parts(turn: Turn, number: int) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    if turn.thinking:
        parts.append({"text": turn.thinking, "thought": True})
    parts.extend({"text": text} for text in ([turn.text] if turn.text else []))
    for call, name, arguments in _ids(turn, number):
        try:
            args = json.loads(arguments)
        except ValueError:
            args = {"unreadable": arguments}
        sealed = base64.b64encode(name.encode()).decode()
        parts.append({"functionCall": {"id": call, "name": name, "args": args}, "thoughtSignature": sealed})
    return parts


def _gemini(asked: Asked, turn: Turn, number: int) -> dict[str, Any]:
    why = turn.why
    candidate: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": _gemini_parts(turn, number)}}
    if why is not None:
        candidate["finishReason"] = _GEMINI_STOP[why]
    body: dict[str, Any] = {"candidates": [candidate], "modelVersion": asked.model, "responseId": f"gem-{number}"}
    if turn.usage:
        used = turn.usage
        body["usageMetadata"] = {
            "promptTokenCount": used.input,
            "cachedContentTokenCount": used.cached,
            "candidatesTokenCount": used.output - used.reasoning,
            "thoughtsTokenCount": used.reasoning,
            "totalTokenCount": used.input + used.output,
        }
    return body


def _gemini_stream(asked: Asked, turn: Turn, number: int) -> Iterator[Piece]:
    final = _gemini(asked, turn, number)
    head = {"modelVersion": final["modelVersion"], "responseId": final["responseId"]}
    for part in final["candidates"][0]["content"]["parts"]:
        place: Place = "arguments" if "functionCall" in part else "content"
        for text in _split(part["text"]) if "text" in part else [""]:
            one = {**part, "text": text} if "text" in part else part
            candidate = {"index": 0, "content": {"role": "model", "parts": [one]}}
            yield _event(place, {**head, "candidates": [candidate]})
    last: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": []}}
    if "finishReason" in final["candidates"][0]:
        last["finishReason"] = final["candidates"][0]["finishReason"]
    used = {"usageMetadata": final["usageMetadata"]} if "usageMetadata" in final else {}
    yield _event("end", {**head, "candidates": [last], **used})
