import ast

import pytest

from proofyard.source.spans import Spans

TEXT = "é = 1\nx = (a  # + here\n     + (b))\n"


def test_places_are_bytes_in_lines_of_code_points() -> None:
    spans = Spans(TEXT)
    tree = ast.parse(TEXT)
    assert [spans.text(node) for node in tree.body] == ["é = 1", "x = (a  # + here\n     + (b))"]
    assert spans.of(tree.body[0]) == (0, 6)
    assert [spans.place(offset) for offset in (0, 2, 5, 7)] == [(1, 1), (1, 2), (1, 5), (2, 1)]


def test_an_operator_is_found_outside_comments() -> None:
    spans = Spans(TEXT)
    (value,) = [node for node in ast.walk(ast.parse(TEXT)) if isinstance(node, ast.BinOp)]
    start, end = spans.between(value.left, value.right, r"\+")
    assert (spans.place(start), spans.slice(start, end)) == ((3, 6), "+")
    with pytest.raises(ValueError, match="no '-'"):
        spans.between(value.left, value.right, "-")


def test_a_node_that_is_not_where_it_says_is_told() -> None:
    spans = Spans("x = a + b\n")
    (value,) = [node for node in ast.walk(ast.parse("x = a + b\n")) if isinstance(node, ast.BinOp)]
    assert spans.holds(value)
    value.col_offset += 1
    assert not spans.holds(value)
