"""Patterns as in `.gitignore`: which paths they leave out."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

__all__ = ["DEFAULT_PATTERNS", "Patterns"]

DEFAULT_PATTERNS: Final = ("__pycache__/", "*.pyc", ".DS_Store", "*.swp", "*.swo", "*~")
"""What is left out where a folder has no `.gitignore`."""


class _Rule(NamedTuple):
    expression: re.Pattern[str]
    keep: bool
    folders: bool


class Patterns:
    """Rules in order, the last that matches decides; what lies in a folder that is left out cannot be taken in again."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._rules = [rule for rule in map(_rule, lines) if rule is not None]

    def ignores(self, path: str) -> bool:
        """Whether a file (a relative POSIX path) is left out."""
        parts = path.split("/")
        folders = ("/".join(parts[:n]) for n in range(1, len(parts)))
        return any(self._out(folder, folder=True) for folder in folders) or self._out(path, folder=False)

    def decided(self, path: str, *, folder: bool) -> bool | None:
        """Whether the rules leave this very path out (True) or take it in (False); None if they do not speak of it."""
        for rule in reversed(self._rules):
            if (folder or not rule.folders) and rule.expression.fullmatch(path):
                return not rule.keep
        return None

    def _out(self, path: str, *, folder: bool) -> bool:
        return bool(self.decided(path, folder=folder))


def _rule(line: str) -> _Rule | None:
    text = re.sub(r"(?<!\\)\s+$", "", line.rstrip("\r\n"))
    if not text or text.startswith("#"):
        return None
    keep = text.startswith("!")
    text = text.removeprefix("!")
    folders = text.endswith("/")
    text = text.rstrip("/")
    if not text:
        return None
    anywhere = "/" not in text
    text = text.removeprefix("/")
    return _Rule(re.compile(("(?:.*/)?" if anywhere else "") + _expression(text), re.DOTALL), keep, folders)


def _expression(text: str) -> str:
    out, at = "", 0
    while at < len(text):
        rest = text[at:]
        if rest.startswith("**/"):
            out, at = out + "(?:.*/)?", at + 3
        elif rest == "**":
            out, at = out + ".*", at + 2
        elif rest.startswith("/**/"):
            out, at = out + "/(?:.*/)?", at + 4
        elif rest[0] == "*":
            out, at = out + "[^/]*", at + 1
        elif rest[0] == "?":
            out, at = out + "[^/]", at + 1
        elif rest[0] == "[" and "]" in rest[2:]:
            end = rest.index("]", 2)
            inner = rest[1:end].replace("\\", "\\\\")
            inner = f"^{inner[1:]}" if inner[0] in "!^" else inner
            out, at = f"{out}[{inner}]", at + end + 1
        elif rest[0] == "\\" and len(rest) > 1:
            out, at = out + re.escape(rest[1]), at + 2
        else:
            out, at = out + re.escape(rest[0]), at + 1
    return out
