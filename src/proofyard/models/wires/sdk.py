"""The official SDKs, imported when the first call is made: their retries off, no time limit but ours, and the answer taken
as bytes, so that a broken one is seen as broken.
"""

import importlib
import ipaddress
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from proofyard.core import UsageError
from proofyard.models.faults import BrokenAnswer, Overdue
from proofyard.models.keys import Key
from proofyard.models.messages import Request
from proofyard.models.providers import Target, WireName
from proofyard.models.wires.chat import ChatReader, build_chat
from proofyard.models.wires.gemini import GeminiReader, build_gemini, send_gemini
from proofyard.models.wires.messages import MessagesReader, build_messages
from proofyard.models.wires.responses import ResponsesReader, build_responses
from proofyard.models.wires.shape import Built, Reader, understood

__all__ = ["MAX_ANSWER", "Connection", "Timing", "Wire", "feed", "wire_of"]

MAX_ANSWER: Final = 64 << 20
"""Most bytes of one answer; more is a broken one."""

_CONNECT_S: Final = 15.0
_OWN_HOMES: Final = ("https://api.openai.com/v1", "https://api.anthropic.com")
_HEADERS: Final = frozenset(
    {
        "accept",
        "accept-encoding",
        "anthropic-beta",
        "anthropic-version",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
        "user-agent",
        "x-api-key",
        "x-client-request-id",
        "x-goog-api-client",
        "x-goog-api-key",
    }
)


class Timing(NamedTuple):
    """Seconds: how long no byte may come, and how long a whole answer may take."""

    stall_s: float = 300.0
    attempt_s: float = 1800.0


class Wire(NamedTuple):
    """One dialect: build, send by the SDK named, read."""

    module: str
    build: Callable[[Request, Target, bool], Built]
    reader: Callable[[Target], Reader]
    open: Callable[[Any, "Connection"], Any]
    send: Callable[[Any, dict[str, Any], dict[str, str], Any], Any]


class Connection:
    """A model's address, its SDK client and our hold on its HTTP. Used by many threads at once."""

    def __init__(self, target: Target, key: Key, timing: Timing) -> None:
        self.target = target
        self.key = key
        self.timing = timing
        self.wire = wire_of(target.provider.wire)
        self._lock = threading.Lock()
        self._client: Any = None
        self._http: Any = None
        self._module: Any = None
        self._due = threading.local()

    def exchange(self, built: Built, reader: Reader, call: str, due_s: float) -> tuple[int, bool]:
        """Send a request and feed the answer to `reader`; return the status and whether the stream came to its own end.

        due_s: seconds the whole answer may take. Raises whatever SDK and HTTP client raise; `classify` sorts it.
        """
        client = self.open()
        self._due.at = time.monotonic() + due_s
        self._due.allowed = due_s
        silence = min(self.timing.stall_s, due_s) if built.body.get("stream") else due_s
        limits = self._module.Timeout(silence, connect=min(_CONNECT_S, due_s))
        with self.wire.send(client, built.body, {"x-client-request-id": call}, limits) as response:
            kind = str(response.headers.get("content-type", "")).lower()
            if "event-stream" in kind:
                return response.status_code, feed(response.iter_bytes(), reader)
            data = json.loads(b"".join(response.iter_bytes()))
            if not isinstance(data, dict):
                raise BrokenAnswer(f"the answer is no JSON object: {str(data)[:100]}")
            with understood():
                reader.whole(data)
            return response.status_code, True

    def http(self, kind: Any) -> Any:
        """Make the HTTP client of an SDK, `kind` its own class of it: our limits of time and size, no proxy to this machine.

        Redirections are not followed: a key in a header of its own would go along to another host.
        """
        self._module = importlib.import_module(_base_of(kind))
        hooks: dict[str, list[Any]] = {"response": [self._watch(self._module)]}
        if self.target.base_url not in _OWN_HOMES:
            hooks["request"] = [_strip]
        self._http = kind(follow_redirects=False, trust_env=not _is_local(self.target.base_url), event_hooks=hooks)
        return self._http

    def close(self) -> None:
        """Close what is open; a later call opens it again."""
        with self._lock:
            if self._http is not None:
                self._http.close()
            self._client = self._http = None

    def open(self) -> Any:
        """Return the SDK's client, importing the SDK the first time. Raises UsageError if it is not installed."""
        with self._lock:
            if self._client is None:
                try:
                    sdk = importlib.import_module(self.wire.module)
                except ImportError:
                    extra = self.target.provider.extra
                    what = f"proofyard[{extra}]" if extra else self.wire.module
                    raise UsageError(f"{self.target.provider.name} needs: pip install '{what}'") from None
                self._client = self.wire.open(sdk, self)
            return self._client

    def _watch(self, module: Any) -> Callable[[Any], None]:
        due = self._due

        class Watched(module.SyncByteStream):  # type: ignore[misc]
            """Bytes of an answer, until it is overdue or too long."""

            def __init__(self, stream: Any) -> None:
                self._stream = stream

            def __iter__(self) -> Iterator[bytes]:
                size = 0
                for piece in self._stream:
                    size += len(piece)
                    if size > MAX_ANSWER:
                        raise BrokenAnswer(f"the answer is longer than {MAX_ANSWER} bytes")
                    yield piece
                    if time.monotonic() > due.at:
                        raise Overdue(f"no whole answer within {due.allowed:g} s")

            def close(self) -> None:
                self._stream.close()

        def watch(response: Any) -> None:
            response.stream = Watched(response.stream)

        return watch


def feed(pieces: Iterator[bytes], reader: Reader) -> bool:
    """Give a stream's events to a reader; whether it came to the wire's own end mark."""
    for data in _events(pieces):
        if data == "[DONE]":
            return True
        value = json.loads(data)
        if isinstance(value, dict):
            with understood():
                reader.feed(value)
    return False


def _events(pieces: Iterator[bytes]) -> Iterator[str]:
    """The data of each server-sent event. Lines end at LF or CR LF alone: other separators may stand inside JSON."""
    rest = b""
    data: list[str] = []
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for raw in lines:
            line = raw.removesuffix(b"\r")
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" ").decode())
            elif not line and data:
                yield "\n".join(data)
                data = []
    yield from _unended(rest, data)


def _unended(rest: bytes, data: list[str]) -> Iterator[str]:
    """The last event if only its blank line is missing; one that was cut short counts as never sent."""
    if rest.startswith(b"data:"):
        data = [*data, rest[5:].strip().decode(errors="replace")]
    text = "\n".join(data)
    try:
        if text != "[DONE]":
            json.loads(text)
    except ValueError:
        return
    yield text


def _strip(request: Any) -> None:
    """Take out what an SDK adds from its environment (organisation, project, headers of the user's own): it is meant for
    that SDK's own provider, and this request goes to another.
    """
    for name in list(request.headers):
        if name.lower() not in _HEADERS and not name.lower().startswith("x-stainless-"):
            del request.headers[name]


def _base_of(kind: type) -> str:
    """The package that an SDK's HTTP client comes from: httpx2, or httpx in older releases."""
    packages = (one.__module__.partition(".")[0] for one in kind.__mro__)
    return next(name for name in packages if name.startswith("httpx"))


def _is_local(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _open_openai(sdk: Any, connection: Connection) -> Any:
    return sdk.OpenAI(
        api_key=connection.key.reveal() or "none",
        base_url=connection.target.base_url,
        max_retries=0,
        http_client=connection.http(sdk.DefaultHttpxClient),
    )


def _open_anthropic(sdk: Any, connection: Connection) -> Any:
    return sdk.Anthropic(
        api_key=connection.key.reveal() or "none",
        base_url=connection.target.base_url,
        max_retries=0,
        http_client=connection.http(sdk.DefaultHttpxClient),
    )


def _open_gemini(sdk: Any, connection: Connection) -> Any:
    options = sdk.types.HttpOptions(
        base_url=connection.target.base_url, httpx_client=connection.http(_http_module().Client)
    )
    return sdk.Client(api_key=connection.key.reveal() or "none", vertexai=False, http_options=options)


def _http_module() -> Any:
    """The HTTP client that is installed: its new name, else its old one."""
    try:
        return importlib.import_module("httpx2")
    except ImportError:
        return importlib.import_module("httpx")


def _send_chat(client: Any, body: dict[str, Any], headers: dict[str, str], limits: Any) -> Any:
    return _create(client.chat.completions, ("model", "messages", "stream"), body, headers, limits)


def _send_responses(client: Any, body: dict[str, Any], headers: dict[str, str], limits: Any) -> Any:
    return _create(client.responses, ("model", "input", "stream"), body, headers, limits)


def _send_messages(client: Any, body: dict[str, Any], headers: dict[str, str], limits: Any) -> Any:
    return _create(client.messages, ("model", "messages", "max_tokens", "stream"), body, headers, limits)


def _create(resource: Any, named: tuple[str, ...], body: dict[str, Any], headers: dict[str, str], limits: Any) -> Any:
    """Call an SDK's `create`: what it asks for by name, the rest as extra fields, which it passes on as they are."""
    first = {name: body[name] for name in named}
    rest = {name: value for name, value in body.items() if name not in first}
    return resource.with_streaming_response.create(**first, extra_body=rest, extra_headers=headers, timeout=limits)


_WIRES: Final[dict[str, Wire]] = {
    "openai-chat": Wire("openai", build_chat, lambda t: ChatReader(t.quirks), _open_openai, _send_chat),
    "openai-responses": Wire("openai", build_responses, lambda _: ResponsesReader(), _open_openai, _send_responses),
    "gemini": Wire("google.genai", build_gemini, lambda _: GeminiReader(), _open_gemini, send_gemini),
    "anthropic-messages": Wire(
        "anthropic", build_messages, lambda _: MessagesReader(), _open_anthropic, _send_messages
    ),
}


def wire_of(name: WireName) -> Wire:
    """Return the dialect of that name."""
    return _WIRES[name]
