"""The single edits that make mutants: what may change at one node of a syntax tree, as spans of the source."""

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from proofyard.source.messages import is_error_call
from proofyard.source.spans import Spans

__all__ = ["OPERATORS", "Edit", "Operator", "edits_of", "negated", "negation"]

Operator = Literal[
    "arithmetic", "comparison", "boolean", "constant", "condition", "return", "statement", "slice", "swap"
]

OPERATORS: Final[tuple[Operator, ...]] = (
    "arithmetic",
    "comparison",
    "boolean",
    "constant",
    "condition",
    "return",
    "statement",
    "slice",
    "swap",
)
"""What can be changed, in the order in which changes of one place are listed."""

_SMALL: Final = 100
"""Integers up to this are tried one lower as well as one higher."""


class Edit(NamedTuple):
    """Replace the bytes from `start` to `end`."""

    operator: Operator
    start: int
    end: int
    after: str


_ARITHMETIC: Final[dict[type[ast.operator], tuple[str, str]]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
}

_COMPARISON: Final[dict[type[ast.cmpop], tuple[str, str]]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
}

_UNORDERED: Final = frozenset({"enum", "min", "max", "gcd", "lcm", "math.gcd", "math.lcm"})
"""Functions which take their arguments in any order, unless told by a keyword how to choose."""

_ORDERS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def edits_of(node: ast.AST, spans: Spans) -> Iterator[Edit]:
    """The edits at one node itself, not at those below it."""
    make = _EDITS.get(type(node))
    return make(node, spans) if make is not None else iter(())


def negated(node: ast.AST, spans: Spans) -> Iterator[Edit]:
    """The edit that turns a condition into its opposite, unless another edit has the same meaning."""
    if isinstance(node, ast.Constant) or _is_not(node):
        return
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and not isinstance(node.ops[0], _ORDERS):
        return
    yield Edit("condition", *spans.of(node), negation(node, spans))


def negation(node: ast.AST, spans: Spans) -> str:
    """The text of `not node`."""
    text = spans.text(node)
    plain = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return f"not {text}" if plain else f"not ({text})"


def _is_not(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _binary(node: ast.BinOp, spans: Spans) -> Iterator[Edit]:
    if type(node.op) in _ARITHMETIC:
        old, new = _ARITHMETIC[type(node.op)]
        yield Edit("arithmetic", *spans.between(node.left, node.right, re.escape(old)), new)


def _augmented(node: ast.AugAssign, spans: Spans) -> Iterator[Edit]:
    if type(node.op) in _ARITHMETIC:
        old, new = _ARITHMETIC[type(node.op)]
        yield Edit("arithmetic", *spans.between(node.target, node.value, re.escape(old + "=")), new + "=")
    yield from _dropped(node, spans)


def _unary(node: ast.UnaryOp, spans: Spans) -> Iterator[Edit]:
    operator: Operator = "condition" if isinstance(node.op, ast.Not) else "arithmetic"
    start, end = spans.of(node)
    yield Edit(operator, start, end, spans.slice(spans.of(node.operand)[0], end))


def _compare(node: ast.Compare, spans: Spans) -> Iterator[Edit]:
    for (left, right), op in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
        old, new = _COMPARISON[type(op)]
        yield Edit("comparison", *spans.between(left, right, old), new)


def _boolean(node: ast.BoolOp, spans: Spans) -> Iterator[Edit]:
    old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in pairwise(node.values):
        yield Edit("boolean", *spans.between(left, right, old), new)


def _constant(node: ast.Constant, spans: Spans) -> Iterator[Edit]:
    value, (start, end) = node.value, spans.of(node)
    if isinstance(value, bool):
        yield Edit("constant", start, end, str(not value))
    elif isinstance(value, int | float):
        yield Edit("constant", start, end, str(value + 1))
        if isinstance(value, int) and value <= _SMALL:
            yield Edit("constant", start, end, str(value - 1))
    elif isinstance(value, str | bytes):
        yield from (Edit("constant", start, end, text) for text in _strings(spans.text(node), value))


def _strings(text: str, value: str | bytes) -> Iterator[str]:
    """Other texts in place of a string: an empty one; for a set of characters, or the like, also without its first or last."""
    quoted = re.match(r"([A-Za-z]*)(\"\"\"|'''|\"|')", text)
    if quoted is None:
        return
    prefix, quote = quoted.group(1), quoted.group(2)
    if not value:
        yield f"{prefix}{quote}X{quote}"
        return
    yield f"{prefix}{quote}{quote}"
    if len(value) > 1 and not (isinstance(value, str) and value.replace("-", "_").isidentifier()):
        yield repr(value[1:])
        yield repr(value[:-1])


def _joined(node: ast.JoinedStr, spans: Spans) -> Iterator[Edit]:
    yield Edit("constant", *spans.of(node), '""')


def _returned(node: ast.Return, spans: Spans) -> Iterator[Edit]:
    if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield Edit("return", *spans.of(node), "return None")


def _dropped(node: ast.stmt, spans: Spans) -> Iterator[Edit]:
    yield Edit("statement", *spans.of(node), "pass")


def _slice(node: ast.Slice, spans: Spans) -> Iterator[Edit]:
    """Bounds moved by one. A bound that is a number, or that many off something, changes as a constant does."""
    for bound, signs in ((node.lower, "+"), (node.upper, "+-")):
        if bound is not None and not _has_number(bound):
            text = spans.text(bound)
            plain = isinstance(bound, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
            for sign in signs:
                yield Edit("slice", *spans.of(bound), f"{text if plain else f'({text})'} {sign} 1")
    start, end = spans.of(node)
    if node.lower is None and node.upper is not None:
        yield Edit("slice", start, end, f"1{spans.slice(start, end)}")
    if node.lower is not None and node.upper is None and node.step is None:
        yield Edit("slice", start, end, f"{spans.slice(start, end)}-1")


def _has_number(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return isinstance(node.right, ast.Constant)
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _swapped(node: ast.Call, spans: Spans) -> Iterator[Edit]:
    """Two neighbouring positional arguments in each other's place; those of an error are a code and its message."""
    unordered = isinstance(node.func, ast.Name | ast.Attribute) and spans.text(node.func) in _UNORDERED
    if is_error_call(node) or (unordered and not node.keywords):
        return
    for one, other in pairwise(node.args):
        first, second = spans.of(one), spans.of(other)
        if spans.text(one) != spans.text(other) and not isinstance(one, ast.Starred):
            after = spans.text(other) + spans.slice(first[1], second[0]) + spans.text(one)
            yield Edit("swap", first[0], second[1], after)


_EDITS: Final[dict[type[ast.AST], Callable[..., Iterator[Edit]]]] = {
    ast.BinOp: _binary,
    ast.AugAssign: _augmented,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.BoolOp: _boolean,
    ast.Constant: _constant,
    ast.JoinedStr: _joined,
    ast.Return: _returned,
    ast.Slice: _slice,
    ast.Call: _swapped,
    **dict.fromkeys((ast.Expr, ast.Assign, ast.Raise, ast.Break, ast.Continue, ast.Delete), _dropped),
}
