"""URLs against urllib.parse for parts and escapes, the string algorithm of RFC 3986 for dots, and the examples of the RFC."""

import string
from typing import Any
from urllib.parse import quote, unquote_to_bytes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.url_parse import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "urllib.parse, and the algorithms and examples of RFC 3986"

LETTERS = string.ascii_letters + string.digits
PIECES = st.sampled_from(
    [
        "a",
        "B",
        ":",
        "/",
        "/",
        "//",
        ".",
        "..",
        "/..",
        "/.",
        "?",
        "#",
        "@",
        "%41",
        "%2f",
        "%",
        " ",
        "8",
        ":80",
        "x:",
        "http://",
    ]
)
TEXTS = st.lists(PIECES, max_size=9).map("".join)
CLEAN = TEXTS.map(lambda text: text.replace(" ", "").replace("%", "%2").replace("%241", "%41").replace("%22f", "%2f"))


class BadError(Exception):
    """The error."""


def split(text: str, name: str) -> list[Any]:
    """Scheme, authority, path, query, fragment."""
    for place, char in enumerate(text):
        hexes = text[place + 1 : place + 3]
        bad = char == "%" and (len(hexes) < 2 or not set(hexes) <= set(string.hexdigits))
        if bad or char not in LETTERS + "-._~!$&'()*+,;=:@/?#%":
            raise BadError({"code": "bad_character", "argument": name, "position": place})
    rest, sharp, fragment = text.partition("#")
    rest, mark, query = rest.partition("?")
    scheme = authority = None
    head = rest.split("/")[0]
    if ":" in head:
        scheme, _, rest = rest.partition(":")
        if not scheme or scheme[0] not in string.ascii_letters or not set(scheme) <= set(LETTERS + "+-."):
            raise BadError({"code": "bad_scheme", "argument": name})
    if rest[:2] == "//":
        authority, slash, path = rest[2:].partition("/")
        rest = slash + path
    return [scheme, authority, rest, query if mark else None, fragment if sharp else None]


def dots(path: str) -> str:
    """`remove_dot_segments` of RFC 3986, 5.2.4, for a path that begins with a slash."""
    if not path.startswith("/"):
        return path
    out = ""
    while path:
        if path.startswith("/./") or path == "/.":
            path = "/" + path[3:]
        elif path.startswith("/../") or path == "/..":
            path = "/" + path[4:]
            out = out[: out.rindex("/")] if "/" in out else ""
        else:
            end = path.find("/", 1)
            end = len(path) if end < 0 else end
            out, path = out + path[:end], path[end:]
    return out


def escapes(text: str | None) -> str | None:
    """Each escape by decoding and encoding it again with urllib."""
    if text is None:
        return None
    first, *others = text.split("%")
    return first + "".join(quote(unquote_to_bytes("%" + other[:2]), safe="") + other[2:] for other in others)


def unsplit(scheme: str, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    """RFC 3986, 5.3, with a guard for a path that would look like an authority."""
    result = scheme + ":"
    if authority is not None:
        result += "//" + authority
    elif path[:2] == "//":
        path = "/." + path
    result += path
    for sign, part in (("?", query), ("#", fragment)):
        result += "" if part is None else sign + part
    return result


def normalize(url: str) -> dict[str, Any]:
    scheme, authority, path, query, fragment = split(url, "url")
    if scheme is None:
        raise BadError({"code": "no_scheme"})
    user = host = port = None
    if authority is not None:
        *users, rest = authority.split("@")
        host, *ports = rest.split(":")
        digits = "".join(ports) or "0"
        if len(users) > 1 or len(ports) > 1 or not digits.isdigit() or int(digits) > 65535:
            raise BadError({"code": "bad_authority"})
        user = escapes(users[0]) if users else None
        port = int(digits) if ports and ports[0] else None
        decoded = (escapes(host) or "").split("%")
        host = decoded[0].lower() + "".join("%" + piece[:2] + piece[2:].lower() for piece in decoded[1:])
    scheme = scheme.lower()
    path = dots(escapes(path) or "") or ("" if authority is None else "/")
    shown = port is not None and {"http": 80, "https": 443, "ftp": 21}.get(scheme) != port
    whole = None
    if host is not None:
        whole = "@".join([*([] if user is None else [user]), host + (f":{port}" if shown else "")])
    parts = {"path": path, "query": escapes(query), "fragment": escapes(fragment)}
    url = unsplit(scheme, whole, parts["path"] or "", parts["query"], parts["fragment"])
    return {"scheme": scheme, "user": user, "host": host, "port": port, **parts, "url": url}


def resolve(base: str, reference: str) -> dict[str, Any]:
    """RFC 3986, 5.2.2, from its pseudocode; dots are removed in every case."""
    b = split(base, "base")
    if b[0] is None:
        raise BadError({"code": "no_scheme"})
    r = split(reference, "reference")
    if r[0] is not None:
        t = r[:4]
    elif r[1] is not None:
        t = [b[0], *r[1:4]]
    elif r[2] == "":
        t = [b[0], b[1], b[2], r[3] if r[3] is not None else b[3]]
    elif r[2][0] == "/":
        t = [b[0], b[1], r[2], r[3]]
    else:
        merged = "/" + r[2] if b[1] is not None and b[2] == "" else "".join(b[2].rpartition("/")[:2]) + r[2]
        t = [b[0], b[1], merged, r[3]]
    return {"url": unsplit(t[0], t[1], dots(t[2]), t[3], r[4])}


def check(op: str, args: dict[str, Any]) -> None:
    try:
        wanted = normalize(**args) if op == "normalize" else resolve(**args)
    except BadError as error:
        wanted = error.args[0]
    assert play(FAMILY, op, args) == wanted, args


def test_on_its_own_inputs() -> None:
    for op in ("normalize", "resolve"):
        for args in of(FAMILY, op, 500):
            check(op, args)


@settings(max_examples=100, deadline=None)
@given(TEXTS, CLEAN)
def test_normalize(text: str, clean: str) -> None:
    for url in (text, clean, "http:" + clean, "x://" + clean):
        check("normalize", {"url": url})
        result = play(FAMILY, "normalize", {"url": url})
        if "url" in result:
            assert play(FAMILY, "normalize", {"url": result["url"]})["url"] == result["url"]


@settings(max_examples=100, deadline=None)
@given(TEXTS, CLEAN)
def test_resolve(text: str, clean: str) -> None:
    for base in ("x:" + clean, "http://h" + clean, text):
        for reference in (clean, text, "../" + clean):
            check("resolve", {"base": base, "reference": reference})


RFC_EXAMPLES = (
    "g:h g:h|g http://a/b/c/g|./g http://a/b/c/g|g/ http://a/b/c/g/|/g http://a/g|//g http://g|?y http://a/b/c/d;p?y|"
    "g?y http://a/b/c/g?y|#s http://a/b/c/d;p?q#s|g#s http://a/b/c/g#s|g?y#s http://a/b/c/g?y#s|;x http://a/b/c/;x|"
    "g;x http://a/b/c/g;x|g;x?y#s http://a/b/c/g;x?y#s| http://a/b/c/d;p?q|. http://a/b/c/|./ http://a/b/c/|.. http://a/b/|"
    "../ http://a/b/|../g http://a/b/g|../.. http://a/|../../ http://a/|../../g http://a/g|../../../g http://a/g|"
    "../../../../g http://a/g|/./g http://a/g|/../g http://a/g|g. http://a/b/c/g.|.g http://a/b/c/.g|g.. http://a/b/c/g..|"
    "..g http://a/b/c/..g|./../g http://a/b/g|./g/. http://a/b/c/g/|g/./h http://a/b/c/g/h|g/../h http://a/b/c/h|"
    "g;x=1/./y http://a/b/c/g;x=1/y|g;x=1/../y http://a/b/c/y|g?y/./x http://a/b/c/g?y/./x|g#s/../x http://a/b/c/g#s/../x|"
    "http:g http:g"
)


@pytest.mark.parametrize("example", RFC_EXAMPLES.split("|"))
def test_examples_of_the_standard(example: str) -> None:
    reference, _, wanted = example.partition(" ")
    assert play(FAMILY, "resolve", {"base": "http://a/b/c/d;p?q", "reference": reference}) == {"url": wanted}
