"""Fills lines with the words of a text, and aligns them."""

from typing import Any

from ..arguments import enum, integer, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

TEXT = string(high=2000)
WIDTH = integer(2, 100)
INDENT = integer(0, 100)
MODES = ("right", "center", "justify")


def check_wrap(args: dict[str, Any]) -> None:
    """Check the arguments of `wrap`."""
    required(args, "text", TEXT)
    required(args, "width", WIDTH)
    optional(args, "first", INDENT)
    optional(args, "rest", INDENT)


def check_align(args: dict[str, Any]) -> None:
    """Check the arguments of `align`."""
    required(args, "text", TEXT)
    required(args, "width", WIDTH)
    required(args, "mode", enum(*MODES))


def wrap(args: dict[str, Any]) -> object:
    """Fill lines; a word that is too long for a line is cut and marked by a hyphen."""
    width, first, rest = args["width"], args.get("first", 0), args.get("rest", 0)
    if width < first + 2 or width < rest + 2:
        raise DomainError("too_narrow", "the indents leave less than two columns")
    lines: list[str] = []
    cuts = 0
    for paragraph in paragraphs(args["text"]):
        left, indent = paragraph, first
        while left:
            line, left, cut = split(left, width - indent)
            lines.append(" " * indent + line)
            cuts += cut
            indent = rest
        lines.append("")
    return {"lines": lines[:-1], "cuts": cuts}


def align(args: dict[str, Any]) -> object:
    """Fill lines and align each; no word may be too long."""
    width, mode = args["width"], args["mode"]
    lines: list[str] = []
    for paragraph in paragraphs(args["text"]):
        left = paragraph
        for word in left.split(" "):
            if len(word) > width:
                raise DomainError("word_too_long", "a word is longer than a line", word=word)
        while left:
            line, left, _ = split(left, width)
            free = width - len(line)
            if mode == "justify":
                lines.append(stretch(line, free) if left else line)
            else:
                lines.append(" " * (free if mode == "right" else free // 2) + line)
        lines.append("")
    return {"lines": lines[:-1]}


def paragraphs(text: str) -> list[str]:
    """The paragraphs, each as its words with one space between them."""
    found: list[list[str]] = [[]]
    for line in text.replace("\t", " ").split("\n"):
        words = [word for word in line.split(" ") if word]
        if not words:
            found.append([])
        found[-1] += words
    return [" ".join(words) for words in found if words]


def split(text: str, room: int) -> tuple[str, str, bool]:
    """What goes on the next line, the text that is left, and whether a word had to be cut."""
    if len(text) <= room:
        return text, "", False
    line, gap, begun = text[: room + 1].rpartition(" ")
    if gap:
        return line, begun + text[room + 1 :], False
    return text[: room - 1] + "-", text[room - 1 :], True


def stretch(line: str, free: int) -> str:
    """Spread `free` more spaces over the gaps of a line; what is left over goes to the last gaps."""
    words = line.split(" ")
    gaps = len(words) - 1
    for gap in range(gaps):
        words[gap] += " " * (1 + (free + gap) // gaps)
    return "".join(words)


OPERATIONS = {
    "wrap": Operation(("text", "width", "first", "rest"), check_wrap, wrap),
    "align": Operation(("text", "width", "mode"), check_align, align),
}
