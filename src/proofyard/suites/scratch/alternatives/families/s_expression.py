"""S-expressions: tokens by one pattern, and a stack of the lists and quotes that are open."""

import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"parse": ("text",), "layout": ("text", "width")}

_TOKEN = re.compile(
    r"(?P<blank>[ \t\n\r]+|;[^\n]*)|(?P<open>[(\['])|(?P<close>[)\]])"
    r'|(?P<string>"(?:[^"\\]|\\["\\nt])*)|(?P<atom>[^ \t\n\r()\[\]\'";]+)'
)
_INTEGER = re.compile("[+-]?[0-9]+")
_CLOSING = {"(": ")", "[": "]"}
_ESCAPES = {"\\": "\\", '"': '"', "n": "\n", "t": "\t"}
_WRITTEN = str.maketrans({char: "\\" + letter for letter, char in _ESCAPES.items()})


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


@dataclass
class _Open:
    """A list or a quote that is open, and what it holds so far."""

    kind: str
    items: list[Any] = field(default_factory=list)


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    text, width = args.get("text"), args.get("width", 40) if op == "layout" else 40
    if not isinstance(text, str) or len(text) > 1000:
        return False
    return isinstance(width, int) and not isinstance(width, bool) and 10 <= width <= 100


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    values = _parse(args["text"])
    if op == "parse":
        return {"values": values}
    return {"lines": [line for value in values for line in _layout(value, 0, args.get("width", 40))]}


def _fault(position: int) -> Refused:
    """A syntax error at a position."""
    return Refused("syntax_error", {"position": position})


def _parse(text: str) -> list[Any]:
    """The expressions of a text."""
    stack = [_Open("")]
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None  # every character begins a token
        start, at = at, match.end()
        if match.lastgroup == "open":
            if len(stack) > 16:
                raise Refused("too_deep", {"position": start})
            stack.append(_Open("'", ["quote"]) if match.group() == "'" else _Open(match.group()))
        elif match.lastgroup == "close":
            if _CLOSING.get(stack[-1].kind) != match.group():
                raise _fault(start)
            _add(stack, stack.pop().items)
        elif match.lastgroup == "string":
            if at == len(text) or text[at] != '"':
                raise _fault(at)
            at += 1
            _add(stack, {"string": re.sub(r"\\(.)", lambda found: _ESCAPES[found[1]], match.group()[1:])})
        elif match.lastgroup == "atom":
            _add(stack, int(match.group()) if _INTEGER.fullmatch(match.group()) else match.group())
    if len(stack) > 1:
        raise _fault(len(text))
    return stack[0].items


def _add(stack: list[_Open], value: Any) -> None:
    """Puts an expression where it stands; it closes all quotes that wait for it."""
    while stack[-1].kind == "'":
        value = [*stack.pop().items, value]
    stack[-1].items.append(value)


def _is_quote(value: Any) -> bool:
    """Whether a list is written as a quote."""
    return isinstance(value, list) and len(value) == 2 and value[0] == "quote"


def _flat(value: Any) -> str:
    """The flat form of an expression."""
    if _is_quote(value):
        return "'" + _flat(value[1])
    if isinstance(value, list):
        return "(" + " ".join(map(_flat, value)) + ")"
    return '"' + value["string"].translate(_WRITTEN) + '"' if isinstance(value, dict) else str(value)


def _layout(value: Any, column: int, width: int) -> list[str]:
    """The lines of an expression that begins at a column; all but the first with their indentation."""
    flat = _flat(value)
    if column + len(flat) <= width or not isinstance(value, list) or not value:
        return [flat]
    if _is_quote(value):
        first, *rest = _layout(value[1], column + 1, width)
        return ["'" + first, *rest]
    first, *rest = _layout(value[0], column + 1, width)
    lines = ["(" + first, *rest]
    for item in value[1:]:
        first, *rest = _layout(item, column + 2, width)
        lines += [" " * (column + 2) + first, *rest]
    lines[-1] += ")"
    return lines
