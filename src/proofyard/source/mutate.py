"""Mutants: a program with one small fault. What tells none of them apart from the program does not test it.

Each changes one spot of the text; all other bytes stay as they are. What is no behaviour (docstrings, annotations, wording
of messages, see `messages`) is left alone.
"""

import ast
import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from proofyard.source.edits import OPERATORS, Edit, Operator, edits_of, negated
from proofyard.source.messages import skipped
from proofyard.source.spans import Spans

__all__ = ["MUTATOR_VERSION", "OPERATORS", "Mutant", "mutate"]

MUTATOR_VERSION: Final = 1
"""Rises when other mutants are made of the same text."""

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PLACE: Final = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_CONDITIONAL: Final = (ast.If, ast.While, ast.IfExp)


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One fault.

    line, column: where the change begins, from 1, in code points. before, after: the text that was replaced, and what
    stands there now. text: the whole mutated program. digest: tells mutants of one file apart by the statement they
    change and the function around it, so that a change elsewhere in the file leaves it as it is.
    """

    operator: Operator
    line: int
    column: int
    before: str
    after: str
    text: str
    digest: str

    @property
    def source(self) -> str:
        """The line on which the change begins, as it is now."""
        return self.text.split("\n")[self.line - 1].strip()


class _Found:
    """An edit, and where it stands: the function around it and the head of the statement it changes."""

    def __init__(self, edit: Edit, scope: str, statement: tuple[int, int]) -> None:
        self.edit = edit
        self.scope = scope
        self.statement = statement


def mutate(text: str, *, declared: Collection[str] = ()) -> tuple[Mutant, ...]:
    """All mutants of a program, in the order of their places; no two that mean the same to the compiler.

    declared: names of functions whose first argument only declares something, and is left alone.

    Raises:
        SyntaxError: the text is no Python.

    """
    tree = ast.parse(text)
    spans = Spans(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in declared:
            node.args[0] = _Opaque(**{key: getattr(node.args[0], key) for key in _PLACE})
    found = sorted(_walk(tree, spans, "", (0, 0), frozen=False), key=_order)
    shapes, used = _Shapes(text, spans), Counter[str]()
    seen = set(enumerate(shapes.originals))
    mutants = []
    for one in found:
        mutant = _mutant(one, spans, used)
        shape = shapes.changed(one)
        if shape is not None and shape not in seen:
            seen.add(shape)
            mutants.append(mutant)
    return tuple(mutants)


class _Opaque(ast.expr):
    """Stands in the tree for what is left alone."""


def _order(found: _Found) -> tuple[int, int, int, str]:
    edit = found.edit
    return edit.start, OPERATORS.index(edit.operator), edit.end, edit.after


def _walk(node: ast.AST, spans: Spans, scope: str, statement: tuple[int, int], *, frozen: bool) -> Iterator[_Found]:
    """All edits below a node; `frozen`: within an f-string, where quotes cannot be chosen freely."""
    if isinstance(node, ast.stmt):
        statement = _head(node, spans)
    if not (frozen and _unsafe(node, spans)):
        yield from (_Found(edit, scope, statement) for edit in _edits(node, spans, scope))
    if isinstance(node, _DEFINITIONS):
        scope = f"{scope}.{node.name}"
    frozen = frozen or isinstance(node, ast.JoinedStr)
    for field, child in _children(node):
        if not skipped(node, field, child):
            yield from _walk(child, spans, scope, statement, frozen=frozen)


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
                yield field, child


def _edits(node: ast.AST, spans: Spans, scope: str) -> Iterator[Edit]:
    own = edits_of(node, spans)
    # Without a module's or a class's assignment nothing below it could run at all.
    yield from (e for e in own if e.operator != "statement" or scope or not isinstance(node, ast.Assign))
    if isinstance(node, _CONDITIONAL):
        yield from negated(node.test, spans)
    if isinstance(node, ast.comprehension):
        for condition in node.ifs:
            yield from negated(condition, spans)


def _unsafe(node: ast.AST, spans: Spans) -> bool:
    """Whether a node within an f-string cannot be changed: strings, and what is not where it is said to be."""
    if isinstance(node, ast.Constant | ast.JoinedStr) and not isinstance(getattr(node, "value", ""), int | float):
        return True
    return isinstance(node, ast.expr) and not isinstance(node, ast.FormattedValue) and not spans.holds(node)


def _head(node: ast.stmt, spans: Spans) -> tuple[int, int]:
    """A statement, of a compound one only what stands before its body."""
    start, end = spans.of(node)
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if isinstance(body, list) and hasattr(body[0], "lineno"):
        end = spans.of(body[0])[0]
    return start, end


def _mutant(found: _Found, spans: Spans, used: Counter[str]) -> Mutant:
    edit, (start, end) = found.edit, found.statement
    before = spans.slice(edit.start, edit.end)
    statement = spans.data[start:end].rstrip().decode()
    offset = edit.start - start
    facts = "\0".join((edit.operator, found.scope, statement, str(offset), before, edit.after))
    used[facts] += 1
    digest = hashlib.sha256(f"{facts}\0{used[facts]}".encode()).hexdigest()[:16]
    line, column = spans.place(edit.start)
    text = (spans.data[: edit.start] + edit.after.encode() + spans.data[edit.end :]).decode()
    return Mutant(
        operator=edit.operator, line=line, column=column, before=before, after=edit.after, text=text, digest=digest
    )


class _Shapes:
    """What tells programs apart that differ in one statement of the module, beside their layout.

    Only that statement is parsed again, where it can be parsed alone; else the whole text.
    """

    def __init__(self, text: str, spans: Spans) -> None:
        self._spans = spans
        body = ast.parse(text).body
        self.originals = [ast.dump(node) for node in body]
        self._starts = [spans.of(node)[0] for node in body]
        self._pieces = [self._piece(node, number) for number, node in enumerate(body)]

    def _piece(self, node: ast.stmt, number: int) -> tuple[int, int]:
        """Start and end of a statement with its decorators; (-1, -1) if what stands there alone is something else."""
        first = min([node, *getattr(node, "decorator_list", ())], key=lambda part: self._spans.of(part)[0])
        start, end = self._spans.of(first)[0], self._spans.of(node)[1]
        if first is not node:
            start = self._spans.data.rfind(b"\n", 0, start) + 1
        found = _parsed(self._spans.data[start:end])
        return (start, end) if [ast.dump(one) for one in found] == [self.originals[number]] else (-1, -1)

    def changed(self, found: _Found) -> tuple[int, str] | None:
        """The number of the statement that an edit changes, and what it comes to; None if that is no program."""
        number = bisect_right(self._starts, found.statement[0]) - 1
        start, end = self._pieces[number]
        alone = end >= 0
        if not alone:
            start, end = 0, len(self._spans.data)
        edit, data = found.edit, self._spans.data
        body = _parsed(data[start : edit.start] + edit.after.encode() + data[edit.end : end])
        return (number, ast.dump(body[0 if alone else number])) if body else None


def _parsed(data: bytes) -> list[ast.stmt]:
    """The statements of a text; none if it is no program."""
    try:
        return ast.parse(data.decode()).body
    except SyntaxError:
        return []
