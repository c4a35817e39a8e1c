"""Contract, inputs and the golden case of the family `url-parse`."""

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import url_parse as program

__all__ = ["FAMILY"]

NOTES = (
    "**Characters.** A URL or reference consists of ASCII letters and digits and of `-._~!$&'()*+,;=:@/?#%`; each `%` "
    "must be "
    "followed by two hexadecimal digits, which together are an *escape*. Everything else, a space or a `[` too, is "
    "`bad_character`.",
    "**Parts.** What is after the first `#` is the *fragment*; of the rest, what is after the first `?` is the "
    "*query*; what is "
    "left is taken apart further. If it has a `:` that is not after a `/`, what is before the first `:` is the *scheme*. If "
    "what comes after that (or all, without scheme) begins with `//`, what follows these up to the next `/` or the "
    "end is the "
    "*authority*. The rest is the *path*. A part that is not there is different from one that is empty: `a:?` has an empty "
    "query and no fragment. The path is always there, perhaps empty. A scheme is a letter and any number of letters, digits, "
    "`+`, `-` and `.`.",
    "**Dot segments.** They are removed only from a path that begins with `/`. Behind that first `/` the path is segments "
    "with a `/` between them; a segment may be empty. From left to right `.` is dropped, and `..` is dropped together "
    "with the last "
    "segment still kept before it, an empty one too, if there is one. If the last segment of all was `.` or `..`, "
    "an empty segment is added at the end. `/a/./b/../c` becomes `/a/c`, `/a/b/..` becomes `/a/`, `/../a` becomes `/a`, "
    "`/a//../b` becomes `/a/b`, `/..` becomes `/`.",
    "**Composing.** The scheme and `:`; if there is an authority, `//` and the authority; if there is none but the "
    "path begins with "
    "`//`, `/.`; the path; if there is a query, `?` and the query; if there is a fragment, `#` and the fragment.",
)

URL = "string, 0 to 200 code points"
ARGUMENT = ("argument", "string: the name of that argument")
BAD_CHARACTER = ErrorDoc(
    code="bad_character",
    when="an argument has a character that is not allowed, or a `%` without two hexadecimal digits after it",
    extra=(ARGUMENT, ("position", "integer: where the first such character or `%` is, in code points from 0")),
)
BAD_SCHEME = ErrorDoc(
    code="bad_scheme", when="what is before the `:` in an argument, perhaps nothing, is not a scheme", extra=(ARGUMENT,)
)

NORMALIZE = OperationDoc(
    name="normalize",
    summary="The parts of a URL and its normal form.",
    parameters=(Param(name="url", type=URL, text="the URL"),),
    result='`{"scheme": string, "user": string or null, "host": string or null, "port": integer or null, "path": string, '
    '"query": string or null, "fragment": string or null, "url": string}`: the parts in normal form, null for one '
    "that is not "
    "there, and the URL composed of them.",
    errors=(
        BAD_CHARACTER,
        BAD_SCHEME,
        ErrorDoc(code="no_scheme", when="the URL has no scheme"),
        ErrorDoc(
            code="bad_authority",
            when="there is an authority and it has more than one `@`; or what is after the `@` (all of it without "
            "one) has more than one `:`, or something "
            "but digits after its `:`, or a port above 65535",
        ),
    ),
    rules=(
        "The authority is perhaps a user (which may have `:` in it) and `@`; a host, which may be empty; and perhaps "
        "`:` and a "
        "port of any number of digits. An empty port is no port; leading zeros mean nothing. Without authority user, "
        "host and port "
        "are null; with one the host is a string.",
        "Normal form of escapes, in all parts but scheme and port: an escape of an ASCII letter or digit or of one of "
        "`-._~` is "
        "replaced by that character; in any other the letters are made capitals. This is done once: `%2541` stays. It "
        "comes before "
        "all that follows.",
        "Scheme and host are in lower case, apart from the escapes that are left in the host. Dot segments are "
        "removed from the "
        "path, and then an empty path becomes `/` if there is an authority. User, query and fragment stay as they are, and "
        "empty ones stay empty.",
        "In `url` the authority is composed of the user and `@`, if there is a user; the host; and `:` and the port "
        "in decimal, if there "
        "is one and it is not the default of the scheme: 80 for `http`, 443 for `https`, 21 for `ftp`. `port` has the "
        "port given even if it is the default, and is null if none is given. "
        "`path` never has the `/.` that composing may put before it.",
    ),
)

RESOLVE = OperationDoc(
    name="resolve",
    summary="The URL to which a reference leads from a base URL.",
    parameters=(
        Param(name="base", type=URL, text="the base, a URL with a scheme"),
        Param(name="reference", type=URL, text="the reference"),
    ),
    result='`{"url": string}`.',
    errors=(BAD_CHARACTER, BAD_SCHEME, ErrorDoc(code="no_scheme", when="the base has no scheme")),
    error_order="`bad_character`, `bad_scheme` and `no_scheme` of `base` come first, then the first two of `reference`",
    rules=(
        "The fragment is that of the reference; that of the base is never used. If the reference has a scheme, all "
        "parts are its own, "
        "even if the scheme is that of the base. Otherwise the scheme is that of the base. If the reference has an "
        "authority, "
        "authority, path and query are its own. Otherwise the authority is that of the base, and:",
        "If the path of the reference is empty, the path is that of the base, and the query is that of the reference "
        "if it has one, else "
        "that of the base (if it has one). If the path of the reference begins with `/`, path and query are its own. "
        "Otherwise "
        "the query is its own and the path is: the path of the base up to and including its last `/` (nothing, if it "
        "has none), followed by that of the reference; but if the base has an authority and an empty path, `/` and "
        "the path of the "
        "reference.",
        "In every case dot segments are then removed from the path, and the URL is composed. Nothing else is changed: no "
        "escapes, no capitals, no ports; the authority is not looked into.",
    ),
)

SCHEMES = ("http", "https", "ftp", "HTTP", "x-app", "mailto", "urn")
HOSTS = ("example.org", "Example.ORG", "h", "10.0.0.1", "%41.b%2fc", "", "xn--bcher-kva.ch")
SEGMENTS = ("a", "b.html", "..", ".", "", "%7Euser", "%2e%2E", "A%2fb", "c;d=1", "x:y", "...", "%e4")
QUERIES = ("?", "?a=1&b=%20", "?q=%41%c3%a9/?", "?x=../y")


def generate(rng: Random) -> Input:
    """One input of a random operation; a few have a fault."""
    if rng.random() < 0.45:
        return "normalize", {"url": _spoil(rng, _url(rng))}
    kind = rng.random()
    if kind < 0.6:
        reference = rng.choice(("", "", "/", "../", "./", "../../")) + _path(rng)
    elif kind < 0.75:
        reference = "//" + rng.choice(HOSTS) + rng.choice(("", "/" + _path(rng)))
    else:
        reference = rng.choice(("", _url(rng)))
    return "resolve", {"base": _url(rng), "reference": _spoil(rng, reference + _end(rng))}


def _url(rng: Random) -> str:
    scheme = rng.choice(SCHEMES)
    if scheme in ("mailto", "urn"):
        return f"{scheme}:{rng.choice(('', '/'))}{_path(rng)}{_end(rng)}"
    user = rng.choice(("", "", "", "ada@", "u:%70w@", "@"))
    port = rng.choice(("", "", ":80", ":443", ":8080", ":", ":0021"))
    return f"{scheme}://{user}{rng.choice(HOSTS)}{port}{rng.choice(('', '/', '/' + _path(rng), '/' + _path(rng)))}{_end(rng)}"


def _path(rng: Random) -> str:
    return "/".join(rng.choice(SEGMENTS) for _ in range(rng.randint(1, 5)))


def _end(rng: Random) -> str:
    return rng.choice(("", "", *QUERIES)) + rng.choice(("", "", "#", "#top%2d%2F"))


def _spoil(rng: Random, url: str) -> str:
    if rng.random() > 0.05 or not url:
        return url
    place = rng.randrange(len(url))
    return url[:place] + rng.choice((" ", "%", "%g0", "é", "[", "@", "::")) + url[place:]


def _norm(url: str) -> Input:
    return "normalize", {"url": url}


def _norms(*texts: str) -> list[Input]:
    """Each URL of texts in which they are separated by spaces; `_` is the empty one."""
    return [_norm(url.strip("_")) for text in texts for url in text.split(" ")]


def _from(base: str, reference: str) -> Input:
    return "resolve", {"base": base, "reference": reference}


def _froms(base: str, references: str) -> list[Input]:
    """Each reference of a text in which they are separated by spaces; `_` is the empty one."""
    return [_from(base, reference.strip("_")) for reference in references.split(" ")]


RFC = "http://a/b/c/d;p?q"
BOUNDARY: tuple[Input, ...] = (
    _from("http://h/a/b/c?old#top", "../x:y/./z/..?new"),
    *_norms(
        "HTTP://Ada:PW@Example.ORG:080/%7euser/./a/../%e4?Q=%41#F%2d x: x:/ x:// x://h x:? x:# x:?#",
        "http://h:80 http://h:443 https://h:443/ https://h:80 ftp://h:21 ftp://h:80 x://h:80 x://h: http://h:",
        "http://h:0 http://h:00080 http://h:65535 http://h:65536 http://:80 HTTPS://h:443?# http://u@h",
        "http://@h http://:@h http://u:p:q@h:1 http://U%3a%40P@H file:///a/b http://@: http://a@b@c",
        "http://h:1:2 http://h:8a http://h:-1 http://h:+1 http://h:%38 http://u@h@ x://a:b@c:d http://h/a@b:c",
        "mailto:Ada@Example.ORG urn:a:b:C X+-.1:y a//b:c /a:b ?a:b #a:b //h/a _ :a 1a:b a_b:c a%62:c a@b:c",
        '-a:b é:a a:é a:[ a:| a:" a:% a:%4 a:%4g a:%%41 a:%G1 a:?% a:#%zz x://%4/ a:^ a:` a:{ a:<',
        "a:-._~!$&'()*+,;=:@/?# a:b#c#d a:b?c?d a:b?c#d?e a:%23%3f%2F#%23 x://h?a/b x://h#a/b x:a//b",
        "a:%41%5a%61%7a%30%39%2d%2e%5f%7E a:%40%5b%60%7b%2F%3a%2c%5E%7f%80%ff%00 a:%2541%25",
        "x://%41%C3%9c.B%2d x:/%2e%2e/a/%2E/b x:a/../b x:../a x:./a x:/a/b/.. x:/a/b/. x:/.. x:/. x:/a/../..",
        "x:/a/..b/c. x:/a//../b x:/a///..//b x:/..//a x:/.//a x://h/..//a x:/a/..//b x:/... x:/a/.../b",
        "x:/./../a/ x://h/.. x://h/a/%2e x://h/a/..%2f http://h/../?..#.. http://h? http://h#",
        "http://h/%20+%2b x:/a/.//",
    ),
    _norm("a:\u0660"),
    _norm("a b:c"),
    _norm("a:b c"),
    _norm("a:\\"),
    _norm("a:\n"),
    _norm("a:\x7f"),
    *_froms(RFC, "g:h g ./g g/ /g //g ?y g?y #s g#s g?y#s ;x g;x g;x?y#s _ . ./ .. ../ ../g ../.. ../../ ../../g"),
    *_froms(RFC, "../../../g ../../../../g /./g /../g g. .g g.. ..g ./../g ./g/. g/./h g/../h g;x=1/./y"),
    *_froms(RFC, "g;x=1/../y g?y/./x g?y/../x g#s/./x g#s/../x http:g"),
    *_froms("http://h", "a a/../b ../a _ ?q #f /a . // ///a x:"),
    *_froms("http://h?q#f", "_ ? # ?# a //g http: http:?r"),
    *_froms("x:a/b", "c ../c _ /c ?q //h //h/../a ../../c /.//c ./"),
    *_froms("x:a", "b ./b ../b _ b:c ./b:c ?"),
    *_froms("x:", "a _ / .. ?q #f"),
    *_froms("x:/a//b/", ".. ../.. ../../.. ../../../c // ..//c /..//c"),
    *_froms("http://H:80/%7e/../a?%41", "_ %2e%2E/b B%2F ?%62 #%63 HTTP://G/./x //U@G:1:2@x/y/.."),
    *_froms("http://h/a:b/c", "d:e /d:e d/e:f ./d:e ?d:e #d:e"),
    _from("/no/scheme", "http://x"),
    _from("/no/scheme", "a b"),
    _from("/no/scheme", ":x"),
    *_froms("no-colon", "_"),
    _from("1:x", "a"),
    _from("1:x", "a b"),
    _from("1:x", "2:x"),
    _from("x:a b", "c d"),
    _from("x:a b", "1:"),
    _from("x:a", "c d"),
    _from("x:a", "1:"),
    _from("x:a", ":"),
    _from("x:a", "a/b c"),
    _from("x:a", "%"),
    _from("x:a", "a%2"),
    _from("x:a", "é"),
    _from("x:a", "a?%1"),
    _from("x:a", "?1:2"),
    _from("x:a", "x_y:z"),
    _from("x:a", "%41:x"),
    _norm(wide(200)),
    _norm("x://h/" + "../" * 64 + "é"),
    _norm("x:/" + "a/" * 39 + "../" * 39),
    _from(wide(200), "a"),
    _from("x:a", wide(200)),
    _from("x:/" + "a/" * 98, "../" * 66),
)

MALFORMED: tuple[Input, ...] = (
    ("normalize", {}),
    *(("normalize", {"url": value}) for value in (None, 1, True, ["x:"], {"url": "x:"}, "a" * 201, wide(201))),
    ("resolve", {}),
    ("resolve", {"base": "x:a"}),
    ("resolve", {"reference": "a"}),
    *(("resolve", {"base": value, "reference": "a"}) for value in (None, 0, "x:" + "a" * 199, wide(201))),
    *(("resolve", {"base": "x:a", "reference": value}) for value in (None, False, "a" * 201, wide(201))),
    ("resolve", {"base": "no scheme", "reference": None}),
)

FAMILY = Family(
    number=56,
    slug="url-parse",
    category="parsing",
    title="URL parsing",
    purpose="Takes URLs apart, brings them into a normal form, and resolves references against a base URL.",
    notes=NOTES,
    operations=(NORMALIZE, RESOLVE),
    program=program,
    # Fragment `x?y`, query empty. Scheme and host in lower case; %41 in the host is A, then a; %2f stays an escape.
    # Port 0443 is 443, the default of https: not in `url`. Path: %2E%2e is `..`, which takes away `b`; %7E is ~, %c3
    # gets capitals.
    golden=Case(
        op="normalize",
        args={"url": "HTTPS://Ada@%41%2fB.Org:0443/a/b/%2E%2e/./%7E%c3?#x?y"},
        expected={
            "scheme": "https",
            "user": "Ada",
            "host": "a%2Fb.org",
            "port": 443,
            "path": "/a/~%C3",
            "query": "",
            "fragment": "x?y",
            "url": "https://Ada@a%2Fb.org/a/~%C3?#x?y",
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
