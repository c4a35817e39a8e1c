"""Templates: a flat list of pieces, in which each opening tag knows the index of its closing one."""

import html
import re
from collections import ChainMap
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "render": ("template", "values"),
    "names": ("template",),
}

_FILTERS: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "trim": str.strip,
    "html": html.escape,
}
_TEXT = re.compile(r" *([A-Za-z0-9_]+) *((?:\| *(?:upper|lower|trim|html) *)*)")
_SIGNED = re.compile(r"([#^/]) *([A-Za-z0-9_]+) *")
_BEFORE = re.compile(r"(?:.*\n)?([ \t]*)", re.DOTALL)
_AFTER = re.compile(r"[ \t]*\n")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


class Piece(NamedTuple):
    """Plain text (kind `=`), a tag for text (kind `$`) or one with a sign (the kind)."""

    kind: str
    text: str  # the text itself, or the name
    filters: tuple[str, ...] = ()


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    template = args.get("template")
    if not isinstance(template, str) or len(template) > 400:
        return False
    if op == "names":
        return True
    values = args.get("values")
    if not isinstance(values, dict) or len(values) > 12:
        return False
    return all(_is_rows(value) if isinstance(value, list) else _is_plain(value) for value in values.values())


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    pieces, ends, depth = _parsed(args["template"])
    if op == "render":
        return {"text": _render(pieces, ends, 0, len(pieces), ChainMap(args["values"]))}
    texts = dict.fromkeys(piece.text for piece in pieces if piece.kind == "$")
    sections = dict.fromkeys(piece.text for piece in pieces if piece.kind in "#^")
    return {"texts": list(texts), "sections": list(sections), "depth": depth}


def _parsed(template: str) -> tuple[list[Piece], dict[int, int], int]:
    """The pieces, the index of the closing tag for that of each opening one, and the depth."""
    pieces: list[Piece] = []
    ends: dict[int, int] = {}
    open_ones: list[tuple[int, int]] = []  # index and position
    done = depth = 0
    while (at := template.find("{{", done)) >= 0:
        end = template.find("}}", at + 2)
        tag = _tag(template[at + 2 : end]) if end >= 0 else None
        if tag is None:
            raise Refused("bad_tag", {"at": at})
        start, stop = _extent(template, at, end + 2) if tag.kind != "$" else (at, end + 2)
        pieces += [Piece("=", template[done:start]), tag]
        done = stop
        if tag.kind == "/":
            if not open_ones or pieces[open_ones[-1][0]].text != tag.text:
                raise Refused("bad_section", {"at": at})
            ends[open_ones.pop()[0]] = len(pieces) - 1
        elif tag.kind in "#^":
            if len(open_ones) == 3:
                raise Refused("bad_section", {"at": at})
            open_ones.append((len(pieces) - 1, at))
            depth = max(depth, len(open_ones))
    if open_ones:
        raise Refused("bad_section", {"at": open_ones[-1][1]})
    return [*pieces, Piece("=", template[done:])], ends, depth


def _tag(inner: str) -> Piece | None:
    """The tag with these characters between the braces, None if it is none."""
    if inner.startswith("!"):
        return Piece("!", "")
    if signed := _SIGNED.fullmatch(inner):
        return Piece(signed[1], signed[2])
    if found := _TEXT.fullmatch(inner):
        return Piece("$", found[1], tuple(word.strip() for word in found[2].split("|")[1:]))
    return None


def _extent(template: str, start: int, stop: int) -> tuple[int, int]:
    """From where to where a tag with a sign reaches, which is more than its braces if it is alone."""
    before, after = _BEFORE.fullmatch(template, 0, start), _AFTER.match(template, stop)
    return (before.start(1), after.end()) if before and after else (start, stop)


def _render(pieces: list[Piece], ends: dict[int, int], start: int, stop: int, names: ChainMap[str, Any]) -> str:
    """The output of the pieces of a range."""
    text = ""
    while start < stop:
        piece = pieces[start]
        if piece.kind == "=":
            text += piece.text
        elif piece.kind == "$":
            text += _value(piece, names)
        elif piece.kind in "#^":
            for inner in _rounds(piece, names):
                text += _render(pieces, ends, start + 1, ends[start], inner)
            start = ends[start]
        start += 1
    return text


def _rounds(piece: Piece, names: ChainMap[str, Any]) -> list[ChainMap[str, Any]]:
    """The names of each time that a section is put out."""
    value = names.get(piece.text, 0)
    if piece.kind == "^":
        return [] if value else [names]
    if isinstance(value, list):
        return [names.new_child(row) for row in value]
    return [names] if value else []


def _value(piece: Piece, names: ChainMap[str, Any]) -> str:
    """What a tag for text puts out."""
    if piece.text not in names:
        raise Refused("unknown_name", {"name": piece.text})
    value = names[piece.text]
    text = str(len(value) if isinstance(value, list) else value)
    for name in piece.filters:
        text = _FILTERS[name](text)
    return text


def _is_plain(value: Any) -> bool:
    """Whether a value is a string or an integer of a template."""
    if isinstance(value, str):
        return len(value) <= 40
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 10**12


def _is_rows(value: list[Any]) -> bool:
    """Whether a list is one of rows."""
    if len(value) > 4 or not all(isinstance(row, dict) and len(row) <= 6 for row in value):
        return False
    return all(_is_plain(item) for row in value for item in row.values())
