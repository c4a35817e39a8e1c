"""The gateway's server: one attempt's, on a unix socket that only its sandbox is led to."""

import gzip
import hmac
import json
import secrets
import socketserver
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

import msgspec

from proofyard.core import Failure, UsageError, sha256
from proofyard.models.answer import BudgetSpent, Tokens
from proofyard.models.client import LEAST_BYTES, LONG_ANSWER, USUAL_BYTES, Client
from proofyard.models.gateway.passing import Head, Passed, Passing
from proofyard.models.gateway.wire import Asked, asked, refusal, remote_content, token_of, without_provider_tools
from proofyard.models.session import ModelSession
from proofyard.models.wires.sdk import Timing

__all__ = ["Gateway"]

_MOST_BODY: Final = 64 << 20
_PATIENCE_S: Final = 20.0
_LIMIT_FIELDS: Final = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens")

_CONTENTS: Final = ("messages", "input", "contents", "systemInstruction", "system_instruction")

Keep = Callable[[str, bytes], None]


class Gateway:
    """A server for one attempt; a context manager.

    keep: takes each question and answer, a file each, without a key in it. token: what the program gives as its key. path: of
    the socket, in the kernel's own name space: who finds it still needs the token.
    """

    def __init__(self, session: ModelSession, keep: Keep, timing: Timing | None = None) -> None:
        """Raise UsageError for a model that no program can call: a script, a recording."""
        client = session.model
        if not isinstance(client, Client):
            raise UsageError(f"{session.name} cannot be called by a program: it needs a server of a known wire")
        self.target = client.target
        self.session = session
        self.token = f"attempt-{secrets.token_hex(16)}"
        self.key, self.prices = client.access
        self.timing = timing or Timing()
        self._keep = keep
        # A name without a file: nothing is left of it after a kill, and no temporary folder is too deep for it.
        self.path = f"\0proofyard-gateway-{secrets.token_hex(16)}"
        handler = type("_Bound", (_Handler,), {"gateway": self})
        self._server = _Server(self.path, handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._lock = threading.Lock()
        self._count = self._busy = 0
        self._changed = threading.Condition()

    def __enter__(self) -> "Gateway":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Take no more questions; those under way are read on for a while, so that they are paid for by the right one."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()
        deadline = time.monotonic() + _PATIENCE_S
        with self._changed:
            while self._busy and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(left)

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Count a question under way."""
        with self._changed:
            self._busy += 1
        try:
            yield
        finally:
            with self._changed:
                self._busy -= 1
                self._changed.notify_all()

    def bound(self, body: bytes, fields: dict[str, Any]) -> tuple[int, int | None]:
        """The tokens a question has probably, and the most its answer can cost in micro-dollars, None without a price."""
        settings = fields.get("generationConfig")
        asked = fields | settings if isinstance(settings, dict) else fields
        given = [asked[name] for name in _LIMIT_FIELDS if isinstance(asked.get(name), int)]
        limit = given[0] if given else LONG_ANSWER
        cost = self.prices.cost(self.target, Tokens(input=len(body) // LEAST_BYTES, output=limit))
        return len(body) // USUAL_BYTES, cost.micro_usd if cost else None

    def enter(self, passed: Passed, guess: int, bound: int | None) -> None:
        """Charge a call that was made."""
        session, attempt, fault = self.session, passed.attempt, passed.fault
        session.add((attempt,))
        session.account.charge(attempt, guess, bound)
        lost = fault is not None and fault.stop is None
        if attempt.cost:
            row = attempt.cost.row
            session.facts["price"] = f"{row.source}: {row.provider}/{row.model}"
        session.lost = Failure(code=attempt.code, message=f"{session.name}: {attempt.message}") if lost else None

    def note(self, name: str, value: str) -> None:
        """Keep something that the reader of a result must know of its model's calls; several values are joined."""
        with self._lock:
            known = self.session.facts.get(name, "").split(", ") if name in self.session.facts else []
            self.session.facts[name] = ", ".join(dict.fromkeys([*known, value]))

    def record(self, path: str, question: bytes, passed: Passed) -> None:
        """Keep a question and its answer."""
        with self._lock:
            self._count += 1
            name = f"exchange-{self._count:04d}.json.gz"
        document = {
            "path": path,
            "call": passed.attempt.call,
            "request": _value(question),
            "attempt": msgspec.to_builtins(passed.attempt),
            "answer": self.key.scrub(passed.answer.decode("utf-8", "replace")),
        }
        self._keep(name, gzip.compress(msgspec.json.encode(document), compresslevel=3, mtime=0))


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A program that goes away is no event here."""


class _Handler(BaseHTTPRequestHandler):
    """One connection. Attributes are named so that none of the base class is shadowed."""

    protocol_version = "HTTP/1.1"
    gateway: Gateway
    _started = False

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the base class names it
        """Print nothing."""

    def address_string(self) -> str:
        """A unix socket's client has no address."""
        return "sandbox"

    def do_HEAD(self) -> None:
        self._plain(200, b"")

    def do_GET(self) -> None:
        if self._admitted() and self.path.partition("?")[0].endswith("/models"):
            row = {"id": self.gateway.target.model, "object": "model", "created": 1, "owned_by": "gateway"}
            self._plain(200, json.dumps({"object": "list", "data": [row], "has_more": False}).encode())
        else:
            self._plain(404, refusal(None, "not_found_error", f"nothing is at {self.path}"))

    def do_POST(self) -> None:
        body = self._read()
        where = asked(self.path, self.gateway.target)
        wire = where.wire if where else None
        fields = _value(body)
        named = (where.model if where else "") or (fields.get("model") if isinstance(fields, dict) else None)
        if not self._admitted():
            self._plain(401, refusal(wire, "authentication_error", "not the token of this attempt"))
        elif where is None:
            self.gateway.note("refused_paths", self.path.partition("?")[0])
            self._plain(404, refusal(wire, "not_found_error", f"the gateway passes nothing on to {self.path}"))
        elif not isinstance(fields, dict):
            self._plain(400, refusal(wire, "invalid_request_error", "the body is no JSON object"))
        elif named != self.gateway.target.model:
            self.gateway.note("refused_models", str(named)[:100])
            said = f"this attempt has the model {self.gateway.target.model} alone"
            self._plain(404, refusal(wire, "not_found_error", said))
        elif address := remote_content([fields.get(name) for name in _CONTENTS]):
            self.gateway.note("refused_addresses", address[:200])
            said = "the provider would fetch an address for the model; give the content itself"
            self._plain(400, refusal(wire, "invalid_request_error", said))
        elif not where.counts:
            count = max(1, len(body) // USUAL_BYTES)
            self._plain(200, json.dumps({"totalTokens" if wire == "gemini" else "input_tokens": count}).encode())
        else:
            with self.gateway.asking():
                self._ask(where, body, fields)

    def _ask(self, where: Asked, body: bytes, fields: dict[str, Any]) -> None:
        """Pass a question on, if the budget allows it."""
        self._started = False
        gateway, session = self.gateway, self.gateway.session
        changed, taken = without_provider_tools(where.wire, fields)
        for name in taken:
            gateway.note("provider_tools_removed", name)
        if taken:
            body = json.dumps(changed, ensure_ascii=False).encode()
        guess, bound = gateway.bound(body, changed)
        try:
            session.account.check()
            with session.account.sending(bound):
                session.account.step()
                passed = self._pass(where, body, guess, bound)
        except BudgetSpent as error:
            session.spent_out = error
            self._plain(403, refusal(where.wire, "permission_error", str(error)))
            return
        self._end(where, passed)

    def _pass(self, where: Asked, body: bytes, guess: int, bound: int | None) -> Passed:
        """Pass a question on, put down before and after, and charged."""
        gateway, session = self.gateway, self.gateway.session
        call = uuid.uuid4().hex
        session.note("model_send", call=call, n=1, model=session.name, request=sha256(body), guess=guess, bound=bound)
        left = session.account.remaining_ms()
        due = gateway.timing.attempt_s if left is None else min(gateway.timing.attempt_s, max(0.001, left / 1000))
        passing = Passing(gateway.target, gateway.key, gateway.prices, gateway.timing)
        headers = {name.lower(): value for name, value in self.headers.items()}
        passed = passing.run(where, body, headers, call, due, self._begin, self._piece)
        session.note("model_end", call=call, attempt=msgspec.to_builtins(passed.attempt))
        gateway.enter(passed, guess, bound)
        gateway.record(self.path, body, passed)
        return passed

    def _end(self, where: Asked, passed: Passed) -> None:
        """End the answer as it ended: whole, cut, or, where none had begun, as an error."""
        if passed.cut:
            self.close_connection = True
        elif self._started:
            self.wfile.write(b"0\r\n\r\n")
        elif passed.fault is not None:
            self._plain(502, refusal(where.wire, "api_error", passed.fault.message))

    def _begin(self, head: Head) -> None:
        self._started = True
        self.send_response(head.status)
        for name, value in head.headers:
            self.send_header(name, value)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def _piece(self, data: bytes) -> None:
        if data:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

    def _admitted(self) -> bool:
        headers = {name.lower(): value for name, value in self.headers.items()}
        return hmac.compare_digest(token_of(headers).encode(), self.gateway.token.encode())

    def _read(self) -> bytes:
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            length = self.headers.get("content-length") or "0"
            return self.rfile.read(min(int(length), _MOST_BODY) if length.isdecimal() else 0)
        out = b""
        while len(out) < _MOST_BODY and (size := int(self.rfile.readline().split(b";")[0] or b"0", 16)):
            out += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return out

    def _plain(self, status: int, data: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _value(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
