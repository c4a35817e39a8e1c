"""The template for E2B: what it is made of agrees with what is pinned, and with what a sample may use."""

import re
import tomllib
from pathlib import Path

from proofyard.cli.evaluate_e2b import TEMPLATE
from proofyard.core import MemoryBlobs
from proofyard.formats.lines import Line
from proofyard.formats.rows import big_code_rows
from proofyard.images import find_environment
from proofyard.suites.functions.grading import by_unittest
from tests.suites.functions import rows

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "e2b.Dockerfile").read_text()
TEMPLATE_FILE = tomllib.loads((ROOT / "e2b.toml").read_text())


def test_the_python_of_the_environment() -> None:
    (base,) = re.findall(r"^FROM python:(\d+\.\d+)\.\d+-slim-bookworm$", DOCKERFILE, re.MULTILINE)
    assert base == find_environment("bigcodebench").python
    assert "proofyard env build bigcodebench" in DOCKERFILE


def test_what_is_copied_is_there() -> None:
    copied = re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE)
    names = [name for line in copied for name in line.split()]
    assert names == ["pyproject.toml", "README.md", "LICENSE", "src"]
    assert all((ROOT / name).exists() for name in names)


def test_room_for_what_a_sample_may_use() -> None:
    assert (TEMPLATE_FILE["dockerfile"], TEMPLATE_FILE["template_name"]) == ("e2b.Dockerfile", TEMPLATE)
    (row,) = big_code_rows((Line("row", rows.big(1)),), "rows")
    options = {"preload": (), "packages": "", "isolation": "fork", "truth": ""}
    limits = by_unittest(row, MemoryBlobs(), **options).grading.limits
    assert TEMPLATE_FILE["memory_mb"] << 20 >= TEMPLATE_FILE["cpu_count"] * limits.tree_memory
