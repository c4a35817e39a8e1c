import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from proofyard.store import RunStore, read_run
from proofyard.store.journal import encode_verdict
from tests.store.records import header, trial, verdict


def test_many_threads_one_file_of_whole_lines(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", header()) as store:

        def write(start: int) -> None:
            for n in range(start, start + 200):
                store.append_trial(trial(n))
                store.append_verdict(verdict(trial(n)))

        threads = [threading.Thread(target=write, args=(start,)) for start in range(0, 1000, 200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        store.flush()
    data = read_run(tmp_path / "run")
    assert sorted(data.trials) == sorted(trial(n).id for n in range(1000))
    assert len(data.verdicts) == 1000


def test_a_batch_is_synced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    gate = threading.Event()
    real = os.fdatasync

    def slow(fd: int) -> None:
        calls.append(Path(f"/proc/self/fd/{fd}").readlink().name)
        real(fd)
        gate.wait(30)

    monkeypatch.setattr(os, "fdatasync", slow)
    with RunStore.create(tmp_path / "run", header()) as store:
        store.append_trial(trial(0))
        while not calls:
            threading.Event().wait(0.002)
        for n in range(1, 500):
            store.append_trial(trial(n))
            store.append_verdict(verdict(trial(n)))
        gate.set()
        store.flush()
    assert calls == ["trials.jsonl", "trials.jsonl", "verdicts.jsonl"]


def test_numbers_that_json_has_not_are_refused() -> None:
    bad = msgspec.structs.replace(verdict(trial(1)), metrics={"x": float("nan")})
    with pytest.raises(ValueError, match="not finite"):
        encode_verdict(bad)


def test_no_verdict_survives_without_its_trial(tmp_path: Path) -> None:
    """Killed at any moment, the journal holds a trial for each verdict."""
    code = (
        "import os, signal, sys, threading; from pathlib import Path; from proofyard.store import RunStore\n"
        "from tests.store.records import header, trial, verdict\n"
        "s = RunStore.create(Path(sys.argv[1]), header())\n"
        "threading.Timer(float(sys.argv[2]), os.kill, (os.getpid(), signal.SIGKILL)).start()\n"
        "n = 0\n"
        "while True:\n"
        "    s.append_trial(trial(n)); s.append_verdict(verdict(trial(n))); n += 1\n"
        "    if n % 50 == 0: s.flush()\n"
    )
    for turn in range(3):
        path = tmp_path / f"run{turn}"
        died = subprocess.run([sys.executable, "-c", code, str(path), str(0.02 + turn * 0.05)], check=False)
        assert died.returncode == -9
        data = read_run(path)
        assert {v.trial for v in data.verdicts.values()} <= set(data.trials)
        assert len(data.trials) > 0
