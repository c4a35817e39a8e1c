"""Sanitising: of a model's answer the program, and of the program what its entry point needs.

What only shows or tries the program is taken out, and with it functions that nothing uses; all else stays, word for word, for
what a statement sets up is not always seen. The program behaves as before to whoever imports the entry point from it.
"""

import ast
import re
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from proofyard.source.extract import Way, extract, normalised
from proofyard.source.extract_lines import is_blank
from proofyard.source.extract_parse import parsed
from proofyard.source.sanitize_parts import Kind, Part, classified, parts_of

__all__ = ["Removed", "Sanitized", "sanitize", "trim"]

_WORD: Final = re.compile(r"[^\W\d]\w*")
_BY_NAME: Final = frozenset({"eval", "exec", "globals", "locals", "vars", "__import__"})
_DEFINITION: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SHORT: Final = 80
"""Characters up to which a string may be a name or an annotation."""


class Removed(NamedTuple):
    """A statement that was taken out: its lines in the program as extracted, counted from 1, and what it was for."""

    first: int
    last: int
    kind: Kind


class Sanitized(NamedTuple):
    """A sanitised answer. way, blocks, thinking: as in `Extracted`. defines: whether it defines the entry point."""

    code: str
    way: Way
    blocks: int
    thinking: bool
    defines: bool
    removed: tuple[Removed, ...]


def sanitize(answer: str, entry_point: str, also: Collection[str] = (), prompt: str = "") -> Sanitized:
    """Return the program of an answer, without what its entry point does not need.

    also: further names that whoever uses the program may want (of those in the prompt, say). prompt: completed by an answer
    that is but the body of a function.
    """
    found = extract(answer, entry_point, prompt)
    code, removed = trim(found.code, [entry_point, *also]) if found.defines else (found.code, ())
    return Sanitized(code, found.way, found.blocks, found.thinking, found.defines, removed)


def trim(program: str, entry_points: Collection[str]) -> tuple[str, tuple[Removed, ...]]:
    """Return a program with what its entry points need, and what was taken out.

    A program that does not parse, is nested too deeply to be looked at, or defines none of the entry points, is returned as
    it is.
    """
    program = normalised(program)
    tree = parsed(program)
    try:
        return _trimmed(program, tree, entry_points) if tree else (program, ())
    except RecursionError:  # clauses or expressions in each other by the hundred
        return program, ()


def _trimmed(program: str, tree: ast.Module, entry_points: Collection[str]) -> tuple[str, tuple[Removed, ...]]:
    lines = program.split("\n")
    parts = parts_of(tree, lines)
    if not any(name in part.names.binds for part in parts for name in entry_points):
        return program, ()
    parts = classified(parts, entry_points)
    kept = _Keeper(parts).keep_for(entry_points)
    gone = [group for group in _groups(parts) if not any(number in kept for number in group)]
    removed = tuple(Removed(parts[n].first, parts[n].last, parts[n].kind) for group in gone for n in group)
    ends = [0, *(part.last for part in parts)]
    text = _future_first(_without(lines, removed, [ends[n] for group in gone for n in group]))
    return (text, removed) if parsed(text) else (program, ())


class _Keeper:
    """Finds the statements that stay: those that set something up, and whatever these and the entry points want."""

    def __init__(self, parts: list[Part]) -> None:
        self._parts = parts
        self._kept: set[int] = set()
        self._needed: set[str] = set()
        self._watched: set[str] = set()
        self._waiting: list[str] = []
        self._binders: dict[str, list[int]] = {}
        self._changers: dict[str, list[int]] = {}
        self._aliases: dict[str, set[str]] = {}
        self._definitions = {part.node.name for part in parts if isinstance(part.node, _DEFINITION)}
        self._index()

    def keep_for(self, entry_points: Iterable[str]) -> set[int]:
        """Return the numbers of the statements that stay."""
        self._want(entry_points)
        for number, part in enumerate(self._parts):
            if part.kind in {Kind.IMPORT, Kind.RUN}:
                self._keep(number)
        while self._waiting:
            name = self._waiting.pop()
            if name in _BY_NAME:
                self._want(self._definitions)
            for number in self._binders.get(name, ()):
                self._keep(number)
            self._watch(name)
        return self._kept

    def _keep(self, number: int) -> None:
        if number not in self._kept:
            self._kept.add(number)
            part = self._parts[number]
            self._want(part.names.uses)
            self._want(_in_strings(part.node, self._definitions))

    def _want(self, names: Iterable[str]) -> None:
        new = set(names) - self._needed
        self._needed |= new
        self._waiting.extend(new)

    def _watch(self, name: str) -> None:
        """Keep what may change the value of a name, by that name or by another that stands for it."""
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name not in self._watched:
                self._watched.add(name)
                waiting.extend(self._aliases.get(name, ()))
                for number in self._changers.get(name, ()):
                    self._keep(number)

    def _index(self) -> None:
        imported = {name for part in self._parts if part.kind is Kind.IMPORT for name in part.names.binds}
        writes = {p.node.name: p.names.writes for p in self._parts if isinstance(p.node, _DEFINITION)}
        for number, part in enumerate(self._parts):
            if part.kind in {Kind.NOTHING, Kind.GUARD}:
                continue
            for name in part.names.binds:
                self._binders.setdefault(name, []).append(number)
            if isinstance(part.node, ast.Assign) and not any(isinstance(n, ast.Call) for n in ast.walk(part.node)):
                for name in part.names.uses:
                    self._aliases.setdefault(name, set()).update(part.names.binds)
            called = part.names.uses & writes.keys() if isinstance(part.node, ast.Expr) else ()
            for name in part.changes.union(*(writes[name] for name in called)) - imported:
                self._changers.setdefault(name, []).append(number)


def _in_strings(node: ast.stmt, names: Collection[str]) -> set[str]:
    """Those of the names that stand in short strings: annotations, and what is looked up by name."""
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and len(inner.value) <= _SHORT:
            found.update(word for word in _WORD.findall(inner.value) if word in names)
    return found


def _groups(parts: list[Part]) -> list[list[int]]:
    """Numbers of statements, those together that share a line."""
    groups: list[list[int]] = []
    for number, part in enumerate(parts):
        if groups and parts[groups[-1][-1]].last >= part.first:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def _without(lines: list[str], removed: Iterable[Removed], floors: Iterable[int]) -> list[str]:
    """The lines that stay: without those removed, and the comments right above them, down to a line that is another's."""
    gone: set[int] = set()
    for (first, last, _), floor in zip(removed, floors, strict=True):
        above = first - 1
        while above > floor and not is_blank(lines[above - 1]):
            above -= 1
        gone.update(range(above, last))
    kept = [line for number, line in enumerate(lines) if number not in gone]
    while gone and kept and is_blank(kept[-1]):
        kept.pop()
    return [*kept, ""] if gone else lines


def _future_first(lines: list[str]) -> str:
    """Bring `from __future__` to the front, where alone Python takes it: blocks joined may have it anywhere."""
    text = "\n".join(lines)
    tree = parsed(text)
    late = [
        node
        for number, node in enumerate(tree.body if tree else ())
        if isinstance(node, ast.ImportFrom) and node.module == "__future__" and not _leads(tree, number)
    ]
    gone = {number for node in late for number in range(node.lineno - 1, node.end_lineno or node.lineno)}
    rest = [line for number, line in enumerate(lines) if number not in gone]
    return "\n".join([*(ast.unparse(node) for node in late), *rest]) if late else text


def _leads(tree: ast.Module | None, number: int) -> bool:
    before = tree.body[:number] if tree else []
    return all(
        (isinstance(node, ast.ImportFrom) and node.module == "__future__")
        or (place == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for place, node in enumerate(before)
    )
