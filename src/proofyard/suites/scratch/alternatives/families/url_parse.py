"""URLs: one pattern takes a reference apart; escapes and capitals are changed by substitution."""

import re
from typing import Any, NamedTuple

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"normalize": ("url",), "resolve": ("base", "reference")}

_ALLOWED = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#]|%[0-9A-Fa-f]{2})*+")
_PARTS = re.compile(r"(?:([^:/?#]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_AUTHORITY = re.compile(r"(?:([^@]*)@)?([^@:]*)(?::([0-9]*))?")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_PLAIN = re.compile(r"[A-Za-z0-9\-._~]")
_DEFAULTS = {"http": 80, "https": 443, "ftp": 21}


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


class _Url(NamedTuple):
    """The parts of a URL or reference, None for one that is not there."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    def composed(self) -> str:
        """The text of it."""
        scheme = "" if self.scheme is None else self.scheme + ":"
        authority = "" if self.authority is None else "//" + self.authority
        guard = "/." if self.authority is None and self.path.startswith("//") else ""
        query = "" if self.query is None else "?" + self.query
        fragment = "" if self.fragment is None else "#" + self.fragment
        return scheme + authority + guard + self.path + query + fragment


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return all(isinstance(args.get(name), str) and len(args[name]) <= 200 for name in OPS[op])


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "normalize":
        return _normalize(_read("url", args["url"], absolute=True))
    base = _read("base", args["base"], absolute=True)
    return {"url": _resolve(base, _read("reference", args["reference"], absolute=False)).composed()}


def _read(name: str, text: str, absolute: bool) -> _Url:
    """The parts of the text of an argument."""
    allowed, parts = _ALLOWED.match(text), _PARTS.fullmatch(text)
    if allowed is None or parts is None or allowed.end() < len(text):
        raise Refused("bad_character", {"argument": name, "position": allowed.end() if allowed else 0})
    url = _Url(parts[1], parts[2], parts[3], parts[4], parts[5])
    if url.scheme is None:
        if absolute:
            raise Refused("no_scheme")
    elif not _SCHEME.fullmatch(url.scheme):
        raise Refused("bad_scheme", {"argument": name})
    return url


def _without_dots(path: str) -> str:
    """A path without dot segments."""
    if not path.startswith("/"):
        return path
    segments = path[1:].split("/")
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _resolve(base: _Url, url: _Url) -> _Url:
    """The URL to which a reference leads."""
    if url.scheme is None:
        url = url._replace(scheme=base.scheme)
        if url.authority is None:
            query = base.query if url.path == "" and url.query is None else url.query
            url = url._replace(authority=base.authority, path=_joined(base, url.path), query=query)
    return url._replace(path=_without_dots(url.path))


def _joined(base: _Url, path: str) -> str:
    """The path to which that of a reference leads from that of its base."""
    if not path:
        return base.path
    if path.startswith("/"):
        return path
    if base.authority is not None and not base.path:
        return "/" + path
    return base.path[: base.path.rfind("/") + 1] + path


def _plain(text: str) -> str:
    """A text with its escapes in normal form."""

    def escape(match: re.Match[str]) -> str:
        char = chr(int(match[0][1:], 16))
        return char if _PLAIN.fullmatch(char) else match[0].upper()

    return _ESCAPE.sub(escape, text)


def _normalize(url: _Url) -> dict[str, Any]:
    """The parts of a URL in normal form."""
    scheme = (url.scheme or "").lower()
    user = host = port = authority = None
    if url.authority is not None:
        match = _AUTHORITY.fullmatch(url.authority)
        if match is None or int(match[3] or "0") > 65535:
            raise Refused("bad_authority")
        user = None if match[1] is None else _plain(match[1])
        host = re.sub(
            r"%..|[A-Z]+", lambda piece: piece[0] if piece[0][0] == "%" else piece[0].lower(), _plain(match[2])
        )
        port = int(match[3]) if match[3] else None
        shown = "" if port is None or port == _DEFAULTS.get(scheme) else f":{port}"
        authority = ("" if user is None else user + "@") + host + shown
    path = _without_dots(_plain(url.path)) or ("" if authority is None else "/")
    query = None if url.query is None else _plain(url.query)
    fragment = None if url.fragment is None else _plain(url.fragment)
    return {
        "scheme": scheme,
        "user": user,
        "host": host,
        "port": port,
        "path": path,
        "query": query,
        "fragment": fragment,
        "url": _Url(scheme, authority, path, query, fragment).composed(),
    }
