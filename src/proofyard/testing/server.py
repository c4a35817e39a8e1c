"""A scripted model server: chat completions, responses, messages and Gemini, streamed and whole, on this machine.

    with ModelServer(turns([Turn(text="hello")]), faults=parse_faults("429:2,cut,ok")) as server:
        ...  # point an SDK or an agent program at server.url("openai-chat")
        assert [one.status for one in server.ledger] == [429, 200, 200]

Each question to a model uses up one fault; the ledger holds every question, what came of it, and what it would have cost
in tokens. Standard library only.
"""

import json
import threading
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from urllib.parse import urlsplit

from proofyard.testing.asked import complaint, read_request, wire_of_path
from proofyard.testing.faults import Fault
from proofyard.testing.ledger import Entry, Ledger, masked
from proofyard.testing.misbehaviour import Reply, reply_of
from proofyard.testing.script import Policy, Wire, say

__all__ = ["ModelServer"]

_MAX_BODY: Final = 64 << 20
_PATHS: Final[dict[str, str]] = {
    "openai-chat": "/v1",
    "openai-responses": "/v1",
    "anthropic-messages": "",
    "gemini": "",
}


class ModelServer:
    """The server; a context manager. `policy` says what the model answers, `faults` what goes wrong, in order of requests.

    keys: the keys it takes (none: any). models: the names at `GET /v1/models`. ledger_file: also write the ledger there,
    one JSON line when a question came and one when it was answered.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        faults: Iterable[Fault | None] = (),
        keys: Iterable[str] = (),
        models: Iterable[str] = ("scripted",),
        port: int = 0,
        ledger_file: Path | None = None,
    ) -> None:
        self.policy = policy or say("Hello.")
        self.models = tuple(models)
        self._faults = list(faults)
        self._keys = frozenset(keys)
        self._ledger = Ledger(ledger_file)
        self._lock = threading.Lock()
        self.closing = threading.Event()
        handler = type("_Bound", (_Handler,), {"site": self})
        self._http = _Http(("127.0.0.1", port), handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop, and end what still hangs."""
        self.closing.set()
        if self._thread.is_alive():
            self._http.shutdown()
            self._thread.join()
        self._http.server_close()

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return int(self._http.server_address[1])

    def url(self, wire: Wire) -> str:
        """Return the base URL that clients of this wire are to be given."""
        return f"http://127.0.0.1:{self.port}{_PATHS[wire]}"

    @property
    def ledger(self) -> list[Entry]:
        """Every question up to now, in order."""
        return self._ledger.entries()

    def settle(self, timeout: float = 30.0) -> list[Entry]:
        """Wait until every question up to now is answered (or given up), then return the ledger. Raises TimeoutError."""
        for entry in self.ledger:
            if not entry.answered.wait(timeout):
                raise TimeoutError(f"question {entry.n} ({entry.fault or 'no fault'}) is still being answered")
        return self.ledger

    @property
    def faults_left(self) -> int:
        """How many faults are not used up."""
        with self._lock:
            return len(self._faults)

    def add_faults(self, faults: Iterable[Fault | None]) -> None:
        """Let more go wrong, after what is left."""
        with self._lock:
            self._faults.extend(faults)

    def answer(self, wire: Wire, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> tuple[Entry, Reply]:
        """Take a question down in the ledger and decide what comes of it."""
        asked = read_request(wire, path, body)
        key = _key(headers)
        authorized = not self._keys or key in self._keys
        with self._lock:
            fault = self._faults.pop(0) if self._faults else None
        problem = "" if authorized else "auth"
        entry = self._ledger.open(asked, path, masked(headers), fault.name if fault else "", authorized)
        if problem:
            return entry, reply_of(asked, self.policy, Fault("auth"), entry.n, key)
        wrong = complaint(asked)
        if wrong:
            return entry, Reply.refusal(400, asked.wire, "invalid_request_error", wrong)
        return entry, reply_of(asked, self.policy, fault, entry.n, key)

    def close_entry(self, entry: Entry, **facts: Any) -> None:
        """Note what came of a question."""
        self._ledger.close(entry, **facts)


def _key(headers: Mapping[str, str]) -> str:
    """The key a request came with."""
    bearer = headers.get("authorization", "")
    return headers.get("x-api-key") or headers.get("x-goog-api-key") or bearer.removeprefix("Bearer ").strip()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no event here."""


class _Handler(BaseHTTPRequestHandler):
    """One connection. Attributes are named so that none of the base class is shadowed."""

    protocol_version = "HTTP/1.1"
    site: ModelServer

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the base class names it
        """Print nothing; the ledger holds it all."""

    def do_HEAD(self) -> None:
        self._plain(200, {})

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path.endswith("/models"):
            rows = [{"id": name, "object": "model", "created": 1, "owned_by": "script"} for name in self.site.models]
            self._plain(200, {"object": "list", "data": rows, "has_more": False})
        elif path in {"/", "/health"}:
            self._plain(200, {"status": "ok"})
        else:
            self._plain(404, {"error": {"type": "not_found_error", "message": f"no page {path}"}})

    def do_POST(self) -> None:
        raw = self._read()
        wire = wire_of_path(self.path)
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            self._plain(400, {"error": {"type": "invalid_request_error", "message": "the body is no JSON object"}})
        elif urlsplit(self.path).path.endswith(("/count_tokens", ":countTokens")):
            self._plain(200, {"input_tokens": max(1, len(raw) // 4), "totalTokens": max(1, len(raw) // 4)})
        elif wire is None:
            self._plain(404, {"error": {"type": "not_found_error", "message": f"nothing is at {self.path}"}})
        else:
            headers = {name.lower(): value for name, value in self.headers.items()}
            entry, reply = self.site.answer(wire, self.path, headers, body)
            self._reply(entry, reply)

    def _read(self) -> bytes:
        if "chunked" in self.headers.get("transfer-encoding", ""):
            return self._read_chunks()
        return self.rfile.read(min(int(self.headers.get("content-length") or 0), _MAX_BODY))

    def _read_chunks(self) -> bytes:
        out = b""
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            out += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return out

    def _reply(self, entry: Entry, reply: Reply) -> None:
        self.close_connection = True
        try:
            complete = reply.send(self, self.site.closing)
        except OSError:
            complete = False
        status = 0 if reply.reset else reply.status
        self.site.close_entry(entry, status=status, begun=reply.begun, complete=complete, usage=reply.usage)

    def _plain(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
