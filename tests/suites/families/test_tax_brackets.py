"""Tax cent by cent and in decimals; the gross income by trying all incomes."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.tax_brackets import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "each cent taxed by itself; decimals; all incomes tried"
BRACKETS = st.lists(
    st.fixed_dictionaries({"from": st.integers(0, 60), "rate": st.integers(0, 9000)}), min_size=1, max_size=5
) | st.dictionaries(st.integers(1, 60), st.integers(0, 9000), max_size=5).map(
    lambda found: [{"from": start, "rate": rate} for start, rate in sorted({0: 1000, **found}.items())]
)
SMALL = st.integers(0, 120)


def rounded(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def wrong(brackets: list[dict[str, int]]) -> dict[str, Any]:
    starts = [b["from"] for b in brackets]
    for n in range(len(starts)):
        if starts[: n + 1] != sorted(set(starts[: n + 1])) or starts[0]:
            return {"code": "bad_brackets", "index": n}
    return {}


def rows(taxable: int, brackets: list[dict[str, int]], mode: str) -> list[dict[str, int]]:
    """The parts: cent number n lies in the last bracket that begins below it."""
    count: dict[int, int] = {}
    rate = {b["from"]: b["rate"] for b in brackets}
    for cent in range(1, taxable + 1):
        start = max(s for s in rate if s < cent)
        count[start] = count.get(start, 0) + 1
    if mode == "slab" and count:
        count = {max(count): taxable}
    return [{"from": s, "amount": n, "tax": rounded(Decimal(n) * rate[s] / 10000)} for s, n in sorted(count.items())]


def wide_rows(taxable: int, brackets: list[dict[str, int]], mode: str) -> list[dict[str, int]]:
    """The same for great amounts: from sums over steps of rates instead of parts."""
    reached = [b for b in brackets if taxable - b["from"] > 0]
    if mode == "slab":
        reached = reached[-1:]
        return [
            {"from": b["from"], "amount": taxable, "tax": rounded(Decimal(taxable) * b["rate"] / 10000)}
            for b in reached
        ]
    amounts: list[int] = []
    for b in reversed(reached):
        amounts.insert(0, taxable - b["from"] - sum(amounts))
    return [
        {"from": b["from"], "amount": n, "tax": rounded(Decimal(n) * b["rate"] / 10000)}
        for b, n in zip(reached, amounts, strict=True)
    ]


def check_assess(args: dict[str, Any]) -> None:
    result = play(FAMILY, "assess", args)
    if failed := wrong(args["brackets"]):
        assert result == failed
        return
    income, taper = args["income"], args.get("taper_from")
    allowance = args.get("allowance", 0)
    if taper is not None and income > taper:
        allowance = max(allowance - (income - taper - (income - taper) % 2) // 2, 0)
    taxable = income - allowance if allowance < income else 0
    found = (rows if taxable < 3000 else wide_rows)(taxable, args["brackets"], args.get("mode", "marginal"))
    left = sum(row["tax"] for row in found) - args.get("credit", 0)
    tax = left if left > 0 else 0
    assert result == {
        "allowance": allowance,
        "taxable": taxable,
        "parts": found,
        "tax": tax,
        "unused_credit": -left if left < 0 else 0,
        "average": rounded(Decimal(10000 * tax) / income) if income else 0,
    }


@settings(max_examples=50, deadline=None)
@given(
    st.fixed_dictionaries(
        {"income": SMALL, "brackets": BRACKETS},
        optional={
            "allowance": SMALL,
            "taper_from": SMALL,
            "credit": st.integers(0, 40),
            "mode": st.sampled_from(["marginal", "slab"]),
        },
    )
)
def test_assess_cent_by_cent(args: dict[str, Any]) -> None:
    check_assess(args)


def test_assess_on_its_own_inputs() -> None:
    for args in of(FAMILY, "assess", 300):
        check_assess(args)


def tax_on(income: int, args: dict[str, Any]) -> int:
    assessed = play(FAMILY, "assess", {key: value for key, value in args.items() if key != "net"} | {"income": income})
    return int(assessed["tax"])


@settings(max_examples=50, deadline=None)
@given(
    st.fixed_dictionaries({"net": st.integers(0, 30), "brackets": BRACKETS}, optional={"allowance": st.integers(0, 40)})
)
def test_gross_up_by_trying_all_incomes(args: dict[str, Any]) -> None:
    result = play(FAMILY, "gross_up", args)
    if failed := wrong(args["brackets"]):
        assert result == failed
        return
    income = 0
    while income - tax_on(income, args) < args["net"]:
        income += 1
    assert result == {"income": income, "tax": tax_on(income, args)}


def test_gross_up_on_its_own_inputs() -> None:
    """One cent less leaves too little; the net never falls as the income grows, so that is enough."""
    for args in of(FAMILY, "gross_up", 300):
        result = play(FAMILY, "gross_up", args)
        if failed := wrong(args["brackets"]):
            assert result == failed
            continue
        income = result["income"]
        if income > 10**12:
            continue
        assert result["tax"] == tax_on(income, args)
        assert income - result["tax"] >= args["net"]
        assert income == 0 or income - 1 - tax_on(income - 1, args) < args["net"]


def test_gross_up_far_above_what_assess_takes() -> None:
    args = {"net": 10**12, "brackets": [{"from": 0, "rate": 9000}]}
    assert play(FAMILY, "gross_up", args) == {"income": 10**13 - 4, "tax": 9 * 10**12 - 4}
