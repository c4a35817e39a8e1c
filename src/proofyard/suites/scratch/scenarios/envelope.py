"""Everything that can be wrong, or only look wrong, about a line and a request: all tiers."""

import json

from proofyard.suites.scratch.script import Script

__all__ = ["broken_lines", "last_lines", "requests"]

_NOT_JSON: tuple[bytes, ...] = (
    b"not json",
    b"{",
    b'{"id": 1, "op": "x", "args": {}',
    b'{"id": 1, "op": "x", "args": {}}}',
    b'{"id": 1, "op": "x", "args": {}} {"id": 2, "op": "x", "args": {}}',
    b'{"id": 1, "op": "x", "args": {}} # comment',
    b'{"id": 1, "op": "x", "args": {},}',
    b'{"id": 1, "op": "x", "args": {"a": [1,]}}',
    b"{'id': 1, 'op': 'x'}",
    b'{id: 1, "op": "x"}',
    b'{"id": 1, "op": "x", "args": {"a": NaN}}',
    b'{"id": 1, "op": "x", "args": {"a": Infinity}}',
    b'{"id": 1, "op": "x", "args": {"a": [-Infinity]}}',
    b'{"id": 01, "op": "x"}',
    b'{"id": +1, "op": "x"}',
    b'{"id": 1, "op": "x", "args": {"a": .5}}',
    b'{"id": 1, "op": "x", "args": {"a": 1.}}',
    b'{"id": 0x10, "op": "x"}',
    b'{"id": 1, "op": "x", "args": {"a": True}}',
    b'{"id": 1, "op": "a\tb"}',
    b'{"id": 1, "op": "\\x41"}',
    b'{"id": 1, "op": "\\u12"}',
    b'{"id": 1, "op": "open}',
    b'\xef\xbb\xbf{"id": 1, "op": "x", "args": {}}',
    b'{"id": "\xff", "op": "x"}',
    b'{"id": "\xc3", "op": "x"}',
    b'{"id": "\xc0\xaf", "op": "x"}',
    b'{"id": "\xed\xa0\x80", "op": "x"}',
    b"nul",
    b"\x00",
    b"\x0b",
    b"\x0c",
    b" \x0b\t\x0c\r",
    b"\x1c\x1d\x1e\x1f",
    "\u0085".encode(),
    "\u00a0".encode(),
    "\u2003\u2028\u3000".encode(),
    b'\x0c{"id": 1, "op": "x", "args": {}}',
    b'{"id": 1, "op": "x", "args": {}}\x0b',
    '{"id": 1, "op":\u00a0"x", "args": {}}'.encode(),
)

_BAD_REQUESTS: tuple[bytes, ...] = (
    b"[]",
    b'"text"',
    b"null",
    b"17",
    b"true",
    b"{}",
    b'[{"id": 1, "op": "x", "args": {}}]',
    b'{"op": "x", "args": {}}',
    b'{"id": null, "op": "x", "args": {}}',
    b'{"id": true, "op": "x", "args": {}}',
    b'{"id": 1.0, "op": "x", "args": {}}',
    b'{"id": 1e2, "op": "x", "args": {}}',
    b'{"id": ["a"], "op": "x", "args": {}}',
    b'{"id": {"a": 1}, "op": "x", "args": {}}',
    b'{"ID": 1, "op": "x"}',
    b'{"id": 1}',
    b'{"id": "here", "args": {}}',
    b'{"id": 2, "op": null, "args": {}}',
    b'{"id": 3, "op": 5, "args": {}}',
    b'{"id": "four", "op": ["x"], "args": {}}',
    b'{"id": 5, "op": "x", "args": null}',
    b'{"id": 6, "op": "x", "args": []}',
    b'{"id": "seven", "op": "x", "args": "a"}',
    b'{"id": 8, "op": "x", "args": false}',
    b'{"id": 9, "op": "x", "args": 0}',
    b'{"id": null, "op": 5, "args": []}',
)

_BLANK: tuple[bytes, ...] = (b"", b"   ", b"\t \t", b"\r", b" \r")

_IDS: tuple[object, ...] = (
    "",
    " ",
    0,
    -1,
    2**53 + 1,
    2**64,
    -(10**40),
    10**500 + 7,
    "1",
    "null",
    'quote " and \\ and /',
    "caf\u00e9",
    "cafe\u0301",
    "\U0001f600",
    "line\nbreak\u2028\u0085",
    "x" * 300,
)


def broken_lines(script: Script) -> None:
    """Write lines that are no JSON or no request; valid ones between them show that the program goes on."""
    _lines(script, _NOT_JSON)
    _lines(script, _BAD_REQUESTS)
    script.kind = "boundary"
    for line in _BLANK:
        script.raw(line)
        script.ask(*script.stage.cases.golden)


def _lines(script: Script, lines: tuple[bytes, ...]) -> None:
    for count, line in enumerate(lines):
        script.kind = "malformed"
        script.raw(line)
        if count % 6 == 5:
            script.kind = "golden"
            script.ask(*script.stage.cases.golden)


def requests(script: Script) -> None:
    """Write ids of all sorts, white space and line ends, extra keys, unknown operations, and which error comes first."""
    op, args = script.stage.cases.golden
    script.kind = "boundary"
    for identity in _IDS:
        script.ask(op, args, id=identity)
    script.ask(op, args, id="extra", extra={"version": 2, "meta": {"id": 7}, "ARGS": []})
    golden = {"id": "ws", "op": op, "args": args}
    compact = json.dumps(golden, separators=(",", ":"), ensure_ascii=False).encode()
    script.raw(compact + b"\r")
    script.raw(b" \t" + compact + b" \t\r")
    script.raw(json.dumps(golden, separators=(" ,\t ", "  :\t")).encode())
    script.raw(json.dumps(golden, separators=(",\r", "\r:\r ")).encode())
    script.raw(compact.replace(b'"ws"', '"a\u2028b\u2029c\u0085d\x7f"'.encode()))
    script.raw(compact.replace(b'"ws"', b'"\\u0041\\u00e9\\ud83d\\ude00\\/\\n\\u0000"'))
    script.kind = "malformed"
    for name in ("", "nope", f" {op}", f"{op} ", op.upper(), "__init__", "op"):
        script.ask(name, args)
    _later_tiers(script)
    script.ask("nope")
    script.ask("nope", id="first", args={"also": ["wrong"]})
    script.raw(b'{"id": "order", "op": "nope", "args": []}')
    script.ask(op)
    script.ask(op, {})


def _later_tiers(script: Script) -> None:
    """Operations of higher tiers are unknown in this one."""
    higher = (("create", 1), ("list", 1), ("begin", 2), ("batch", 2), ("history", 3))
    for name, level in higher:
        if script.stage.tier.level < level:
            script.ask(name, {"name": "a"})


def last_lines(script: Script) -> None:
    """Write sessions whose last line has no line feed: a request, a broken one, blank ones."""
    op, args = script.stage.cases.golden
    script.kind = "boundary"
    script.ask(op, args)
    script.ask(op, args, unterminated=True)
    script.kind = "malformed"
    script.raw(b'{"id": 1, "op": "x", "args": {}', unterminated=True)
    script.kind = "boundary"
    script.ask(op, args)
    script.raw(b"\t \r", unterminated=True)
    if not script.stage.tier.durable:
        return
    script.kind = "restart"
    script.ask("create", {"name": "last line", "document": script.stage.documents[0]}, unterminated=True)
    script.ask("get", {"name": "last line"})
