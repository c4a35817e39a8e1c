"""How the scripted server reads a request of each wire, and what it refuses in one as a real provider would."""

import re
from typing import Any
from urllib.parse import urlsplit

from proofyard.testing.script import Asked, Wire

__all__ = ["complaint", "read_request", "wire_of_path"]

_GEMINI = re.compile(r"/models/([^/:]+):(generateContent|streamGenerateContent)\Z")


def wire_of_path(path: str) -> Wire | None:
    """Return the wire whose question to a model is posted to this path, None if it is no such path."""
    plain = urlsplit(path).path
    if plain.endswith("/chat/completions"):
        return "openai-chat"
    if plain.endswith("/responses"):
        return "openai-responses"
    if plain.endswith("/messages"):
        return "anthropic-messages"
    return "gemini" if _GEMINI.search(plain) else None


def read_request(wire: Wire, path: str, body: dict[str, Any]) -> Asked:
    """Bring a request to the form policies get."""
    model, stream = str(body.get("model", "")), bool(body.get("stream"))
    match = _GEMINI.search(urlsplit(path).path)
    if match:
        model, stream = match[1], match[2] == "streamGenerateContent"
    said = _said(wire, body)
    users = [text for role, text in said if role == "user"]
    return Asked(
        wire=wire,
        model=model,
        stream=stream,
        tools=_tools(wire, body),
        turn=_turns(said),
        prompt=users[0] if users else "",
        last=said[-1][1] if said else "",
        body=body,
    )


def complaint(asked: Asked) -> str:
    """Return what is wrong with a request, empty if nothing is: calls and results must answer each other."""
    calls, results = _ids(asked)
    if len(set(calls)) < len(calls):
        return "tool call ids must be unique"
    missing = [one for one in results if one not in calls]
    if missing:
        return f"a tool result answers no tool call: {missing[0]}"
    open_calls = [one for one in calls if one not in results]
    return f"a tool call has no result: {open_calls[0]}" if open_calls else ""


def _turns(said: list[tuple[str, str]]) -> int:
    """Count runs of the model's: on some wires one answer is several items."""
    return sum(role == "model" and (n == 0 or said[n - 1][0] != "model") for n, (role, _) in enumerate(said))


def _said(wire: Wire, body: dict[str, Any]) -> list[tuple[str, str]]:
    """Who said what: `system`, `user`, `model` or `tool`, and the text."""
    if wire == "openai-responses":
        items = body.get("input")
        if isinstance(items, str):
            return [("user", items)]
        return [_item(one) for one in _objects(items)]
    if wire == "gemini":
        return [_content(one) for one in _objects(body.get("contents"))]
    out = []
    for one in _objects(body.get("messages")):
        role = str(one.get("role"))
        blocks = _objects(one.get("content"))
        if role == "user" and any(block.get("type") == "tool_result" for block in blocks):
            role = "tool"
        names = {"assistant": "model", "developer": "system"}
        out.append((names.get(role, role), _text(one.get("content"))))
    return out


def _item(one: dict[str, Any]) -> tuple[str, str]:
    kind = one.get("type", "message")
    if kind == "message":
        role = str(one.get("role"))
        names = {"assistant": "model", "developer": "system"}
        return names.get(role, role), _text(one.get("content"))
    if str(kind).endswith("_output"):
        return "tool", _text(one.get("output"))
    return "model", str(one.get("arguments", ""))


def _content(one: dict[str, Any]) -> tuple[str, str]:
    parts = _objects(one.get("parts"))
    role = "model" if one.get("role") == "model" else "user"
    if any("functionResponse" in part for part in parts):
        role = "tool"
    return role, "".join(str(part.get("text", "")) for part in parts)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(str(one.get("text") or "") or _text(one.get("content")) for one in _objects(content))


def _tools(wire: Wire, body: dict[str, Any]) -> tuple[str, ...]:
    found = _objects(body.get("tools"))
    if wire == "gemini":
        return tuple(str(f.get("name")) for one in found for f in _objects(one.get("functionDeclarations")))
    if wire == "openai-chat":
        found = [one["function"] for one in found if isinstance(one.get("function"), dict)]
    return tuple(str(one.get("name") or one.get("type")) for one in found)


def _ids(asked: Asked) -> tuple[list[str], list[str]]:
    """Ids of the calls and of the results in a conversation."""
    body = asked.body
    if asked.wire == "openai-chat":
        messages = _objects(body.get("messages"))
        calls = [str(call.get("id")) for one in messages for call in _objects(one.get("tool_calls"))]
        return calls, [str(one.get("tool_call_id")) for one in messages if one.get("role") == "tool"]
    if asked.wire == "openai-responses":
        items = [one for one in _objects(body.get("input")) if one.get("call_id")]
        calls = [str(one.get("call_id")) for one in items if str(one.get("type")).endswith("_call")]
        return calls, [str(one.get("call_id")) for one in items if str(one.get("type")).endswith("_call_output")]
    if asked.wire == "anthropic-messages":
        blocks = [block for one in _objects(body.get("messages")) for block in _objects(one.get("content"))]
        calls = [str(one.get("id")) for one in blocks if one.get("type") == "tool_use"]
        return calls, [str(one.get("tool_use_id")) for one in blocks if one.get("type") == "tool_result"]
    return [], []


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
