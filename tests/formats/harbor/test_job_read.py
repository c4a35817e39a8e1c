import json
from pathlib import Path
from typing import Any

import pytest

from proofyard.core import Outcome, Spend, Subject, UsageError
from proofyard.formats.atif import Trajectory, write_atif
from proofyard.formats.harbor import Attempt, ReadJob, read_job, trial_name, write_job

from .jobs import MOVES, attempt, exception, head, result

STEP: dict[str, Any] = {"verifier_result": None, "exception_info": None, "agent_execution": None, "verifier": None}


def job(folder: Path, *results: dict[str, Any]) -> Path:
    """A job folder with these trials."""
    for one in results:
        (folder / one["trial_name"]).mkdir(parents=True)
        (folder / one["trial_name"] / "result.json").write_text(json.dumps(one))
    return folder


def read(folder: Path, *results: dict[str, Any]) -> ReadJob:
    return read_job(job(folder / "theirs", *results))


def only(folder: Path, **more: Any) -> Attempt:
    (found,) = read(folder, result(1, **more)).attempts
    return found


def test_a_trial_of_harbors_own(tmp_path: Path) -> None:
    found = only(tmp_path)
    trial, verdict = found.trial, found.verdict
    assert found.subject == Subject(
        agent="terminus-2", version="2.0", model="a/m", parameters={"max_turns": "5"}, skills=("zen",)
    )
    said = {"imported": "harbor job theirs, trial one__0000001"}
    assert (trial.id, trial.task, trial.k) == ("00000000000040008000000000000001", "org/one", 0)
    assert trial.spend == Spend(input_tokens=50, cached_tokens=10, output_tokens=5, cost_micro_usd=250_000)
    assert (trial.started, trial.wall_us, trial.failure) == ("2026-01-01T00:00:10.000Z", 2_500_000, None)
    assert (trial.provenance, trial.submissions) == (said, ())
    assert verdict is not None
    assert (verdict.outcome, verdict.score, verdict.metrics) == (Outcome.PASSED, 1.0, {"reward": 1.0})
    assert verdict.provenance == {**said, "rung": "harbor:docker"}
    assert (verdict.started, verdict.wall_us) == ("2026-01-01T00:00:20.000Z", 1_000_000)


@pytest.mark.parametrize(("rewards", "outcome", "score"), [
    ({"reward": 0.99}, Outcome.FAILED, 0.99),
    ({"reward": 1.0, "speed": 0}, Outcome.PASSED, 1.0),
    ({"a": 1, "b": 0.5}, Outcome.FAILED, 0.75),
])  # fmt: skip
def test_rewards(tmp_path: Path, rewards: dict[str, float], outcome: Outcome, score: float) -> None:
    verdict = only(tmp_path, verifier_result={"rewards": rewards}).verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.score, verdict.reason) == (outcome, score, None)


@pytest.mark.parametrize("told", [None, {"rewards": None}, {"rewards": {}}])
def test_no_reward_is_no_verdict(tmp_path: Path, told: object) -> None:
    found = only(tmp_path, verifier_result=told)
    assert (found.verdict, found.trial.failure) == (None, None)


def test_a_reward_that_was_no_number_is_an_error(tmp_path: Path) -> None:
    verdict = only(tmp_path, verifier_result={"rewards": {"reward": None}}).verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.score) == (Outcome.ERROR, None)
    assert verdict.failure is not None
    assert verdict.failure.code == "reward_unreadable"


@pytest.mark.parametrize(("kind", "rewarded", "code", "counts"), [
    ("AgentTimeoutError", True, "agent_timeout", True),
    ("ContextWindowExceededError", True, "agent_exit", True),
    ("SomethingNew", True, "agent_exit", True),
    ("SomethingNew", False, "agent_crash", False),
    ("ApiRateLimitError", True, "model_rate_limit", False),
    ("RewardFileNotFoundError", False, "reward_missing", False),
    ("WorkerLostError", False, "worker_lost", False),
])  # fmt: skip
def test_exceptions(tmp_path: Path, kind: str, rewarded: bool, code: str, counts: bool) -> None:
    told = {"rewards": {"reward": 0}} if rewarded else None
    found = only(tmp_path, exception_info=exception(kind), verifier_result=told)
    assert found.trial.failure is not None
    assert (found.trial.failure.code, found.trial.failure.message) == (code, f"{kind}: so it went")
    assert (found.verdict is not None) == counts


def test_a_task_of_several_steps(tmp_path: Path) -> None:
    usage = {"n_input_tokens": 10, "n_cache_tokens": None, "n_output_tokens": 1, "cost_usd": 0.5}
    steps = [
        {**STEP, "step_name": "one", "agent_result": usage},
        {**STEP, "step_name": "two", "agent_result": usage, "exception_info": exception("AgentTimeoutError")},
    ]
    one = result(1, agent_result=None, step_results=steps)
    folder = job(tmp_path / "theirs", one)
    for step in steps:
        agent = folder / one["trial_name"] / "steps" / str(step["step_name"]) / "agent"
        agent.mkdir(parents=True)
        (agent / "trajectory.json").write_bytes(write_atif(Trajectory(agent="x", version="1", moves=MOVES)))
    found = read_job(folder)
    (attempt_,) = found.attempts
    assert attempt_.trial.spend == Spend(input_tokens=20, output_tokens=2, cost_micro_usd=1_000_000)
    assert attempt_.trial.failure is not None
    assert attempt_.trial.failure.code == "agent_timeout"
    assert [(move.n, move.message) for move in attempt_.moves] == [
        (1, "Do it."), (2, "I look."), (3, "Do it."), (4, "I look."),
    ]  # fmt: skip
    assert found.left == {}


def test_attempts_are_numbered_by_when_they_began(tmp_path: Path) -> None:
    late = {"started_at": "2026-01-02T00:00:00Z", "agent_execution": None}
    other = {"agent_info": {"name": "oracle", "version": "1", "model_info": None}}
    found = read(tmp_path, result(1, **late), result(2), result(3, **other), result(4, **late))
    assert [(one.trial.id[-1], one.subject.agent, one.trial.k) for one in found.attempts] == [
        ("2", "terminus-2", 0), ("3", "oracle", 0), ("1", "terminus-2", 1), ("4", "terminus-2", 2),
    ]  # fmt: skip
    assert found.created == "2026-01-01T00:00:10.000Z"


def test_what_is_not_taken_over_is_named(tmp_path: Path) -> None:
    folder = job(tmp_path / "theirs", result(1))
    trial = folder / "one__0000001"
    for path in (
        "notes.txt", "unfinished/config.json", "one__0000001/agent/log.txt", "one__0000001/agent/sessions/a.jsonl",
        "one__0000001/agent/trajectory.json", "one__0000001/verifier/reward.txt", "one__0000001/verifier/odd.bin",
        "one__0000001/artifacts/manifest.json", "one__0000001/trial.log",
    ):  # fmt: skip
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("{}")
    (trial / "agent/link").symlink_to("/etc/passwd")
    found = read_job(folder)
    assert list(found.attempts[0].kept) == ["log.txt"]
    assert set(found.left) == {
        "notes.txt", "unfinished/", "one__0000001/agent/sessions/a.jsonl", "one__0000001/agent/trajectory.json",
        "one__0000001/verifier/odd.bin", "one__0000001/artifacts/manifest.json",
    }  # fmt: skip
    assert found.left["one__0000001/agent/trajectory.json"].startswith("no valid ATIF: ")


def test_what_the_tests_printed(tmp_path: Path) -> None:
    folder = job(tmp_path / "theirs", result(1))
    (folder / "one__0000001/verifier").mkdir()
    (folder / "one__0000001/verifier/test-stdout.txt").write_text("x" * 5000 + "end")
    verdict = read_job(folder).attempts[0].verdict
    assert verdict is not None
    assert (verdict.evidence.where, verdict.evidence.got) == ("tests", "x" * 4093 + "end")


def test_what_is_no_job(tmp_path: Path) -> None:
    def said(folder: Path) -> str:
        with pytest.raises(UsageError) as caught:
            read_job(folder)
        return str(caught.value)

    assert said(tmp_path / "gone") == f"{tmp_path}/gone: no such folder"
    (tmp_path / "file").write_text("")
    assert said(tmp_path / "file") == f"{tmp_path}/file: no folder"
    (tmp_path / "empty").mkdir()
    assert said(tmp_path / "empty") == f"{tmp_path}/empty is no job folder of Harbor: no trial with a result.json"
    job(tmp_path / "jobs/first", result(1))
    assert said(tmp_path / "jobs") == f"{tmp_path}/jobs holds jobs, such as first: name one"
    twice = job(tmp_path / "twice", result(1), result(1, trial_name="two"))
    assert said(twice) == f"{twice}/one__0000001/result.json: two trials have this id"


@pytest.mark.parametrize(("text", "words"), [
    ("{", "truncated"),
    ("[]", "Expected `object`"),
    (json.dumps(result(1, id="x")), "badly formed"),
    (json.dumps(result(1, started_at="yesterday", agent_execution=None)), "Invalid isoformat"),
    (json.dumps(result(1, verifier_result={"rewards": {"reward": "1"}})), "Expected `float | null`, got `str`"),
    (b"\xff\xfe{", "malformed"),
])  # fmt: skip
def test_a_result_that_is_no_good_is_named(tmp_path: Path, text: str | bytes, words: str) -> None:
    folder = job(tmp_path / "theirs", result(1))
    path = folder / "one__0000001/result.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UsageError) as caught:
        read_job(folder)
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)


def test_a_result_of_ours_that_was_changed_is_refused(tmp_path: Path) -> None:
    one = attempt(0, 0.0)
    write_job(tmp_path / "job", head(), [one])
    path = tmp_path / "job" / trial_name(one.trial, {}) / "result.json"
    text = path.read_text()
    path.write_text(text.replace('"rewards": {\n      "reward": 0.0', '"rewards": {\n      "reward": 1.0'))
    assert path.read_text() != text
    with pytest.raises(UsageError, match="it was changed afterwards"):
        read_job(tmp_path / "job")
