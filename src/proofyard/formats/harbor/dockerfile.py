"""A Dockerfile as instructions: continued lines, comments, parser directives, flags, JSON forms, here-documents, variables.

It reads and explains, and changes nothing: what is done with the instructions is for others to say.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from proofyard.core import UsageError

__all__ = ["Heredoc", "Instruction", "expanded", "pairs", "parse", "words"]

_DIRECTIVE: Final = re.compile(r"#\s*(\w+)\s*=\s*(.*?)\s*\Z")
_KEYWORD: Final = re.compile(r"\s*([A-Za-z]+)(?:\s+|\Z)")
_FLAG: Final = re.compile(r"--([a-z][a-z-]*)(?:=(\"[^\"]*\"|\S*))?(?:\s+|\Z)")
_HEREDOC: Final = re.compile(r"<<(-?)([\"']?)([A-Za-z_][A-Za-z0-9_]*)\2")
_WITH_HEREDOCS: Final = frozenset({"RUN", "COPY", "ADD"})
_VARIABLE: Final = re.compile(r"\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-+?])([^}]*))?\})")


class Heredoc(NamedTuple):
    """A here-document: its content, and whether variables in it are replaced (its name was not quoted)."""

    name: str
    content: str
    expand: bool


class Instruction(NamedTuple):
    """One instruction. line: where it begins, from 1. form: the words of a JSON array, None if it is none."""

    line: int
    keyword: str
    rest: str
    flags: tuple[tuple[str, str], ...] = ()
    form: tuple[str, ...] | None = None
    heredocs: tuple[Heredoc, ...] = ()

    @property
    def text(self) -> str:
        """The instruction in one line, for messages."""
        return " ".join(f"{self.keyword} {self.rest}".split())[:160]


def parse(text: str, name: str) -> list[Instruction]:
    """Read a Dockerfile; `name` is what messages call it.

    Raises:
        UsageError: a line is no instruction, or a here-document does not end.

    """
    return list(_Parser(text, name).instructions())


class _Parser:
    def __init__(self, text: str, name: str) -> None:
        self._lines = text.removeprefix("\ufeff").splitlines()
        self._name = name
        self._at = 0
        self._escape = "\\"

    def instructions(self) -> Iterator[Instruction]:
        self._directives()
        while self._at < len(self._lines):
            if not self._lines[self._at].strip() or self._lines[self._at].lstrip().startswith("#"):
                self._at += 1
                continue
            yield self._instruction()

    def _directives(self) -> None:
        while self._at < len(self._lines):
            found = _DIRECTIVE.match(self._lines[self._at])
            if found is None:
                return
            if found[1].lower() == "escape":
                if found[2] not in {"\\", "`"}:
                    raise UsageError(f"{self._name}:{self._at + 1}: escape={found[2]} is neither \\ nor `")
                self._escape = found[2]
            self._at += 1

    def _instruction(self) -> Instruction:
        line = self._at + 1
        text = self._logical()
        found = _KEYWORD.match(text)
        if found is None:
            raise UsageError(f"{self._name}:{line}: no instruction: {text.strip()[:80]!r}")
        keyword, rest = found[1].upper(), text[found.end() :].strip()
        flags, rest = _flags(rest)
        heredocs = tuple(self._heredocs(rest, line)) if keyword in _WITH_HEREDOCS else ()
        return Instruction(line, keyword, rest, flags, _form(rest), heredocs)

    def _logical(self) -> str:
        """One instruction's lines as one, without the comments between them."""
        parts: list[str] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            if parts and (line.lstrip().startswith("#") or not line.strip()):
                continue
            bare = line.rstrip()
            if not bare.endswith(self._escape):
                parts.append(line)
                break
            parts.append(bare[: -len(self._escape)])
        return "".join(parts)

    def _heredocs(self, rest: str, line: int) -> Iterator[Heredoc]:
        for found in _HEREDOC.finditer(rest):
            content: list[str] = []
            while True:
                if self._at >= len(self._lines):
                    raise UsageError(f"{self._name}:{line}: the here-document {found[3]} does not end")
                text = self._lines[self._at]
                self._at += 1
                text = text.lstrip("\t") if found[1] else text
                if text == found[3]:
                    break
                content.append(text + "\n")
            yield Heredoc(found[3], "".join(content), not found[2])


def _flags(rest: str) -> tuple[tuple[tuple[str, str], ...], str]:
    flags = []
    while found := _FLAG.match(rest):
        flags.append((found[1], (found[2] or "").strip('"')))
        rest = rest[found.end() :]
    return tuple(flags), rest


def _form(rest: str) -> tuple[str, ...] | None:
    if not rest.startswith("["):
        return None
    try:
        value = json.loads(rest)
    except ValueError:
        return None
    return tuple(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def expanded(text: str, variables: Mapping[str, str]) -> str:
    """Replace `$name`, `${name}`, `${name:-default}`, `${name:+other}`; what is not set is empty.

    Raises:
        UsageError: `${name:?message}` of a variable that is not set.

    """

    def value(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        there = variables.get(name)
        sign, other = found[3] or "", found[4] or ""
        good = there is not None and not (sign.startswith(":") and not there)
        if sign.endswith("+"):
            return expanded(other, variables) if good else ""
        if good:
            return there or ""
        if sign.endswith("?"):
            raise UsageError(f"{name} is not set: {other}")
        return expanded(other, variables) if sign else ""

    return _VARIABLE.sub(value, text)


def words(text: str, variables: Mapping[str, str]) -> list[str]:
    """Split as the builder does: blanks outside of quotes part words, quotes go, variables are replaced, not in '...'."""
    found: list[str] = []
    current: list[str] | None = None
    at = 0
    while at < len(text):
        char = text[at]
        if char.isspace():
            if current is not None:
                found.append("".join(current))
                current = None
            at += 1
            continue
        current = [] if current is None else current
        piece, at = _piece(text, at, variables)
        current.append(piece)
    return [*found, "".join(current)] if current is not None else found


def _piece(text: str, at: int, variables: Mapping[str, str]) -> tuple[str, int]:
    char = text[at]
    if char == "'":
        end = text.find("'", at + 1)
        end = len(text) if end < 0 else end
        return text[at + 1 : end], end + 1
    if char == '"':
        out, at = [], at + 1
        while at < len(text) and text[at] != '"':
            piece, at = _plain(text, at, variables, '"\\$')
            out.append(piece)
        return "".join(out), at + 1
    return _plain(text, at, variables, "")


def _plain(text: str, at: int, variables: Mapping[str, str], escapable: str) -> tuple[str, int]:
    """One character, escape or variable. escapable: what a backslash takes its meaning from; "" is everything."""
    if text[at] == "\\" and at + 1 < len(text):
        following = text[at + 1]
        return (following if not escapable or following in escapable else "\\" + following), at + 2
    variable = _VARIABLE.match(text, at)
    if variable is not None:
        return expanded(variable[0], variables), variable.end()
    return text[at], at + 1


def pairs(text: str, variables: Mapping[str, str]) -> dict[str, str]:
    """The variables that ENV sets: `a=1 b="2 3"`, or the old form `a rest of the line`. Raises ValueError."""
    parts = words(text, variables)
    if not parts:
        raise ValueError("ENV sets nothing")
    if "=" not in text.split(None, 1)[0]:
        name, _, value = text.strip().partition(" ")
        return {name: " ".join(words(value, variables))}
    split = [part.partition("=") for part in parts]
    if not all(name and sign for name, sign, _ in split):
        raise ValueError("ENV takes name=value")
    return {name: value for name, _, value in split}
