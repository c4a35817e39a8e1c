"""Answers as models give them, made of real solutions: each a program, and how it is wrapped."""

import gzip
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.data import data

COUNT = 300
PROSE = (
    "Here's the function you asked for (see the notes below):",
    "Sure! It's simple: read the data, then count it.",
    "Note: this isn't tested.",
    "Explanation",
    "1) First we import what's needed",
    "The time complexity is O(n log(n)",
    "# Heading",
    "- it handles `None`",
    'It returns "a string\'s length", not its words.',
)


class Task(NamedTuple):
    entry_point: str
    prompt: str
    program: str


class Answer(NamedTuple):
    kind: str
    task: Task
    text: str


def tasks() -> list[Task]:
    """Tasks of four datasets, each with its own solution as a whole program."""
    found = []
    for name, prompt in (
        ("BigCodeBench-v0.1.4.jsonl.gz", "complete_prompt"),
        ("HumanEval.jsonl.gz", "prompt"),
        ("MbppPlus.jsonl.gz", ""),
    ):
        with gzip.open(data(name)) as file:
            for row in map(json.loads, file):
                before = row[prompt] if prompt else ""
                found.append(Task(row["entry_point"], before, before + row["canonical_solution"]))
    with gzip.open(data("sanitized-mbpp.json.gz")) as file:
        rows: list[Any] = json.load(file)
    found += [Task(row["code"].split("def ")[-1].split("(")[0].strip(), "", row["code"]) for row in rows[:60]]
    return found


def answers(count: int = COUNT, seed: int = 4) -> Iterator[Answer]:
    """As many answers, each kind in turn."""
    chance = random.Random(seed)
    everything = tasks()
    kinds = list(KINDS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        task = chance.choice(everything)
        yield Answer(kind, task, KINDS[kind](task, chance))


def _fence(program: str, chance: random.Random, language: str = "python") -> str:
    mark = chance.choice(["```", "```", "~~~", "````"])
    return f"{mark}{language}\n{program.rstrip()}\n{mark}"


def _words(chance: random.Random, count: int = 2) -> str:
    return "\n".join(chance.sample(PROSE, count))


def _fenced(task: Task, chance: random.Random) -> str:
    language = chance.choice(["python", "py", "Python", "python3", "", "{.python}"])
    return f"{_words(chance)}\n\n{_fence(task.program, chance, language)}\n\n{_words(chance)}\n"


def _prose(task: Task, chance: random.Random) -> str:
    return f"{_words(chance)}\n\n{task.program.rstrip()}\n\n{_words(chance)}\n"


def _several(task: Task, chance: random.Random) -> str:
    usage = f"print({task.entry_point}(1, 2))\nresult = {task.entry_point}(3)"
    blocks = [_fence("pip install numpy", chance, "bash"), _fence(task.program, chance), _fence(usage, chance)]
    return f"\n{_words(chance, 1)}\n".join(blocks)


def _apart(task: Task, chance: random.Random) -> str:
    """A helper in a block of its own, which the second block's function calls."""
    helper = "def _helper_of_mine(value):\n    return value"
    program = f"{task.program.rstrip()}\n\n_made = {task.entry_point}, _helper_of_mine(3)\n"
    return f"First:\n{_fence(helper, chance)}\nThen:\n{_fence(program, chance)}\n"


def _twice(task: Task, chance: random.Random) -> str:
    first = f"def {task.entry_point}(*args):\n    return None  # a sketch"
    return f"Roughly:\n{_fence(first, chance)}\nIn full:\n{_fence(task.program, chance)}\n"


def _truncated(task: Task, chance: random.Random) -> str:
    """Cut off in what follows the function."""
    after = chance.choice(
        ['\n\nif __name__ == "__main__":\n    print(', "\n\ndef test_it():\n    assert [1,", '\n\n"""And so']
    )
    return f"{_words(chance)}\n```python\n{task.program.rstrip()}{after}"


def _unclosed(task: Task, chance: random.Random) -> str:
    return f"{_words(chance)}\n```python\n{task.program.rstrip()}\n"


def _thinking(task: Task, chance: random.Random) -> str:
    draft = _fence(f"def {task.entry_point}(x):\n    return x", chance)
    tags = chance.choice([("<think>", "</think>"), ("", "</think>"), ("<thinking>", "</thinking>")])
    return f"{tags[0]}\nLet me see. {_words(chance)}\n{draft}\nNo.\n{tags[1]}\n\n{_fence(task.program, chance)}\n"


def _only_thought(task: Task, chance: random.Random) -> str:
    return f"<think>\n{_words(chance)}\n{_fence(task.program, chance)}\nThat"


def _indented(task: Task, chance: random.Random) -> str:
    margin = chance.choice(["    ", "  ", "\t"])
    program = "".join(f"{margin}{line}" if line.strip() else line for line in task.program.splitlines(keepends=True))
    return chance.choice([program, f"{_words(chance)}\n\n{program.rstrip()}\n\n{_words(chance)}\n"])


def _windows(task: Task, chance: random.Random) -> str:
    text = chance.choice([_fenced, _prose, _several])(task, chance)
    return "\ufeff" + text.replace("\n", "\r\n")


def _shown(task: Task, chance: random.Random) -> str:
    """With a demonstration, tests and a main guard of its own."""
    name = task.entry_point
    return (
        f"{task.program.rstrip()}\n\n# Example usage:\n_data = [1, 2, 3]\n_found = {name}(_data)\nprint(_found)\n"
        f"assert {name}(1) == 2\nfor _x in _data:\n    print({name}(_x))\n\ndef test_it():\n    assert {name}(1)\n\n"
        f'test_it()\nif __name__ == "__main__":\n    print({name}(2))\n'
    )


KINDS: dict[str, Callable[[Task, random.Random], str]] = {
    "fenced": _fenced,
    "unfenced": lambda task, _chance: task.program,
    "prose": _prose,
    "several blocks": _several,
    "a helper apart": _apart,
    "a sketch first": _twice,
    "truncated": _truncated,
    "unclosed": _unclosed,
    "thinking": _thinking,
    "thinking alone": _only_thought,
    "indented": _indented,
    "CRLF": _windows,
    "demonstration": _shown,
}
