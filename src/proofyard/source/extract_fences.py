"""Blocks of code between Markdown fences (``` and ~~~), and what is left of an answer without its thinking."""

import re
from typing import Final, NamedTuple

from proofyard.source.extract_lines import Lines
from proofyard.source.extract_parse import parses

__all__ = ["Block", "fenced_blocks", "without_thinking"]

_FENCE: Final = re.compile(r"(?P<indent>[ \t>]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$")
_PYTHON: Final = frozenset(
    {"", "python", "py", "python3", "python2", "py3", "ipython", "sage", "pycon", "code", "tool_code"}
)
_OUTER: Final = frozenset({"markdown", "md", "mdx"})
_AFTER_WORDS: Final = re.compile(r"[^`~]*[^`~\s][ \t]*(?P<marks>`{3,}|~{3,})(?P<info>python3?|py)$", re.IGNORECASE)
_LANGUAGE: Final = re.compile(r"[{.]*([\w+#-]*)")
_THINK: Final = re.compile(r"^[ \t]*<(think|thinking|thought|reasoning)>", re.MULTILINE)
_THOUGHT: Final = re.compile(r"</(?:think|thinking|thought|reasoning)>")


class Block(NamedTuple):
    """A piece of an answer that may be code: its text, and the number of its first line. closed: its end was marked."""

    text: str
    line: int
    closed: bool = True


class _Fence(NamedTuple):
    line: int
    indent: str
    mark: str
    length: int
    info: str

    @property
    def language(self) -> str:
        found = _LANGUAGE.match(self.info)
        return found.group(1).lower() if found else ""

    def closes(self, opener: "_Fence") -> bool:
        """Whether this fence only ends that one's block: no language, or words after it that are none."""
        words = not self.info or (" " in self.info and self.language not in _PYTHON)
        return words and self.ends(opener)

    def ends(self, opener: "_Fence") -> bool:
        """Whether that one's block cannot go on beyond this fence; with a language, this one begins the next."""
        return self.mark == opener.mark and self.length >= opener.length


def fenced_blocks(text: str) -> list[Block]:
    """Return the blocks that are Python or do not say what they are, in order; the last may be unclosed.

    A fence inside a triple-quoted string of a block does not end it. A fence with a language inside a block begins the
    next one; blocks of Markdown are looked into.
    """
    return _Markdown(text).blocks()


def without_thinking(text: str) -> str:
    """Return an answer without its thinking: what stands between the tags, before a closing or after an opening one alone."""
    kept, at = [], 0
    while opened := _THINK.search(text, at):
        kept.append(text[at : opened.start()])
        closed = _THOUGHT.search(text, opened.end())
        if closed is None:
            return "".join(kept)
        at = closed.end()
    rest = text[at:]
    *_, last = [None, *_THOUGHT.finditer(rest)]
    return "".join(kept) + rest if last is None else rest[last.end() :]


def _fence(number: int, line: str) -> _Fence | None:
    text = line.rstrip()
    found = _FENCE.match(text) or (_AFTER_WORDS.match(text) if text[-1:].isalnum() else None)
    if found is None:
        return None
    marks, indent = found["marks"], found.groupdict().get("indent") or ""
    return _Fence(number, indent, marks[0], len(marks), found["info"].strip())


class _Markdown:
    """A text and the fences in it. `_allowed`: lines that may yet be looked at for strings around fences."""

    def __init__(self, text: str) -> None:
        self._lines = Lines(text)
        self._fences = [fence for n, line in enumerate(self._lines.texts) if (fence := _fence(n, line))]
        self._allowed = 4 * len(self._lines)

    def blocks(self) -> list[Block]:
        fences, count = self._fences, len(self._fences)
        blocks: list[Block] = []
        at = 0
        while at < count:
            opener = fences[at]
            at += 1
            if opener.language in _OUTER:
                continue
            stop = self._stop(at)
            if opener.language in _PYTHON:
                text = self._content(opener, fences[stop].line if stop < count else len(self._lines))
                blocks.append(Block(text, opener.line + 1, stop < count))
            at = stop + 1 if stop < count and fences[stop].closes(opener) else stop
        return blocks

    def _stop(self, at: int) -> int:
        """The index of the fence that ends the block opened by the one before `at`: their count, if none does."""
        fences, opener = self._fences, self._fences[at - 1]
        first = next((i for i in range(at, len(fences)) if fences[i].ends(opener)), len(fences))
        if first == len(fences) or opener.language not in _PYTHON:
            return first
        outside = self._outside(at - 1, first)
        if outside is None or outside == first or not parses(self._content(opener, fences[outside].line)):
            return first
        return outside

    def _outside(self, opened: int, first: int) -> int | None:
        """The first fence from `first` on that stands in no string of the block; None if that is not known."""
        line = self._fences[opened].line + 1
        for index in range(first, len(self._fences)):
            fence = self._fences[index]
            while line < fence.line:
                logical = self._lines.logical(line)
                self._allowed -= logical.end - line if logical else 1
                if self._allowed < 0:
                    return None
                line = logical.end if logical else line + 1
            if line == fence.line:
                return index
        return None

    def _content(self, opener: _Fence, end: int) -> str:
        """The lines of a block, without the indentation or quotation marks of its opening fence."""
        indent = opener.indent
        inside = self._lines.texts[opener.line + 1 : end]
        if not indent:
            return "\n".join(inside)
        bare = indent.rstrip()
        return "\n".join(text.removeprefix(indent if text.startswith(indent) else bare) for text in inside)
