"""Where the logical lines of Python end in a text that is not all Python: brackets, strings and backslashes, line by line.

A logical line starts at any line asked for, as if nothing stood before it. Each line is scanned once a state, so that
asking for all starts of a text costs little more than asking for the first.
"""

import re
from typing import Final, NamedTuple

__all__ = ["Lines", "Logical", "is_blank", "is_nothing"]

_MAX_DEPTH: Final = 200
"""Brackets that CPython lets open at once."""

_BLANK: Final = " \t\f\r"
_TOKEN: Final = re.compile(
    r"""(?P<comment>\#.*)
    | (?P<quote>\"{3}|'{3}|["'])
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<cont>\\$)
    | (?P<colon>:)
    | (?P<space>[ \t\f\r]+)
    | (?P<other>[^\#"'()\[\]{}\\: \t\f\r]+|\\)""",
    re.VERBOSE,
)
_CLOSING: Final = {
    '"': re.compile(r'(?:[^"\\]|\\.)*"'),
    "'": re.compile(r"(?:[^'\\]|\\.)*'"),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*"""'),
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*'''"),
}
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_SKIPPED: Final = frozenset({"comment", "space"})


class _Effect(NamedTuple):
    """What a line does: brackets it closes of earlier lines, brackets it leaves open, the string it ends in.

    goes_on: it ends in a backslash. colon: a colon is its last sign outside brackets. bad: no Python can hold it.
    """

    closes: str = ""
    opens: str = ""
    string: str = ""
    goes_on: bool = False
    colon: bool = False
    bad: bool = False


class Logical(NamedTuple):
    """A logical line: first physical line, the line after its last, and whether it ends in a colon (a clause's head)."""

    start: int
    end: int
    colon: bool


class Lines:
    """A text in lines, and where logical lines end in it. `work` counts the lines looked at."""

    def __init__(self, text: str) -> None:
        self.texts = text.split("\n")
        self.work = 0
        self._effects: dict[tuple[int, str], _Effect] = {}
        self._ends: dict[tuple[int, str], Logical | None] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def logical(self, start: int) -> Logical | None:
        """Return the logical line that starts at line `start`; None if it never ends, or cannot be Python."""
        seen: list[tuple[int, str]] = []
        found = self._walk(start, seen)
        for key in seen:
            self._ends[key] = found
        return found and Logical(start, found.end, found.colon)

    def _walk(self, start: int, seen: list[tuple[int, str]]) -> Logical | None:
        """Go from line to line. `seen` collects the states without open brackets: they end alike wherever they began."""
        stack, string, line = "", "", start
        while line < len(self.texts):
            if not stack:
                key = (line, string)
                if key in self._ends:
                    return self._ends[key]
                seen.append(key)
            effect = self._effect(line, string)
            self.work += 1
            kept = len(stack) - len(effect.closes)
            if effect.bad or kept < 0 or stack[kept:] != effect.closes[::-1]:
                return None
            stack = stack[:kept] + effect.opens
            if len(stack) > _MAX_DEPTH:
                return None
            string, line = effect.string, line + 1
            if not stack and not string and not effect.goes_on:
                return Logical(start, line, effect.colon)
        return None

    def _effect(self, line: int, string: str) -> _Effect:
        key = (line, string)
        if key not in self._effects:
            self._effects[key] = _scan(self.texts[line].removesuffix("\r"), string)
        return self._effects[key]


def is_blank(text: str) -> bool:
    """Whether Python sees nothing at all in a line."""
    return not text.strip(_BLANK)


def is_nothing(text: str) -> bool:
    """Whether a line is blank or a comment: it may stand anywhere, at any indentation."""
    return text.lstrip(_BLANK)[:1] in {"", "#"}


def _scan(text: str, string: str) -> _Effect:
    at = 0
    if string:
        rest = _CLOSING[string].match(text)
        if rest is None:
            return _Effect(string=string, bad=len(string) == 1 and not _ends_in_backslash(text))
        at = rest.end()
    closes, opens, colon = "", "", False
    while token := _TOKEN.match(text, at):
        kind, sign, at = token.lastgroup or "", token.group(), token.end()
        if kind == "cont":
            return _Effect(closes, opens, goes_on=True)
        if kind == "quote":
            closed = _CLOSING[sign].match(text, at)
            if closed is None:
                return _Effect(closes, opens, string=sign, bad=len(sign) == 1 and not _ends_in_backslash(text))
            at = closed.end()
        elif kind == "open":
            opens += sign
        elif kind == "close":
            if opens and opens[-1] != _PAIRS[sign]:
                return _Effect(bad=True)
            closes, opens = (closes, opens[:-1]) if opens else (closes + _PAIRS[sign], "")
        colon = colon if kind in _SKIPPED else kind == "colon" and not opens
    return _Effect(closes, opens, colon=colon, bad=len(opens) > _MAX_DEPTH)


def _ends_in_backslash(text: str) -> bool:
    """Whether an odd number of backslashes ends a line: the string in it goes on in the next."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1
