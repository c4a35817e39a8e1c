import errno
import os
from pathlib import Path

import pytest

from proofyard.core import InfrastructureError
from proofyard.store import RunStore, call_note, read_calls
from tests.store.records import header


def test_a_call_is_in_flight_until_its_end_is_noted(tmp_path: Path) -> None:
    note = call_note(tmp_path, "t1", 1)
    note("model_send", call="a", n=1)
    note("model_send", call="b", n=1)
    note("model_end", call="a", attempt={"n": 1})
    note("model_cached", model="m")
    call_note(tmp_path, "t1", 2)("model_send", call="c", n=2)
    calls = read_calls(tmp_path)
    assert [(record.trial, record.tries, record.call, record.end is None) for record in calls] == [
        ("t1", 1, "a", False),
        ("t1", 1, "b", True),
        ("t1", 2, "c", True),
    ]
    assert calls[0].end is not None
    assert calls[0].end["attempt"] == {"n": 1}
    assert calls[2].sent["n"] == 2


def test_a_line_torn_by_a_kill_is_cut_before_more_are_written(tmp_path: Path) -> None:
    RunStore.create(tmp_path, header()).close()
    note = call_note(tmp_path, "t1", 1)
    note("model_send", call="a", n=1)
    with (tmp_path / "calls.jsonl").open("ab") as file:
        file.write(b'{"kind":"model_end","call":"a","tr')
    assert [record.end for record in read_calls(tmp_path)] == [None]
    RunStore.open(tmp_path).close()
    note("model_send", call="b", n=1)
    assert [record.call for record in read_calls(tmp_path)] == ["a", "b"]


def test_no_call_goes_out_that_cannot_be_put_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(InfrastructureError, match="disk_full"):
        call_note(tmp_path, "t1", 1)("model_send", call="a", n=1)
    monkeypatch.undo()
    assert read_calls(tmp_path) == []


def test_a_run_without_models_has_no_calls(tmp_path: Path) -> None:
    assert read_calls(tmp_path) == []
