import random

import pytest

from proofyard.source.compat import calibrated, longest_run, sanitize_as
from proofyard.source.extract_parse import parses
from tests.source.test_extract_runs import LINES

F = "def task_func():\n    return {}"


def by_every_pair(text: str) -> str:
    """The longest run as its definition has it."""
    lines = text.split("\n")
    best, found = 0, (0, 1)
    for start in range(len(lines)):
        for stop in range(start + 2, len(lines) + 1):
            weight = sum(bool(line.strip()) for line in lines[start:stop])
            if weight > best and parses("\n".join(lines[start:stop])):
                best, found = weight, (start, stop)
    return "\n".join(lines[slice(*found)])


@pytest.mark.parametrize("seed", range(4))
def test_the_longest_run_is_that_of_every_pair(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        pool = chance.sample(LINES, chance.randint(3, 20))
        text = "\n".join(chance.choice(pool) for _ in range(chance.randint(1, 11)))
        assert longest_run(text) == by_every_pair(text), text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("import os\n@cache\n" + F.format(1), "import os"),
        ("@dataclass\nclass P:\n    x: int\na, b = 1, 2\n" + F.format("P, a"), F.format("P, a")),
        ("try:\n    import json\nexcept ImportError:\n    json = None\n" + F.format("json"), F.format("json")),
        ("X = []\nX.append(1)\n" + F.format("X"), "X = []\n" + F.format("X")),
        ("from __future__ import annotations\nimport os\n" + F.format(1), "import os\n" + F.format(1)),
        (F.format(1) + "\n" + F.format(2), F.format(1)),
        ("async def g():\n    return 1\nh = lambda: 1\nK: int = 1\n" + F.format("g, h, K"), None),
        ("def unused():\n    return 1\n" + F.format(1), F.format(1)),
        (F.format("K") + "\nK = 1\nprint(task_func())", "def task_func():\n    return K\nK = 1"),
        ("So it's:\n```python\n" + F.format(1) + "\n```", F.format(1)),
        (F.format(1) + "\n\n    # in it\n# not in it\nx = 1", F.format(1) + "\n\n    # in it"),
        (F.format(1) + "  # so\nx = 1", F.format(1) + "  # so"),
        ("obj.a = K\nK = 1\n" + F.format("K"), "obj.a = K\n" + F.format("K")),
        ("print(1)\nprint(2)", "print(1)\nprint(2)"),
        ("it's nothing", "it's nothing"),
    ],
)
def test_what_bigcodebench_leaves(text: str, left: str | None) -> None:
    assert sanitize_as("bcb-compat", text, "task_func") == (text if left is None else left)


def test_lines_at_the_end_that_name_the_entry_point_are_cut() -> None:
    text = F.format("s") + "\ns = 3  # of task_func\n"
    assert sanitize_as("bcb-compat", text, "task_func") == F.format("s") + "\ns = 3"
    named = "def task_func():\n    return task_func_2\ntask_func_2 = 1\n"
    assert sanitize_as("bcb-compat", named, "task_func") == "def task_func():\n    return task_func_2"
    assert sanitize_as("evalplus-compat", named, "task_func") == named.rstrip()


def test_evalplus_drops_functions_without_a_return() -> None:
    text = "def g():\n    print(1)\ndef task_func():\n    return g()"
    assert sanitize_as("evalplus-compat", text, "task_func") == F.format("g()")
    assert sanitize_as("bcb-compat", text, "task_func") == text


def test_an_indented_beginning() -> None:
    text = "    x = 1\ndef task_func():\n    return x\n"
    assert sanitize_as("bcb-compat", text, "task_func") == "x = 1\ndef task_func():\n    return x"
    assert sanitize_as("evalplus-compat", text, "task_func") == "def task_func():\n    return x"


def test_a_fenced_body_is_put_after_its_prompt() -> None:
    assert calibrated("```python\n    return 1\n```", "def f():\n") == "```python\ndef f():\n    return 1\n```"
    assert calibrated("```python\nreturn 1\n```", "def f():\n") == "```python\nreturn 1\n```"
