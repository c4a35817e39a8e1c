"""Budgets: hard, shared, and never fooled by what is unknown."""

import threading

import pytest

from proofyard.core import Budget
from proofyard.models import Account, Attempt, BudgetSpent, Cost, PriceRow, Spent, Tokens

ROW = PriceRow(source="t", provider="p", model="m")
GUESS = 1500


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def paid(usd: str, total: int = 10) -> Attempt:
    return Attempt(n=1, billed=True, tokens=Tokens(input=total, output=0), cost=Cost(usd=usd, row=ROW))


def test_nothing_is_sent_once_a_limit_is_reached() -> None:
    account = Account(Budget(cost_micro_usd=1_000_000))
    account.charge(paid("0.999999"), GUESS, 0)
    account.check()
    account.charge(paid("0.0000001"), GUESS, 0)
    with pytest.raises(BudgetSpent, match="the budget of cost is used up") as caught:
        account.check((paid("1"),))
    assert caught.value.limit == "cost"
    assert len(caught.value.attempts) == 1
    assert account.stopped()


@pytest.mark.parametrize(
    ("limits", "limit"), [(Budget(steps=2), "steps"), (Budget(tokens=20), "tokens"), (Budget(wall_s=5), "wall")]
)
def test_each_limit(limits: Budget, limit: str) -> None:
    clock = Clock()
    account = Account(limits, clock=clock)
    for _ in range(2):
        account.check()
        account.step()
        account.charge(paid("0"), GUESS, 0)
        clock.now += 2.5
    assert account.reached() == limit
    assert account.spent() == Spent(steps=2, tokens=20, wall_ms=5000)


def test_a_retry_is_no_step_of_its_own() -> None:
    account = Account(Budget(steps=1))
    account.step()
    account.check(again=True)
    with pytest.raises(BudgetSpent):
        account.check()


def test_a_run_holds_its_trials() -> None:
    clock = Clock()
    run = Account(Budget(cost_micro_usd=100, wall_s=60), clock=clock)
    first, second = (Account(Budget(cost_micro_usd=90, wall_s=40), run, clock=clock) for _ in range(2))
    first.charge(paid("0.00006"), GUESS, 0)
    assert second.reached() is None
    second.charge(paid("0.00004"), GUESS, 0)
    assert (first.reached(), second.reached(), run.spent().cost_micro_usd) == ("cost", "cost", 100)
    clock.now += 30
    assert first.remaining_ms() == 10_000
    assert Account(Budget(), run, clock=clock).remaining_ms() == 30_000
    assert Account(Budget()).remaining_ms() is None


def test_what_was_not_billed_costs_nothing() -> None:
    account = Account(Budget(cost_micro_usd=1))
    account.charge(Attempt(n=1, billed=False, code="model_rate_limit"), GUESS, None)
    assert account.spent() == Spent(wall_ms=account.spent().wall_ms)
    account.check()


def test_a_call_whose_usage_never_came_is_charged_at_the_most_it_can_have_cost() -> None:
    account = Account(Budget(tokens=10_000, cost_micro_usd=1_000))
    account.charge(Attempt(n=1, billed=True, code="model_connection_closed"), GUESS, 700)
    partial = Attempt(n=1, billed=True, partial=True, tokens=Tokens(input=5, output=1))
    account.charge(partial, GUESS, 100)
    used = account.spent()
    assert (used.tokens, used.cost_micro_usd, used.bounded, used.unpriced) == (1_506, 800, 2, 0)
    account.charge(Attempt(n=1, billed=None), GUESS, 200)
    assert account.reached() == "cost"


def test_a_cost_that_cannot_be_bounded_stops_a_budget_of_cost() -> None:
    account = Account(Budget(cost_micro_usd=1_000_000))
    account.charge(Attempt(n=1, billed=True, tokens=Tokens(input=1, output=1)), GUESS, None)
    with pytest.raises(BudgetSpent, match="a call has no known price"):
        account.check()
    free = Account(Budget(tokens=100))
    free.charge(Attempt(n=1, billed=True, tokens=Tokens(input=1, output=1)), GUESS, None)
    free.check()


def test_a_run_asked_to_stop_sends_nothing() -> None:
    asked = threading.Event()
    run = Account(Budget(), asked_to_stop=asked.is_set)
    trial = Account(Budget(), run)
    trial.check()
    asked.set()
    with pytest.raises(BudgetSpent, match="asked to stop"):
        trial.check()


def test_threads_add_up() -> None:
    run = Account(Budget())

    def work() -> None:
        trial = Account(Budget(), run)
        for _ in range(200):
            trial.step()
            trial.charge(paid("0.000001", total=3), GUESS, 0)

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    used = run.spent()
    assert (used.steps, used.tokens, used.cost_micro_usd) == (1600, 4800, 1600)


def test_near_a_limit_on_cost_a_call_waits_for_what_is_under_way() -> None:
    run = Account(Budget(cost_micro_usd=1000))
    first, second = Account(Budget(), run), Account(Budget(), run)
    order: list[str] = []
    under_way, go_on = threading.Event(), threading.Event()

    def ask_first() -> None:
        with first.sending(1500):
            under_way.set()
            go_on.wait(20)
            order.append("first is over")
            first.charge(Attempt(n=1, billed=True, cost=_cost("0.0002"), tokens=Tokens(input=1, output=1)), 0, 1500)

    def ask_second() -> None:
        under_way.wait(20)
        with second.sending(1500):
            order.append("second is sent")

    threads = [threading.Thread(target=ask) for ask in (ask_first, ask_second)]
    for thread in threads:
        thread.start()
    under_way.wait(20)
    assert not order
    go_on.set()
    for thread in threads:
        thread.join(20)
    assert order == ["first is over", "second is sent"]


def test_a_run_that_is_spent_says_that_it_is_the_run() -> None:
    run = Account(Budget(cost_micro_usd=100))
    own = Account(Budget(), run)
    with own.sending(10):
        own.charge(Attempt(n=1, billed=True, cost=_cost("0.0001"), tokens=Tokens(input=1, output=1)), 0, 10)
    with pytest.raises(BudgetSpent) as caught, own.sending(10):
        pass
    assert (caught.value.limit, caught.value.of_run) == ("cost", True)
    lone = Account(Budget(steps=0))
    with pytest.raises(BudgetSpent) as caught:
        lone.check()
    assert (caught.value.limit, caught.value.of_run) == ("steps", False)


def _cost(usd: str) -> Cost:
    return Cost(usd=usd, row=PriceRow(source="test", provider="p", model="m"))
