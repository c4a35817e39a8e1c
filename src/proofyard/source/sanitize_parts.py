"""The top-level statements of a program: what each binds, reads and changes, and whether it only shows or tries the program."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from enum import Enum
from typing import Final, NamedTuple

from proofyard.source.extract_names import Names, names_of

__all__ = ["Kind", "Part", "classified", "parts_of"]

_SHOWS: Final = frozenset({"print", "pprint", "pp", "display", "input", "help", "exit", "quit"})
_SHOWS_DOTTED: Final = frozenset(
    {"sys.exit", "os._exit", "unittest.main", "pytest.main", "doctest.testmod", "doctest.run_docstring_examples"}
    | {"plt.show", "pyplot.show", "matplotlib.pyplot.show", "pprint.pprint", "sys.stdout.write", "sys.stdout.flush"}
)
_TRIES: Final = re.compile(
    r"_?(main|tests?|demo|examples?|usage)|(run_|test_|demo_|example_)\w+|\w+_(tests?|demo|examples?)"
)
_HARMLESS_DECORATORS: Final = frozenset(
    {"dataclass", "dataclasses", "functools", "cache", "lru_cache", "wraps", "total_ordering", "contextmanager"}
    | {
        "contextlib",
        "staticmethod",
        "overload",
        "final",
        "typing",
        "pytest",
        "unittest",
        "patch",
        "mock",
        "njit",
        "jit",
    }
)
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_STRAY: Final = (ast.Return, ast.Break, ast.Continue, ast.Pass)
_DEFINITION: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Kind(Enum):
    """What a statement is for.

    IMPORT, and what guards one: kept. DEFINITION: kept if something kept wants it. RUN: it sets something up, kept. DEMO: it
    shows or tries the program, or makes what such a statement wants; kept if it changes what something kept wants. NOTHING:
    it does nothing, or could not run where it stands. GUARD: `if __name__ == "__main__":`.
    """

    IMPORT = "import"
    DEFINITION = "definition"
    RUN = "run"
    DEMO = "demo"
    NOTHING = "nothing"
    GUARD = "guard"


class Part(NamedTuple):
    """A top-level statement. first, last: its lines, counted from 1. changes: names whose values it may change in place."""

    node: ast.stmt
    kind: Kind
    first: int
    last: int
    names: Names
    changes: frozenset[str]


def parts_of(tree: ast.Module, lines: list[str]) -> list[Part]:
    """Return the statements of a program whose lines these are, before anything is known of the entry point."""
    parts = []
    for number, node in enumerate(tree.body):
        first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))])
        last = node.end_lineno or node.lineno
        alone = not node.col_offset or first < node.lineno  # no semicolon stands before it
        text = _text(lines, first, node) if alone else ast.unparse(node)
        kind = _kind(node, number == 0)
        names = names_of(text)
        deleted = {_root(target) for inner in _run(node) if isinstance(inner, ast.Delete) for target in inner.targets}
        names = names._replace(uses=names.uses | deleted - {""})
        parts.append(Part(node, kind, first, last, names, frozenset(_changes(node))))
    return parts


def classified(parts: Iterable[Part], entry_points: Collection[str]) -> list[Part]:
    """Return the statements with those marked DEMO that only show or try the program."""
    parts = list(parts)
    tried = _reaching(parts, entry_points)
    variables = _variables(parts)
    tainted: set[str] = set()
    found = []
    for part in parts:
        if part.kind is Kind.RUN and (_tries(part.node, tried, tainted & part.names.uses) or _shows(part.node)):
            tainted |= part.names.binds & variables
            found.append(part._replace(kind=Kind.DEMO))
        else:
            tainted -= part.names.binds
            found.append(part)
    return _with_feeders(found, variables)


def _with_feeders(parts: list[Part], variables: frozenset[str]) -> list[Part]:
    """Mark also what makes the values that demonstrations want; from the last statement to the first."""
    wanted: set[str] = set()
    found = []
    for part in reversed(parts):
        makes = (part.names.binds | part.changes) & variables
        if part.kind is Kind.RUN and makes & wanted:
            part = part._replace(kind=Kind.DEMO)  # noqa: PLW2901
        if part.kind is Kind.DEMO:
            wanted |= part.names.uses & variables
        found.append(part)
    return found[::-1]


def _text(lines: list[str], first: int, node: ast.stmt) -> str:
    last = node.end_lineno or node.lineno
    end = lines[last - 1].encode()[: node.end_col_offset].decode()
    return "\n".join([*lines[first - 1 : last - 1], end])


def _kind(node: ast.stmt, is_first: bool) -> Kind:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return Kind.IMPORT
    if isinstance(node, _DEFINITION):
        return Kind.DEFINITION if all(_is_harmless(mark) for mark in node.decorator_list) else Kind.RUN
    if isinstance(node, ast.If) and not node.orelse and _is_main(node.test):
        return Kind.GUARD
    if _does_nothing(node, is_first):
        return Kind.NOTHING
    guarded = isinstance(node, ast.If | ast.Try) and any(isinstance(n, ast.Import | ast.ImportFrom) for n in _run(node))
    return Kind.IMPORT if guarded else Kind.RUN


def _does_nothing(node: ast.stmt, is_first: bool) -> bool:
    if isinstance(node, ast.Expr):
        value = node.value
        is_docstring = is_first and isinstance(value, ast.Constant)
        inert = (ast.Constant, ast.Name, ast.Tuple, ast.List, ast.expr_context, ast.Yield, ast.YieldFrom, ast.Await)
        return not is_docstring and all(isinstance(inner, inert) for inner in ast.walk(value))
    return isinstance(node, _STRAY) or (isinstance(node, ast.AnnAssign) and node.value is None)


def _is_main(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(_is_main(value) for value in test.values)
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return False
    sides = {_dotted(side) or getattr(side, "value", "") for side in (test.left, test.comparators[0])}
    return sides == {"__name__", "__main__"}


def _is_harmless(mark: ast.expr) -> bool:
    return _dotted(mark.func if isinstance(mark, ast.Call) else mark).split(".")[0] in _HARMLESS_DECORATORS


def _dotted(node: ast.expr) -> str:
    """`a.b.c` of names and attributes; "" of anything else."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run with a statement: not the bodies of functions in it."""
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        yield inner
        if isinstance(inner, _SCOPES):
            continue
        waiting.extend(ast.iter_child_nodes(inner))


def _changes(node: ast.stmt) -> Iterator[str]:
    """Names whose values a statement may change in place: by assignment to a part, or by a method."""
    if isinstance(node, ast.ClassDef):
        yield from (name for base in node.bases if (name := _root(base)))
    for inner in _run(node):
        if isinstance(inner, ast.Attribute | ast.Subscript) and not isinstance(inner.ctx, ast.Load):
            yield _root(inner)
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            yield _root(inner.func)
        elif isinstance(inner, ast.AugAssign):
            yield _root(inner.target)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _reaching(parts: list[Part], entry_points: Collection[str]) -> set[str]:
    """The entry points, and the functions and classes that use them, directly or not."""
    users: dict[str, set[str]] = {}
    for part in parts:
        if isinstance(part.node, _DEFINITION):
            for name in part.names.uses:
                users.setdefault(name, set()).add(part.node.name)
    tried, waiting = set(entry_points), list(entry_points)
    while waiting:
        new = users.get(waiting.pop(), set()) - tried
        tried |= new
        waiting.extend(new)
    return tried


def _variables(parts: Iterable[Part]) -> frozenset[str]:
    """Names that only statements bind that are neither imports nor definitions."""
    bound = [(name, part.kind) for part in parts for name in part.names.binds]
    fixed = {name for name, kind in bound if kind in {Kind.IMPORT, Kind.DEFINITION}}
    return frozenset(name for name, _ in bound if name not in fixed)


def _tries(node: ast.stmt, tried: Collection[str], tainted: Collection[str]) -> bool:
    """Whether a statement calls what is to be graded, or something that does, or goes on with what came of it."""
    if isinstance(node, _DEFINITION):
        return False
    if tainted:
        return True
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            if _root(inner.func) in tried and not isinstance(inner.func, ast.Attribute):
                return True
            name = inner.func.id if isinstance(inner.func, ast.Name) else ""
            if isinstance(node, ast.Expr) and _TRIES.fullmatch(name):
                return True
            if any(isinstance(arg, ast.Name) and arg.id in tried and arg.id.startswith("Test") for arg in inner.args):
                return True
    return False


def _shows(node: ast.stmt) -> bool:
    """Whether a statement, or all that a compound one does, is to show something or to end the program."""
    if isinstance(node, ast.Expr):
        call = node.value
        name = _dotted(call.func) if isinstance(call, ast.Call) else ""
        to_file = isinstance(call, ast.Call) and any(keyword.arg == "file" for keyword in call.keywords)
        return (name in _SHOWS and not to_file) or name in _SHOWS_DOTTED
    if not isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try):
        return False
    inside = [child for child in _statements(node) if not isinstance(child, _STRAY)]
    return bool(inside) and all(_shows(child) for child in inside)


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler):
            yield from child.body
