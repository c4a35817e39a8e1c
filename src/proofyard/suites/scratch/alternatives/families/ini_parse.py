"""INI parse: one pattern for each kind of line; references are resolved with a memory and the list of open entries."""

import re
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"parse": ("text",), "resolve": ("text", "section", "key")}

_IGNORED = re.compile(r"[ \t]*(?:[;#].*)?", re.DOTALL)
_HEADER = re.compile(r"\[[ \t]*([^\[\]]*?)[ \t]*\][ \t]*(?:[;#].*)?", re.DOTALL)
_ENTRY = re.compile(r"([^=:]+?)[ \t]*[=:](.*)", re.DOTALL)
_QUOTED = re.compile(r'[ \t]*"((?:[^"\\]|\\.)*+)"[ \t]*(?:[;#].*)?', re.DOTALL)
_COMMENT = re.compile(r"[ \t][;#].*", re.DOTALL)
_PIECE = re.compile(r"\$\$|\$\{([^}]*)\}|\$\{|\$|[^$]+")

Sections = dict[str, dict[str, str]]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    limits = {"text": 1500, "section": 50, "key": 50}
    return all(isinstance(args.get(name), str) and len(args[name]) <= limits[name] for name in OPS[op])


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    sections = _read(args["text"])
    if op == "resolve":
        return {"value": _Resolver(sections).look_up(args["section"], args["key"].lower())}
    return {
        "sections": [
            {"name": name, "entries": [list(entry) for entry in entries.items()]}
            for name, entries in sections.items()
            if name or entries
        ]
    }


def _read(text: str) -> Sections:
    """The sections of a text, the global one first."""
    sections: Sections = {"": {}}
    section = sections[""]
    last: str | None = None
    for number, raw in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        line = raw.rstrip(" \t")
        bad = Refused("bad_line", {"line": number})
        if _IGNORED.fullmatch(line):
            continue
        if line[0] in " \t":
            if last is None:
                raise bad
            section[last] += "\n" + _trimmed(line)
        elif line[0] == "[":
            header = _HEADER.fullmatch(line)
            if header is None or not header[1]:
                raise bad
            section, last = sections.setdefault(header[1], {}), None
        else:
            entry = _ENTRY.fullmatch(line)
            value = _value(entry[2]) if entry else None
            if entry is None or value is None:
                raise bad
            last = entry[1].lower()
            section[last] = value
    return sections


def _trimmed(text: str) -> str:
    """A text without comment and blanks around it."""
    return _COMMENT.sub("", text).strip(" \t")


def _value(text: str) -> str | None:
    """The value written after a separator; None if its quotes are wrong."""
    if not text.lstrip(" \t").startswith('"'):
        return _trimmed(text)
    match = _QUOTED.fullmatch(text)
    return re.sub(r"\\(.)", r"\1", match[1], flags=re.DOTALL) if match else None


class _Resolver:
    """Resolves the values of a text, each once."""

    def __init__(self, sections: Sections) -> None:
        """Nothing is resolved yet."""
        self.sections = sections
        self.known: dict[tuple[str, str], str] = {}
        self.open: list[tuple[str, str]] = []

    def look_up(self, section: str, key: str) -> str:
        """The resolved value of a key asked for in a section."""
        for name in (section, ""):
            if key in self.sections.get(name, {}):
                break
        else:
            raise Refused("unknown_key", {"section": section, "key": key})
        entry = name, key
        where = {"section": name, "key": key}
        if entry in self.open:
            raise Refused("cycle", where)
        if entry not in self.known:
            self.open.append(entry)
            value = "".join(self._piece(piece, name, where) for piece in _PIECE.finditer(self.sections[name][key]))
            self.open.pop()
            if len(value) > 1000:
                raise Refused("too_long", where)
            self.known[entry] = value
        return self.known[entry]

    def _piece(self, piece: re.Match[str], section: str, where: dict[str, Any]) -> str:
        """What a piece of a value stands for."""
        text = piece[0]
        if text == "${":
            raise Refused("bad_reference", where)
        if piece[1] is None:
            return "$" if text == "$$" else text
        before, colon, after = piece[1].partition(":")
        target, key = (before.strip(" \t"), after) if colon else (section, before)
        return self.look_up(target, key.strip(" \t").lower())
