"""Assertions of a unittest module handed over to a function that makes each several times: as it is, and changed so that it
must fail.
"""

import ast
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

__all__ = ["APPEND", "Changer", "Site"]

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


APPEND: Final = "more"
"""Stands for the place of an argument that is put after all others."""


class Site(NamedTuple):
    """One assertion handed over: `told` stands in the text, `label` is `function#n`, n counted from 0 in each function."""

    told: str
    label: str


class Changer(ast.NodeTransformer):
    """Turns every assertion statement of a tree into one call of what stands for `mark`: `mark(told, owner, name, opposite,
    place, *args, **keywords)`.

    The assertion is `owner.name(*args, **keywords)`. Changed, it is `owner.opposite(...)` where there is an opposite, else
    another value stands in the given place of the arguments. An `assert` statement has no owner; its arguments are the two
    sides of an equality, or what must be true. told: makes up what the function is told.
    """

    def __init__(self, mark: str, told: Callable[[], str]) -> None:
        self.sites: list[Site] = []
        self._mark = mark
        self._told = told
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
            call, function = node.value, node.value.func
            how = _changed(call, function.attr)
            if how is not None:
                return self._handed([function.value, ast.Constant(function.attr), *map(ast.Constant, how)], call)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:  # noqa: D102
        if not self._path:
            return node
        test = node.test
        sides = [test]
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            sides = [test.left, test.comparators[0]]
        nobody = [ast.Constant(None), ast.Constant("assert"), ast.Constant(None), ast.Constant(1)]
        return self._handed(nobody, ast.Call(test, sides, []))

    def _handed(self, how: Sequence[ast.expr], call: ast.Call) -> ast.stmt:
        function = ".".join(self._path[1:] or self._path)
        number = self._counts[function] = self._counts.get(function, -1) + 1
        told = self._told()
        self.sites.append(Site(told, f"{function}#{number}"))
        # Not a name, so that nothing stands in the globals of the tests: a constant, which is exchanged in their code.
        mark = ast.BoolOp(ast.Or(), [ast.Constant(None), ast.Constant(self._mark)])
        return ast.Expr(ast.Call(mark, [ast.Constant(told), *how, *call.args], call.keywords))


def _changed(call: ast.Call, name: str) -> tuple[str | None, int | str] | None:
    """The opposite of an assertion, or the place of the argument to be another; None for what is left as it is."""
    starred = [isinstance(arg, ast.Starred) for arg in call.args]
    if name in _EQUAL and len(call.args) >= 2 and not any(starred):
        literal = _is_literal(call.args[0]) and not _is_literal(call.args[1])
        return None, 0 if literal else 1
    if name in NEGATED:
        return NEGATED[name], 0
    if name in _CALLED_WITH:
        return None, APPEND if any(starred) or not call.args else len(call.args) - 1
    return None


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
