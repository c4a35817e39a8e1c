import pytest

from proofyard.agents.answer_files import Found, files_of_call, files_of_text

CODE = "print('a')\n"


@pytest.mark.parametrize(
    "opening",
    [
        "```python main.py",
        "```main.py",
        "```python:main.py",
        '```python title="main.py"',
        "```{.python file=main.py}",
        "```python filename='./main.py'",
        "```python /workspace/project/main.py",
        "~~~~py main.py",
        "**main.py**\n\n```python",
        "### 1. `main.py`:\n```",
        "File: main.py\n```python",
    ],
)
def test_a_block_names_its_path(opening: str) -> None:
    close = opening.rpartition("\n")[2][0] * 4 if "~" in opening else "```"
    assert files_of_text(f"Here it is.\n\n{opening}\n{CODE}{close}\nDone.", "main.py").files == {"main.py": CODE}


def test_a_comment_on_the_first_line_names_the_path() -> None:
    assert files_of_text(f"```python\n# lib/a.py\n{CODE}```", "main.py").files == {"lib/a.py": f"# lib/a.py\n{CODE}"}


def test_several_files_and_the_last_of_one_path_counts() -> None:
    answer = f"```python main.py\nold\n```\n```json data/x.json\n{{}}\n```\nBetter:\n```python main.py\n{CODE}```"
    assert files_of_text(answer, "main.py").files == {"main.py": CODE, "data/x.json": "{}\n"}


def test_a_single_block_without_a_path_is_the_entry() -> None:
    answer = f"```python\n{CODE}```\nRun it:\n```sh\npython main.py\n```"
    assert files_of_text(answer, "main.py").files == {"main.py": CODE}


def test_two_blocks_without_a_path_are_nobodys_guess() -> None:
    found = files_of_text(f"```python\n{CODE}```\nor\n```python\n{CODE}```", "main.py")
    assert found == Found({}, "2 blocks, none of which names its path")


def test_an_answer_that_is_a_program_is_the_entry() -> None:
    assert files_of_text("import sys\nprint(sys.argv)", "main.py").files == {"main.py": "import sys\nprint(sys.argv)\n"}
    assert files_of_text("Sorry", "main.py") == Found({}, "no block of code in the answer")


def test_thoughts_are_no_answer() -> None:
    answer = f"<think>\n```python main.py\nno\n```\n</think>\n```python main.py\n{CODE}```"
    assert files_of_text(answer, "main.py").files == {"main.py": CODE}


def test_a_fence_in_a_docstring_does_not_end_a_block() -> None:
    code = '"""Doc.\n\n```\nx\n```\n"""\nprint(1)\n'
    assert files_of_text(f"```python main.py\n{code}```\nEnd", "main.py").files == {"main.py": code}


def test_an_unclosed_block_counts_unless_the_answer_was_cut() -> None:
    answer = f"```python a.py\n{CODE}```\n```python main.py\n{CODE}"
    assert files_of_text(answer, "main.py") == Found({"a.py": CODE, "main.py": CODE}, cut=True)
    assert files_of_text(answer, "main.py", truncated=True) == Found({"a.py": CODE}, cut=True)


@pytest.mark.parametrize("path", ["../evil.py", "/etc/cron.py", "a/../../b.py"])
def test_a_path_outside_is_refused(path: str) -> None:
    found = files_of_text(f"```python {path}\n{CODE}```", "main.py")
    assert found.files == {}
    assert repr(path) in found.why


def test_files_of_a_tool_call() -> None:
    assert files_of_call('{"files":[{"path":"./main.py","content":"x"}]}').files == {"main.py": "x"}
    assert files_of_call('{"files":[{"path":"../x.py","content":"x"}]}').files == {}
    assert files_of_call('{"files":[{"path":"x.py"}]}').why == "a file of the tool call has no path or no content"
    assert files_of_call('{"files":').why == "the arguments of the tool call are no JSON"
