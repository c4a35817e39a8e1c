"""Attempts as a run has them, and a trial's result as Harbor 0.26 writes it."""

from typing import Any

from proofyard.core import (
    Change,
    Evidence,
    Failure,
    Group,
    Move,
    MoveCall,
    MoveMetrics,
    MoveResult,
    Outcome,
    Reason,
    Spend,
    Subject,
    Trial,
    Verdict,
    trial_id,
    verdict_id,
)
from proofyard.formats.harbor import Attempt, JobHead, JobTask

SUBJECT = Subject(agent="terminal", version="3", model="a/m", parameters={"tool": "bash"})
SKILLED = Subject(agent="terminal", version="3", model="a/m", skills=("zen@0123456789abcdef",))
TASK = JobTask(path="/tasks/one", digest="sha256:" + "ab" * 32, source="tasks")
CREATED = "2026-01-01T00:00:00.000Z"

MOVES = (
    Move(n=1, source="user", at="2026-01-01T00:00:01.000Z", message="Do it."),
    Move(
        n=2,
        source="agent",
        at="2026-01-01T00:00:02.000Z",
        message="I look.",
        reasoning="Where is it?",
        calls=(MoveCall(id="c", name="bash", arguments='{"command":"ls"}'),),
        results=(MoveResult(call="c", content="a\n", code=0),),
        metrics=MoveMetrics(input_tokens=9, output_tokens=2, cached_tokens=4, usd="0.0001"),
        changed=(Change(path="a", how="added"),),
        llm_calls=1,
        wall_us=1234567,
    ),
)


def attempt(
    k: int, score: float | None = None, failure: Failure | None = None, subject: Subject = SUBJECT, **more: Any
) -> Attempt:
    """An attempt with a verdict if there is a score or `more` for it."""
    trial = Trial(
        id=trial_id("b", subject, k),
        task="org/one",
        subject=subject.digest,
        subject_name=subject.name,
        brief="b",
        k=k,
        spend=Spend(steps=2, calls=2, input_tokens=100, cached_tokens=40, output_tokens=7, cost_micro_usd=1234),
        started="2026-01-01T00:00:00.500Z",
        wall_us=2_000_001,
        provenance={"rung": "bubblewrap"},
        failure=failure,
    )
    if score is None and not more:
        return Attempt(trial, None, subject, MOVES)
    outcome = Outcome.PASSED if score == 1 else Outcome.FAILED
    fields: dict[str, Any] = {
        "id": verdict_id(trial.id, "tree", "g", 0),
        "trial": trial.id,
        "task": trial.task,
        "submission": "tree",
        "grader": "g",
        "outcome": outcome,
        "score": score,
        "reason": Reason.TAMPER if outcome is Outcome.FAILED and not more else None,
        "groups": {"checks": Group(passed=1, total=2)},
        "metrics": {"reward": score, "speed": 0.25} if score is not None else {},
        "evidence": Evidence(where="tests", got="said"),
        "started": "2026-01-01T00:00:03.000Z",
        "wall_us": 500_000,
    }
    if "verdict_failure" in more:
        more["failure"] = more.pop("verdict_failure")
    return Attempt(trial, Verdict(**(fields | more)), subject, MOVES)


def head(*subjects: Subject, attempts: int = 1) -> JobHead:
    return JobHead("job", "c" * 32, CREATED, attempts, subjects or (SUBJECT,), {"org/one": TASK})


def result(number: int, **more: Any) -> dict[str, Any]:
    """`result.json` of a trial, as Harbor writes it."""
    return {
        "schema_version": 1,
        "id": f"00000000-0000-4000-8000-{number:012d}",
        "task_name": "org/one",
        "trial_name": f"one__{number:07d}",
        "trial_uri": "file:///jobs/job/one",
        "task_id": {"path": "/tasks/one"},
        "source": "tasks",
        "task_checksum": "ff" * 32,
        "config": {
            "task": {"path": "/tasks/one"},
            "agent": {"name": "terminus-2", "kwargs": {"max_turns": 5}, "skills": ["/x/zen"]},
            "environment": {"type": "docker"},
        },
        "agent_info": {"name": "terminus-2", "version": "2.0", "model_info": {"name": "m", "provider": "a"}},
        "agent_result": {
            "n_input_tokens": 50,
            "n_cache_tokens": 10,
            "n_output_tokens": 5,
            "cost_usd": 0.25,
            "rollout_details": None,
            "metadata": None,
        },
        "verifier_result": {"rewards": {"reward": 1}},
        "exception_info": None,
        "started_at": "2026-01-01T00:00:00Z",
        "finished_at": "2026-01-01T00:01:00Z",
        "agent_execution": {"started_at": "2026-01-01T01:00:10+01:00", "finished_at": "2026-01-01T01:00:12.5+01:00"},
        "verifier": {"started_at": "2026-01-01T00:00:20Z", "finished_at": "2026-01-01T00:00:21Z"},
        "step_results": None,
        "reward_valid": True,
        **more,
    }


def exception(kind: str) -> dict[str, Any]:
    return {
        "exception_type": kind,
        "exception_message": "so\nit went",
        "exception_traceback": "Traceback",
        "occurred_at": "2026-01-01T00:00:30Z",
    }
