import json
from pathlib import Path

import pytest

from proofyard.core import UnknownNameError, UsageError
from proofyard.formats.harbor import content_digest
from proofyard.suites.harbor import find, suite

from .folders import task


def test_folders(tmp_path: Path) -> None:
    one = task(tmp_path / "a/one", "toy/one")
    two = task(tmp_path / "two", "toy/two")
    task(tmp_path / ".hidden/three", "toy/three")
    task(tmp_path / "a/one/environment/inner", "toy/inner")
    assert find(tmp_path).folders == {"toy/one": one, "toy/two": two}
    assert find(one).folders == {"toy/one": one}


def test_a_data_set_with_digests(tmp_path: Path) -> None:
    one = task(tmp_path / "one", "toy/one")
    task(tmp_path / "two", "toy/two")
    text = (
        f'[dataset]\nname = "toy/set"\nversion = "2"\n[[tasks]]\nname = "toy/one"\ndigest = "{content_digest(one)}"\n'
    )
    (tmp_path / "dataset.toml").write_text(text)
    found = suite(options={"path": str(tmp_path)})
    assert (found.ids(), found.title) == (["toy/one"], "toy/set@2")
    (one / "instruction.md").write_text("Changed.\n")
    with pytest.raises(
        UsageError, match=r"^one is not the task toy/one that .*dataset.toml lists: its digest is sha256:"
    ):
        find(tmp_path)
    (tmp_path / "dataset.toml").write_text(text.replace("toy/one", "toy/none"))
    with pytest.raises(UnknownNameError, match="unknown task 'toy/none'; did you mean toy/one"):
        find(tmp_path)


def test_files_of_a_data_set(tmp_path: Path) -> None:
    one = task(tmp_path / "one", "toy/one")
    rows = f'[[tasks]]\nname = "toy/one"\ndigest = "{content_digest(one)}"\n'
    head = '[dataset]\nname = "toy/set"\n'
    (tmp_path / "dataset.toml").write_text(head + rows + '[[files]]\npath = "metric.py"\n')
    with pytest.raises(UsageError, match=r"lists the file metric.py, which is not there"):
        find(tmp_path)
    (tmp_path / "metric.py").write_text("x")
    assert list(find(tmp_path).folders) == ["toy/one"]
    (tmp_path / "dataset.toml").write_text(
        head + rows + f'[[files]]\npath = "metric.py"\ndigest = "sha256:{"0" * 64}"\n'
    )
    with pytest.raises(UsageError, match=r"metric.py is not the file that"):
        find(tmp_path)


def test_a_registry(tmp_path: Path) -> None:
    task(tmp_path / "tasks/one", "toy/one")
    task(tmp_path / "tasks/two", "toy/two")
    entries = [
        {"name": "set", "version": version, "tasks": [{"name": name, "path": f"tasks/{name}"} for name in names]}
        for version, names in (("0.9", ["one"]), ("0.10", ["two", "one"]))
    ]
    (tmp_path / "registry.json").write_text(json.dumps(entries))
    assert list(find(tmp_path, "set").folders) == ["toy/two", "toy/one"]
    found = suite(options={"path": str(tmp_path), "dataset": "set@0.9"})
    assert (found.ids(), found.title) == (["toy/one"], "set@0.9")
    with pytest.raises(UnknownNameError, match="unknown dataset 'sett'; did you mean set"):
        find(tmp_path, "sett")
    entries[0]["tasks"] = [{"name": "x", "path": "../x"}]
    (tmp_path / "registry.json").write_text(json.dumps(entries))
    with pytest.raises(UsageError, match=r"x: \.\./x leads outside"):
        find(tmp_path, "set@0.9")
    entries[0]["tasks"] = [{"name": "x", "path": "x", "git_url": "https://host/x"}]
    (tmp_path / "registry.json").write_text(json.dumps(entries))
    with pytest.raises(UsageError, match="x lies in https://host/x: clone it"):
        find(tmp_path, "set@0.9")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "suite harbor needs a folder of tasks"),
        ({"path": "/nowhere/at/all"}, "/nowhere/at/all: no such folder"),
        ({"path": "/tmp", "publik": "x"}, "unknown option of suite harbor 'publik'; did you mean public"),
        ({"path": "/tmp", "public": "yes"}, "option public of suite harbor is no-network or allowed, not 'yes'"),
        ({"path": "/tmp", "env": "NO_SUCH_VARIABLE_HERE"}, "NO_SUCH_VARIABLE_HERE is not set"),
    ],
)
def test_options_that_cannot_be(options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        suite(options=options)


def test_two_of_a_name_and_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no Harbor task: no folder in it has a task.toml"):
        find(tmp_path)
    task(tmp_path / "one")
    task(tmp_path / "two")
    with pytest.raises(UsageError, match="two tasks are named 'toy/answer'"):
        find(tmp_path)


def test_what_cannot_be_run_is_left_out_when_asked(tmp_path: Path) -> None:
    task(tmp_path / "one", "toy/one")
    task(tmp_path / "two", "toy/two", more="gpus = 1\n")
    with pytest.raises(
        UsageError,
        match=r"not supported \(--suite-option skip=unsupported leaves such tasks out\)$",
    ):
        suite(options={"path": str(tmp_path)}).load("toy/two")
    found = suite(options={"path": str(tmp_path), "skip": "unsupported"})
    assert found.ids() == ["toy/one"]
    assert found.skipped == {"toy/two": f"{tmp_path / 'two'} needs a GPU, which is not supported"}
    with pytest.raises(UsageError, match=r"none of the 1 tasks can be run here; the first: .* needs a GPU"):
        suite(options={"path": str(tmp_path / "two"), "skip": "unsupported"})


def test_places(tmp_path: Path) -> None:
    more = '[metadata]\nfamily = "f"\ndifficulty = "hard"\n'
    folder = task(tmp_path / "one", files={"task.toml": more + '[environment]\nnetwork_mode = "no-network"\n'})
    found = suite(options={"path": str(folder)})
    assert found.place("one") == ("hard", "f", "f")
    assert (found.ids("hard"), found.assertions("one"), found.brief("one").task) == (["one"], 1, "one")
    with pytest.raises(UnknownNameError, match="unknown subset 'hart'; did you mean hard"):
        found.ids("hart")
    assert suite(options=found.options).version == found.version
