"""The names that a program binds and wants at its top level, as Python's own scoping sees them."""

import ast
import symtable
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from proofyard.source.extract_parse import parsed

__all__ = ["Names", "names_of"]


class Names(NamedTuple):
    """binds: global names bound at the top level. uses: global names read anywhere. writes: global names bound by functions."""

    binds: frozenset[str]
    uses: frozenset[str]
    writes: frozenset[str]

    @property
    def wants(self) -> frozenset[str]:
        """Names that are read and not bound: builtins, and what stands elsewhere."""
        return self.uses - self.binds - self.writes


def names_of(code: str) -> Names:
    """Return the names of a program or a piece of one; no names at all if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            top = symtable.symtable(code, "<answer>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _roughly(code)
    binds: set[str] = set()
    uses: set[str] = set()
    writes: set[str] = set()
    for table in _tables(top):
        at_top, in_class = table is top, table.get_type() == "class"
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if symbol.is_assigned() or symbol.is_imported():
                if at_top:
                    binds.add(name)
                elif symbol.is_declared_global():
                    writes.add(name)
            if symbol.is_referenced() and (at_top or in_class or symbol.is_global()):
                uses.add(name)
    return Names(frozenset(binds), frozenset(uses), frozenset(writes))


def _tables(top: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    waiting = [top]
    while waiting:
        table = waiting.pop()
        yield table
        waiting.extend(table.get_children())


def _roughly(code: str) -> Names:
    """All names in a program that parses but whose scopes Python refuses (`nonlocal` at the top, say)."""
    tree = parsed(code)
    if tree is None:
        return Names(frozenset(), frozenset(), frozenset())
    binds = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    uses: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (uses if isinstance(node.ctx, ast.Load) else binds).add(node.id)
        elif isinstance(node, ast.alias):
            binds.add((node.asname or node.name).split(".")[0])
    return Names(frozenset(binds), frozenset(uses), frozenset())
