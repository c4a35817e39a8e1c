from pathlib import Path

import pytest

from proofyard.core import Budget, Spend
from proofyard.models import (
    Account,
    Attempt,
    BudgetSpent,
    Cost,
    ModelError,
    ModelSession,
    PriceRow,
    ScriptedModel,
    Tokens,
    spend_of,
)
from proofyard.testing import ModelServer, Usage, parse_faults, say
from tests.models.fixtures import HELLO, client_of

ROW = PriceRow(source="t", provider="p", model="m")


def test_what_attempts_cost_together() -> None:
    attempts = (
        Attempt(n=1, billed=False, code="model_rate_limit"),
        Attempt(n=2, billed=True, tokens=Tokens(input=10, output=3, cached=4), cost=Cost(usd="0.0000011", row=ROW)),
        Attempt(n=3, billed=True, tokens=Tokens(input=20, output=5, reasoning=2), cost=Cost(usd="0.000001", row=ROW)),
    )
    assert spend_of(attempts, 2) == Spend(
        steps=2, calls=2, input_tokens=30, output_tokens=8, cached_tokens=4, reasoning_tokens=2, cost_micro_usd=3
    )


def test_what_is_not_known_of_one_is_not_known_of_all() -> None:
    known = Attempt(n=1, billed=True, tokens=Tokens(input=10, output=3), cost=Cost(usd="1", row=ROW))
    spend = spend_of((known, Attempt(n=2, billed=None, code="model_connection_closed")))
    assert (spend.calls, spend.unknown_calls, spend.input_tokens, spend.cost_micro_usd) == (2, 1, 10, None)
    assert spend_of(()) == Spend()


def test_failed_calls_are_paid_for_and_retries_told() -> None:
    with ModelServer(say("hi", usage=Usage(100, 20)), faults=parse_faults("500,cut,ok,500*3")) as server:
        session = ModelSession(client_of(server, "openai-chat"), Account(Budget()))
        assert session.generate(HELLO).text == "hi"
        with pytest.raises(ModelError):
            session.generate(HELLO)
        assert len(server.settle()) == 6
    assert session.facts["retries"] == "2"
    spend = session.spend()
    assert (spend.steps, spend.calls, spend.input_tokens) == (2, 2, 100)


def test_a_budget_that_ends_it_is_told_by_whose(tmp_path: Path) -> None:
    script = tmp_path / "s"
    script.write_text('{"text":"hi","tokens":{"input":10,"output":1}}')
    for run, own, of_run in ((Budget(steps=1), Budget(), True), (Budget(), Budget(steps=1), False)):
        session = ModelSession(ScriptedModel(script), Account(own, Account(run)))
        session.generate(HELLO)
        assert session.spent_out is None
        with pytest.raises(BudgetSpent):
            session.generate(HELLO)
        assert session.run_over is of_run
