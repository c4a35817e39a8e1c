"""Which destinations are allowed, and what a request line asks for."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from proofyard.core.errors import UsageError

__all__ = ["BadRequest", "Decision", "Destination", "Request", "destinations", "is_to_itself", "read_head"]

HOP_BY_HOP = frozenset({b"connection", b"keep-alive", b"proxy-connection", b"host", b"te", b"upgrade"})
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Destination(NamedTuple):
    """A host name in lower case (or an IP address, IPv6 without brackets) and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Decision(NamedTuple):
    """What became of one request: `target` as asked for, whether it was let through, and why not."""

    method: str
    target: str
    allowed: bool
    reason: str = ""


class BadRequest(ValueError):  # noqa: N818 - the name of the HTTP answer it stands for
    """The head cannot be read as a proxy request."""


class Request(NamedTuple):
    """A request to the proxy. head: what the destination is sent first (empty for CONNECT)."""

    method: str
    destination: Destination
    head: bytes


def destinations(hosts: Iterable[str]) -> frozenset[Destination]:
    """Read entries `name:port`.

    Raises:
        UsageError: an entry has no port or no name, or holds more than that.

    """
    found = set()
    for entry in hosts:
        try:
            found.add(_destination(entry))
        except BadRequest:
            raise UsageError(f"not a host and port, as in example.org:443: {entry!r}") from None
    return frozenset(found)


def _destination(text: str, default: int | None = None) -> Destination:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, default if parts.port is None else parts.port
    except ValueError:
        raise BadRequest(text) from None
    if not host or not port or not text.isascii() or not text.isprintable():
        raise BadRequest(text)
    if parts.netloc != text or any(sign in text for sign in "@%* "):
        raise BadRequest(text)
    return Destination(host.lower().rstrip("."), port)


def read_head(head: bytes) -> Request:
    """Read the head of a request, up to and with its empty line.

    `CONNECT host:port` or an absolute `http:` address. The head passed on is in origin form, names the destination as its
    Host whatever the program wrote there, and asks to close the connection.

    Raises:
        BadRequest: it is neither.

    """
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    try:
        method, target, version = first.decode("ascii").split(" ")
    except ValueError:
        raise BadRequest("no request line") from None
    if version not in {"HTTP/1.0", "HTTP/1.1"} or b"\0" in head or not target.isprintable():
        raise BadRequest("no HTTP/1 request")
    if method == "CONNECT":
        return Request(method, _destination(target), b"")
    if method not in METHODS or not target.lower().startswith("http://"):
        raise BadRequest("neither CONNECT nor an http address")
    authority, slash, path = target[7:].partition("/")
    authority, question, query = authority.partition("?")
    where = _destination(authority, 80)
    fields = [line for line in lines if _is_passed_on(line)]
    start = f"{method} {slash or '/'}{path}{question}{query} HTTP/1.1".encode()
    head = b"\r\n".join([start, f"Host: {authority}".encode(), *fields, b"Connection: close", b"", b""])
    return Request(method, where, head)


def is_to_itself(head: bytes) -> bool:
    """Whether a request is to the server that it reached (`POST /path HTTP/1.1`), not to another through it."""
    words = head.partition(b"\r\n")[0].split(b" ")
    return len(words) == 3 and words[1].startswith(b"/") and words[0].decode("latin-1") in METHODS


def _is_passed_on(line: bytes) -> bool:
    name, colon, _ = line.partition(b":")
    if not colon or not name or name != name.strip() or b"\n" in line:
        raise BadRequest("a malformed header field")
    return name.lower() not in HOP_BY_HOP and not name.lower().startswith(b"proxy-")
