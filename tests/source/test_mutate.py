import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.source import OPERATORS, mutate

PROGRAMS = sorted((Path(__file__).parents[2] / "src/proofyard/suites/scratch/program").rglob("*.py"))

TEXT = '''"""A module."""

def least(items, floor=0):
    """The least of all above a floor."""
    kept = [item for item in items if item > floor and item != 7]
    if not kept:
        raise ValueError("nothing")
    return kept[1:floor]
'''


def made(text: str) -> list[tuple[str, int, int, str, str]]:
    return [(m.operator, m.line, m.column, m.before, m.after) for m in mutate(text)]


def test_every_change_of_a_small_program_in_order() -> None:
    whole = "item > floor and item != 7"
    assert made(TEXT) == [
        ("constant", 3, 24, "0", "-1"),
        ("constant", 3, 24, "0", "1"),
        ("statement", 5, 5, f"kept = [item for item in items if {whole}]", "pass"),
        ("condition", 5, 39, whole, f"not ({whole})"),
        ("comparison", 5, 44, ">", ">="),
        ("boolean", 5, 52, "and", "or"),
        ("comparison", 5, 61, "!=", "=="),
        ("constant", 5, 64, "7", "6"),
        ("constant", 5, 64, "7", "8"),
        ("condition", 6, 8, "not kept", "kept"),
        ("statement", 7, 9, 'raise ValueError("nothing")', "pass"),
        ("return", 8, 5, "return kept[1:floor]", "return None"),
        ("constant", 8, 17, "1", "0"),
        ("constant", 8, 17, "1", "2"),
        ("slice", 8, 19, "floor", "floor + 1"),
        ("slice", 8, 19, "floor", "floor - 1"),
    ]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_each_mutant_of_real_programs_is_one_change_and_compiles(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = mutate(text)
    shape = ast.dump(ast.parse(text))
    lines = text.split("\n")
    assert len({m.digest for m in found}) == len(found)
    assert len({m.text for m in found}) == len(found)
    for m in found[:: max(1, len(found) // 10)]:
        assert ast.dump(ast.parse(m.text)) != shape
        start = len("\n".join(lines[: m.line - 1])) + (m.line > 1) + m.column - 1
        assert text[start:].startswith(m.before)
        assert m.text == text[:start] + m.after + text[start + len(m.before) :]
        assert m.source in m.text
        assert m.operator in OPERATORS


def test_the_same_text_gives_the_same_mutants() -> None:
    assert mutate(TEXT) == mutate(TEXT)


def test_ids_stay_when_something_else_in_the_file_changes() -> None:
    before = {(m.operator, m.before, m.after): m.digest for m in mutate(TEXT) if m.line < 6}
    longer = TEXT.replace("def least", "LIMIT = 5\n\n\ndef least").replace("kept[1:floor]", "kept[2:floor]")
    after = {(m.operator, m.before, m.after): m.digest for m in mutate(longer) if 3 < m.line < 9}
    assert before == {key: value for key, value in after.items() if key in before}
    assert len(before) == 9


def test_ids_of_equal_statements_differ() -> None:
    twice = "def f(x):\n    x += 1\n    x += 1\n    return x\n"
    found = [m for m in mutate(twice) if m.before == "+="]
    assert [(m.line, m.after) for m in found] == [(2, "-="), (3, "-=")]
    assert found[0].digest != found[1].digest


def test_no_two_mutants_mean_the_same() -> None:
    # `not x` as a condition and the negation of the comparison below it would be the same program.
    assert made("def f(a, b):\n    if a == b:\n        f(a, a)\n") == [
        ("comparison", 2, 10, "==", "!="),
        ("statement", 3, 9, "f(a, a)", "pass"),
    ]


def test_what_is_only_declared_is_left_alone() -> None:
    text = 'TABLE = Operation(("name", "limit"), check, 5)\n'
    assert [m.after for m in mutate(text, declared=("Operation",)) if m.operator == "constant"] == ["4", "6"]
    assert [m.after for m in mutate(text) if m.operator == "constant"] == ['""', '""', "4", "6"]


def test_columns_count_code_points_and_other_bytes_stay() -> None:
    text = "x = 'é\U0001f600' + y  # ünï\n"
    (plus,) = [m for m in mutate(text) if m.operator == "arithmetic"]
    assert (plus.line, plus.column) == (1, 10)
    assert plus.text == "x = 'é\U0001f600' - y  # ünï\n"


def test_what_is_no_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        mutate("def f(:\n")


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "1", "(2)", "-3", '"s"', "a.b", "f(a, b)", "x[1:a]", "f'{a}-{b + 1}'"]),
    lambda inner: st.builds(
        "({} {} {})".format,
        inner,
        st.sampled_from(["+", "<", "and", "not in", "is not", "//", "==", "if a else", "# c )\n +"]),
        inner,
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS)
def test_mutants_of_any_expression_differ_from_it_and_from_each_other(expression: str) -> None:
    text = f"def f():\n    return {expression}\n"
    try:
        shape = ast.dump(ast.parse(text))
    except SyntaxError:
        return
    shapes = [ast.dump(ast.parse(m.text)) for m in mutate(text)]
    assert len({shape, *shapes}) == len(shapes) + 1


def test_statements_that_share_a_line_or_have_decorators() -> None:
    text = 'x = 1; y = x + 1\n\n\n@f(2)\n@(\n    g(3)\n)\ndef h():\n    return "é"; 5  # c\n'
    assert made(text) == [
        ("constant", 1, 5, "1", "0"),
        ("constant", 1, 5, "1", "2"),
        ("arithmetic", 1, 14, "+", "-"),
        ("constant", 1, 16, "1", "0"),
        ("constant", 1, 16, "1", "2"),
        ("return", 9, 5, 'return "é"', "return None"),
        ("constant", 9, 12, '"é"', '""'),
    ]
