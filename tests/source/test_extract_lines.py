import pytest

from proofyard.source.extract_lines import Lines, Logical


def test_a_logical_line_ends_with_its_brackets_strings_and_backslashes() -> None:
    lines = Lines("x = (1,\n  ']',  # )\n)\ny = '''a\n(\n''' + \\\n  z\nif (a\n  ):  # so\n")
    assert lines.logical(0) == Logical(0, 3, False)
    assert lines.logical(3) == Logical(3, 7, False)
    assert lines.logical(7) == Logical(7, 9, True)


def test_any_line_may_be_a_start() -> None:
    lines = Lines("'''\nx = 1\n'''\n(\n)")
    assert [lines.logical(n) for n in range(5)] == [
        Logical(0, 3, False),
        Logical(1, 2, False),
        None,
        Logical(3, 5, False),
        None,
    ]


@pytest.mark.parametrize("text", ["it's", "(]", ")", "(\n", "'''\n", "a \\", "'a\\\nb", "(" * 201, "x = 'a\\"])
def test_what_never_ends_or_is_no_python(text: str) -> None:
    assert Lines(text).logical(0) is None


@pytest.mark.parametrize(
    "text", ["r'\\''", "\"a\" 'b'", '""""a"""', "'a\\\nb'", "(" * 200 + ")" * 200, "# it's (", "'\\\\'", "x = 1\r"]
)
def test_what_ends(text: str) -> None:
    found = Lines(text).logical(0)
    assert found is not None
    assert found.end == text.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "colon"), [("if x:", True), ("x = a[1:]", False), ("x = {1:", None), ("lambda: 1", False)]
)
def test_a_head_ends_in_a_colon(text: str, colon: bool | None) -> None:
    found = Lines(text).logical(0)
    assert (found and found.colon) == colon
