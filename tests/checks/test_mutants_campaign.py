from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from proofyard.checks.mutants import Campaign, Entry, Ledger, MutantReport, check_mutants
from proofyard.checks.mutants import campaign as module
from proofyard.checks.mutants.bench import Bench
from proofyard.checks.mutants.ledger import Fate, Journal, Tally, read_ledger, write_ledger
from proofyard.checks.mutants.targets import Target, family_targets
from proofyard.core import UnknownNameError, UsageError
from proofyard.sandbox import LocalProvider
from tests.checks.mutant_targets import crashing, few, looping, same, wrong


@dataclass(frozen=True, kw_only=True)
class Small(Campaign):
    """A campaign on these targets."""

    those: tuple[Target, ...]

    @property
    def targets(self) -> tuple[Target, ...]:
        return self.those


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    found = LocalProvider(slots=2)
    yield found
    found.close()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def call(provider: LocalProvider, tmp_path: Path) -> Callable[..., MutantReport]:
    def check(*targets: Target, said: list[str] | None = None, **more: bool) -> MutantReport:
        small = Small(those=targets, ledger=tmp_path / "ledger.json", concurrency=2, **more)  # type: ignore[arg-type]
        return check_mutants(small, provider, [].append if said is None else said.append)

    return check


def test_what_comes_of_mutants_is_kept_and_not_done_again(call: Callable[..., MutantReport], tmp_path: Path) -> None:
    target = few(wrong(), crashing(), same())
    found = call(target)
    entry = found.families["round-robin"]
    assert (entry.possible, entry.made, entry.killed) == (3, 3, 2)
    assert entry.reasons == {"crash": 1, "wrong_result": 1}
    assert entry.operators == {"statement": Tally(made=2, killed=2), "swap": Tally(made=1, killed=0)}
    assert [(s.id, s.equivalent, s.agreed, s.excused) for s in entry.survivors] == [("0" * 16, "", 0, False)]
    assert found.graded == ("round-robin",)
    assert found.faults == (
        "round-robin: only 3 mutants, at least 40 are wanted",
        "round-robin: 2 of 3 killed, 66.7%, at least 97% are wanted",
    )
    assert read_ledger(tmp_path / "ledger.json") == Ledger(families={"round-robin": entry})
    assert not list((tmp_path / "cache").rglob("*.jsonl"))
    again = call(target)
    assert (again.families, again.graded, again.faults) == (found.families, (), found.faults)
    assert call(target, check=True).stale == ()


def test_another_mutant_makes_the_entry_stale(call: Callable[..., MutantReport], tmp_path: Path) -> None:
    write_ledger(
        tmp_path / "ledger.json", Ledger(families={"round-robin": Entry(digest="old", possible=50, made=50, killed=50)})
    )
    found = call(few(wrong()), check=True)
    assert (found.stale, found.graded) == (("round-robin",), ())
    assert found.faults == ("round-robin: the ledger does not hold what is there now",)
    assert call(few(wrong())).graded == ("round-robin",)


def test_what_is_no_longer_there_is_dropped_from_the_ledger(call: Callable[..., MutantReport], tmp_path: Path) -> None:
    old = Entry(digest="old", possible=50, made=50, killed=50)
    path = tmp_path / "ledger.json"
    write_ledger(path, Ledger(families={"lru-cache": old, "gone": old}, service={"store.py": old, "gone.py": old}))
    call()
    assert read_ledger(path) == Ledger(families={"lru-cache": old}, service={"store.py": old})


def test_a_campaign_goes_on_with_the_mutant_at_which_it_stopped(
    call: Callable[..., MutantReport], provider: LocalProvider
) -> None:
    target = few(wrong(), crashing())
    digest = Bench(provider).digest(target, {})
    Journal(digest).add(Fate(id=wrong().digest, reason="oom", task="scratch-easy-040-round-robin"))
    assert call(target).families["round-robin"].reasons == {"crash": 1, "oom": 1}
    Journal(digest).add(Fate(id=wrong().digest, reason="oom"))
    assert call(target, redo=True).families["round-robin"].reasons == {"crash": 1, "wrong_result": 1}


def test_a_campaign_that_is_ended_keeps_what_it_knows(call: Callable[..., MutantReport], tmp_path: Path) -> None:
    def interrupt(text: str) -> None:
        if "1/3 mutants" in text:
            raise KeyboardInterrupt

    own = LocalProvider(slots=2)
    small = Small(those=(few(wrong(), looping(), same()),), ledger=tmp_path / "ledger.json", concurrency=1)
    with pytest.raises(KeyboardInterrupt):
        check_mutants(small, own, interrupt)
    (journal,) = (tmp_path / "cache").rglob("*.jsonl")
    assert [line for line in journal.read_text().splitlines() if line] != []
    said: list[str] = []
    assert call(few(wrong(), looping(), same()), said=said).families["round-robin"].killed == 2
    assert not any("1/3 mutants" in text for text in said)


def test_a_listed_mutant_is_excused_only_if_it_agrees(
    call: Callable[..., MutantReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "excuses", lambda: {"round-robin": {"0" * 16: "a comment"}})
    monkeypatch.setattr(module, "REQUESTS", 50)
    (survivor,) = call(few(wrong(), same())).families["round-robin"].survivors
    assert (survivor.equivalent, survivor.agreed, survivor.excused) == ("a comment", 50, True)


def test_a_listed_mutant_that_differs_is_a_fault(
    call: Callable[..., MutantReport], provider: LocalProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "excuses", lambda: {"round-robin": {wrong().digest: "so they say"}})
    monkeypatch.setattr(module, "REQUESTS", 50)
    target = few(wrong())
    Journal(Bench(provider).digest(target, {wrong().digest: "so they say"})).add(Fate(id=wrong().digest))
    found = call(target)
    assert found.families["round-robin"].equivalent == 0
    assert f"round-robin: {wrong().digest} is listed as equivalent and is not: " in found.faults[-1]


def test_without_names_everything_is_asked_for() -> None:
    names = [target.name for target in Campaign().targets]
    assert names[0] == "errors.py"
    assert names[12:] == [target.name for target in family_targets()]
    assert [target.name for target in Campaign(families=("lru-cache",)).targets] == ["lru-cache"]
    both = [target.name for target in Campaign(families=("lru-cache",), service=True).targets]
    assert both == [*names[:12], "lru-cache"]


def test_a_call_that_makes_no_sense_is_refused(provider: LocalProvider, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    with pytest.raises(UnknownNameError, match="did you mean lru-cache"):
        check_mutants(Campaign(families=("lru-cahce",), ledger=ledger), provider, print)
    with pytest.raises(UsageError, match="at least one mutant"):
        check_mutants(Campaign(concurrency=0, ledger=ledger), provider, print)
    (tmp_path / "blocked.new").mkdir()
    with pytest.raises(UsageError, match=r"cannot write .*blocked"):
        check_mutants(Campaign(families=("lru-cache",), ledger=tmp_path / "blocked"), provider, print)
