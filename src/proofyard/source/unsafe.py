"""What in a program reaches beyond itself: the file system, the network, other processes, code made at run time.

Flags tell a person where to look; they are no wall. Names are followed through imports, `as`, plain assignments, and `getattr`
or imports by name with constants; a program that hides what it does is not seen through.
"""

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from proofyard.source.extract_parse import parsed
from proofyard.source.unsafe_names import CALLS, FRAMES, METHODS, MODULES, SAFE, Category

__all__ = ["Category", "Flag", "find_unsafe"]

_WRITING: Final = frozenset("wax+")
_OPENERS: Final = {
    "open": 1,
    "io.open": 1,
    "codecs.open": 1,
    "gzip.open": 1,
    "bz2.open": 1,
    "lzma.open": 1,
    "zipfile.ZipFile": 1,
}
_LONGEST: Final = 8
"""Attributes in a row after which no name is a known one."""
_MODE_FIRST: Final = "open"
_IMPORTERS: Final = frozenset({"__import__", "importlib.import_module"})
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Flag(NamedTuple):
    """One use: line and column (from 1 and 0), what kind of reach, and what is used, by its full name."""

    line: int
    column: int
    category: Category
    what: str


def find_unsafe(program: str) -> tuple[Flag, ...]:
    """Return what a program uses beyond itself, in order. A program that does not parse runs nothing: no flags."""
    tree = parsed(program)
    if tree is None:
        return ()
    origins = _Origins(tree)
    flags = {flag for node in ast.walk(tree) for flag in _flags(node, origins)}
    return tuple(sorted(flags))


class _Origins:
    """What the names of a program stand for: full names of modules and what is in them."""

    def __init__(self, tree: ast.Module) -> None:
        self._of: dict[str, str] = {}
        nodes = list(ast.walk(tree))
        self._local = {node.name for node in nodes if isinstance(node, _DEFINITIONS)}
        for node in nodes:
            self._imports(node)
        for _ in range(3):  # names for names for names
            for node in nodes:
                self._assignment(node)

    def full(self, node: ast.AST, returned: bool = True) -> str:
        """The full name of what an expression names (`returned`: or a call of getattr returns); "" if it is nothing known."""
        names: list[str] = []
        while isinstance(node, ast.Attribute) and len(names) <= _LONGEST:
            names.append(node.attr)
            node = node.value
        if isinstance(node, ast.Call):
            root = self._called(node) if returned else ""
        else:
            root = (
                self._of.get(node.id, "" if node.id in self._local else node.id) if isinstance(node, ast.Name) else ""
            )
        full = ".".join([root, *reversed(names)]) if root else ""
        return full.removeprefix("builtins.").removeprefix("__builtins__.")

    def _called(self, call: ast.Call) -> str:
        """`getattr(os, "system")` and `__import__("os")` name what they return."""
        texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        function = self.full(call.func, returned=False)
        if function == "getattr" and len(call.args) > 1 and texts:
            owner = self.full(call.args[0])
            return f"{owner}.{texts[0]}" if owner else ""
        return texts[0] if function in _IMPORTERS and texts else ""

    def _imports(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._of[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                self._of[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def _assignment(self, node: ast.AST) -> None:
        value = getattr(node, "value", None)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and isinstance(value, ast.expr):
            full = self.full(value)
            for target in targets:
                if isinstance(target, ast.Name) and full and full != target.id and target.id not in self._of:
                    self._of[target.id] = full


def _flags(node: ast.AST, origins: _Origins) -> Iterator[Flag]:
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            category = _category(f"{node.module}.any") if alias.name == "*" else None
            if category:
                yield Flag(node.lineno, node.col_offset, category, f"{node.module}.*")
    elif isinstance(node, ast.Call):
        yield from _of_call(node, origins)
    elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield from _of_name(node, origins)


def _of_name(node: ast.Name | ast.Attribute, origins: _Origins) -> Iterator[Flag]:
    full = origins.full(node)
    category = _category(full)
    if category:
        yield Flag(node.lineno, node.col_offset, category, full)
    elif isinstance(node, ast.Attribute) and node.attr in FRAMES:
        yield Flag(node.lineno, node.col_offset, Category.DYNAMIC_CODE, f".{node.attr}")


def _of_call(node: ast.Call, origins: _Origins) -> Iterator[Flag]:
    full = origins.full(node.func)
    category = _category(origins.full(node))
    if category:
        yield Flag(node.lineno, node.col_offset, category, origins.full(node))
    if full in _OPENERS:
        if _writes(node, _OPENERS[full]):
            yield Flag(node.lineno, node.col_offset, Category.FILE_SYSTEM, f"{full} for writing")
    elif isinstance(node.func, ast.Attribute) and not _category(full):
        method = node.func.attr
        if method in METHODS or (method == _MODE_FIRST and full.split(".")[0] != "os" and _writes(node, 0)):
            yield Flag(node.lineno, node.col_offset, Category.FILE_SYSTEM, f".{method}")


def _writes(call: ast.Call, place: int) -> bool:
    """Whether a file is opened for writing, or in a mode that is not written out."""
    mode = next((keyword.value for keyword in call.keywords if keyword.arg == "mode"), None)
    if mode is None and len(call.args) > place:
        mode = call.args[place]
    if mode is None:
        return False
    if isinstance(mode, ast.Constant) and isinstance(mode.value, str):
        return bool(_WRITING & set(mode.value)) and len(mode.value) <= 4
    return place > 0


def _category(full: str) -> Category | None:
    if not full or any(full == safe or full.startswith(f"{safe}.") for safe in SAFE):
        return None
    if full in CALLS:
        return CALLS[full]
    parts = full.split(".")
    for count in range(len(parts) - 1, 0, -1):
        category = MODULES.get(".".join(parts[:count]))
        if category:
            return category
    return None
