import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from proofyard.core import Evidence, Failure, Outcome, UsageError
from proofyard.formats.atif import read_atif
from proofyard.formats.harbor import Attempt, read_job, trial_name, write_job

from .jobs import CREATED, MOVES, SKILLED, SUBJECT, attempt, head

LOST = Failure(code="sandbox_lost", message="gone")
SLOW = Failure(code="agent_timeout", message="out of time")


def document(folder: Path, of: Attempt) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / trial_name(of.trial, {}) / "result.json").read_text())
    return found


def test_a_trial(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"\xffsaid")
    one = attempt(0, 0.0)._replace(kept={"stdout": tmp_path / "out"})
    assert write_job(tmp_path / "job", head(), [one]) == 1
    folder = tmp_path / "job" / f"one__{one.trial.id[:7]}"
    found = json.loads((folder / "result.json").read_text())
    name = one.trial.id
    assert found["id"] == f"{name[:8]}-{name[8:12]}-{name[12:16]}-{name[16:20]}-{name[20:]}"
    assert found["agent_info"] == {"name": "terminal", "version": "3", "model_info": {"name": "m", "provider": "a"}}
    told = {key: value for key, value in found["agent_result"].items() if key != "metadata"}
    assert told == {"n_input_tokens": 100, "n_cache_tokens": 40, "n_output_tokens": 7, "cost_usd": 0.001234}
    assert found["verifier_result"] == {"rewards": {"reward": 0.0, "speed": 0.25}}
    assert (found["exception_info"], found["task_checksum"]) == (None, "ab" * 32)
    assert found["agent_execution"]["finished_at"] == "2026-01-01T00:00:02.500001Z"
    assert (found["started_at"], found["finished_at"]) == ("2026-01-01T00:00:00.500Z", "2026-01-01T00:00:03.500000Z")
    assert json.loads((folder / "verifier/reward.json").read_text()) == {"reward": 0.0, "speed": 0.25}
    assert (folder / "verifier/test-stdout.txt").read_text() == "said"
    assert (folder / "agent/stdout").read_bytes() == b"\xffsaid"
    trajectory = read_atif((folder / "agent/trajectory.json").read_bytes())
    assert (trajectory.moves, trajectory.model, trajectory.id) == (MOVES, "a/m", name)
    assert json.loads((folder / "config.json").read_text()) == found["config"]
    assert json.loads((folder / "lock.json").read_text())["task"]["digest"] == "sha256:" + "ab" * 32
    assert not (folder / "exception.txt").exists()


def test_what_has_no_reward_has_none(tmp_path: Path) -> None:
    missing = Failure(code="reward_missing", message="the tests wrote none")
    odd = {"outcome": Outcome.INVALID, "evidence": Evidence(note="no test.sh"), "metrics": {}}
    cases = {
        "SandboxLostError": attempt(0, failure=LOST),
        "RewardFileNotFoundError": attempt(1, outcome=Outcome.ERROR, verdict_failure=missing),
        "TaskInvalidError": attempt(2, **odd),
        None: attempt(3),
    }
    write_job(tmp_path / "job", head(attempts=5), cases.values())
    for kind, one in cases.items():
        found = document(tmp_path / "job", one)
        info = found["exception_info"]
        assert found["verifier_result"] is None
        assert (info["exception_type"] if isinstance(info, dict) else info) == kind
        folder = tmp_path / "job" / trial_name(one.trial, {})
        assert not (folder / "verifier/reward.json").exists()
        assert (folder / "exception.txt").exists() == (kind is not None)
    stats = json.loads((tmp_path / "job/result.json").read_text())
    assert (stats["n_total_trials"], stats["finished_at"]) == (5, None)
    assert stats["stats"]["n_pending_trials"] == 1
    evals = stats["stats"]["evals"]["terminal__m__tasks"]
    assert (evals["n_trials"], evals["n_errors"], evals["metrics"], evals["reward_stats"]) == (0, 3, [], {})


def test_a_graded_timeout_has_reward_and_exception(tmp_path: Path) -> None:
    one = attempt(0, 1.0, failure=SLOW)
    write_job(tmp_path / "job", head(), [one])
    found = document(tmp_path / "job", one)
    assert found["verifier_result"] == {"rewards": {"reward": 1.0, "speed": 0.25}}
    assert found["exception_info"] == {
        "exception_type": "AgentTimeoutError",
        "exception_message": "out of time [agent: agent_timeout]",
        "exception_traceback": "",
        "occurred_at": "2026-01-01T00:00:02.500001Z",
    }


def test_conditions_are_agents_of_their_own(tmp_path: Path) -> None:
    write_job(tmp_path / "job", head(SUBJECT, SKILLED), [attempt(0, 1.0), attempt(0, 0.0, subject=SKILLED)])
    evals = json.loads((tmp_path / "job/result.json").read_text())["stats"]["evals"]
    assert list(evals) == ["terminal__m__tasks", "terminal+skill:zen__m__tasks"]


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x")
    odd = {"outcome": Outcome.INVALID, "evidence": Evidence(note="no test.sh"), "metrics": {}}
    made = [
        attempt(0, 1.0)._replace(kept={"stdout": tmp_path / "out"}),
        attempt(1, 0.0, failure=SLOW),
        attempt(2, failure=LOST),
        attempt(3, **odd),
        attempt(4, 0.0, metrics={}),
    ]
    write_job(tmp_path / "job", head(attempts=5), made)
    read = read_job(tmp_path / "job")
    assert (read.name, read.created, read.left) == ("job", CREATED, {})
    assert len(read.attempts) == 5
    for before, after in zip(made, read.attempts, strict=True):
        said = {"imported": f"harbor job job, trial {trial_name(before.trial, {})}"}
        assert after.trial.provenance == {"rung": "bubblewrap", **said}
        for name in ("id", "k", "task", "subject", "spend", "started", "wall_us", "failure", "brief", "submissions"):
            assert getattr(after.trial, name) == getattr(before.trial, name), name
        assert (after.subject, after.moves, list(after.kept)) == (before.subject, before.moves, list(before.kept))
        if before.verdict is None or after.verdict is None:
            assert before.verdict is after.verdict is None
            continue
        assert after.verdict.provenance == said
        for name in ("id", "outcome", "score", "reason", "metrics", "groups", "evidence", "grader", "started"):
            assert getattr(after.verdict, name) == getattr(before.verdict, name), name


def test_names_are_short_and_their_own(tmp_path: Path) -> None:
    trial = attempt(0).trial
    long = replace(trial, task="org/" + "a" * 31 + "__b c", id="0123456789abcdef0123456789abcdef")
    assert trial_name(long, {}) == "a" * 31 + "__0123456"
    assert trial_name(long, {"a" * 31 + "__0123456": 1}) == "a" * 31 + "__01234567"
    assert trial_name(replace(long, task="HumanEval/3 x"), {}) == "3-x__0123456"


def test_a_folder_is_written_once_and_whole(tmp_path: Path) -> None:
    write_job(tmp_path / "job", head(), [attempt(0, 1.0)])
    with pytest.raises(UsageError, match="is there already"):
        write_job(tmp_path / "job", head(), [])
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        write_job(tmp_path / "file/job", head(), [])
    with pytest.raises(UsageError, match="cannot write"):
        write_job(tmp_path / "other", head(), [attempt(0)._replace(kept={"x": tmp_path / "gone"})])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "job"]
