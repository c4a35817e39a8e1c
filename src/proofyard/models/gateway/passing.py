"""One question passed on: what goes out, what comes back, byte by byte as it comes, and what it used."""

import http.client
import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from proofyard.models.answer import Attempt
from proofyard.models.client import billed
from proofyard.models.faults import Fault, classify, fault_of_status
from proofyard.models.gateway.wire import Asked
from proofyard.models.keys import Key
from proofyard.models.prices import Prices
from proofyard.models.providers import Target
from proofyard.models.wires import MAX_ANSWER, feed, wire_of
from proofyard.models.wires.sdk import Timing
from proofyard.models.wires.shape import Reader, understood

__all__ = ["Head", "Passed", "Passing"]

_CHUNK: Final = 16_384
_CONNECT_S: Final = 15.0
_NOT_SENT: Final = frozenset(
    {
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "te",
        "transfer-encoding",
        "upgrade",
        "x-api-key",
        "x-client-request-id",
        "x-goog-api-key",
    }
)
_NOT_RETURNED: Final = frozenset({"connection", "content-length", "keep-alive", "set-cookie", "transfer-encoding"})


class Head(NamedTuple):
    """Status and headers of an answer, as they go back."""

    status: int
    headers: tuple[tuple[str, str], ...]


class Passed(NamedTuple):
    """What came of a question. answer: what came back, as it was. cut: it broke off, so that the program's must too."""

    attempt: Attempt
    answer: bytes
    fault: Fault | None
    cut: bool


class Passing:
    """Passes one question on. The connection is closed behind it, whatever happens."""

    def __init__(self, target: Target, key: Key, prices: Prices, timing: Timing) -> None:
        self._target = target
        self._key = key
        self._prices = prices
        self._timing = timing

    def run(
        self,
        asked: Asked,
        body: bytes,
        headers: Mapping[str, str],
        call: str,
        due_s: float,
        begin: Callable[[Head], None],
        write: Callable[[bytes], None],
    ) -> Passed:
        """Send a question; `begin` is told the head of the answer and `write` each piece of it.

        What goes wrong on the way there and back is in the attempt; what `begin` and `write` raise is not kept from the
        answer's record either: a program that goes away is still charged for.
        """
        reader = wire_of(asked.wire).reader(self._target)
        relay = _Relay(begin, write, self._key)
        started, began = datetime.now(tz=UTC), time.monotonic()
        status, fault = None, None
        connection = _connection(asked.url, min(self._timing.stall_s, due_s))
        try:
            connection.request("POST", _path(asked.url), body, self._headers(asked, headers, call))
            response = connection.getresponse()
            status = response.status
            fault = self._answer(response, relay, reader, began + due_s)
        except http.client.HTTPException as error:
            fault = classify(ConnectionError(f"{type(error).__name__}: {error}"))
        except Exception as error:
            fault = classify(error)
        finally:
            connection.close()
        fault = fault and fault._replace(message=self._key.scrub(fault.message))
        tokens = reader.tokens
        partial = tokens is not None and not reader.settled
        attempt = Attempt(
            n=1,
            call=call,
            started=started.isoformat(timespec="milliseconds"),
            wall_us=int((time.monotonic() - began) * 1_000_000),
            status=status,
            code=fault.code if fault else "",
            message=fault.message if fault else "",
            billed=billed(fault, reader.begun or tokens is not None),
            retry_after_ms=fault.retry_after_ms if fault else None,
            tokens=tokens,
            partial=partial,
            cost=None if partial else self._prices.cost(self._target, tokens),
        )
        return Passed(attempt, bytes(relay.kept), fault, cut=fault is not None and relay.begun and not relay.whole)

    def _answer(self, response: http.client.HTTPResponse, relay: "_Relay", reader: Reader, due: float) -> Fault | None:
        headers = {name.lower(): value for name, value in response.getheaders()}
        if response.status >= 300:
            data = self._key.scrub(response.read(MAX_ANSWER).decode("utf-8", "replace")).encode()
            relay.head(response.status, headers)
            relay.piece(data)
            relay.whole = True
            return fault_of_status(response.status, _json(data), headers)
        relay.head(response.status, headers)
        pieces = _pieces(response, relay, due)
        if "event-stream" in headers.get("content-type", ""):
            closed = _metered(pieces, reader)
        else:
            _rest(pieces)
            if response.length:
                raise ConnectionError(f"the answer ended {response.length} bytes too soon")
            closed = True
            with understood():
                value = _json(bytes(relay.kept))
                if isinstance(value, dict):
                    reader.whole(value)
        relay.whole = True
        try:
            with understood():
                reader.finish(closed)
        except Exception as error:
            relay.whole = closed
            return classify(error)
        return None

    def _headers(self, asked: Asked, given: Mapping[str, str], call: str) -> dict[str, str]:
        headers = {name: value for name, value in given.items() if name not in _NOT_SENT}
        headers |= {"accept-encoding": "identity", "connection": "close", "x-client-request-id": call}
        secret = self._key.reveal()
        if secret and asked.wire == "anthropic-messages":
            headers["x-api-key"] = secret
        elif secret and asked.wire == "gemini":
            headers["x-goog-api-key"] = secret
        elif secret:
            headers["authorization"] = f"Bearer {secret}"
        return headers


class _Relay:
    """The way back. A program that is not there any more ends the passing on, not the reading: that is paid for anyway."""

    def __init__(self, begin: Callable[[Head], None], write: Callable[[bytes], None], key: Key) -> None:
        self._begin = begin
        self._write = write
        self._key = key
        self._gone = False
        self.kept = bytearray()
        self.begun = False
        self.whole = False

    def head(self, status: int, headers: Mapping[str, str]) -> None:
        self.begun = True
        kept = tuple((name, self._key.scrub(value)) for name, value in headers.items() if name not in _NOT_RETURNED)
        self._safely(lambda: self._begin(Head(status, kept)))

    def piece(self, data: bytes) -> None:
        self.kept += data
        self._safely(lambda: self._write(data))

    def _safely(self, act: Callable[[], None]) -> None:
        if self._gone:
            return
        try:
            act()
        except OSError:
            self._gone = True


def _pieces(response: http.client.HTTPResponse, relay: _Relay, due: float) -> Iterator[bytes]:
    """Pass on what comes, as it comes."""
    while data := response.read1(_CHUNK):
        relay.piece(data)
        if len(relay.kept) > MAX_ANSWER:
            raise ConnectionError(f"the answer is longer than {MAX_ANSWER} bytes")
        if time.monotonic() > due:
            raise TimeoutError("no whole answer in the time allowed")
        yield data


def _metered(pieces: Iterator[bytes], reader: Reader) -> bool:
    """Read a stream for its usage; what the reader cannot read is passed on all the same."""
    try:
        return feed(pieces, reader) | _rest(pieces)
    except (ConnectionError, TimeoutError, http.client.HTTPException):
        raise
    except Exception:
        _rest(pieces)
        raise


def _rest(pieces: Iterator[bytes]) -> bool:
    for _ in pieces:
        pass
    return False


def _connection(url: str, silence_s: float) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    host = parts.hostname or ""
    timeout = max(0.001, silence_s)
    if parts.scheme == "https":
        return http.client.HTTPSConnection(host, parts.port, timeout=timeout, context=_trusted())
    return http.client.HTTPConnection(host, parts.port, timeout=timeout)


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()


def _path(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _json(data: bytes) -> Any:
    text = data.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
