"""What the scripted server sends: a good answer, or one fault of the list."""

import email.utils
import json
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

from proofyard.testing.faults import Fault
from proofyard.testing.script import Asked, Call, Policy, Turn, Usage, Wire
from proofyard.testing.speech import Piece, pieces, whole

__all__ = ["Reply", "reply_of"]

_ERRORS: Final[dict[str, tuple[int, str, str]]] = {
    "rate_limit": (429, "rate_limit_error", "Rate limit reached for requests"),
    "rate_limit_date": (429, "rate_limit_error", "Rate limit reached for requests"),
    "rate_limit_ms": (429, "rate_limit_error", "Rate limit reached for requests"),
    "quota": (
        429,
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.",
    ),
    "server_error": (500, "server_error", "The server had an error while processing your request."),
    "overloaded": (529, "overloaded_error", "Overloaded"),
    "no_model": (404, "not_found_error", "The model does not exist or you do not have access to it."),
    "context": (400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum context length"),
    "filtered_prompt": (400, "invalid_request_error", "The prompt was stopped by the content_filter."),
}
_PAGE: Final = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


class Reply:
    """One answer, ready to be sent. `begun`: the model had begun, so that it would be billed, for `usage`."""

    def __init__(self, status: int, headers: dict[str, str], data: list[Piece], *, stream: bool = False) -> None:
        self.status = status
        self.headers = headers
        self.data = data
        self.stream = stream
        self.begun = False
        self.usage: Usage | None = None
        self.reset = False
        self.stall_s: float | None = None
        self.slow_s = 0.0
        self.short = False
        self.chunked = False

    @classmethod
    def refusal(cls, status: int, wire: Wire, kind: str, message: str, **headers: str) -> "Reply":
        """An HTTP error in the form of the wire."""
        error: dict[str, Any] = {"type": kind, "message": message, "param": None, "code": kind}
        body: dict[str, Any] = {"error": error}
        if wire == "anthropic-messages":
            body = {"type": "error", "error": {"type": kind, "message": message}}
        elif wire == "gemini":
            body = {"error": {"code": status, "message": message, "status": kind.upper()}}
        plain = {name.replace("_", "-"): value for name, value in headers.items()}
        return cls(status, {"content-type": "application/json", **plain}, [Piece("end", json.dumps(body).encode())])

    def send(self, handler: BaseHTTPRequestHandler, closing: threading.Event) -> bool:
        """Send it; return whether all of a good answer went out."""
        if self.reset:
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.connection.close()
            return False
        handler.send_response(self.status)
        for name, value in self.headers.items():
            handler.send_header(name, value)
        handler.send_header("connection", "close")
        if not self.stream:
            size = sum(len(piece.data) for piece in self.data)
            handler.send_header("content-length", str(size + (1_000 if self.short else 0)))
        elif self.chunked:
            handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        self._write(handler, closing)
        if self.stall_s is not None:
            handler.wfile.flush()
            closing.wait(self.stall_s)
        return not self.short and self.stall_s is None

    def _write(self, handler: BaseHTTPRequestHandler, closing: threading.Event) -> None:
        for piece in self.data:
            data = piece.data
            if self.chunked:
                data = f"{len(data):x}\r\n".encode() + data + b"\r\n"
            if not self.slow_s:
                handler.wfile.write(data)
                handler.wfile.flush()
                continue
            for n in range(len(data)):
                handler.wfile.write(data[n : n + 1])
                handler.wfile.flush()
                if closing.wait(self.slow_s):
                    return
        if self.chunked and self.short:
            handler.wfile.write(b"ff\r\n")


def reply_of(asked: Asked, policy: Policy, fault: Fault | None, number: int, key: str) -> Reply:
    """Decide what comes of a question: the policy's answer, changed or replaced by the fault."""
    name = fault.name if fault else ""
    if fault and (error := _error(asked, fault, key)) is not None:
        return error
    turn = _changed(policy(asked), name, asked)
    reply = _stream_reply(asked, turn, fault, number) if asked.stream else _whole_reply(asked, turn, fault, number)
    reply.usage = turn.usage
    if fault and name == "slow":
        reply.slow_s = fault.number(20) / 1000
    return reply


def _error(asked: Asked, fault: Fault, key: str) -> Reply | None:
    name = fault.name
    if name == "reset":
        reply = Reply(0, {}, [])
        reply.reset = True
        return reply
    if name == "html":
        return Reply(502, {"content-type": "text/html"}, [Piece("end", _PAGE)])
    if name == "auth":
        return Reply.refusal(401, asked.wire, "authentication_error", f"Incorrect API key provided: {key}.")
    if name == "unsupported":
        what = fault.value or "temperature"
        said = f"Unsupported parameter: '{what}' is not supported with this model."
        return Reply.refusal(400, asked.wire, "invalid_request_error", said)
    if name not in _ERRORS:
        return None
    headers = {}
    if name == "rate_limit" and fault.value:
        headers["retry_after"] = fault.value
    elif name == "rate_limit_date":
        headers["retry_after"] = email.utils.formatdate(time.time() + fault.number(2), usegmt=True)
    elif name == "rate_limit_ms":
        headers["retry_after_ms"] = fault.value or "50"
    return Reply.refusal(_ERRORS[name][0], asked.wire, _ERRORS[name][1], _ERRORS[name][2], **headers)


def _changed(turn: Turn, name: str, asked: Asked) -> Turn:
    """Let a fault change what the model says."""
    tool = asked.tools[0] if asked.tools else "bash"
    calls = turn.calls or (Call(tool, {"command": "printf %s one two three four"}),)
    if name == "cut_tool":
        return turn._replace(calls=calls)
    if name == "bad_arguments":
        return turn._replace(calls=(calls[0]._replace(arguments=calls[0].text[:-3]), *calls[1:]))
    if name == "duplicate_ids":
        return turn._replace(calls=tuple(call._replace(id="call_twice") for call in (calls * 2)[:2]))
    if name == "empty":
        return Turn(usage=turn.usage and turn.usage._replace(output=0))
    if name == "length":
        return turn._replace(text=(turn.text or "cut")[: max(1, len(turn.text) // 2)], calls=(), stop="length")
    if name == "filter":
        return turn._replace(calls=(), stop="filter")
    if name == "refusal":
        return turn._replace(text="", calls=(), stop="refusal")
    if name == "no_stop":
        return turn._replace(stop=None)
    return turn._replace(usage=None) if name == "no_usage" else turn


def _whole_reply(asked: Asked, turn: Turn, fault: Fault | None, number: int) -> Reply:
    name = fault.name if fault else ""
    if name == "stream_error":
        return Reply.refusal(500, asked.wire, "server_error", "The server had an error.")
    data = json.dumps(whole(asked, turn, number)).encode()
    headers = {"content-type": "application/json"}
    if name == "badjson":
        return Reply(200, headers, [Piece("end", data[: len(data) // 2])])
    cut = {"cut_before": 0, "cut": len(data) // 2, "cut_tool": data.find(b"printf") + 4, "stall": len(data) // 2}
    reply = Reply(200, headers, [Piece("content", data[: cut.get(name, len(data))])])
    reply.short = name in cut
    reply.stall_s = fault.number(3600) if fault and name == "stall" else None
    reply.begun = name != "cut_before"
    return reply


def _stream_reply(asked: Asked, turn: Turn, fault: Fault | None, number: int) -> Reply:
    name = fault.name if fault else ""
    events = list(pieces(asked, turn, number))
    first = next((n for n, piece in enumerate(events) if piece.place in {"content", "arguments"}), len(events) - 1)
    tool = next((n for n, piece in enumerate(events) if piece.place == "arguments"), first)
    ends = {"cut_before": first, "cut": first + 1, "stall": first + 1, "cut_tool": tool + 1, "stream_error": first + 1}
    kept = events[: ends.get(name, len(events))]
    if name == "badjson":
        kept = [*events[: first + 1], Piece("content", b'data: {"choices": [{"delta": {"cont\n\n')]
        if asked.wire == "anthropic-messages":
            kept[-1] = Piece("content", b'event: content_block_delta\ndata: {"type": "content_bl\n\n')
    elif name == "stream_error":
        kept.append(_stream_error(asked.wire))
    reply = Reply(200, {"content-type": "text/event-stream", "cache-control": "no-cache"}, kept, stream=True)
    reply.short = name in ends and name != "stream_error"
    reply.chunked = bool(fault and fault.value == "hard" and reply.short)
    reply.stall_s = fault.number(3600) if fault and name == "stall" else None
    reply.begun = any(piece.place != "head" for piece in kept)
    return reply


def _stream_error(wire: Wire) -> Piece:
    error: dict[str, Any] = {"type": "overloaded_error", "message": "Overloaded"}
    if wire == "anthropic-messages":
        return Piece("end", f"event: error\ndata: {json.dumps({'type': 'error', 'error': error})}\n\n".encode())
    if wire == "openai-responses":
        failed = {"type": "response.failed", "response": {"status": "failed", "error": {"code": "server_error"}}}
        return Piece("end", f"event: response.failed\ndata: {json.dumps(failed)}\n\n".encode())
    return Piece("end", f"data: {json.dumps({'error': {**error, 'code': 529}})}\n\n".encode())
