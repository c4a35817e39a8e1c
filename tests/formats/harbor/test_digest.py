import hashlib
from pathlib import Path

import pytest

from proofyard.formats.harbor import content_digest
from proofyard.formats.harbor.digest import hashed_files
from proofyard.formats.harbor.ignore import Patterns


def lay(folder: Path, *names: str, **texts: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    for name, text in texts.items():
        (folder / name).write_text(text)


def test_what_counts_and_how(tmp_path: Path) -> None:
    lay(tmp_path, "task.toml", "instruction.md", "notes.txt", "tests/test.sh", "tests/__pycache__/a.pyc", "tests/x~")
    lay(tmp_path, "environment/.hidden", "solution/solve.sh", "steps/one/tests/test.sh", "trajectory.json")
    names = [
        "environment/.hidden", "instruction.md", "solution/solve.sh", "steps/one/tests/test.sh", "task.toml",
        "tests/test.sh", "trajectory.json",
    ]  # fmt: skip
    assert hashed_files(tmp_path) == names
    lines = "".join(f"{name}\0{hashlib.sha256(name.encode()).hexdigest()}\n" for name in names)
    assert content_digest(tmp_path) == "sha256:" + hashlib.sha256(lines.encode()).hexdigest()


def test_own_patterns_take_the_place_of_the_usual_ones(tmp_path: Path) -> None:
    lay(tmp_path, "task.toml", "tests/a.pyc", "tests/b.log", "tests/.harborignore", "solution/.harborignore")
    lay(tmp_path, "solution/draft/x", "solution/solve.sh")
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / "solution" / ".harborignore").write_text("draft/\n")
    assert hashed_files(tmp_path) == ["solution/solve.sh", "task.toml", "tests/a.pyc"]


@pytest.mark.parametrize(
    ("lines", "path", "out"),
    [
        (["*.pyc"], "a/b/c.pyc", True),
        (["/a.txt"], "b/a.txt", False),
        (["/a.txt"], "a.txt", True),
        (["build/"], "x/build/y", True),
        (["build/"], "x/build", False),
        (["a/*.txt"], "a/b/c.txt", False),
        (["a/**/c.txt"], "a/c.txt", True),
        (["**/z"], "x/y/z", True),
        (["a/**"], "a/x/y", True),
        (["*", "!keep"], "keep", False),
        (["d/", "!d/keep"], "d/keep", True),
        (["x[0-9]"], "x7", True),
        (["x[!0-9]"], "x7", False),
        (["# a", "", r"\#b"], "#b", True),
        (["a?c"], "a/c", False),
    ],
)
def test_patterns(lines: list[str], path: str, out: bool) -> None:
    assert Patterns(lines).ignores(path) is out


RULES = {
    "environment/.harborignore": "z\n",
    "tests/.harborignore": "# c\nsecret*\n/sub/\n",
    "tests/deep/.harborignore": "!secret1\nq*\n",
    "steps/one/tests/.harborignore": "a\n!d/b\n*b\n",
    "steps/one/tests/d/.harborignore": "!b\n",
}


def test_the_digest_that_harbor_itself_computes(tmp_path: Path) -> None:
    """The value is what `Packager.compute_content_hash` of harbor 0.26.0 gives for this folder."""
    lay(
        tmp_path,
        "task.toml",
        "instruction.md",
        "README.md",
        "other",
        "environment/z",
        "environment/x.pyc",
        "tests/test.sh",
    )
    lay(
        tmp_path,
        "tests/secret1",
        "tests/sub/x",
        "tests/deep/sub/y",
        "tests/deep/secret1",
        "tests/deep/q2",
        "tests/ü ä.txt",
    )
    lay(tmp_path, "steps/one/instruction.md", "steps/one/tests/a", "steps/one/tests/d/b", "steps/one/tests/c")
    for name, text in RULES.items():
        (tmp_path / name).write_text(text)
    assert hashed_files(tmp_path) == [
        "README.md", "environment/z", "instruction.md", "steps/one/instruction.md", "steps/one/tests/c",
        "steps/one/tests/d/b", "task.toml", "tests/deep/secret1", "tests/deep/sub/y", "tests/test.sh", "tests/ü ä.txt",
    ]  # fmt: skip
    assert content_digest(tmp_path) == "sha256:88641aaec98372e9360c73b6e264fb4b5e40d5ab56a5d089ccb00649d8591ae0"
