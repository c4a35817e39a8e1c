import threading
from pathlib import Path

import pytest

from proofyard.core import Budget, Subject, UsageError
from proofyard.engine.modelling import Models, check_models, run_account, tightest
from proofyard.engine.orders import Site
from proofyard.store import call_note


def test_an_attempt_has_the_tighter_budget_and_obeys_a_stop(tmp_path: Path) -> None:
    stopped = threading.Event()
    models = Models(Site(run=str(tmp_path)), stopped.is_set)
    assert models.account(tightest(Budget(), Budget())).remaining_ms() is None
    meter = models.account(tightest(Budget(wall_s=1000, steps=3), Budget(wall_s=10)))
    assert meter.limits == Budget(wall_s=10, steps=3)
    left = meter.remaining_ms()
    assert left is not None
    assert 0 < left <= 10_000
    assert not meter.stopped()
    assert models.account(Budget(wall_s=0)).stopped()
    stopped.set()
    assert meter.stopped()
    assert meter.remaining_ms() == 0


def test_a_runs_account_goes_on_where_its_calls_left_it(tmp_path: Path) -> None:
    note = call_note(tmp_path, "a" * 32, 1)
    note("model_send", call="1", n=1, guess=30, bound=900)
    note("model_end", call="1", attempt={"n": 1, "billed": True, "tokens": {"input": 10, "output": 5}})
    note("model_send", call="2", n=1, guess=30, bound=900)
    note("model_end", call="2", attempt={"n": 1, "billed": False, "code": "model_rate_limit"})
    note("model_send", call="3", n=2, guess=40, bound=700)  # in flight when the process was killed
    note("model_send", call="4", n=1, guess=50, bound=800)
    note("model_end", call="4", refused="UsageError: no such parameter")
    spent = run_account(tmp_path, Budget(tokens=100)).spent()
    assert (spent.steps, spent.tokens, spent.cost_micro_usd, spent.bounded) == (3, 15 + 40, 900 + 700, 1)


def test_a_model_that_cannot_be_asked_is_told_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    site = Site(run=str(tmp_path))
    openai = Subject(agent="oneshot", model="openai/gpt-4o-mini")
    with pytest.raises(UsageError, match="no key for openai: set OPENAI_API_KEY"):
        check_models(site, [(openai, "")])
    local = Subject(agent="oneshot", model="vllm/any", budget=Budget(cost_micro_usd=10))
    with pytest.raises(UsageError, match="no price is known for vllm/any"):
        check_models(site, [(local, "")])
    check_models(site, [(Subject(agent="nop"), "")])
