"""Small datasets of our own, in the forms of the public ones."""

import json
from pathlib import Path
from typing import Any

__all__ = ["big", "evals", "mbpp", "plus", "write"]


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def big(number: int, libs: tuple[str, ...] = ("re",), **more: Any) -> dict[str, Any]:
    """A BigCodeBench row: the function returns its number."""
    head = f"import re\ndef task_func(x={number}):\n"
    return {
        "task_id": f"BigCodeBench/{number}",
        "complete_prompt": f'{head}    """Return {number}."""\n',
        "instruct_prompt": f"Write a function that returns {number}.",
        "canonical_solution": f"    return {number}\n",
        "code_prompt": head,
        "test": f"import unittest\nclass TestCases(unittest.TestCase):\n"
        f"    def test_it(self):\n        self.assertEqual(task_func(), {number})\n",
        "entry_point": "task_func",
        "doc_struct": "{}",
        "libs": repr(list(libs)),
        **more,
    }


def evals(number: int, **more: Any) -> dict[str, Any]:
    """A HumanEval row: the function adds its number."""
    return {
        "task_id": f"HumanEval/{number}",
        "prompt": f'def add(x):\n    """Add {number}."""\n',
        "entry_point": "add",
        "canonical_solution": f"    return x + {number}\n",
        "test": f"def check(candidate):\n    assert candidate(1) == {number + 1}\n    assert candidate(0) == {number}\n",
        **more,
    }


def plus(number: int, **more: Any) -> dict[str, Any]:
    return evals(number, base_input=[[0]], plus_input=[[1], [2]], contract="", atol=0, **more)


def mbpp(number: int, **more: Any) -> dict[str, Any]:
    return {
        "task_id": number,
        "prompt": f"Add {number}.",
        "code": f"def add(x):\n  return x + {number}",
        "test_imports": ["import math"],
        "test_list": [f"assert add(1) == {number + 1}"],
        **more,
    }
