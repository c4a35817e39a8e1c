"""Gemini's own wire, by the SDK of the extra `google`."""

import base64
import importlib
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, NamedTuple

from proofyard.core import UsageError
from proofyard.models.answer import Stop, Tokens
from proofyard.models.faults import StreamError
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

__all__ = ["GeminiReader", "build_gemini", "send_gemini"]

WIRE: Final = "gemini"

_STOPS: Final[dict[str, Stop]] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "SAFETY": "refusal",
    "PROHIBITED_CONTENT": "refusal",
    "BLOCKLIST": "refusal",
    "RECITATION": "refusal",
    "SPII": "refusal",
    "MALFORMED_FUNCTION_CALL": "stop",
}
_MODES: Final = {"required": "ANY", "none": "NONE"}


class _Spoken(NamedTuple):
    """What the SDK gave, in the form in which the other SDKs hand over an answer."""

    status_code: int
    headers: dict[str, str]
    pieces: Iterator[bytes]

    def iter_bytes(self) -> Iterator[bytes]:
        """The answer."""
        return self.pieces


def build_gemini(request: Request, target: Target, stream: bool) -> Built:
    """Build a request: `contents` and `config` as the SDK takes them. Raises UsageError."""
    made = settings(request, target.quirks, "stopSequences", lambda asked: _reasoning(asked, target.quirks))
    config = {_camel(name): value for name, value in made.body.items()}
    config.update({"automaticFunctionCalling": {"disable": True}, "automaticContinuation": False})
    words = "\n\n".join(message.text for message in request.messages if message.role == "system")
    if words:
        config["systemInstruction"] = words
    if request.tools:
        config["tools"] = [
            {
                "functionDeclarations": [
                    {
                        "name": tool.name,
                        "description": tool.description,
                        "parametersJsonSchema": json.loads(tool.parameters),
                    }
                    for tool in request.tools
                ]
            }
        ]
        if request.tool_choice != "auto":
            config["toolConfig"] = {"functionCallingConfig": {"mode": _MODES[request.tool_choice]}}
    contents = _contents(request)
    return Built(
        {"model": target.model, "contents": contents, "stream": stream, "config": config}, made.sent, made.dropped
    )


def _camel(name: str) -> str:
    return "topP" if name == "top_p" else name


def _reasoning(asked: str, quirks: Quirks) -> dict[str, Any]:
    if quirks.reasoning != "gemini":
        return {}
    tokens = 0 if asked == "off" else number(asked)
    if tokens is not None:
        return {"thinkingConfig": {"thinkingBudget": tokens, "includeThoughts": tokens > 0}}
    return {"thinkingConfig": {"thinkingLevel": asked.upper(), "includeThoughts": True}}


def _contents(request: Request) -> list[dict[str, Any]]:
    names = {part.id: part.name for message in request.messages for part in message.parts if isinstance(part, ToolCall)}
    out: list[dict[str, Any]] = []
    for message in request.messages:
        parts = [] if message.role == "system" else _parts(message, names)
        if parts:
            out.append({"role": "model" if message.role == "assistant" else "user", "parts": parts})
    return out


def _parts(message: Message, names: dict[str, str]) -> list[dict[str, Any]]:
    kept = [part for part in message.parts if isinstance(part, Thinking) and part.wire == WIRE]
    if kept and message.role == "assistant":
        return [block for part in kept for block in objects(json.loads(part.raw))]
    out: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, Text) and part.text:
            out.append({"text": part.text})
        elif isinstance(part, ToolCall):
            out.append({"functionCall": {"id": part.id, "name": part.name, "args": _arguments(part.arguments)}})
        elif isinstance(part, ToolResult):
            response = {"error" if part.failed else "output": part.text}
            answered = {"id": part.call, "name": names.get(part.call, part.call), "response": response}
            out.append({"functionResponse": answered})
    return out


def _arguments(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"unreadable": text}


@contextmanager
def _sent(client: Any, body: dict[str, Any], config: Any) -> Iterator[_Spoken]:
    asked = {"model": body["model"], "contents": [_sealed(one) for one in body["contents"]], "config": config}
    if body["stream"]:
        answers = client.models.generate_content_stream(**asked)
        yield _Spoken(200, {"content-type": "text/event-stream"}, (b"data: " + _json(one) + b"\n\n" for one in answers))
    else:
        answer = client.models.generate_content(**asked)
        yield _Spoken(200, {"content-type": "application/json"}, iter([_json(answer)]))


def send_gemini(
    client: Any, body: dict[str, Any], headers: dict[str, str], limits: Any
) -> AbstractContextManager[_Spoken]:
    """Send a request by the SDK. Raises UsageError where the SDK does not take a parameter."""
    types = importlib.import_module("google.genai.types")
    options = types.HttpOptions(headers=headers, timeout=max(1, int(limits.read * 1000)))
    try:
        config = types.GenerateContentConfig(**body["config"], http_options=options)
    except ValueError as error:
        raise UsageError(f"the SDK of Gemini does not take these parameters: {error}") from None
    return _sent(client, body, config)


def _json(answer: Any) -> bytes:
    return json.dumps(answer.model_dump(mode="json", by_alias=True, exclude_none=True)).encode()


def _sealed(content: dict[str, Any]) -> dict[str, Any]:
    """Signatures of thoughts are bytes to the SDK and text in JSON."""
    parts = []
    for part in content["parts"]:
        sign = part.get("thoughtSignature")
        parts.append({**part, "thoughtSignature": base64.urlsafe_b64decode(sign)} if isinstance(sign, str) else part)
    return {**content, "parts": parts}


class GeminiReader:
    """Reads an answer, streamed or whole. All its parts are kept word for word: signatures may sit on any of them."""

    def __init__(self) -> None:
        self._parts: list[dict[str, Any]] = []
        self._stop: str | None = None
        self._blocked: str | None = None
        self._usage: dict[str, Any] = {}
        self._model = self._id = ""
        self.begun = False

    @property
    def tokens(self) -> Tokens | None:
        """Usage so far; the wire counts thoughts beside the output."""
        read = count(self._usage, "promptTokenCount")
        written = count(self._usage, "candidatesTokenCount")
        thoughts = count(self._usage, "thoughtsTokenCount")
        if read is None or (written is None and thoughts is None):
            return None
        return Tokens(
            input=read + (count(self._usage, "toolUsePromptTokenCount") or 0),
            output=(written or 0) + (thoughts or 0),
            cached=count(self._usage, "cachedContentTokenCount"),
            reasoning=thoughts,
        )

    @property
    def settled(self) -> bool:
        """Whether usage is final: it is repeated with each chunk, and the one with the reason to stop is the last."""
        return self._stop is not None

    def feed(self, data: dict[str, Any]) -> None:
        """Take one chunk."""
        if data.get("error"):
            raise StreamError(data)
        self._model = str(data.get("modelVersion") or self._model)
        self._id = str(data.get("responseId") or self._id)
        if isinstance(data.get("usageMetadata"), dict):
            self._usage = data["usageMetadata"]
        feedback = data.get("promptFeedback")
        if isinstance(feedback, dict) and feedback.get("blockReason"):
            self._blocked = str(feedback["blockReason"])
        for candidate in objects(data.get("candidates"))[:1]:
            content = candidate.get("content")
            for part in objects(content.get("parts") if isinstance(content, dict) else None):
                self.begun = True
                self._add(part)
            if candidate.get("finishReason"):
                self._stop = str(candidate["finishReason"])

    def whole(self, data: dict[str, Any]) -> None:
        """Take an answer."""
        self.feed(data)
        self.begun = True

    def finish(self, closed: bool) -> Draft:
        """Return the answer."""
        parts: list[Part] = [thought(WIRE, self._text(thoughts=True), self._parts)] if self._parts else []
        parts.extend(joined([self._text(thoughts=False)]))
        parts.extend(tool_calls([_call(part["functionCall"]) for part in self._parts if "functionCall" in part]))
        raw = self._stop or ("SAFETY" if self._blocked else None)
        return Draft(
            parts=tuple(parts),
            stop=finished(raw, _STOPS, tuple(parts), closed),
            raw_stop=self._blocked or raw or "",
            tokens=self.tokens,
            served_model=self._model,
            response_id=self._id,
        )

    def _text(self, thoughts: bool) -> str:
        return "".join(str(part.get("text") or "") for part in self._parts if bool(part.get("thought")) == thoughts)

    def _add(self, part: dict[str, Any]) -> None:
        last = self._parts[-1] if self._parts else None
        plain = set(part) <= {"text", "thought"}
        if last is not None and plain and set(last) == set(part) and last.get("thought") == part.get("thought"):
            last["text"] = str(last.get("text") or "") + str(part.get("text") or "")
        else:
            self._parts.append(dict(part))


def _call(call: dict[str, Any]) -> dict[str, Any]:
    return {"id": call.get("id"), "name": call.get("name"), "arguments": call.get("args") or {}}
