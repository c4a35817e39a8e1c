"""The reference program's parts: readers of arguments, the loop as a process, tables on disk."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofyard.suites.scratch.families import FAMILIES
from proofyard.suites.scratch.program import files
from proofyard.suites.scratch.program.arguments import (
    Reader,
    anything,
    array,
    boolean,
    enum,
    integer,
    mapping,
    optional,
    required,
    string,
    structure,
)
from proofyard.suites.scratch.program.errors import InvalidArgsError
from proofyard.suites.scratch.program.files import StateFile
from proofyard.suites.scratch.reference import reference_files
from proofyard.suites.scratch.tiers import TIERS

READERS: list[tuple[Reader, list[Any], list[Any]]] = [
    (integer(), [0, -(10**30)], [1.0, True, "1", None, [1]]),
    (integer(1, 3), [1, 3], [0, 4, 2.0]),
    (string(), ["", "x" * 1000], [None, 1, ["x"]]),
    (string(1, 2), ["a", "\U0001f600\U0001f600"], ["", "abc"]),
    (boolean, [True, False], [0, 1, None, "true"]),
    (enum("a", "b"), ["a", "b"], ["c", "", None, 1, ["a"]]),
    (array(integer(), 1, 2), [[1], [1, 2]], [[], [1, 2, 3], ["1"], [1, None], "1", {}]),
    (mapping(integer(), 1, 2), [{"a": 1}], [{}, {"a": "1"}, [1], {"a": 1, "b": 2, "c": 3}]),
    (
        structure({"a": integer()}, {"b": string()}),
        [{"a": 1}, {"a": 1, "b": ""}],
        [{}, {"b": ""}, {"a": 1, "b": 2}, []],
    ),
    (anything, [None, 1, "x"], []),
]


@pytest.mark.parametrize(("reader", "good", "bad"), READERS)
def test_readers(reader: Reader, good: list[Any], bad: list[Any]) -> None:
    for value in good:
        found = reader(value, "x")
        assert found == value
        assert type(found) is type(value)
    for value in bad:
        with pytest.raises(InvalidArgsError) as caught:
            reader(value, "x")
        assert "x" in caught.value.message


def test_arguments_missing_and_left_out() -> None:
    assert required({"a": 1}, "a", integer()) == 1
    assert optional({}, "a", integer(), 5) == 5
    assert optional({}, "a", integer()) is None
    assert structure({"a": integer()})({"a": 1, "unknown": 2}, "x") == {"a": 1}
    with pytest.raises(InvalidArgsError, match="a is missing"):
        required({}, "a", integer())
    with pytest.raises(InvalidArgsError, match="a must be an integer"):
        optional({"a": None}, "a", integer())
    with pytest.raises(InvalidArgsError, match=r"x\[1\]\.a must be"):
        array(structure({"a": integer()}))([{"a": 1}, {"a": "b"}], "x")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    def lay(tier: str) -> Path:
        folder = tmp_path_factory.mktemp(tier)
        for path, text in reference_files(TIERS[tier], FAMILIES["word-frequency"]).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return folder

    return lay


def run(folder: Path, data: bytes, *arguments: str) -> tuple[int, list[Any]]:
    command = [sys.executable, "-E", "-s", "-S", "-B", "main.py", *arguments]
    done = subprocess.run(command, cwd=folder, input=data, capture_output=True, check=False, timeout=60)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_process_reads_a_last_line_without_line_feed(projects: Callable[[str], Path]) -> None:
    folder = projects("easy")
    line = b'{"id": 1, "op": "pairs", "args": {"text": "a b"}}'
    pairs = {"total": 1, "pairs": [{"first": "a", "second": "b", "count": 1}]}
    code, answers = run(folder, b"\n \t\r\n" + line + b"\r\n" + line)
    assert code == 0
    assert answers == [{"id": 1, "ok": True, "result": pairs}] * 2
    assert run(folder, b"") == (0, [])
    long = b'{"id": ' + b"9" * 4000 + b', "op": "nope"}'
    (answer,) = run(folder, long)[1]
    assert (answer["id"], answer["error"]["code"]) == (int("9" * 4000), "unknown_op")


def test_process_keeps_its_state(projects: Callable[[str], Path], tmp_path: Path) -> None:
    folder = projects("max")
    make = {"id": 1, "op": "create", "args": {"name": "a", "document": {"op": "pairs", "args": {"text": "a b"}}}}
    ask = {"id": 2, "op": "list"}
    arguments = ("--state-dir", str(tmp_path))
    begin = [{"id": 3, "op": "begin"}, {**make, "args": {**make["args"], "name": "b"}}]  # type: ignore[dict-item]
    lines = "\n".join(json.dumps(request) for request in (make, *begin)).encode()
    assert [answer["ok"] for answer in run(folder, lines, *arguments)[1]] == [True, True, True]
    listed = {"documents": [{"name": "a", "revision": 1}], "next_cursor": None}
    assert run(folder, json.dumps(ask).encode(), *arguments) == (0, [{"id": 2, "ok": True, "result": listed}])
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


@pytest.mark.parametrize("arguments", [(), ("--state-dir",), ("--state", "x"), ("--state-dir", "x", "y")])
def test_process_wants_its_folder(projects: Callable[[str], Path], arguments: tuple[str, ...]) -> None:
    assert run(projects("max"), b"", *arguments) == (1, [])


def test_tables_are_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = StateFile(str(tmp_path))
    assert state.load() is None
    state.save({"t": {"a": 1}})
    calls: list[str] = []

    def refuse(*_: object) -> None:
        raise OSError("no")

    monkeypatch.setattr(files.os, "fsync", lambda fd: calls.append("fsync"))
    state.save({"t": {"a": 2}})
    assert calls == ["fsync", "fsync"]
    assert state.load() == {"t": {"a": 2}}
    monkeypatch.setattr(files.os, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        state.save({"t": {"a": 3}})
    assert state.load() == {"t": {"a": 2}}
