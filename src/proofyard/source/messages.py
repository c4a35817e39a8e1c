"""What in a program's text is no behaviour: documentation, annotations, wording of messages, checks of the programmer.

Messages are known by where they stand: an argument of an error that is raised or made (of one that also has a code, all
but the code and the keywords), a text that names `where` or `what` a value stands, and what is assigned to `message`.
"""

import ast
import builtins
from typing import Final

__all__ = ["is_error_call", "skipped"]

_WORDING: Final = frozenset({"where", "what", "message"})
_PROSE: Final = 3


def is_error_call(node: ast.AST) -> bool:
    """Whether a call makes an error, as its name says."""
    return isinstance(node, ast.Call) and _name(node.func).endswith(("Error", "Exception", "Exit"))


def skipped(parent: ast.AST, field: str, node: ast.AST) -> bool:
    """Whether a child of a node, in one of its fields, is no behaviour."""
    if field in {"annotation", "returns", "decorator_list", "type_params", "type_comment", "format_spec"}:
        return True
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert):
        return True
    if isinstance(parent, ast.Raise):
        return field == "cause"
    return _documentation(parent, node) or _declared(node) or _message(parent, field, node)


def _documentation(parent: ast.AST, node: ast.AST) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(parent, ast.If) and _name(parent.test) == "TYPE_CHECKING":
        return True
    return isinstance(node, ast.Assign) and any(_name(target) in {"__all__", "__slots__"} for target in node.targets)


def _declared(node: ast.AST) -> bool:
    """`strict=...` of a zip asserts something and does nothing."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _message(parent: ast.AST, field: str, node: ast.AST) -> bool:
    if isinstance(parent, ast.Call) and field in {"args", "keywords"}:
        if is_error_call(parent):
            return _of_error(parent, node)
        if isinstance(node, ast.keyword):
            return node.arg in _WORDING
        return _names_a_place(node) or (node in parent.args[1:] and _is_prose(node))
    if isinstance(parent, ast.Assign) and field == "value":
        return any(_name(target) in _WORDING for target in parent.targets)
    return False


def _of_error(call: ast.Call, node: ast.AST) -> bool:
    """Whether an argument of an error is its message: builtin errors and InvalidArgsError have nothing else."""
    if isinstance(node, ast.keyword):
        return node.arg in _WORDING
    name = _name(call.func)
    only_text = hasattr(builtins, name) or name == "InvalidArgsError"
    return only_text or node in call.args[1:] or isinstance(node, ast.JoinedStr) or _is_prose(node)


def _names_a_place(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) and any(
        isinstance(inner, ast.Name) and inner.id in _WORDING for inner in ast.walk(node)
    )


def _is_prose(node: ast.AST) -> bool:
    """Whether a text reads as a sentence: several words of letters."""
    parts = [node] if isinstance(node, ast.Constant) else node.values if isinstance(node, ast.JoinedStr) else []
    text = " ".join(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
    return sum(word.isalpha() for word in text.split(" ")) >= _PROSE


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
