import ast

import pytest

from proofyard.source.extract import extract
from proofyard.source.extract_parse import parsed
from proofyard.source.sanitize import sanitize
from tests.source.answers import COUNT, answers


def defined(code: str, name: str) -> str:
    """The last definition of a name at the top of a program, as a tree."""
    tree = parsed(code)
    assert tree is not None, code
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name]
    assert found, f"no {name} in:\n{code}"
    return ast.dump(_without_margin(found[-1]))


def _without_margin(node: ast.AST) -> ast.AST:
    """Strings over several lines lose the indentation of an answer that is indented as a whole."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and "\n" in inner.value:
            inner.value = "\n".join(line.lstrip() for line in inner.value.split("\n"))
    return node


def test_of_varied_answers_no_entry_point_is_lost() -> None:
    seen = 0
    for answer in answers():
        name, program = answer.task.entry_point, answer.task.program
        for found in (extract(answer.text, name), sanitize(answer.text, name)):
            assert found.defines, (answer.kind, answer.text)
            assert defined(found.code, name) == defined(program, name), (answer.kind, answer.text, found.code)
        kept = sanitize(answer.text, name).code
        assert top_level(program) <= top_level(kept) | unused(program, name), (answer.kind, kept)
        assert "print(_found)" not in kept
        assert "__main__" not in kept or "__main__" in program
        assert "_helper_of_mine(value)" in kept or answer.kind != "a helper apart"
        seen += 1
    assert seen == COUNT


def top_level(program: str) -> set[str]:
    tree = parsed(program)
    return {ast.dump(_without_margin(node)) for node in tree.body} if tree else set()


def unused(program: str, name: str) -> set[str]:
    """Functions of a program that no other part of it names, and what does nothing."""
    tree = parsed(program)
    assert tree is not None
    words = [(node, {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}) for node in tree.body]
    return {
        ast.dump(node)
        for node, _ in words
        if (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (
            isinstance(node, ast.FunctionDef)
            and node.name != name
            and not any(node.name in used for other, used in words if other is not node)
        )
    }


@pytest.mark.parametrize(
    ("answer", "way", "code"),
    [
        ("def f():\n    return 1\n", "whole", "def f():\n    return 1"),
        ("    def f():\n        return 1\n", "whole", "def f():\n    return 1"),
        ("So:\n```\ndef f():\n    return 1\n```\n", "fenced", "def f():\n    return 1"),
        ("So it's:\ndef f():\n    return 1\nDone, isn't it", "lines", "def f():\n    return 1"),
        ("So it's:\n\n    def f():\n        return 1\n\nDone (is it", "indented", "def f():\n    return 1"),
        ("So it's: nothing (", "none", ""),
        ("", "none", ""),
    ],
)
def test_ways(answer: str, way: str, code: str) -> None:
    found = extract(answer, "f")
    assert (found.way, found.code) == (way, code)
    assert found.defines == bool(code)


@pytest.mark.parametrize(
    "body",
    [
        "    return a + 1",
        "return a + 1",
        "```python\n    return a + 1\n```",
        "    return a + 1\nSo (",
        "\n    return a + 1\n",
    ],
)
def test_a_body_completes_its_prompt(body: str) -> None:
    found = extract(body, "f", 'def f(a):\n    """Add."""\n')
    assert found.code == 'def f(a):\n    """Add."""\n    return a + 1'
    assert (found.way, found.defines) == ("completed", True)


def test_the_last_complete_definition_of_several_blocks_wins() -> None:
    one, two, cut = (f"```python\ndef f():\n    return {n}\n```\n" for n in (1, 2, "(3"))
    assert extract(f"{one}Better:\n{two}Or:\n{cut}", "f").code == "def f():\n    return 2"


def test_blocks_that_define_what_is_wanted_come_along_in_their_order() -> None:
    blocks = (
        "import re",
        "def g():\n    return re",
        "def unrelated():\n    pass",
        "def f():\n    return g() + h()",
        "def h():\n    x = 1",
    )
    found = extract("".join(f"```python\n{block}\n```\n" for block in (*blocks, "x = f()\nprint(x)")), "f")
    assert (
        found.code
        == "import re\n\n\ndef g():\n    return re\n\n\ndef f():\n    return g() + h()\n\n\ndef h():\n    x = 1".replace(
            "\n\n\n", "\n\n"
        )
    )
    assert found.blocks == 4


def test_fences_and_tags_in_the_strings_of_a_program_are_its_own() -> None:
    program = 'def f():\n    """\n<think>\n```python\nf()\n```\n"""\n    return "</think>"'
    assert extract(program, "f").code == program
    assert extract(f"```python\n{program}\n```", "f").code == program


def test_an_answer_that_broke_off_in_its_thinking_counts_as_a_last_resort() -> None:
    draft = "<think>\n```python\ndef f():\n    return 1\n```\nWait"
    assert extract(draft, "f") == ("def f():\n    return 1", "fenced", 1, True, True)
    assert extract(f"{draft}\n</think>\n```python\ndef f():\n    return 2\n```", "f").code == "def f():\n    return 2"


def test_colours_of_a_terminal_and_zero_bytes() -> None:
    assert extract("\x1b[31mdef f():\x1b[0m\n    return 1", "f").code == "def f():\n    return 1"
    assert extract("a\0b\ndef f():\n    return 1", "f").code == "def f():\n    return 1"
