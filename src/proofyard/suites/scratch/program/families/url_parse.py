"""Takes URLs apart, normalises them and resolves references against them."""

import re
from typing import Any, NamedTuple

from ..arguments import required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

URL = string(high=200)
FAULT = re.compile(r"[^-!#$%&'()*+,./0-9:;=?@A-Z_a-z~]|%(?![0-9A-Fa-f]{2})")
PARTS = re.compile(r"(?:([^:/?#]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?")
AUTHORITY = re.compile(r"(?:([^@]*)@)?([^@:]*)(?::([0-9]*))?")
PORTS = {"http": 80, "https": 443, "ftp": 21}


class Parts(NamedTuple):
    """The parts of a reference; None is a part that is not there."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


def check_normalize(args: dict[str, Any]) -> None:
    """Check the arguments of `normalize`."""
    required(args, "url", URL)


def check_resolve(args: dict[str, Any]) -> None:
    """Check the arguments of `resolve`."""
    required(args, "base", URL)
    required(args, "reference", URL)


def normalize(args: dict[str, Any]) -> object:
    """The parts of a URL in their normal form, and the URL made of them."""
    given = absolute(args, "url")
    scheme = str(given.scheme).lower()
    user, host, port = authority_of(given)
    path = without_dots(str(plain(given.path)))
    if host is not None and path == "":
        path = "/"
    authority = None
    if host is not None:
        shown = "" if port in (None, PORTS.get(scheme)) else f":{port}"
        authority = ("" if user is None else f"{user}@") + host + shown
    parts = Parts(scheme, authority, path, plain(given.query), plain(given.fragment))
    rest = {"path": path, "query": parts.query, "fragment": parts.fragment}
    return {"scheme": scheme, "user": user, "host": host, "port": port, **rest, "url": composed(parts)}


def authority_of(given: Parts) -> tuple[str | None, str | None, int | None]:
    """User, host and port in their normal form."""
    if given.authority is None:
        return None, None, None
    match = AUTHORITY.fullmatch(given.authority)
    if match is None or int(match[3] or 0) > 65535:
        raise DomainError("bad_authority", "this is not [user@]host[:port]")
    host = plain(str(plain(match[2])).lower())
    return plain(match[1]), host, int(match[3]) if match[3] else None


def resolve(args: dict[str, Any]) -> object:
    """The URL a reference leads to from a base."""
    base, given = absolute(args, "base"), split(args, "reference")
    scheme, authority, path, query, fragment = given
    if scheme is None:
        scheme = base.scheme
        if authority is None:
            authority = base.authority
            if path == "":
                path, query = base.path, base.query if query is None else query
            elif not path.startswith("/"):
                alone = base.path == "" and authority is not None
                path = ("/" if alone else base.path[: base.path.rfind("/") + 1]) + path
    return {"url": composed(Parts(scheme, authority, without_dots(path), query, fragment))}


def absolute(args: dict[str, Any], name: str) -> Parts:
    """The parts of an argument that must have a scheme."""
    parts = split(args, name)
    if parts.scheme is None:
        raise DomainError("no_scheme", f"{name} has no scheme")
    return parts


def split(args: dict[str, Any], name: str) -> Parts:
    """The parts of an argument."""
    fault = FAULT.search(args[name])
    if fault:
        raise DomainError("bad_character", f"{name} has a wrong character", argument=name, position=fault.start())
    parts = Parts(*PARTS.fullmatch(args[name]).groups())  # type: ignore[union-attr]  # it matches all texts
    if not re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*", "a" if parts.scheme is None else parts.scheme):
        raise DomainError("bad_scheme", f"what is before the colon in {name} is no scheme", argument=name)
    return parts


def plain(text: str | None) -> str | None:
    """A part with its escapes in normal form."""
    return None if text is None else re.sub("%(..)", unescaped, text)


def unescaped(match: re.Match[str]) -> str:
    """The character an escape stands for if it needs none, or the escape in capitals."""
    char = chr(int(match[1], 16))
    return char if re.fullmatch("[-A-Za-z0-9._~]", char) else match[0].upper()


def without_dots(path: str) -> str:
    """A path without `.` and `..`, if it begins with a slash."""
    first, *segments = path.split("/")
    if first or not segments:
        return path
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def composed(parts: Parts) -> str:
    """The URL of some parts."""
    scheme, authority, path, query, fragment = parts
    start = "" if authority is None else f"//{authority}"
    if authority is None and path.startswith("//"):
        start = "/."
    end = ("" if query is None else f"?{query}") + ("" if fragment is None else f"#{fragment}")
    return f"{scheme}:{start}{path}{end}"


OPERATIONS = {
    "normalize": Operation(("url",), check_normalize, normalize),
    "resolve": Operation(("base", "reference"), check_resolve, resolve),
}
