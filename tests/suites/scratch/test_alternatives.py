"""The plumbing of alternatives: what makes one up, that it is its own program, and that a fault in one is told."""

import ast
import sys
from pathlib import Path

import pytest

from proofyard.core import MemoryBlobs, Outcome, file_bytes
from proofyard.suites.scratch import alternatives
from proofyard.suites.scratch.alternatives import alternatives_of
from proofyard.suites.scratch.families import FAMILIES, NUMBERS
from proofyard.suites.scratch.tiers import TIERS

HERE = Path(alternatives.__file__).parent
SHELLS = sorted(path for path in (HERE / "shells").glob("*.py") if path.name != "__init__.py")
MODULES = sorted(path for path in (HERE / "families").glob("*.py") if path.name != "__init__.py")


def texts(monkeypatch: pytest.MonkeyPatch, **files: str) -> None:
    """Let the folder hold these files only: `shells_easy="..."`."""
    held = {name.replace("_", "/", 1) + ".py": text for name, text in files.items()}
    monkeypatch.setattr(alternatives, "_text", held.get)


def test_one_is_made_of_the_shell_of_the_tier_and_the_module_of_the_family(monkeypatch: pytest.MonkeyPatch) -> None:
    texts(monkeypatch, shells_easy="# shell\n", families_round_robin="# family\n")
    blobs = MemoryBlobs()
    (one,) = alternatives_of(TIERS["easy"], FAMILIES["round-robin"], blobs)
    assert (one.name, one.kind, one.expected, one.reason) == ("alternative", "alternative", Outcome.PASSED, None)
    files = {path: file_bytes(entry, blobs).decode() for path, entry in one.tree.entries.items()}
    assert files == {"main.py": "# shell\n", "family.py": "# family\n"}


@pytest.mark.parametrize("held", [{"shells_easy": "x"}, {"families_round_robin": "x"}, {}])
def test_half_of_one_is_none(monkeypatch: pytest.MonkeyPatch, held: dict[str, str]) -> None:
    texts(monkeypatch, **held)
    assert alternatives_of(TIERS["easy"], FAMILIES["round-robin"], MemoryBlobs()) == ()


def test_files_are_named_like_tiers_and_families() -> None:
    assert {path.stem for path in SHELLS} <= set(TIERS)
    assert {path.stem for path in MODULES} <= {slug.replace("-", "_") for slug in NUMBERS}


@pytest.mark.parametrize("path", [*SHELLS, *MODULES], ids=lambda path: path.stem)
def test_each_stands_by_itself(path: Path) -> None:
    allowed = {*sys.stdlib_module_names} | ({"family"} if path in SHELLS else set())
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module is not None
            assert node.module.partition(".")[0] in allowed
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= allowed
