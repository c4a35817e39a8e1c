from pathlib import Path

import pytest

from proofyard.core import UsageError
from proofyard.reports import ResultFile, read_result, write_result
from tests.reports.factory import trial, verdict


def result() -> ResultFile:
    t = trial("x")
    return ResultFile(
        format="proofyard.result",
        schema=1,
        suite="scratch",
        version="1",
        trial=t,
        verdict=verdict(t, True),
        subset="easy",
    )


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_result(tmp_path / "r.json", result())
    assert read_result(tmp_path / "r.json") == result()
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no result file"),
        ("{}", "no result file"),
        ('{"format":"proofyard.result","schema":1}', "no result file"),
        ('{"format":"proofyard.result","schema":2}', "written by a newer proofyard"),
        ("[1]", "no result file"),
        ("\udcff", "no result file"),
    ],
)
def test_anything_else_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match=message) as caught:
        read_result(path)
    assert "\n" not in str(caught.value)


def test_an_absent_file_and_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_result(tmp_path / "none.json")
    with pytest.raises(UsageError, match="choose another --output"):
        write_result(tmp_path / "none" / "r.json", result())
