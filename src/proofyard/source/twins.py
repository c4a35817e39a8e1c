"""Twins of a unittest module: tests that look like it and must fail, to learn whether failures are noticed at all.

The *sentinel* twin has one failing assertion more at the end of every test, and before every early return. In the
*changed-value* twin each assertion is handed to a function of whoever runs it, which makes it several times in an order that
nobody can foresee: as it is, when it must hold, and with another expected value or negated, when it must fail. Words and forms
come from a seed.
"""

import ast
import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from proofyard.source.assertions import Changer
from proofyard.source.unit_tests import MAIN_CLASS, Function, case_classes, methods_of

__all__ = ["Twin", "changed_twin", "sentinel_twin", "twin"]

_WORDS: Final = (
    "amber", "basin", "cedar", "delta", "ember", "field", "grove", "haven", "inlet", "jasper", "kernel", "lantern", "meadow",
    "north", "orchard", "pebble", "quarry", "ridge", "summit", "timber", "upland", "valley", "willow", "yarrow", "zephyr",
)  # fmt: skip


class Twin(NamedTuple):
    """A twin.

    tokens: label of a test -> what its sentinel says when it fails. sites: what the function is told -> label of the
    assertion (`function#n`). mark: the text constant that stands where the function is to be (`assertions.Changer`).
    """

    text: str
    tokens: dict[str, str]
    sites: dict[str, str]
    mark: str


def sentinel_twin(source: str, seed: str) -> Twin:
    """The twin with a failing assertion at the end of every test. Raises SyntaxError."""
    tree = ast.parse(source)
    tokens = _add_sentinels(tree, random.Random(f"{seed}/sentinel"))
    return Twin(_text(tree), tokens, {}, "")


def changed_twin(source: str, seed: str) -> Twin:
    """The twin whose assertions are handed over. Raises SyntaxError."""
    tree = ast.parse(source)
    sites, mark = _change(tree, source, random.Random(f"{seed}/changed"))
    return Twin(_text(tree), {}, sites, mark)


def twin(source: str, seed: str) -> Twin:
    """Both at once: every assertion handed over, and the sentinel after them. Raises SyntaxError."""
    tree = ast.parse(source)
    sites, mark = _change(tree, source, random.Random(f"{seed}/changed"))
    tokens = _add_sentinels(tree, random.Random(f"{seed}/sentinel"))
    return Twin(_text(tree), tokens, sites, mark)


def _text(tree: ast.Module) -> str:
    return ast.unparse(ast.fix_missing_locations(tree))


# --- the sentinel


def _add_sentinels(tree: ast.Module, dice: random.Random) -> dict[str, str]:
    classes = case_classes(tree)
    chosen = [node for node in classes.values() if node.name == MAIN_CLASS] or list(classes.values())
    tokens: dict[str, str] = {}
    done: dict[int, str] = {}
    for node in chosen:
        for method in methods_of(node, classes):
            if method.name.startswith("test") and method.args.args:
                label = f"{node.name}.{method.name}" if len(chosen) > 1 else method.name
                if id(method) not in done:  # one that is inherited twice has one sentinel
                    done[id(method)] = _add_sentinel(method, dice)
                tokens[label] = done[id(method)]
    return tokens


def _add_sentinel(method: Function, dice: random.Random) -> str:
    text, token = _sentinel(method.args.args[0].arg, dice)
    early = _EarlyReturns(text)
    method.body = [*early.over(method.body), *ast.parse(text).body]
    return token


class _EarlyReturns(ast.NodeTransformer):
    """Puts a statement before every return of one function, not of those defined in it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def over(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The body with the statement put in."""
        return list(self.visit(ast.Module(body=list(body), type_ignores=[])).body)

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        return [*ast.parse(self._text).body, node]

    def _stop(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _stop  # noqa: N815


def _sentinel(case: str, dice: random.Random) -> tuple[str, str]:
    """A failing assertion and how its message begins."""
    one, two = dice.sample(range(10_000, 10_000_000), 2)
    word, another, third = dice.sample(_WORDS, 3)
    word, another = f"{word} {one}", f"{another} {two}"
    form = dice.randrange(4)
    if form == 0:
        return f"{case}.assertEqual({one}, {two})", f"{one} != {two}"
    if form == 1:
        return f"{case}.assertEqual({word!r}, {another!r})", f"{word!r} != {another!r}"
    if form == 2:
        return f"{case}.assertIn({word!r}, [{another!r}, {third!r}])", f"{word!r} not found in [{another!r}, {third!r}]"
    low, high = sorted((one, two))
    return f"{case}.assertGreater({low}, {high})", f"{low} not greater than {high}"


# --- assertions handed over


def _change(tree: ast.Module, source: str, dice: random.Random) -> tuple[dict[str, str], str]:
    ids: set[str] = set()

    def told() -> str:
        word = f"{dice.choice(_WORDS)} {dice.randrange(1000, 1_000_000)}"
        while word in ids or word in source:
            word = f"{dice.choice(_WORDS)} {dice.randrange(1000, 1_000_000)}"
        ids.add(word)
        return word

    changer = Changer(mark := told(), told)
    changer.visit(tree)
    return {site.told: site.label for site in changer.sites}, mark
