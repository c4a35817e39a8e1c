import json
from pathlib import Path

import pytest

from proofyard.core import UnknownNameError, UsageError
from proofyard.formats.harbor import RegistryEntry, choose, dataset_text, read_dataset, read_registry

DIGEST = "sha256:" + "0a" * 32
TOML = f"""\
[dataset]
name = "org/set"
version = "0.1.0"

[[tasks]]
name = "org/one"
digest = "{DIGEST}"

[[files]]
path = "metric.py"
"""


def test_a_dataset_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "dataset.toml"
    path.write_text(TOML)
    found = read_dataset(path)
    assert (found.dataset.name, [(t.name, t.content) for t in found.tasks]) == ("org/set", [("org/one", DIGEST)])
    assert [(part.path, part.content) for part in found.files] == [("metric.py", None)]
    path.write_text(dataset_text(found))
    assert (read_dataset(path), f'digest = "{DIGEST}"' in path.read_text()) == (found, True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (DIGEST, "sha256:0", "'sha256:0' is no digest"),
        ("metric.py", "a/metric.py", "'a/metric.py' is no bare name"),
        ("[dataset]", "[other]", "is no dataset: "),
    ],
)
def test_a_dataset_that_is_none(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "dataset.toml"
    path.write_text(TOML.replace(old, new))
    with pytest.raises(UsageError, match=message):
        read_dataset(path)
    with pytest.raises(UsageError, match="there is no such file"):
        read_dataset(tmp_path / "none")


def test_a_registry(tmp_path: Path) -> None:
    path = tmp_path / "registry.json"
    task = {"name": "one", "path": "tasks/one", "git_url": "https://example.org/x", "git_commit_id": "abc"}
    path.write_text(json.dumps([{"name": "set", "version": "1.0", "description": "", "tasks": [task], "metrics": []}]))
    (entry,) = read_registry(path)
    assert (entry.version, entry.tasks[0].path, entry.tasks[0].git_commit_id) == ("1.0", "tasks/one", "abc")
    path.write_text("{}")
    with pytest.raises(UsageError, match="is no registry of datasets"):
        read_registry(path)


@pytest.mark.parametrize(
    ("versions", "chosen"),
    [
        (["0.9", "0.10", "0.10rc1"], "0.10"),
        (["1.0.dev3", "1.0a1"], "1.0a1"),
        (["1.0", "1.0.post1"], "1.0.post1"),
        (["2.0", "head"], "head"),
        (["beta", "alpha"], "beta"),
        (["zzz", "0.1"], "0.1"),
    ],
)
def test_the_version_that_is_meant(versions: list[str], chosen: str) -> None:
    entries = tuple(RegistryEntry(name="set", version=version) for version in versions)
    assert choose(entries, "set").version == chosen
    assert choose(entries, f"set@{versions[0]}").version == versions[0]
    with pytest.raises(UnknownNameError):
        choose(entries, "set@9")
    with pytest.raises(UnknownNameError, match="did you mean set"):
        choose(entries, "sets")
