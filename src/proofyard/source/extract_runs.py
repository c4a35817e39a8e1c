"""Runs of lines that parse as Python, in time near-linear in the text.

A text is cut into top-level statements by its brackets, strings and indentation; each is parsed by itself, and of one that
does not parse the longest beginning that does is found by bisection. Runs are what follows one another without a gap.
"""

import bisect
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from proofyard.source.extract_lines import Lines, Logical, is_blank, is_nothing
from proofyard.source.extract_parse import error_line, parses

__all__ = ["Run", "Runs"]

_GOES_ON: Final = re.compile(r"(?:else|elif|except|finally)\b")
_TRY: Final = re.compile(r"try[ \t]*:")
_HANDLER: Final = re.compile(r"(?:except|finally)\b")
_MATCH: Final = re.compile(r"match\b")
_CLAUSE: Final = re.compile(r"(?:else|elif|except|finally|case)\b")
_EFFORT: Final = 12
"""Characters parsed and lines scanned a character of text, after which statements that fail are passed over whole."""


class Run(NamedTuple):
    """Lines `start` to `end` (not included) parse. `weight` counts those that are not blank."""

    start: int
    end: int
    weight: int


class _Chunk(NamedTuple):
    """A top-level statement as its indentation shows it. end: the line after it. broken: its next line is no Python."""

    parts: list[Logical]
    end: int
    broken: bool


class _Tried(NamedTuple):
    """How far a statement parses: up to line `end`; if not at all, its start. whole: to its end. failed: where it fails."""

    end: int
    whole: bool
    failed: int


class Runs:
    """The runs of a text. `work` is what finding them took: characters parsed, and lines scanned."""

    def __init__(self, text: str, limited: bool = True) -> None:
        self.lines = Lines(text)
        self._allowed = _EFFORT * len(text) if limited else None
        self._parsed = 0
        self._tried: dict[int, _Tried] = {}

    @property
    def work(self) -> int:
        """Characters parsed and lines scanned so far."""
        return self._parsed + self.lines.work

    def text(self, start: int, end: int) -> str:
        """The lines from `start` to `end` (not included)."""
        return "\n".join(self.lines.texts[start:end])

    def disjoint(self) -> Iterator[Run]:
        """Yield runs in order that do not overlap; after a line that fails the search goes on with the next one."""
        at, count = 0, len(self.lines)
        while at < count:
            if is_blank(self.lines.texts[at]):
                at += 1
                continue
            end, failed = self._follow(at)
            if end > at:
                yield Run(at, end, self.weight(at, end))
            tired = self._allowed is not None and self.work > self._allowed
            at = max(end, at + 1, self._past(failed) if tired else failed + 1)

    def ends(self) -> list[int]:
        """For each line, where the longest run that starts there ends: at that line itself, if none does."""
        count = len(self.lines)
        ends = list(range(count + 1))
        for at in range(count - 1, -1, -1):
            if is_nothing(self.lines.texts[at]):
                ends[at] = ends[at + 1]
            elif not self._is_indented(at):
                tried = self._try(at)
                ends[at] = ends[tried.end] if tried.whole else self._over_nothing(tried.end, at)
        return ends

    def weight(self, start: int, end: int) -> int:
        """How many of these lines are not blank."""
        return sum(1 for text in self.lines.texts[start:end] if text.strip())

    def _follow(self, start: int) -> tuple[int, int]:
        """Follow a run from its first line. Return where it ends, and the line that stopped it."""
        at = start
        while at < len(self.lines):
            if is_nothing(self.lines.texts[at]):
                at += 1
            elif self._is_indented(at):
                return at, at
            else:
                tried = self._try(at)
                if not tried.whole:
                    return self._over_nothing(tried.end, at), tried.failed
                at = tried.end
        return at, at

    def _over_nothing(self, end: int, start: int) -> int:
        """A run may end after the comments that follow it."""
        while start < end < len(self.lines) and is_nothing(self.lines.texts[end]):
            end += 1
        return end

    def _past(self, failed: int) -> int:
        logical = self.lines.logical(failed) if failed < len(self.lines) else None
        return logical.end if logical else len(self.lines)

    def _is_indented(self, line: int) -> bool:
        return self.lines.texts[line][:1] in {" ", "\t"}

    def _try(self, start: int) -> _Tried:
        if start not in self._tried:
            self._tried[start] = self._measure(self._chunk(start))
        return self._tried[start]

    def _chunk(self, start: int) -> _Chunk:
        parts: list[Logical] = []
        at, end, count = start, start, len(self.lines)
        while at < count:
            text = self.lines.texts[at]
            if is_nothing(text):
                at += 1
                continue
            if parts and not (self._is_indented(at) or self._decorates(parts[-1]) or _GOES_ON.match(text)):
                break
            logical = self.lines.logical(at)
            if logical is None:
                return _Chunk(parts, at, True)
            parts.append(logical)
            at = end = logical.end
        return _Chunk(parts, end, False)

    def _decorates(self, part: Logical) -> bool:
        return self.lines.texts[part.start].lstrip().startswith("@")

    def _measure(self, chunk: _Chunk) -> _Tried:
        """Find how far a statement parses."""
        parts = chunk.parts
        if not parts:
            return _Tried(chunk.end, False, chunk.end)
        start, guess = parts[0].start, len(parts)
        if not chunk.broken:
            text = self.text(start, chunk.end)
            self._parsed += len(text)
            line = error_line(text)
            if line is None:
                return _Tried(chunk.end, True, chunk.end)
            guess = bisect.bisect_right(parts, start + line - 1, key=lambda part: part.start) - 1 if line else 0
        outline = _Outline(self.lines, parts)
        viable = self._viable(outline, guess)
        failed = parts[viable].start if viable < len(parts) else chunk.end
        count = outline.complete(viable)
        if count and self._parses(self.text(start, parts[count - 1].end)):
            return _Tried(parts[count - 1].end, False, failed)
        return _Tried(start, False, failed)

    def _viable(self, outline: "_Outline", guess: int) -> int:
        """How many logical lines can begin a statement: a guess and the next, then bisection, what is open closed each time."""
        low, high = 0, len(outline.parts) + 1
        guesses = [guess + 1, guess]
        while high - low > 1:
            middle = guesses.pop() if guesses else (low + high) // 2
            if low < middle < high:
                if self._parses(outline.closed(middle)):
                    low = middle
                else:
                    high = middle
        return low

    def _parses(self, text: str) -> bool:
        self._parsed += len(text)
        return parses(text)


class _Outline:
    """The clauses of a statement, by indentation: what is open after each of its logical lines, and how to close it."""

    def __init__(self, lines: Lines, parts: list[Logical]) -> None:
        self.parts = parts
        self._lines = lines
        self._open: list[tuple[tuple[str, bool], ...]] = []
        stack: list[
            tuple[str, bool]
        ] = []  # indentation of each open clause, and whether it is a try without its handler
        for part in parts:
            text = lines.texts[part.start]
            word = text.lstrip()
            indent = text[: len(text) - len(word)]
            while stack and (len(stack[-1][0]) > len(indent) or self._ends(stack[-1], indent, word)):
                stack.pop()
            if part.colon or _TRY.match(word):
                stack.append((indent, bool(_TRY.match(word))))
            self._open.append(tuple(stack))

    @staticmethod
    def _ends(clause: tuple[str, bool], indent: str, word: str) -> bool:
        """A line as deep as a clause ends it; but a try goes on to its handler."""
        return clause[0] == indent and not (clause[1] and not _HANDLER.match(word) and _CLAUSE.match(word))

    def complete(self, viable: int) -> int:
        """The largest count of logical lines, of those viable, after which nothing is wanting."""
        for count in range(viable, 0, -1):
            part, opened = self.parts[count - 1], self._open[count - 1]
            if not part.colon and not self._decorator(part) and not any(is_try for _, is_try in opened):
                return count
        return 0

    def closed(self, count: int) -> str:
        """The first `count` logical lines, and what closes all that they leave open."""
        part = self.parts[count - 1]
        text = "\n".join(self._lines.texts[self.parts[0].start : part.end])
        first = self._lines.texts[part.start]
        word = first.lstrip()
        indent = first[: len(first) - len(word)]
        if self._decorator(part):
            text += f"\n{indent}def _(): pass"
        elif part.colon:
            text += f"\n{indent} case _: pass" if _MATCH.match(word) else f"\n{indent} pass"
        for indent, is_try in reversed(self._open[count - 1]):
            text += f"\n{indent}finally: pass" if is_try else ""
        return text

    def _decorator(self, part: Logical) -> bool:
        return self._lines.texts[part.start].lstrip().startswith("@")
