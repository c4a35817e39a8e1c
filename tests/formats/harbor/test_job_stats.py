from typing import Any

import msgspec

from proofyard.formats.harbor.job_documents import TrialDocument
from proofyard.formats.harbor.job_stats import stats_of

from .jobs import exception, result


def documents(*rows: dict[str, Any]) -> list[TrialDocument]:
    return [msgspec.convert(result(n, **row), type=TrialDocument) for n, row in enumerate(rows, 1)]


def rewarded(*values: float | None, **more: Any) -> list[dict[str, Any]]:
    return [{"verifier_result": None if value is None else {"rewards": {"reward": value}}, **more} for value in values]


def test_what_has_no_reward_is_left_out() -> None:
    rows = rewarded(1, 0, 1, 0, 1, None)
    rows[-1]["exception_info"] = exception("SandboxLostError")
    stats = stats_of(documents(*rows), 8)
    evals = stats["evals"]["terminus-2__m__tasks"]
    assert (stats["n_completed_trials"], stats["n_errored_trials"], stats["n_pending_trials"]) == (6, 1, 2)
    assert (evals["n_trials"], evals["n_errors"], evals["metrics"]) == (5, 1, [{"mean": 0.6}])
    assert {k: round(v, 6) for k, v in evals["pass_at_k"].items()} == {"2": 0.9, "4": 1.0, "5": 1.0}
    ones = ["one__0000001", "one__0000003", "one__0000005"]
    assert evals["reward_stats"] == {"reward": {"1.0": ones, "0.0": ["one__0000002", "one__0000004"]}}
    assert evals["exception_stats"] == {"SandboxLostError": ["one__0000006"]}
    assert (stats["n_input_tokens"], stats["cost_usd"]) == (300, 1.5)


def test_several_keys_have_a_mean_each_and_no_pass_at_k() -> None:
    rows: list[dict[str, Any]] = [{"verifier_result": {"rewards": {"a": 1, "b": 0}}}, *rewarded(1)]
    evals = stats_of(documents(*rows), 2)["evals"]["terminus-2__m__tasks"]
    assert evals["metrics"] == [{"a": 0.5, "b": 0.0, "reward": 0.5}]
    assert evals["pass_at_k"] == {}
    assert stats_of(documents(*rewarded(0.5, 1)), 2)["evals"]["terminus-2__m__tasks"]["pass_at_k"] == {}


def test_pass_at_k_is_a_mean_over_tasks_up_to_the_fewest_attempts() -> None:
    rows = [*rewarded(1, 0, 0), *rewarded(0, 0, task_name="org/two")]
    evals = stats_of(documents(*rows), 5)["evals"]["terminus-2__m__tasks"]
    assert {k: round(v, 6) for k, v in evals["pass_at_k"].items()} == {"2": round((2 / 3) / 2, 6)}


def test_agents_models_and_sets_are_apart() -> None:
    oracle = {"agent_info": {"name": "oracle", "version": "1", "model_info": None}, "source": None}
    stats = stats_of(documents({}, oracle), 2)
    assert list(stats["evals"]) == ["terminus-2__m__tasks", "oracle__adhoc"]
    nothing = stats_of([], 3)
    assert (nothing["n_pending_trials"], nothing["evals"], nothing["cost_usd"]) == (3, {}, None)
