from pathlib import Path

import pytest

from proofyard.checks.mutants import Entry, Ledger, Survivor
from proofyard.checks.mutants.ledger import Fate, Journal, Tally, read_ledger, write_ledger
from proofyard.core import UsageError


def survivor(**more: object) -> Survivor:
    return Survivor(id="a1", operator="swap", line=3, column=5, before="a, b", after="b, a", source="f(b, a)", **more)  # type: ignore[arg-type]


def entry(*survivors: Survivor) -> Entry:
    return Entry(
        digest="d", possible=90, made=80, killed=78, operators={"swap": Tally(made=80, killed=78)}, survivors=survivors
    )


def test_what_is_written_is_read_again_with_its_names_in_order(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    ledger = Ledger(
        families={"b": entry(survivor(equivalent="why", agreed=9)), "a": entry()}, service={"x.py": entry()}
    )
    write_ledger(path, ledger)
    assert read_ledger(path) == ledger
    text = path.read_text()
    assert text.index('"a": {') < text.index('"b": {')
    assert '"format": "proofyard.mutants"' in text
    assert [p.name for p in tmp_path.iterdir()] == ["ledger.json"]


def test_no_file_is_an_empty_ledger_but_no_folder_is_refused(tmp_path: Path) -> None:
    assert read_ledger(tmp_path / "ledger.json") == Ledger()
    with pytest.raises(UsageError, match="no such folder; call this in the project's folder"):
        read_ledger(tmp_path / "none" / "ledger.json")


@pytest.mark.parametrize("text", ["", "[]", '{"families": {"a": {"made": "x"}}}'])
def test_another_file_is_no_ledger(tmp_path: Path, text: str) -> None:
    (tmp_path / "ledger.json").write_text(text)
    with pytest.raises(UsageError, match="is no ledger of mutants"):
        read_ledger(tmp_path / "ledger.json")


@pytest.mark.parametrize(
    ("more", "excused"),
    [
        ({}, False),
        ({"equivalent": "why"}, False),
        ({"equivalent": "why", "agreed": 10_000}, True),
        ({"equivalent": "why", "agreed": 10_000, "differs": "x -> y, not z"}, False),
        ({"agreed": 10_000}, False),
    ],
)
def test_a_survivor_is_excused_only_if_listed_and_never_different(more: dict[str, object], excused: bool) -> None:
    assert survivor(**more).excused is excused
    assert entry(survivor(**more), survivor()).equivalent == int(excused)


def test_the_share_is_of_all_that_were_made() -> None:
    assert entry(survivor(equivalent="why", agreed=9)).share == 97.5


def test_a_journal_goes_on_after_a_line_that_was_cut_short(tmp_path: Path) -> None:
    journal = Journal("d1", tmp_path)
    journal.add(Fate(id="a", reason="crash", task="t"))
    with (tmp_path / "d1.jsonl").open("ab") as file:
        file.write(b'{"id": "b", "rea')
    journal.add(Fate(id="c"))
    assert Journal("d1", tmp_path).read() == {"a": Fate(id="a", reason="crash", task="t"), "c": Fate(id="c")}
    assert Journal("d2", tmp_path).read() == {}
    journal.drop()
    assert journal.read() == {}


def test_journals_are_in_the_user_s_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Journal("d").add(Fate(id="a"))
    assert (tmp_path / "proofyard" / "mutants" / "d.jsonl").exists()
