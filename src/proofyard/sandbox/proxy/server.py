"""The proxy itself: one thread a connection, a list of allowed destinations, limits on connections and bytes."""

import contextlib
import logging
import socket
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator

from proofyard.core.record import Record
from proofyard.sandbox.proxy.relay import Pair
from proofyard.sandbox.proxy.rules import BadRequest, Decision, Request, destinations, is_to_itself, read_head

__all__ = ["EgressProxy", "ProxyLimits"]

LOG = logging.getLogger(__name__)
KEPT_DECISIONS = 1_000
TEXT = {
    400: "Bad Request",
    403: "Forbidden",
    408: "Request Timeout",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    502: "Bad Gateway",
}


class ProxyLimits(Record, frozen=True, kw_only=True):
    """Limits of one proxy. connections: open at once. total: bytes both ways together, over its whole life.

    head: bytes of one request's head. connect_ms, head_ms: to reach a destination, to send the head. idle_ms: without a byte,
    route_idle_ms: the same along a route.
    """

    connections: int = 32
    total: int = 1 << 30
    head: int = 32_768
    connect_ms: int = 10_000
    head_ms: int = 10_000
    idle_ms: int = 120_000
    route_idle_ms: int = 3_600_000


class EgressProxy:
    """Lets the connections of `listener` reach the listed hosts and nothing else.

    hosts: entries `name:port`, compared exactly (without regard to case); a name that is not listed is never looked up.
    listener: a listening stream socket, of which the proxy becomes the owner; without one it makes an abstract unix
    socket, which only programs of the same network namespace can reach. route: a unix socket to which connections are handed
    whole that begin with a request to this server itself, and not to a host through it; without one these are refused.
    """

    def __init__(
        self,
        hosts: Iterable[str],
        listener: socket.socket | None = None,
        limits: ProxyLimits | None = None,
        route: str = "",
    ) -> None:
        """Raise UsageError, and close the listener, if an entry of `hosts` is malformed."""
        try:
            self.allowed = destinations(hosts)
        except BaseException:
            if listener is not None:
                listener.close()
            raise
        self.limits = limits or ProxyLimits()
        self.route = route
        self.decisions: deque[Decision] = deque(maxlen=KEPT_DECISIONS)
        self._listener = listener
        self._left = self.limits.total
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._closed = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def spent(self) -> int:
        """Bytes carried so far, both ways together."""
        return self.limits.total - max(self._left, 0)

    def start(self) -> socket.socket:
        """Serve from now on; return the listening socket."""
        if self._listener is None:
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind("")
            self._listener.listen(self.limits.connections)
        self._listener.settimeout(0.2)  # a closed listener does not wake a thread that waits for it
        thread = threading.Thread(target=self._accept, args=(self._listener,), name="egress-proxy", daemon=True)
        thread.start()
        self._threads = [thread]
        return self._listener

    def close(self) -> None:
        """Close the listener and every connection, and wait for the threads."""
        self._closed.set()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join(self.limits.connect_ms / 1000)  # one that waits for a name server cannot be woken
        if self._listener is not None:
            self._listener.close()

    def _accept(self, listener: socket.socket) -> None:
        while not self._closed.is_set():
            try:
                client = listener.accept()[0]
            except TimeoutError:
                continue
            except OSError:
                return
            self._threads = [t for t in self._threads if t.is_alive()]
            if len(self._threads) > self.limits.connections:
                self._decide(client, Decision("-", "-", False, "too many connections"), 429)
                client.close()
                continue
            thread = threading.Thread(target=self._serve, args=(client,), name="egress", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, client: socket.socket) -> None:
        with self._tracked(client), contextlib.suppress(OSError):
            client.settimeout(self.limits.head_ms / 1000)
            data = self._read(client)
            if data is None:
                return
            if self.route and is_to_itself(data):
                self._hand_over(client, data)
                return
            request, rest = self._parsed(client, data)
            if request is None:
                return
            upstream = self._connect(client, request)
            if upstream is None:
                return
            with self._tracked(upstream):
                if not request.head:
                    client.sendall(_answer(200))
                Pair(client, upstream, request.head + rest, self._spend).run(self.limits.idle_ms)

    @contextlib.contextmanager
    def _tracked(self, connection: socket.socket) -> Iterator[None]:
        with self._lock:
            self._open.add(connection)
        try:
            if self._closed.is_set():
                connection.shutdown(socket.SHUT_RDWR)
            yield
        finally:
            with self._lock:
                self._open.discard(connection)
            connection.close()

    def _hand_over(self, client: socket.socket, data: bytes) -> None:
        upstream = socket.socket(socket.AF_UNIX)
        with self._tracked(upstream):
            try:
                upstream.connect(self.route)
            except OSError as error:
                self._decide(client, Decision("-", "route", True, f"not reached: {error}"), 502)
                return
            Pair(client, upstream, data, self._spend).run(self.limits.route_idle_ms)

    def _read(self, client: socket.socket) -> bytes | None:
        """The head of a request and what came with it; None if none came, which the client is told."""
        data, end = b"", time.monotonic() + self.limits.head_ms / 1000
        while b"\r\n\r\n" not in data:
            more = client.recv(4096)
            data += more
            late = time.monotonic() > end
            if not more or late or len(data) > self.limits.head:
                code = 408 if late else 431
                self._decide(client, Decision("-", "-", False, "no request head"), code if more else 400)
                return None
        return data

    def _parsed(self, client: socket.socket, data: bytes) -> tuple[Request | None, bytes]:
        head, _, rest = data.partition(b"\r\n\r\n")
        try:
            return read_head(head + b"\r\n\r\n"), rest
        except BadRequest as error:
            self._decide(client, Decision("-", "-", False, f"bad request: {error}"), 400)
            return None, b""

    def _connect(self, client: socket.socket, request: Request) -> socket.socket | None:
        target = str(request.destination)
        if request.destination not in self.allowed:
            self._decide(client, Decision(request.method, target, False, "not listed"), 403)
            return None
        if self._left <= 0:
            self._decide(client, Decision(request.method, target, False, "bytes used up"), 429)
            return None
        try:
            upstream = socket.create_connection(request.destination, self.limits.connect_ms / 1000)
        except OSError as error:
            self._decide(client, Decision(request.method, target, True, f"not reached: {error}"), 502)
            return None
        self._note(Decision(request.method, target, True))
        return upstream

    def _spend(self, size: int) -> bool:
        with self._lock:
            self._left -= size
            return self._left >= 0

    def _decide(self, client: socket.socket, decision: Decision, code: int) -> None:
        self._note(decision)
        with contextlib.suppress(OSError):
            client.sendall(_answer(code, decision.reason))

    def _note(self, decision: Decision) -> None:
        self.decisions.append(decision)
        word = "allowed" if decision.allowed else "refused"
        LOG.info("%s %s %s %s", word, decision.method, decision.target, decision.reason)


def _answer(code: int, reason: str = "") -> bytes:
    if code == 200:
        return b"HTTP/1.1 200 Connection established\r\n\r\n"
    body = f"proofyard egress proxy: {reason}\n".encode()
    fields = ["Content-Type: text/plain", f"Content-Length: {len(body)}", "Connection: close", "", ""]
    return "\r\n".join([f"HTTP/1.1 {code} {TEXT[code]}", *fields]).encode() + body
