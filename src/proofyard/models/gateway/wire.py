"""What the gateway knows of the wires: where a question is posted, how it is refused, which tools the provider would run."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode

from proofyard.models.providers import Target, WireName

__all__ = ["Asked", "asked", "refusal", "remote_content", "token_of", "without_provider_tools"]

_PATHS: Final[tuple[tuple[str, WireName, str], ...]] = (
    ("/chat/completions", "openai-chat", "/chat/completions"),
    ("/responses", "openai-responses", "/responses"),
    ("/messages", "anthropic-messages", "/v1/messages"),
    ("/messages/count_tokens", "anthropic-messages", "/v1/messages/count_tokens"),
)
"""The end of a path, the wire of it, and the path behind the provider's base URL."""

_OWN: Final[dict[str, tuple[str, ...]]] = {
    "openai-chat": ("function", "custom"),
    "openai-responses": ("function", "custom", "local_shell", "shell", "apply_patch", "namespace"),
    "anthropic-messages": ("", "custom", "bash_", "text_editor_", "computer_", "memory_", "tool_search_"),
    "gemini": ("functionDeclarations", "function_declarations"),
}
"""Types of tools, or their beginnings where they end in `_`, that run where the program is; Gemini's
tools have no type but a field of that name. All others the provider runs."""

_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "openai-chat": ("web_search_options", "plugins", "search_parameters", "enable_search"),
    "openai-responses": (),
    "anthropic-messages": ("mcp_servers", "container"),
    "gemini": (),
}
"""Fields of a request that let the provider reach the network or run code for the model."""


_GEMINI: Final = re.compile(r"/models/([^/:]+):(generateContent|streamGenerateContent|countTokens)\Z")
_ADDRESSES: Final = frozenset({"url", "image_url", "file_url", "video_url", "audio_url", "fileUri", "file_uri"})
_NOT_CONTENT: Final = frozenset({"tools", "arguments", "input", "input_schema", "parameters", "metadata"})
"""Where addresses may stand without anyone fetching them."""


class Asked(NamedTuple):
    """A question to a model: its wire, where it goes, whether it is one that is paid for; the model where the path names it."""

    wire: WireName
    url: str
    counts: bool
    model: str = ""


def asked(path: str, target: Target) -> Asked | None:
    """Return what a path asks of the target's provider, None if it is nothing the gateway passes on."""
    plain, _, query = path.partition("?")
    if target.provider.wire == "gemini":
        return _of_gemini(plain, query, target)
    for end, wire, behind in _PATHS:
        if plain.endswith(end) and _spoken(wire, target.provider.wire):
            base = target.base_url
            if wire == "anthropic-messages":
                base = base.removesuffix("/v1")
            return Asked(wire, f"{base}{behind}" + (f"?{query}" if query else ""), not end.endswith("count_tokens"))
    return None


def without_provider_tools(wire: WireName, body: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a request without the tools that the provider would run, and their names; the request itself if there are none."""
    tools = body.get("tools")
    kept, taken = (_gemini_tools if wire == "gemini" else _tools)(tools if isinstance(tools, list) else [], _OWN[wire])
    fields = [name for name in _FIELDS[wire] if body.get(name)]
    if not taken and not fields:
        return body, []
    changed = {name: value for name, value in body.items() if name not in fields}
    if taken:
        changed["tools"] = kept
    if not kept:
        changed.pop("tools", None)
        changed.pop("tool_choice", None)
        changed.pop("toolConfig", None)
    return changed, [*taken, *fields]


def _tools(tools: list[Any], own: tuple[str, ...]) -> tuple[list[Any], list[str]]:
    kept: list[Any] = []
    taken: list[str] = []
    for tool in tools:
        kind = str(tool.get("type") or "") if isinstance(tool, dict) else "?"
        if any(kind == one or (one.endswith("_") and kind.startswith(one)) for one in own):
            kept.append(tool)
        else:
            taken.append(kind)
    return kept, taken


def _gemini_tools(tools: list[Any], own: tuple[str, ...]) -> tuple[list[Any], list[str]]:
    """One entry may hold tools of both kinds."""
    entries = [tool if isinstance(tool, dict) else {"?": tool} for tool in tools]
    mine = [{name: value for name, value in entry.items() if name in own} for entry in entries]
    return [entry for entry in mine if entry], [name for entry in entries for name in entry if name not in own]


def remote_content(value: Any) -> str:
    """Return an address that a request has the provider fetch for the model (a picture, a file), empty if there is none.

    Words are not looked at: only the fields in which the wires take addresses.
    """
    if isinstance(value, list):
        return next((found for one in value if (found := remote_content(one))), "")
    if not isinstance(value, dict):
        return ""
    for name, one in value.items():
        if name in _ADDRESSES and isinstance(one, str) and one.lower().startswith(("http:", "https:")):
            return one
        found = remote_content(one) if name not in _NOT_CONTENT else ""
        if found:
            return found
    return ""


def token_of(headers: Mapping[str, str]) -> str:
    """Return the key a program came with, by lower-case names of headers."""
    bearer = headers.get("authorization", "")
    return headers.get("x-api-key") or headers.get("x-goog-api-key") or bearer.removeprefix("Bearer ").strip()


def refusal(wire: WireName | None, kind: str, message: str) -> bytes:
    """Return the body of an error in the form of a wire."""
    error = {"type": kind, "message": message}
    if wire == "anthropic-messages":
        return json.dumps({"type": "error", "error": error}).encode()
    if wire == "gemini":
        return json.dumps({"error": {"message": message, "status": kind.upper()}}).encode()
    return json.dumps({"error": {**error, "param": None, "code": kind}}).encode()


def _of_gemini(path: str, query: str, target: Target) -> Asked | None:
    """A question on Gemini's wire. A stream that is no stream of events, but one long array, is not passed on."""
    match = _GEMINI.search(path)
    given = [(name, value) for name, value in parse_qsl(query) if name != "key"]
    if match is None or (match[2] == "streamGenerateContent" and ("alt", "sse") not in given):
        return None
    model = unquote(match[1])
    url = f"{target.base_url}/v1beta/models/{quote(model, safe='')}:{match[2]}"
    return Asked("gemini", url + (f"?{urlencode(given)}" if given else ""), match[2] != "countTokens", model)


def _spoken(wire: WireName, own: WireName) -> bool:
    """Whether a provider of the wire `own` may be spoken to by `wire`: those of OpenAI's kind may have both of its wires."""
    return wire == own or {wire, own} <= {"openai-chat", "openai-responses"}
