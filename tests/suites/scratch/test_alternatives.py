"""The plumbing of alternatives: what makes one up, that it is its own program, and that a fault in one is told."""

import ast
import sys
from pathlib import Path

import msgspec
import pytest

from proofyard.core import Given, Grade, MemoryBlobs, Outcome, Reason, file_bytes, tree_of
from proofyard.graders import SessionGrader
from proofyard.suites.scratch import alternatives
from proofyard.suites.scratch.alternatives import alternatives_of
from proofyard.suites.scratch.families import FAMILIES, NUMBERS
from proofyard.suites.scratch.tiers import TIERS
from tests.graders.plain import PlainProvider

from .inprocess import SUITE

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


def graded(task_id: str, more: str = "") -> Grade:
    """The alternative of a task, with a text after its family's module, graded in plain processes."""
    task, blobs = SUITE.load(task_id), SUITE.blobs()
    (one,) = [solution for solution in task.steps[0].hidden.solutions if solution.kind == "alternative"]
    text = file_bytes(one.tree.entries["family.py"], blobs).decode() + more
    tree = one.tree.merged(tree_of({"family.py": text}, blobs))
    return SessionGrader().grade(task.steps[0], tree, PlainProvider().opener(blobs), Given(), blobs)


def test_one_passes_and_with_a_fault_it_does_not() -> None:
    found = graded("scratch-easy-001-word-frequency")
    assert (found.outcome, found.score) == (Outcome.PASSED, 1.0)
    lazy = graded("scratch-easy-001-word-frequency", "\n\ndef run(op, args):\n    return None\n")
    assert (lazy.outcome, lazy.reason) == (Outcome.FAILED, Reason.WRONG_RESULT)
    lenient = graded("scratch-easy-001-word-frequency", "\n\ndef check(op, args):\n    return True\n")
    assert lenient.outcome is Outcome.FAILED


def test_what_it_is_made_of_is_not_in_the_brief() -> None:
    task = SUITE.load("scratch-easy-001-word-frequency")
    (one,) = [solution for solution in task.steps[0].hidden.solutions if solution.kind == "alternative"]
    brief = msgspec.json.encode(task.steps[0].brief).decode()
    for entry in one.tree.entries.values():
        lines = file_bytes(entry, SUITE.blobs()).decode().splitlines()
        assert len(lines) > 20
        assert [line for line in lines if len(line) > 60 and line.strip() in brief] == []
