"""Prompts and stop texts, for rows of each form."""

from proofyard.formats.rows import EvalRow
from proofyard.suites.functions.prompts import Prompting, asked, begun, stop_texts

ROW = EvalRow(task_id="HumanEval/0", prompt='\ndef f(a):\n    """Add."""\n', entry_point="f", canonical_solution="")
ANYWHERE = ("<|endoftext|>", "<|endofmask|>", "</s>", "\nif __name__", "\ndef main(", "\nprint(")


def test_the_words_of_the_user() -> None:
    how = Prompting(instruction_prefix="Do:", response_prefix="Done:")
    assert asked(ROW, how) == 'Do:\n```\ndef f(a):\n    """Add."""\n```\n'
    assert begun(how) == "Done:\n```python\n"
    assert begun(Prompting()) == ""
    bare = how._replace(direct=True)
    assert asked(ROW, bare) == ROW.prompt
    assert begun(bare) == ""
    assert asked(ROW, bare._replace(strip_newlines=True)) == ROW.prompt.strip("\n")


def test_plain_mbpp_shows_its_assertions() -> None:
    row = EvalRow(
        task_id="Mbpp/2", prompt="Add.", entry_point="f", canonical_solution="", assertions=("assert f(1) == 2",)
    )
    words = "Do:\n```\nAdd.\nYour code should pass these tests:\nassert f(1) == 2\n```\n"
    assert asked(row, Prompting(instruction_prefix="Do:")) == words


def test_stop_texts() -> None:
    direct = Prompting(direct=True)
    assert stop_texts(Prompting(), "humaneval") == (*ANYWHERE, "\n```\n")
    more = ("\ndef ", "\nclass ", "\nimport ", "\nfrom ", "\nassert ")
    assert stop_texts(direct, "bigcodebench") == stop_texts(direct, "humanevalplus") == (*ANYWHERE, *more)
    assert stop_texts(direct, "mbppplus") == (*ANYWHERE, '\n"""', "\nassert")
