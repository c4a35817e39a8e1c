"""Agents and graders on the real sandbox, and submissions that are out to break something."""

import os
from pathlib import Path

import msgspec
import pytest

from proofyard.core import Outcome, Reason, Tree, file_bytes
from proofyard.engine import Counts, RunRequest, run
from proofyard.store import read_run
from tests.engine.helpers import go

EASY = [
    "scratch-easy-001-word-frequency",
    "scratch-easy-010-csv-aggregate",
    "scratch-easy-018-date-arithmetic",
    "scratch-easy-024-matrix-ops",
    "scratch-easy-032-shortest-path",
    "scratch-easy-040-round-robin",
    "scratch-easy-043-double-entry",
]


def test_an_agent_works_in_a_sandbox_which_dies_before_its_work_is_taken(tmp_path: Path) -> None:
    outcome = go(tmp_path / "run", "toy:inside", subset="few", concurrency=2)
    assert outcome.errors == ()
    assert outcome.counts == Counts(total=3, passed=3)
    data = read_run(tmp_path / "run")
    for trial in data.trials.values():
        document = data.blobs.get(trial.submissions[0].blob)
        tree = msgspec.json.decode(document, type=Tree)
        assert {"README", "answer.txt"} <= set(tree.entries)
        assert file_bytes(tree.entries["README"], data.blobs).startswith(b"read me")
        assert trial.provenance["rung"] in {"bubblewrap", "landlock"}
        assert trial.spend.sandbox.wall_us > 0


def test_hostile_submissions_fail_with_their_reason_and_break_nothing(tmp_path: Path) -> None:
    work = [tmp_path / "work" / name for name in EASY]
    for folder in work[:6]:
        folder.mkdir(parents=True)
    (work[1] / "other.py").write_text("print()")
    (work[2] / "main.py").symlink_to("/etc/passwd")
    (work[3] / "main.py").write_text("print()")
    os.mkfifo(work[3] / "pipe")
    with (work[4] / "main.py").open("wb") as handle:
        handle.truncate(1 << 40)
    (work[5] / "main.py").write_text("print()")
    for n in range(6000):
        (work[5] / f"{n}").touch()
    request = RunRequest(
        suite="scratch",
        output=str(tmp_path / "run"),
        agents=(f"folder:{tmp_path / 'work'}",),
        tasks=tuple(EASY),
        concurrency=2,
    )
    outcome = run(request, lambda counts: None)
    assert outcome.counts == Counts(total=7, failed=6, missing=1)
    assert outcome.exit_code == 1
    found = {v.task: (v.outcome, v.score, v.reason) for v in read_run(tmp_path / "run").verdicts.values()}
    reasons = [
        Reason.NO_SUBMISSION,
        Reason.NO_SUBMISSION,
        Reason.NO_SUBMISSION,
        Reason.NO_SUBMISSION,
        Reason.OUTPUT_LIMIT,
        Reason.OUTPUT_LIMIT,
    ]
    assert found == {name: (Outcome.FAILED, 0.0, reason) for name, reason in zip(EASY[:6], reasons, strict=True)}


def test_a_trusted_command_is_graded_and_stamped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = (
        'test -f "$PROOFYARD_WORKSPACE/README" && grep -o "[0-9]*" "$PROOFYARD_PROMPT_FILE" | tr -d "\\n" > answer.txt;'
        " echo said; exit 3"
    )
    outcome = go(tmp_path / "run", f"command:{command}", subset="few", concurrency=2)
    assert outcome.counts == Counts(total=3, passed=3)
    data = read_run(tmp_path / "run")
    for trial in data.trials.values():
        assert trial.provenance == {"agent_isolation": "none"}
        assert trial.failure is not None
        assert trial.failure.code == "agent_exit"
        assert (tmp_path / "run" / "trials" / trial.id[:2] / trial.id / "stdout").read_bytes() == b"said\n"
    assert not (tmp_path / "run" / "work").exists()
