"""Loans against exact balances that are never rounded, and against rounding in decimal."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.loan_schedule import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "exact balances in whole numbers, the payment by trial; decimal rounding"
EXACT = Context(prec=60)
LOANS = st.fixed_dictionaries(
    {"principal": st.integers(1, 10**6), "rate": st.integers(0, 10000), "months": st.integers(1, 9)},
    optional={
        "extras": st.lists(
            st.fixed_dictionaries({"month": st.integers(1, 10), "amount": st.integers(1, 99999)}), max_size=5
        ),
        "after_extra": st.sampled_from(["shorten", "recast"]),
    },
)


def repaid(balance: int, payment: int, rate: int, months: int) -> bool:
    """Whether `payment` repays the balance when nothing is rounded: balances are multiplied by 120000 each month."""
    scale = 1
    for _ in range(months):
        scale *= 120000
        balance = balance * (120000 + rate) - payment * scale
    return balance <= 0


def is_level(balance: int, payment: int, rate: int, months: int) -> bool:
    return repaid(balance, payment, rate, months) and not repaid(balance, payment - 1, rate, months)


def interest(balance: int, rate: int) -> int:
    exact = EXACT.divide(EXACT.multiply(Decimal(balance), Decimal(rate)), Decimal(120000))
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_EVEN, context=EXACT))


def check(args: dict[str, Any]) -> None:
    result = play(FAMILY, "schedule", args)
    rate, months, extras = args["rate"], args["months"], args.get("extras", [])
    outside = [i for i, e in enumerate(extras) if e["month"] > months]
    if outside:
        assert result == {"code": "beyond_term", "index": outside[0]}
        return
    if "code" in result:
        assert result["code"] == "overpaid"
        month = result["month"]
        kept = [e for e in extras if e["month"] < month]
        before = play(FAMILY, "schedule", {**args, "extras": kept})
        owed = before["rows"][month - 1]["balance"] if month <= len(before["rows"]) else 0
        assert sum(e["amount"] for e in extras if e["month"] == month) > owed
        return
    level, balance = result["payment"], args["principal"]
    assert is_level(balance, level, rate, months)
    for month, row in enumerate(result["rows"], 1):
        assert balance > 0
        assert row["month"] == month
        assert row["interest"] == interest(balance, rate)
        assert row["payment"] == row["interest"] + row["principal"]
        assert row["payment"] == min(level, balance + row["interest"]) or month == months
        assert row["extra"] == sum(e["amount"] for e in extras if e["month"] == month)
        assert row["balance"] == balance - row["principal"] - row["extra"] >= 0
        balance = row["balance"]
        if row["extra"] and args.get("after_extra") == "recast" and balance:
            level = next_level(balance, rate, months - month)
    assert balance == 0
    assert len(result["rows"]) <= months
    assert {e["month"] for e in extras} <= set(range(1, len(result["rows"]) + 1))
    assert result["interest"] == sum(row["interest"] for row in result["rows"])


def next_level(balance: int, rate: int, months: int) -> int:
    """The least payment that repays, by halving."""
    low, high = 0, 2 * balance + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if repaid(balance, middle, rate, months) else (middle, high)
    return high


@settings(max_examples=50, deadline=None)
@given(LOANS)
def test_schedule_month_by_month(args: dict[str, Any]) -> None:
    check(args)


def test_schedule_on_its_own_inputs() -> None:
    for args in of(FAMILY, "schedule", 150):
        check(args)


def check_afford(args: dict[str, Any]) -> None:
    result = play(FAMILY, "afford", args)
    rate, months = args["rate"], args["months"]
    assert repaid(result["principal"], args["payment"], rate, months)
    assert not repaid(result["principal"] + 1, args["payment"], rate, months)
    if result["principal"] == 0:
        assert result["interest"] == 0
    elif result["principal"] <= 10**11:
        loan = play(FAMILY, "schedule", {"principal": result["principal"], "rate": rate, "months": months})
        assert result["interest"] == loan["interest"]


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 10**6), st.integers(0, 10000), st.integers(1, 24))
def test_afford(payment: int, rate: int, months: int) -> None:
    check_afford({"payment": payment, "rate": rate, "months": months})


def test_afford_on_its_own_inputs() -> None:
    for args in of(FAMILY, "afford", 200):
        check_afford(args)
