"""On a real, tiny file system: a full disk loses nothing that was journalled, and more space lets the run go on."""

from pathlib import Path

import pytest

from proofyard.core import InfrastructureError, ProofyardError
from proofyard.store import RunStore, read_run
from tests.store.records import header, trial, verdict


def _fill(folder: Path, leave: int) -> Path:
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as handle, pytest.raises(OSError, match="No space left"):
        while True:
            handle.write(b"\0" * 4096)
    with ballast.open("r+b") as handle:
        handle.truncate(ballast.stat().st_size - leave)
    return ballast


def test_a_full_disk_keeps_what_was_written_and_the_run_goes_on_later(tiny_disk: Path) -> None:
    store = RunStore.create(tiny_disk / "run", header())
    ballast = _fill(tiny_disk, leave=8192)
    kept = 0
    with pytest.raises(InfrastructureError, match="free space and run again") as caught:
        for kept in range(10_000):
            store.append_trial(trial(kept))
            store.append_verdict(verdict(trial(kept)))
            store.flush()
    assert caught.value.failure.code == "disk_full"
    assert caught.value.exit_code == 3
    assert kept > 2
    with pytest.raises(InfrastructureError, match="disk_full"):
        store.append_trial(trial(99_999))
    store.close()

    data = read_run(tiny_disk / "run")
    assert {trial(n).id for n in range(kept)} <= set(data.trials)
    assert {verdict(trial(n)).id for n in range(kept)} <= set(data.verdicts)

    ballast.unlink()
    with RunStore.open(tiny_disk / "run") as again:
        for n in range(kept + 5):
            again.append_trial(trial(n))
            again.append_verdict(verdict(trial(n)))
    data = read_run(tiny_disk / "run")
    assert sorted(data.trials) == [trial(n).id for n in range(kept + 5)]
    assert len(data.verdicts) == kept + 5
    assert (tiny_disk / "run" / "trials.jsonl").read_bytes().count(b"\n") == kept + 5


def test_a_blob_that_does_not_fit_leaves_nothing_behind(tiny_disk: Path) -> None:
    store = RunStore.create(tiny_disk / "run", header())
    ballast = _fill(tiny_disk, leave=16_384)
    with pytest.raises(InfrastructureError, match="disk_full"):
        store.blobs.put(b"x" * 100_000)
    ballast.unlink()
    assert [p for p in (tiny_disk / "run" / "blobs").rglob("*") if p.is_file()] == []
    sha = store.blobs.put(b"x" * 100_000)
    assert store.blobs.get(sha) == b"x" * 100_000
    store.close()


def test_a_run_cannot_begin_on_a_full_disk(tiny_disk: Path) -> None:
    _fill(tiny_disk, leave=0)
    with pytest.raises(ProofyardError) as caught:
        RunStore.create(tiny_disk / "run", header())
    assert caught.value.exit_code == 3
    assert "disk_full" in str(caught.value)


def test_recording_steps_on_a_full_disk_is_infrastructure(tiny_disk: Path) -> None:
    store = RunStore.create(tiny_disk / "run", header())
    _fill(tiny_disk, leave=0)
    with pytest.raises(InfrastructureError, match="disk_full"):
        store.folder("ab" * 16).keep("stdout", b"x" * 10_000)
    store.event(5)
    store.close()
