"""Queries against a shunting-yard reader with a hand-written scanner, and against queries built from their trees."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.query_filter import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a shunting-yard reader; queries built from trees"

DIGITS = "0123456789"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
SIGNS = ["=", "!=", "<", "<=", ">", ">=", "~"]
BINDS = {"or": 1, "and": 2, "not": 3}
Token = tuple[str, str, int]


class FaultError(Exception):
    """Where a query goes wrong."""


def scan(text: str) -> list[Token]:
    """Kind, text and position of each token; what is none has the kind `?`."""
    found = []
    at = 0
    while at < len(text):
        start, char = at, text[at]
        at += 1
        kind = "?"
        if char == " ":
            continue
        if char in LETTERS:
            while at < len(text) and text[at] in LETTERS + DIGITS:
                at += 1
            word = text[start:at]
            kind = word if word in {"and", "or", "not", "exists"} else "field"
        elif char in DIGITS or (char == "-" and text[at : at + 1] and text[at] in DIGITS):
            while at < len(text) and text[at] in DIGITS:
                at += 1
            kind = "literal"
        elif char == "'":
            end = at
            while text[end : end + 1] and (text[end] != "'" or text[end + 1 : end + 2] == "'"):
                end += 1 + (text[end] == "'")
            if end < len(text):
                at, kind = end + 1, "literal"
        elif text[start : start + 2] in SIGNS:
            at, kind = start + 2, "sign"
        elif char in SIGNS:
            kind = "sign"
        elif char in "()":
            kind = char
        found.append((kind, text[start:at], start))
    return [*found, ("end", "", len(text))]


def postfix(text: str) -> list[tuple[str, ...]]:
    """The steps: what may come next is a state, what waits for its right side is on a stack."""
    steps: list[tuple[str, ...]] = []
    waiting: list[str] = []
    state = "begin"
    parts: list[str] = []
    for kind, word, at in scan(text):
        allowed = {
            "begin": {"not", "(", "field"},
            "sign": {"sign", "exists"},
            "literal": {"literal"},
            "after": {"and", "or", ")" if "(" in waiting else "end"},
        }[state]
        if kind not in allowed:
            raise FaultError(at)
        if kind in {"not", "("}:
            waiting.append(kind)
        elif kind in {"field", "sign"}:
            parts.append(word)
            state = "sign" if kind == "field" else "literal"
        elif kind in {"exists", "literal"}:
            steps.append((*parts, word))
            parts, state = [], "after"
        else:
            while waiting and waiting[-1] != "(" and BINDS[waiting[-1]] >= BINDS.get(kind, 0):
                steps.append((waiting.pop(),))
            if kind == ")":
                waiting.pop()
            elif kind != "end":
                waiting.append(kind)
                state = "begin"
    return steps


def condition(record: dict[str, Any], field: str, sign: str, word: str = "") -> bool:
    if field not in record:
        return False
    if sign == "exists":
        return True
    left: Any = record[field]
    right: Any = word[1:-1].replace("''", "'") if word.startswith("'") else int(word)
    if sign == "~":
        return f"{left}".find(f"{right}") >= 0
    if type(left) is not type(right):
        return sign == "!="
    order = (left > right) - (left < right)
    return order in {"=": [0], "!=": [-1, 1], "<": [-1], "<=": [-1, 0], ">": [1], ">=": [0, 1]}[sign]


def holds(steps: list[tuple[str, ...]], record: dict[str, Any]) -> bool:
    """The truth of all steps, each joining what stands at the end of the list."""
    values: list[bool] = []
    for step in steps:
        if step == ("not",):
            values[-1:] = [values[-1] is False]
        elif step in {("and",), ("or",)}:
            values[-2:] = [all(values[-2:]) if step == ("and",) else any(values[-2:])]
        else:
            values.append(condition(record, *step))
    (result,) = values
    return result


def expected_select(args: dict[str, Any]) -> dict[str, Any]:
    try:
        steps = postfix(args["where"])
    except FaultError as fault:
        return {"code": "bad_query", "at": fault.args[0]}
    rows = [record for record in args["records"] if holds(steps, record)]
    total = len(rows)
    if order := args.get("order"):
        name, step = (order[1:], -1) if order.startswith("-") else (order, 1)
        numbers = sorted({row[name] for row in rows if isinstance(row.get(name), int)})
        texts = sorted({row[name] for row in rows if isinstance(row.get(name), str)})
        groups: list[Any] = [*numbers, *texts][::step]
        rows = [row for value in groups for row in rows if row.get(name) == value] + [r for r in rows if name not in r]
    return {"total": total, "records": rows[: args.get("limit", 20)]}


def check_explain(where: str) -> None:
    result = play(FAMILY, "explain", {"where": where})
    try:
        assert result == {"steps": [" ".join(step) for step in postfix(where)]}
    except FaultError as fault:
        assert result == {"code": "bad_query", "at": fault.args[0]}


CONDITIONS = st.sampled_from(
    ["a = 1", "b != 'x'", "a<2", "b>='x'", "a exists", "c ~ 1", "b ~ ''", "a <= -1", "c > 'it''s'"]
)
TREES = st.recursive(
    CONDITIONS,
    lambda inner: st.tuples(st.just("not"), inner) | st.tuples(st.sampled_from(["and", "or"]), inner, inner),
    max_leaves=6,
)
VALUES = st.integers(-1, 3) | st.sampled_from(["x", "", "it's", "1"])
RECORDS = st.lists(st.dictionaries(st.sampled_from("abc"), VALUES), max_size=6)


def text_of(tree: Any, above: int = 0) -> str:
    """The query of a tree with no parentheses but the needed ones; a right side of the same kind needs them."""
    if isinstance(tree, str):
        return tree
    level = BINDS[tree[0]]
    if tree[0] == "not":
        return f"not {text_of(tree[1], level)}"
    made = f"{text_of(tree[1], level)} {tree[0]} {text_of(tree[2], level + 1)}"
    return f"({made})" if level < above else made


def truth(tree: Any, record: dict[str, Any]) -> bool:
    if isinstance(tree, str):
        return holds([postfix(tree)[0]], record)
    values = [truth(part, record) for part in tree[1:]]
    return {"not": not values[0], "and": all(values), "or": any(values)}[tree[0]]


def order_of(tree: Any) -> list[str]:
    if isinstance(tree, str):
        return [" ".join(postfix(tree)[0])]
    return [step for part in tree[1:] for step in order_of(part)] + [tree[0]]


@settings(max_examples=60)
@given(TREES.filter(lambda tree: len(text_of(tree)) <= 120), RECORDS)
def test_queries_built_from_trees(tree: Any, records: list[Any]) -> None:
    where = text_of(tree)
    assert play(FAMILY, "explain", {"where": where})["steps"] == order_of(tree)
    found = play(FAMILY, "select", {"where": where, "records": records})["records"]
    assert found == [record for record in records if truth(tree, record)]


WORDS = st.sampled_from(
    ["a", "=", "1", "'x'", "and", "or", "not", "(", ")", "exists", "'", "''", "-", "<=", " ", "!", "a = 1"]
)


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=9), st.sampled_from(["", " "]))
def test_faults_by_shunting_yard(words: list[str], gap: str) -> None:
    check_explain(gap.join(words))


@settings(max_examples=60)
@given(RECORDS, CONDITIONS, st.sampled_from(["a", "-a", "b", "-b", "c"]), st.integers(0, 6))
def test_select_in_order(records: list[Any], where: str, order: str, limit: int) -> None:
    args = {"records": records, "where": f"{where} or not b exists", "order": order, "limit": limit}
    assert play(FAMILY, "select", args) == expected_select(args)


def test_own_inputs() -> None:
    for args in of(FAMILY, "select", 300):
        assert play(FAMILY, "select", args) == expected_select(args)
    for args in of(FAMILY, "explain", 300):
        check_explain(args["where"])
