"""Which modules a warm process imports: by use, and only those that are there."""

from pathlib import Path

from proofyard.formats.rows import BigCodeRow, read_big_code
from proofyard.suites.functions.preload import by_frequency
from tests.data import data


def row(code: str, test: str = "") -> BigCodeRow:
    return BigCodeRow(
        task_id="x",
        complete_prompt="",
        instruct_prompt="",
        code_prompt=code,
        canonical_solution="",
        test=test,
        entry_point="f",
    )


def test_the_most_used_come_first(tmp_path: Path) -> None:
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").touch()
    (tmp_path / "numpy" / "fft.py").touch()
    rows = [row("import json, re as r\nfrom numpy import fft, nothing\nimport pandas as pd\n", "import json\n")] * 5
    rows += [row("  import json\nimport glob\nfrom os import path\n")]
    assert by_frequency(rows, str(tmp_path)) == ("json", "numpy", "numpy.fft", "re")
    assert by_frequency(rows, "") == ("json", "re")
    assert by_frequency(rows[:4], "") == ()


def test_what_opens_windows_is_left_out() -> None:
    assert by_frequency([row("import turtle\nimport tkinter\nimport this\n")] * 9, "") == ()


def test_the_real_tasks() -> None:
    names = by_frequency(read_big_code(data("BigCodeBench-v0.1.4.jsonl.gz")), "")
    assert names[:2] == ("unittest", "os")
    assert {"unittest.mock", "urllib.parse", "sqlite3"} <= set(names)
    assert "pandas" not in names
