"""What a unittest module holds, read from its text: test names per class, imports, and what names it uses."""

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

__all__ = ["MAIN_CLASS", "Function", "UnitTests", "case_classes", "methods_of", "read_tests"]

MAIN_CLASS: Final = "TestCases"
Function = ast.FunctionDef | ast.AsyncFunctionDef
_WORDY: Final = frozenset({ast.Name, ast.Attribute, ast.alias})
_REMEMBERED: Final = 64
"""Test modules: one stays known while all samples of its task are graded."""


class UnitTests(NamedTuple):
    """A test module.

    names: label of each test -> whether a decorator skips it. The label is the method's name, with its class's name
    before it where several classes hold tests; a class named TestCases is the only one run if it is there. modules:
    what is imported at the top. imported: the names these imports bind. names_classes: whether the code inside functions
    refers to a test class by name. attributes: every name and attribute in the text.
    """

    names: dict[str, bool]
    modules: tuple[str, ...]
    imported: tuple[str, ...]
    names_classes: bool
    attributes: tuple[str, ...]


@lru_cache(_REMEMBERED)
def read_tests(source: str) -> UnitTests:
    """Read a test module.

    Raises:
        SyntaxError: it is no Python program.

    """
    tree = ast.parse(source)
    classes = case_classes(tree)
    chosen = [node for node in classes.values() if node.name == MAIN_CLASS] or list(classes.values())
    names: dict[str, bool] = {}
    several = len(chosen) > 1
    for node in chosen:
        skipped = _skips(node.decorator_list)
        for method in sorted(methods_of(node, classes), key=lambda method: method.name):
            if method.name.startswith("test"):
                label = f"{node.name}.{method.name}" if several else method.name
                names[label] = skipped or _skips(method.decorator_list)
    nodes = _words(tree)
    return UnitTests(
        names=names,
        modules=tuple(_modules(tree)),
        imported=tuple(_imported(tree)),
        names_classes=_names_classes(nodes, set(classes)),
        attributes=tuple(sorted(_attributes(nodes))),
    )


def case_classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    """The classes of a module that inherit from TestCase, by themselves or through others of the module, by name."""
    found: dict[str, ast.ClassDef] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(_is_case(base, found) for base in node.bases):
            found[node.name] = node
    return found


def methods_of(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> Sequence[Function]:
    """The functions of a test class as Python finds them: of two of one name the last, the nearest class first."""
    found: dict[str, Function] = {}
    for base in reversed(node.bases):
        if isinstance(base, ast.Name) and base.id in classes and classes[base.id] is not node:
            found.update({method.name: method for method in methods_of(classes[base.id], classes)})
    for item in node.body:
        if isinstance(item, Function):
            found[item.name] = item
        for name in _assigned(item):
            found.pop(name, None)
    return list(found.values())


def _assigned(item: ast.stmt) -> Iterator[str]:
    if isinstance(item, ast.Assign):
        yield from (target.id for target in item.targets if isinstance(target, ast.Name))


def _is_case(base: ast.expr, known: dict[str, ast.ClassDef]) -> bool:
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    return name in known or name.endswith("TestCase")


def _skips(decorators: Sequence[ast.expr]) -> bool:
    """Whether a decorator skips for certain; of `skipIf` and `skipUnless` only a run can tell."""
    for decorator in decorators:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name == "skip":
            return True
    return False


def _modules(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]


def _attributes(nodes: Sequence[ast.AST]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.alias):
            found.update(node.name.split("."))
    return found


def _names_classes(nodes: Sequence[ast.AST], classes: set[str]) -> bool:
    return any(isinstance(node, ast.Name) and node.id in classes and isinstance(node.ctx, ast.Load) for node in nodes)


def _words(tree: ast.Module) -> Sequence[ast.AST]:
    """All nodes that hold a name, in no order. With `ast.walk` reading a test took most of the host's time."""
    found: list[ast.AST] = []
    rest: list[ast.AST] = [tree]
    while rest:
        node = rest.pop()
        if type(node) in _WORDY:
            found.append(node)
        for value in node.__dict__.values():
            if type(value) is list:
                rest.extend([item for item in value if isinstance(item, ast.AST)])
            elif isinstance(value, ast.AST):
                rest.append(value)
    return found
