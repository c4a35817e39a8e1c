"""`proofyard mutants`: what it prints, its exit codes, what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from proofyard.checks.mutants import Entry, Ledger, Survivor, targets
from proofyard.checks.mutants.ledger import Tally, write_ledger
from proofyard.cli import mutants
from tests.cli.tool import verb

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """The verb in this process, with its ledger and its cache in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(*args: str) -> tuple[int, str, str]:
        argv = ["scratch", "--ledger", str(tmp_path / "ledger.json"), *args]
        code = mutants.command.main(argv, standalone_mode=False)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_a_few_mutants_through_the_sandbox(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(targets, "MOST", 4)
    every = len(targets.family_targets(["round-robin"])[0].mutants())
    code, out, err = call("--family", "round-robin", "--concurrency", "1")
    assert code == 1
    assert out.splitlines() == [
        f"round-robin: 4 of {every} mutants, 4 killed (100.0%)",
        "1 files: 4 mutants, 4 killed, 0 equivalent; 1 files graded now",
        "fault: round-robin: only 4 mutants, at least 40 are wanted",
    ]
    assert "round-robin: looking at the ledger" in err
    assert json.loads((tmp_path / "ledger.json").read_text())["families"]["round-robin"]["made"] == 4
    code, out, _ = call("--family", "round-robin", "--json")
    found = json.loads(out)
    assert (code, found["format"], found["graded"]) == (1, "proofyard.mutants-report", [])
    assert found["families"]["round-robin"]["killed"] == 4


def test_survivors_are_shown_with_their_change_and_a_stale_ledger_fails(call: Call, tmp_path: Path) -> None:
    survivor = Survivor(id="a1", operator="swap", line=3, column=5, before="a,\n    b", after="b, a", source="f(b, a)")
    listed = Survivor(
        id="b2",
        operator="constant",
        line=4,
        column=1,
        before="x" * 80,
        after="0",
        source="g(0)",
        equivalent="a name",
        agreed=10_000,
    )
    entry = Entry(
        digest="old",
        possible=90,
        made=80,
        killed=78,
        operators={"swap": Tally(made=80, killed=78)},
        survivors=(survivor, listed),
    )
    write_ledger(tmp_path / "ledger.json", Ledger(families={"lru-cache": entry}))
    code, out, _ = call("--family", "lru-cache", "--check")
    assert code == 1
    assert out.splitlines() == [
        "lru-cache: 80 of 90 mutants, 78 killed (97.5%), 1 equivalent",
        "  survivor a1 at 3:5 (swap): a, b -> b, a",
        "    f(b, a)",
        f"  survivor b2 at 4:1 (constant): {'x' * 67}... -> 0",
        "    g(0)",
        "    equivalent: a name (agrees on 10000 random requests)",
        "1 files: 80 mutants, 78 killed, 1 equivalent; 0 files graded now",
        "fault: lru-cache: the ledger does not hold what is there now",
    ]


def test_what_is_refused(tmp_path: Path) -> None:
    verb("mutants", "functions").refused(2, "unknown suite 'functions'")
    verb("mutants", "scratch", "--family", "lru-cahce", "--ledger", tmp_path / "x").refused(2, "did you mean lru-cache")
    verb("mutants", "scratch", "--check", cwd=tmp_path).refused(2, "docs/proof", "--ledger")
    verb("mutants", "scratch", "--ledger", tmp_path).refused(2, str(tmp_path))
