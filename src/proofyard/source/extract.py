"""From what a model said to the program in it: fences first, then the lines that parse.

Pure, and near-linear in the text. Nothing is repaired: a program comes out as it was written, or its longest part that is
Python.
"""

import bisect
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from proofyard.source.extract_fences import fenced_blocks, without_thinking
from proofyard.source.extract_names import names_of
from proofyard.source.extract_parse import parses
from proofyard.source.extract_runs import Runs

__all__ = ["Extracted", "Way", "extract", "normalised"]

Way = Literal["whole", "fenced", "lines", "indented", "completed", "none"]

_ANSI: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


class Extracted(NamedTuple):
    """The program of an answer.

    way: `whole` (the answer is the program), `fenced`, `lines` (the runs of lines that parse), `indented` (the same, of what
    stands indented), `completed` (the body of a function, after its prompt), `none` (nothing in it is Python; `code` is "").
    blocks: of how many pieces it is made. defines: whether it defines the entry point at its top level. thinking: whether it
    stood in the thinking.
    """

    code: str
    way: Way
    blocks: int = 1
    defines: bool = False
    thinking: bool = False


class _Piece(NamedTuple):
    """A piece that parses. binds, wants: names it binds at its top level, and those it uses without binding them.

    whole: it is all of a block, not a part of one.
    """

    code: str
    binds: frozenset[str]
    wants: frozenset[str]
    whole: bool = True


def extract(answer: str, entry_point: str, prompt: str = "") -> Extracted:
    """Return the program of an answer.

    The first of these that defines the entry point: the whole answer, its fences, its runs of lines, its indented parts, the
    prompt completed by any of them; each without the thinking, then with it. If none does, the first that parses at all. Of
    several blocks the last that defines the entry point is taken, and with it those that define what it wants.
    """
    text = normalised(answer)
    spoken = without_thinking(text)
    fallback = Extracted("", "none")
    for part, thinking in ((spoken, False), *([(text, True)] if spoken != text else [])):
        for found in _ways(part, entry_point, prompt):
            result = found._replace(thinking=thinking)
            if result.defines:
                return result
            fallback = fallback if fallback.code else result
    return fallback


def normalised(text: str) -> str:
    """Line ends as Python has them, no byte order mark, no terminal colours."""
    return _ANSI.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", ""))


def _ways(text: str, entry_point: str, prompt: str) -> Iterator[Extracted]:
    whole = _piece(_at_margin(text))
    if whole and entry_point in whole.binds:
        yield Extracted(whole.code, "whole", 1, True)
        return
    blocks = fenced_blocks(text)
    yield _chosen([p for block in blocks for p in _pieces(block.text)], entry_point, "fenced")
    runs = _pieces(text)
    yield _chosen(runs, entry_point, "lines")
    indented = [piece for part in _indented(text) for piece in _pieces(part)]
    yield _chosen(indented, entry_point, "indented")
    if prompt:
        for body in (*[block.text for block in reversed(blocks)], text):
            yield _completed(body, entry_point, normalised(prompt))


def _chosen(pieces: Sequence[_Piece], entry_point: str, way: Way) -> Extracted:
    """The last piece that defines the entry point, after and before it those that define what it wants."""
    if not pieces:
        return Extracted("", "none")
    places: dict[str, list[int]] = {}
    for number, piece in enumerate(pieces):
        for name in piece.binds:
            places.setdefault(name, []).append(number)
    if entry_point not in places:
        longest = max(pieces, key=lambda piece: len(piece.code))
        return Extracted(longest.code, way)
    holder = max(places[entry_point], key=lambda number: (pieces[number].whole, number))
    taken, bound, wanted = {holder}, set(pieces[holder].binds), list(pieces[holder].wants)
    while wanted:
        name = wanted.pop()
        if name not in bound and name in places:
            number = _nearest(places[name], holder)
            taken.add(number)
            bound |= pieces[number].binds
            wanted.extend(pieces[number].wants)
    return Extracted("\n\n".join(pieces[number].code for number in sorted(taken)), way, len(taken), True)


def _nearest(places: Sequence[int], holder: int) -> int:
    """Of places in order, the last before the holder, else the first after it."""
    before = bisect.bisect_left(places, holder)
    return places[before - 1] if before else places[0]


def _pieces(text: str) -> list[_Piece]:
    """A text as one piece, if it parses; else its runs of lines."""
    text = _at_margin(text)
    piece = _piece(text)
    if piece:
        return [piece] if piece.code.strip() else []
    runs = Runs(text)
    found = [_piece(runs.text(run.start, run.end)) for run in runs.disjoint()]
    return [piece._replace(whole=False) for piece in found if piece and piece.binds]


def _indented(text: str) -> Iterator[str]:
    """The parts of a text that stand indented, or in a quotation, brought to the margin."""
    part: list[str] = []
    for line in [*text.split("\n"), "."]:
        if line[:1] in {" ", "\t"} or not line.strip():
            part.append(line)
        elif part:
            if any(kept.strip() for kept in part):
                yield _at_margin("\n".join(part))
            part = []


def _completed(body: str, entry_point: str, prompt: str) -> Extracted:
    """The prompt, and after it the lines of a body as far as both parse."""
    text = f"{prompt.rstrip()}\n{_as_body(body)}"
    first = len(prompt.rstrip().split("\n"))
    runs = Runs(text)
    for run in runs.disjoint():
        if run.start < first < run.end:
            piece = _piece(runs.text(run.start, run.end))
            if piece and entry_point in piece.binds:
                return Extracted(piece.code, "completed", 2, True)
    return Extracted("", "none")


def _as_body(text: str) -> str:
    """Lines indented as the body of a function; the first may have lost its indentation."""
    first, *others = text.lstrip("\n").split("\n")
    if first[:1] not in {" ", "\t"}:
        alone = all(line[:1] in {" ", "\t", ""} for line in others)
        first, others = f"    {first}", others if alone else [f"    {line}" for line in others]
    return "\n".join([first, *others])


def _at_margin(text: str) -> str:
    """A text without the indentation that all its lines share."""
    lines = text.split("\n")
    margins = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip()]
    shared = min(margins, key=len, default="")
    alike = shared and all(margin.startswith(shared) for margin in margins)
    return "\n".join(line.removeprefix(shared) for line in lines) if alike else text


def _piece(code: str) -> _Piece | None:
    if not parses(code):
        return None
    names = names_of(code)
    return _Piece(code.strip("\n"), names.binds, names.wants)
