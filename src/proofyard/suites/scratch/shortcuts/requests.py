"""Faults in reading requests and writing responses: all tiers."""

from typing import Final

from proofyard.core import Reason
from proofyard.suites.scratch.shortcuts.shortcut import ALL, EASY, Change, Shortcut

__all__ = ["REQUESTS"]

_OK: Final = 'return {"id": identity, "ok": True, "result": operation.run(args)}'
_DECODER: Final = "_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)\n"
_FLUSH: Final = "            sys.stdout.buffer.flush()\n"
_LENGTH: Final = 'must be a string")\n        _check_range(len(value), '

_FAMILY_CODES_LOST: Final = """\
if name in SERVICE:
            return {"id": identity, "ok": True, "result": operation.run(args)}
        try:
            result = operation.run(args)
        except DomainError:
            result = None
        return {"id": identity, "ok": True, "result": result}"""

_SERVICE: Final = """\
SERVICE = (
    "create", "get", "update", "delete", "list", "evaluate", "batch", "begin", "commit", "rollback", "history"
)

Response = dict[str, Any]
"""


def _reading(function: str, body: str) -> Change:
    """A change of how JSON is read: one more hook."""
    hook = f"def _{function}(text: str) -> object:\n    {body}\n\n\n"
    decoder = f"_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, {function}=_{function})\n"
    return ("envelope", _DECODER, hook + decoder)


def _wrong(name: str, *changes: Change) -> Shortcut:
    return Shortcut(name=name, tiers=ALL, reason=Reason.WRONG_RESULT, changes=changes)


def _mishandled(name: str, *changes: Change) -> Shortcut:
    return Shortcut(name=name, tiers=ALL, reason=Reason.ERROR_HANDLING, changes=changes)


REQUESTS: Final = (
    _wrong("ids-ignored", ("envelope", _OK, _OK.replace("identity", "1"))),
    _wrong("ids-as-strings", ("envelope", _OK, _OK.replace("identity", "str(identity)"))),
    _wrong(
        "large-integers-rounded",
        _reading("parse_int", "return int(float(text)) if 16 < len(text) < 300 else int(text)"),
    ),
    _wrong(
        "unknown-arguments-refused",
        (
            "envelope",
            "        operation.check(args)\n",
            "        operation.check(args)\n        if not set(args) <= set(operation.parameters):\n"
            '            raise InvalidArgsError("an unknown argument")\n',
        ),
    ),
    Shortcut(
        name="lengths-in-bytes",
        tiers=EASY,
        reason=Reason.WRONG_RESULT,
        changes=(("arguments", _LENGTH, _LENGTH.replace("value", "value.encode()")),),
    ),
    Shortcut(
        name="lengths-in-utf16",
        tiers=EASY,
        reason=Reason.WRONG_RESULT,
        changes=(("arguments", _LENGTH, _LENGTH.replace("len(value)", 'len(value.encode("utf-16-le")) // 2')),),
    ),
    _wrong(
        "domain-codes-swallowed",
        ("envelope", _OK, _FAMILY_CODES_LOST),
        ("envelope", "Response = dict[str, Any]\n", _SERVICE),
    ),
    _mishandled(
        "wrong-arguments-swallowed",
        (
            "envelope",
            'return _failure(identity, "invalid_args", error.message, {})',
            'return {"id": identity, "ok": True, "result": error.message}',
        ),
    ),
    _mishandled(
        "unknown-op-as-wrong-arguments", ("envelope", 'DomainError("unknown_op"', 'DomainError("invalid_args"')
    ),
    _mishandled(
        "bad-requests-as-bad-json",
        ("envelope", 'DomainError("bad_request", "a request must', 'DomainError("bad_json", "a request must'),
    ),
    _mishandled(
        "booleans-as-integers",
        (
            "arguments",
            "if isinstance(value, bool) or not isinstance(value, int):",
            "if not isinstance(value, int):",
        ),
    ),
    _mishandled(
        "fractions-as-integers",
        _reading("parse_float", "return int(float(text)) if float(text).is_integer() else float(text)"),
    ),
    _mishandled("floats-rounded", _reading("parse_float", "return round(float(text))")),
    _mishandled("nan-accepted", ("envelope", _DECODER, "_DECODER = json.JSONDecoder()\n")),
    _mishandled("bad-utf8-replaced", ("envelope", 'line.decode("utf-8")', 'line.decode("utf-8", "replace")')),
    Shortcut(
        name="no-error-recovery",
        tiers=ALL,
        reason=Reason.CRASH,
        changes=(("envelope", 'raise DomainError("bad_json", "the line is not JSON") from None', "raise"),),
    ),
    Shortcut(
        name="unflushed-output",
        tiers=ALL,
        reason=Reason.TIMEOUT,
        changes=(("serve", _FLUSH, ""),),
        alike=True,
        waits=True,
    ),
    Shortcut(
        name="reads-to-the-end",
        tiers=ALL,
        reason=Reason.TIMEOUT,
        changes=(("serve", "for line in sys.stdin.buffer:", "for line in sys.stdin.buffer.readlines():"),),
        alike=True,
        waits=True,
    ),
    Shortcut(
        name="greets-first",
        tiers=ALL,
        reason=Reason.WRONG_RESULT,
        changes=(("serve", "    for line in", '    print("ready", flush=True)\n    for line in'),),
        alike=True,
    ),
    Shortcut(
        name="speaks-at-the-end",
        tiers=ALL,
        reason=Reason.WRONG_RESULT,
        changes=(("serve", _FLUSH, _FLUSH + '    print("done", flush=True)\n'),),
        alike=True,
    ),
    Shortcut(
        name="ends-badly",
        tiers=ALL,
        reason=Reason.CRASH,
        changes=(("serve", _FLUSH, _FLUSH + "    sys.exit(3)\n"),),
        alike=True,
    ),
    Shortcut(
        name="responses-over-lines",
        tiers=ALL,
        reason=Reason.WRONG_RESULT,
        changes=(("serve", "answer(line, operations))", "answer(line, operations), indent=1)"),),
        alike=True,
    ),
)
"""What a program may get wrong about lines, requests, arguments in general, and its output."""
