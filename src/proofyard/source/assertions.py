"""Assertions of a unittest module turned into ones that must fail where the given ones hold."""

import ast
import random
from collections.abc import Callable
from typing import Final, NamedTuple

__all__ = ["Changer", "Site"]

_NEGATED: Final = {
    "assertTrue": "assertFalse",
    "assertIn": "assertNotIn",
    "assertIs": "assertIsNot",
    "assertIsNone": "assertIsNotNone",
    "assertIsInstance": "assertNotIsInstance",
    "assertGreater": "assertLessEqual",
    "assertLess": "assertGreaterEqual",
    "assertRegex": "assertNotRegex",
    "assertNotEqual": "assertEqual",
    "assertNotAlmostEqual": "assertAlmostEqual",
    "assert_not_called": "assert_called",
}
_PAIRS: Final = {**_NEGATED, **{after: before for before, after in _NEGATED.items()}}
NEGATED: Final = {
    **{name: opposite for name, opposite in _PAIRS.items() if name not in {"assertEqual", "assertAlmostEqual"}},
    "assert_called_once": "assert_not_called",
}
"""Methods of a TestCase or a mock, and the one that fails where they hold."""
_EQUAL: Final = frozenset(
    {
        "assertEqual", "assertEquals", "assertAlmostEqual", "assertAlmostEquals", "assertListEqual", "assertTupleEqual",
        "assertSetEqual", "assertDictEqual", "assertSequenceEqual", "assertCountEqual", "assertMultiLineEqual", "assert_equal",
        "assert_array_equal", "assert_almost_equal", "assert_array_almost_equal", "assert_allclose", "assert_frame_equal",
        "assert_series_equal", "assert_index_equal",
    }
)  # fmt: skip
_CALLED_WITH: Final = frozenset({"assert_called_with", "assert_called_once_with", "assert_any_call"})


class Site(NamedTuple):
    """One changed assertion: `told` stands in the text, `label` is `function#n`, n counted from 0 in each function."""

    told: str
    label: str


class Changer(ast.NodeTransformer):
    """Changes every assertion statement of a tree and puts it into a context of its own.

    other, site: names of the function that gives another value, and of the context. told: makes up what a context is told.
    """

    def __init__(self, other: str, site: str, told: Callable[[], str], dice: random.Random) -> None:
        self.sites: list[Site] = []
        self._other = other
        self._site = site
        self._told = told
        self._dice = dice
        self._path: list[str] = []
        self._counts: dict[str, int] = {}

    def _inside(self, node: ast.AST) -> ast.AST:
        self._path.append(getattr(node, "name", ""))
        self.generic_visit(node)
        self._path.pop()
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _inside  # noqa: N815

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:  # noqa: D102
        if self._path and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
            changed = self._changed(node.value, node.value.func)
            if changed is not None:
                return self._in_context(ast.Expr(value=changed))
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:  # noqa: D102
        if not self._path:
            return node
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            changed: ast.expr = ast.Compare(test.left, test.ops, [self._another(test.comparators[0])])
        else:
            changed = ast.UnaryOp(ast.Not(), test)
        return self._in_context(ast.Assert(test=changed, msg=node.msg))

    def _in_context(self, statement: ast.stmt) -> ast.stmt:
        function = ".".join(self._path[1:] or self._path)
        number = self._counts[function] = self._counts.get(function, -1) + 1
        label = f"{function}#{number}"
        told = self._told()
        self.sites.append(Site(told, label))
        context = ast.Call(ast.Name(self._site, ast.Load()), [ast.Constant(told)], [])
        return ast.With([ast.withitem(context)], [statement])

    def _changed(self, call: ast.Call, function: ast.Attribute) -> ast.Call | None:
        name = function.attr
        if name in _EQUAL and len(call.args) >= 2:
            at = 0 if _is_literal(call.args[0]) and not _is_literal(call.args[1]) else 1
            args = [self._another(arg) if index == at else arg for index, arg in enumerate(call.args)]
            return ast.Call(function, args, call.keywords)
        if name in NEGATED:
            return ast.Call(ast.Attribute(function.value, NEGATED[name], ast.Load()), call.args, call.keywords)
        if name in _CALLED_WITH:
            return self._with_other_arguments(call)
        return None

    def _with_other_arguments(self, call: ast.Call) -> ast.Call:
        plain = [index for index, arg in enumerate(call.args) if not isinstance(arg, ast.Starred)]
        if not plain:
            return ast.Call(call.func, [*call.args, ast.Constant(self._dice.randrange(2, 1000))], call.keywords)
        args = [self._another(arg) if index == plain[-1] else arg for index, arg in enumerate(call.args)]
        return ast.Call(call.func, args, call.keywords)

    def _another(self, value: ast.expr) -> ast.expr:
        """Another value: written down where the given one is written down, else made when it is known."""
        if isinstance(value, ast.Constant):
            constant = self._constant(value.value)
            if constant is not None:
                return ast.Constant(constant)
        return ast.Call(ast.Name(self._other, ast.Load()), [value], [])

    def _constant(self, value: object) -> bool | int | float | str | None:
        dice = self._dice
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + dice.randrange(1000, 9000)
        if isinstance(value, float):
            return round(value * dice.randrange(2, 9) + dice.randrange(10_000, 90_000) / 8, 6)
        if isinstance(value, str) and value:
            at = dice.randrange(len(value) + 1)
            return value[:at] + dice.choice("aeiou") * 2 + value[at:]
        return None


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
