"""Text wrapping: each line takes its words from the front of a queue, and a cut word goes back to it."""

import re
from collections import deque
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "wrap": ("text", "width", "first", "rest"),
    "align": ("text", "width", "mode"),
}

_WORD = re.compile(r"[^ \t\n]+")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    text = args.get("text")
    if not isinstance(text, str) or len(text) > 2000 or not _is_integer(args.get("width"), 2, 100):
        return False
    if op == "wrap":
        return all(_is_integer(args.get(name, 0), 0, 100) for name in ("first", "rest"))
    mode = args.get("mode")
    return isinstance(mode, str) and mode in ("right", "center", "justify")


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    paragraphs, width = _paragraphs(args["text"]), args["width"]
    if op == "wrap":
        indents = (args.get("first", 0), args.get("rest", 0))
        if width - max(indents) < 2:
            raise Refused("too_narrow")
        cuts, blocks = 0, []
        for words in paragraphs:
            filled, cut = _fill(words, width - indents[0], width - indents[1])
            blocks.append([" " * indents[number > 0] + " ".join(line) for number, line in enumerate(filled)])
            cuts += cut
        return {"lines": _joined(blocks), "cuts": cuts}
    for word in (word for words in paragraphs for word in words):
        if len(word) > width:
            raise Refused("word_too_long", {"word": word})
    blocks = []
    for words in paragraphs:
        filled, _ = _fill(words, width, width)
        last = len(filled) - 1
        blocks.append([_aligned(line, width, args["mode"], number == last) for number, line in enumerate(filled)])
    return {"lines": _joined(blocks)}


def _paragraphs(text: str) -> list[list[str]]:
    """The words of each paragraph."""
    found: list[list[str]] = [[]]
    for line in text.split("\n"):
        words = _WORD.findall(line)
        if words:
            found[-1] += words
        elif found[-1]:
            found.append([])
    return [words for words in found if words]


def _fill(words: list[str], first: int, rest: int) -> tuple[list[list[str]], int]:
    """The lines of a paragraph as words, with the columns that the first and the other lines have; and the cuts."""
    queue, lines, cuts, room = deque(words), [], 0, first
    while queue:
        line = [queue.popleft()]
        if len(line[0]) > room:
            queue.appendleft(line[0][room - 1 :])
            line[0] = line[0][: room - 1] + "-"
            cuts += 1
        left = room - len(line[0])
        while queue and len(queue[0]) < left:
            left -= len(queue[0]) + 1
            line.append(queue.popleft())
        lines.append(line)
        room = rest
    return lines, cuts


def _aligned(words: list[str], width: int, mode: str, last: bool) -> str:
    """A filled line as the mode aligns it."""
    plain = " ".join(words)
    free = width - len(plain)
    if mode != "justify":
        return " " * (free if mode == "right" else free // 2) + plain
    gaps = len(words) - 1
    if last or not gaps:
        return plain
    each, more = divmod(free, gaps)
    text = words[0]
    for gap, word in enumerate(words[1:]):
        text += " " * (1 + each + (gap >= gaps - more)) + word
    return text


def _joined(blocks: list[list[str]]) -> list[str]:
    """The lines of all paragraphs, with an empty one between two of them."""
    return [line for block in blocks for line in ["", *block]][1:]


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Whether a value is an integer of a range."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
