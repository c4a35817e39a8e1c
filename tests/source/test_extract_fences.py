import pytest

from proofyard.source.extract_fences import Block, fenced_blocks, without_thinking


def texts(answer: str) -> list[str]:
    return [block.text for block in fenced_blocks(answer)]


def test_blocks_of_python_and_of_no_language() -> None:
    answer = "A\n```python\nx = 1\n```\nB\n~~~\ny = 2\n~~~\n```bash\nls\n```\n``` {.python}\nz = 3\n```\n"
    answer += "````Python title=a\n```\n````"
    assert texts(answer) == ["x = 1", "y = 2", "z = 3", "```"]


def test_the_last_may_be_unclosed_and_the_next_may_close() -> None:
    assert fenced_blocks("```py\nx\n```python\ny\n") == [Block("x", 1, True), Block("y\n", 3, False)]


def test_a_fence_in_a_docstring_ends_nothing() -> None:
    program = 'def f():\n    """Like\n\n```python\nf()\n```\n    """\n    return 1'
    assert texts(f"```python\n{program}\n```\nSo.") == [program]


def test_a_docstring_that_breaks_off_ends_with_its_fence() -> None:
    answer = '```python\ndef f():\n    """Like\n```\nAgain:\n```python\ndef f():\n    """Is."""\n```\n'
    assert texts(answer) == ['def f():\n    """Like', 'def f():\n    """Is."""']


def test_blocks_of_markdown_are_looked_into() -> None:
    assert texts("```markdown\n# So\n```python\nx = 1\n```\nDone\n```\n")[0] == "x = 1"


def test_indented_and_quoted_fences_lose_their_indentation() -> None:
    assert texts("1. So:\n   ```python\n   def f():\n       return 1\n\n   ```") == ["def f():\n    return 1\n"]
    assert texts("> ```python\n> if x:\n>     y\n>\n> ```") == ["if x:\n    y\n"]


def test_a_fence_after_words() -> None:
    assert texts("Here it is: ```python\nx = 1\n```") == ["x = 1"]


def test_words_after_a_fence_close_it() -> None:
    assert texts("```python\nx = 1\n``` and that is all\ny") == ["x = 1"]


@pytest.mark.parametrize(
    ("answer", "rest"),
    [
        ("<think>\nno\n</think>\nyes", "\nyes"),
        ("no</think>yes", "yes"),
        ("yes\n<think>\nno", "yes\n"),
        ("<think>a</think>yes\n<thinking>b</thinking>!", "yes\n!"),
        ("x = '<think>'", "x = '<think>'"),
    ],
)
def test_thinking(answer: str, rest: str) -> None:
    assert without_thinking(answer) == rest
