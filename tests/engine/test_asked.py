"""Runs of agents that ask a model, against the scripted server."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proofyard.core import Budget, Reason, Sampling, Tree, UsageError, file_bytes
from proofyard.engine import Entrant, RunOutcome, RunRequest, run
from proofyard.store import RunData, read_calls, read_moves, read_run
from proofyard.testing import Asked, Call, Fault, ModelServer, Turn, Usage, parse_faults, say

PRICES = '["openai-compatible/m"]\ninput = 1\noutput = 10\n'


def right(asked: Asked) -> Turn:
    """The answer to the toy suite's question."""
    number = re.search(r"write (\d+)", asked.prompt)
    assert number is not None
    return Turn(text=f"```text answer.txt\n{number[1]}\n```", usage=Usage(100, 20, cached=40))


def entrant(server: ModelServer, **more: Any) -> Entrant:
    fields: dict[str, Any] = {"agent": "oneshot:tool", "model": "openai-compatible/m", **more}
    return Entrant(base_url=server.url("openai-chat"), **fields)


def go(path: Path, *who: Entrant, subset: str = "few", **more: Any) -> RunOutcome:
    request = RunRequest(suite="toy", output=str(path), entrants=who, subset=subset, model_attempts=3, **more)
    return run(request, lambda counts: None)


def submit(asked: Asked) -> Turn:
    """The right answer by the tool that is offered."""
    number = re.search(r"write (\d+)", asked.prompt)
    assert number is not None
    files = {"files": [{"path": "answer.txt", "content": number[1]}]}
    return Turn(calls=(Call("submit", files),), usage=Usage(100, 20, cached=40))


def trees(data: RunData) -> list[Tree]:
    return [msgspec.json.decode(data.blobs.get(t.submissions[0].blob), type=Tree) for t in data.trials.values()]


def test_what_a_call_that_broke_off_can_have_cost_is_a_bound_and_no_cost(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    with ModelServer(submit, faults=[Fault("rate_limit_ms", "1"), Fault("cut")]) as server:
        outcome = go(tmp_path / "r", entrant(server, sampling=Sampling(max_tokens=1000)), prices=str(prices))
        unpriced = go(tmp_path / "u", entrant(server))
    assert (outcome.counts.passed, outcome.calls, outcome.unreported) == (3, 5, 1)
    assert outcome.cost_micro_usd is None
    assert outcome.cost_at_most_micro_usd is not None
    assert outcome.cost_at_most_micro_usd >= 3 * 300 + 1000
    assert (unpriced.calls, unpriced.cost_micro_usd, unpriced.cost_at_most_micro_usd, unpriced.unreported) == (
        3,
        None,
        None,
        0,
    )


def test_one_answer_is_graded_paid_for_and_on_record(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    with ModelServer(submit) as server:
        sampling = Sampling(temperature="0.5", max_tokens=1000, seed=7)
        outcome = go(tmp_path / "r", entrant(server, sampling=sampling), attempts=2, prices=str(prices))
        asked = server.settle()
    assert (outcome.counts.passed, outcome.counts.failed, outcome.exit_code) == (6, 0, 0)
    assert (outcome.calls, outcome.cost_micro_usd) == (6, 6 * 300)
    assert sorted(entry.body["seed"] for entry in asked) == [7, 7, 7, 8, 8, 8]
    data = read_run(tmp_path / "r")
    (subject,) = data.plan.subjects
    assert (subject.model, subject.sampling) == ("openai-compatible/m", sampling)
    for trial in data.trials.values():
        spend = trial.spend
        assert (spend.steps, spend.calls, spend.unknown_calls) == (1, 1, 0)
        assert (spend.input_tokens, spend.cached_tokens, spend.output_tokens) == (100, 40, 20)
        assert spend.cost_micro_usd == 300
        assert trial.provenance["price"] == "file prices.toml: openai-compatible/m"
        assert trial.reason is None
        moves = read_moves(data.path, trial.id)
        assert [move.source for move in moves] == ["system", "user", "agent"]
        assert moves[2].calls[0].name == "submit"
    ledger = read_calls(data.path)
    assert {record.call for record in ledger} == {entry.call for entry in asked}
    assert all(record.end is not None for record in ledger)


@pytest.mark.parametrize(
    ("policy", "reason", "stop"),
    [
        (say("I cannot do that.", stop="stop"), Reason.UNPARSABLE, "stop"),
        (say("```text answer.txt\n12", stop="length"), Reason.TRUNCATED, "length"),
        (say("", stop="stop"), Reason.NO_SUBMISSION, "stop"),
        (say("", stop="filter"), Reason.NO_SUBMISSION, "content_filter"),
        (say("```text ../answer.txt\n1\n```"), Reason.UNPARSABLE, "stop"),
    ],
)
def test_an_answer_without_files_fails_and_says_why(
    tmp_path: Path, policy: Callable[[Asked], Turn], reason: Reason, stop: str
) -> None:
    with ModelServer(policy) as server:
        outcome = go(tmp_path, entrant(server, agent="oneshot"), subset="one")
    assert (outcome.counts.failed, outcome.counts.error, outcome.exit_code) == (1, 0, 1)
    data = read_run(tmp_path)
    (verdict,), (trial,) = data.verdicts.values(), data.trials.values()
    assert (verdict.reason, trial.reason, trial.provenance["stop"]) == (reason, reason, stop)


def test_files_in_fences_are_laid_over_those_of_the_brief(tmp_path: Path) -> None:
    with ModelServer(right) as server:
        go(tmp_path, entrant(server, agent="oneshot"), subset="one")
    data = read_run(tmp_path)
    (tree,) = trees(data)
    assert set(tree.entries) == {"README", "answer.txt"}
    assert file_bytes(tree.entries["answer.txt"], data.blobs) == b"0\n"


def test_faults_are_tried_again_and_never_a_score(tmp_path: Path) -> None:
    faults = parse_faults("rate_limit_ms:1,cut,html,ok")
    with ModelServer(submit, faults=faults) as server:
        outcome = go(tmp_path, entrant(server), subset="one")
        asked = server.settle()
    # Three calls fail, which uses up the first try's; the second try is answered.
    assert (outcome.counts.passed, outcome.counts.error) == (1, 0)
    assert [entry.fault for entry in asked] == ["rate_limit_ms", "cut", "html", ""]
    (trial,) = read_run(tmp_path).trials.values()
    assert trial.tries == 2
    ledger = read_calls(tmp_path)
    assert [record.tries for record in ledger] == [1, 1, 1, 2]
    assert {record.call for record in ledger} == {entry.call for entry in asked}


def test_a_key_that_is_not_taken_halts_and_what_is_owed_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-wrong-0123456789")
    with ModelServer(submit, keys=["sk-right"]) as server:
        who = entrant(server, key_env="MY_KEY")
        outcome = go(tmp_path, who, subset="")
        assert len(server.settle()) <= 2  # one slot, and one attempt at most was handed out already
        assert (outcome.counts.owed, outcome.counts.error, outcome.exit_code) == (10, 0, 3)
        (why,) = outcome.stopped
        assert "[model_auth]" in why
        assert "sk-wrong" not in why
        assert read_run(tmp_path).trials == {}
        monkeypatch.setenv("MY_KEY", "sk-right")
        assert go(tmp_path, who, subset="").counts.passed == 10


def test_a_runs_budget_ends_it_cleanly_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    run_path = tmp_path / "r"
    with ModelServer(submit) as server:
        who, more = entrant(server), {"subset": "", "prices": str(prices)}
        outcome = go(run_path, who, budget=Budget(cost_micro_usd=1000), **more)
        assert len(server.settle()) == 4  # 300 a call: the fourth reaches 1000, nothing is sent after it
        assert (outcome.counts.passed, outcome.counts.owed, outcome.exit_code) == (4, 6, 3)
        assert outcome.stopped == ("the budget of cost is used up",)
        again = go(run_path, who, budget=Budget(cost_micro_usd=1000), **more)
        assert len(server.settle()) == 4
        assert again.counts.owed == 6
        done = go(run_path, who, budget=Budget(cost_micro_usd=5000), **more)
        assert len(server.settle()) == 10
        assert (done.counts.passed, done.counts.owed, done.cost_micro_usd) == (10, 0, 3000)


def test_a_budget_of_cost_wants_a_price(tmp_path: Path) -> None:
    with ModelServer(submit) as server, pytest.raises(UsageError, match="no price is known"):
        go(tmp_path / "r", entrant(server), budget=Budget(cost_micro_usd=1000))
    assert not (tmp_path / "r").exists()


def test_the_agent_needs_a_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="agent oneshot needs a model"):
        go(tmp_path / "r", Entrant(agent="oneshot"))
    with pytest.raises(UsageError, match="agent oneshot cannot be given skills"):
        go(tmp_path / "r", Entrant(agent="oneshot", model="vllm/m", conditions=("skill:x",)))
    with pytest.raises(UsageError, match="agent oracle works without a model and takes no condition"):
        go(tmp_path / "r", Entrant(agent="oracle", conditions=("skill:x",)))


def test_answers_that_are_kept_are_not_asked_for_again(tmp_path: Path) -> None:
    more = {"answers": str(tmp_path / "answers")}
    with ModelServer(submit) as server:
        greedy = entrant(server, sampling=Sampling(temperature="0"))
        go(tmp_path / "a", greedy, attempts=2, **more)
        assert len(server.settle()) == 6, "each attempt is a sample of its own"
        outcome = go(tmp_path / "b", greedy, attempts=2, **more)
        assert len(server.settle()) == 6
        assert (outcome.counts.passed, outcome.calls) == (6, 0)
        go(tmp_path / "c", entrant(server), **more)
        assert len(server.settle()) == 9, "what is sampled is wanted anew"
    (trial, *_) = read_run(tmp_path / "b").trials.values()
    assert (trial.spend.calls, trial.spend.input_tokens, trial.provenance["answers_kept"]) == (0, None, "1")
