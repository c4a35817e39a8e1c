"""Hidden tests that are kept: the same as made, taken only if they are those on record, made anew when the source changes."""

import ast
import shutil
import zlib
from importlib import import_module
from pathlib import Path

import pytest

from proofyard import core
from proofyard.suites.scratch import ScratchSuite, kept
from proofyard.suites.scratch.cases import DEFAULT_SEED

suite = import_module("proofyard.suites.scratch.suite")  # the package has a function of this name
TASK = "scratch-easy-018-date-arithmetic"
MADE: list[str] = []


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a list of what is made."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    make = suite.scenarios_of
    monkeypatch.setattr(suite, "scenarios_of", lambda tier, family, seed: MADE.append(tier) or make(tier, family, seed))
    MADE.clear()
    return tmp_path / "proofyard" / "scratch"


def files(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file())


def test_what_was_made_is_not_made_again_and_is_the_same(cache: Path) -> None:
    first, second = ScratchSuite().load(TASK), ScratchSuite().load(TASK)
    assert len(MADE) == 1
    assert first == second
    assert first.steps[0].hidden.expected == second.steps[0].hidden.expected
    assert [path.name for path in files(cache)] == [f"{TASK}.z"]
    assert ScratchSuite().scenarios(TASK) == suite.scenarios_of(*ScratchSuite()._parts(TASK), DEFAULT_SEED)


@pytest.mark.parametrize("spoil", [lambda data: zlib.compress(b"[]"), lambda data: data[:-9], lambda data: b""])
def test_what_is_not_on_record_is_not_used(cache: Path, spoil: object) -> None:
    expected = ScratchSuite().load(TASK).steps[0].hidden.expected
    (path,) = files(cache)
    path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]
    assert ScratchSuite().load(TASK).steps[0].hidden.expected == expected
    assert len(MADE) == 2
    assert zlib.decompress(path.read_bytes()).decode() == expected


def test_what_was_made_wrong_is_not_kept(cache: Path) -> None:
    kept.keep(ScratchSuite().version, TASK, "[]")
    assert files(cache) == []


def test_a_private_set_is_never_kept(cache: Path) -> None:
    assert ScratchSuite(7).scenarios(TASK) != ScratchSuite().scenarios(TASK)
    assert ScratchSuite(7).scenarios(TASK)
    assert len(MADE) == 3
    assert len(files(cache)) == 1


def test_a_change_of_the_source_makes_them_anew(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, nouns = tmp_path / "scratch", tmp_path / "core"
    shutil.copytree(Path(kept.__file__).parent, here)
    shutil.copytree(Path(core.__file__).parent, nouns)
    monkeypatch.setattr(kept, "__file__", str(here / "kept.py"))
    monkeypatch.setattr(kept.core, "__file__", str(nouns / "__init__.py"))
    seen = []
    for path in (here / "kept.py", here / "program" / "store.py", nouns / "session.py", None):
        kept._source.cache_clear()
        seen.append(kept._source())
        if path is not None:
            assert path.exists()
            path.write_text(path.read_text() + "#")
    kept._source.cache_clear()
    assert len(set(seen)) == 4


def test_nothing_else_decides_what_is_made() -> None:
    """The modules that are digested use no others of the project; the card of the data set makes no tests."""
    used = set()
    for path in Path(kept.__file__).parent.rglob("*.py"):
        if path.name != "card.py":
            for node in ast.walk(ast.parse(path.read_text())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                used |= {node.module or ""} if isinstance(node, ast.ImportFrom) and not node.level else set(names)
    ours = {name for name in used if name.split(".")[0] == "proofyard"}
    assert {name for name in ours if not name.startswith(("proofyard.core", "proofyard.suites.scratch"))} == {
        "proofyard"
    }
    assert "msgspec" in used


def test_a_folder_that_cannot_be_written_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert ScratchSuite().load(TASK) == ScratchSuite().load(TASK)
    assert len(MADE) == 2


def test_of_many_states_of_the_source_none_stays(cache: Path) -> None:
    for number in range(8):
        (cache / str(number)).mkdir(parents=True)
        (cache / str(number) / f"{TASK}.z").write_bytes(b"")
    ScratchSuite().load(TASK)
    assert [path.parent.name for path in files(cache)] == [kept._source()]
