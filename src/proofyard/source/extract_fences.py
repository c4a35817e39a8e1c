"""Blocks of code between Markdown fences (``` and ~~~), and what is left of an answer without its thinking."""

import re
from collections.abc import Sequence
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
    lines = Lines(text)
    fences = [fence for number, line in enumerate(lines.texts) if (fence := _fence(number, line))]
    blocks: list[Block] = []
    allowed = 4 * len(lines)
    at = 0
    while at < len(fences):
        opener = fences[at]
        at += 1
        if opener.language in _OUTER:
            continue
        stop = _stop(lines, fences, at, allowed)
        end = fences[stop].line if stop < len(fences) else len(lines)
        allowed -= end - opener.line
        if opener.language in _PYTHON:
            blocks.append(Block(_content(lines, opener, end), opener.line + 1, stop < len(fences)))
        at = stop + 1 if stop < len(fences) and fences[stop].closes(opener) else stop
    return blocks


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


def _stop(lines: Lines, fences: Sequence[_Fence], at: int, allowed: int) -> int:
    """The index of the fence that ends the block opened by the one before `at`: their count, if none does."""
    opener = fences[at - 1]
    first = next((i for i in range(at, len(fences)) if fences[i].ends(opener)), len(fences))
    if first == len(fences) or opener.language not in _PYTHON:
        return first
    outside = _outside(lines, fences, at - 1, first, allowed)
    if outside in (first, None) or not parses(_content(lines, opener, fences[outside].line)):
        return first
    return outside


def _outside(lines: Lines, fences: Sequence[_Fence], opened: int, first: int, allowed: int) -> int | None:
    """The first fence from `first` on that stands in no string of the block; None if that is not known."""
    line = fences[opened].line + 1
    for index in range(first, len(fences)):
        fence = fences[index]
        while line < fence.line:
            if line - fences[opened].line > allowed:
                return None
            logical = lines.logical(line)
            line = logical.end if logical else line + 1
        if line == fence.line and fence.closes(fences[opened]):
            return index
    return None


def _content(lines: Lines, opener: _Fence, end: int) -> str:
    """The lines of a block, without the indentation or quotation marks of its opening fence."""
    indent = opener.indent
    inside = lines.texts[opener.line + 1 : end]
    if not indent:
        return "\n".join(inside)
    bare = indent.rstrip()
    return "\n".join(
        text.removeprefix(indent) if text.startswith(indent) else text.removeprefix(bare) for text in inside
    )
