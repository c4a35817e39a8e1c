"""First in first out against single units in a list; the average against decimals and the balance of value."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.fifo_inventory import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "single units in a list; decimals"
QUANTITY = st.integers(1, 6)
STEPS = st.lists(
    st.fixed_dictionaries({"do": st.just("buy"), "quantity": QUANTITY, "unit_cost": st.integers(0, 30)})
    | st.fixed_dictionaries({"do": st.just("sell"), "quantity": QUANTITY, "unit_price": st.integers(0, 30)})
    | st.fixed_dictionaries({"do": st.just("return"), "quantity": st.integers(1, 3), "sale": st.integers(1, 8)}),
    max_size=14,
)


def faults(steps: list[dict[str, Any]]) -> dict[str, Any]:
    """The first error, from sums over the steps before."""
    for n, step in enumerate(steps):
        before = steps[:n]
        have = sum(s["quantity"] * (-1 if s["do"] == "sell" else 1) for s in before)
        if step["do"] == "sell" and step["quantity"] > have:
            return {"code": "out_of_stock", "step": n + 1, "left": have}
        if step["do"] == "return":
            sale = step["sale"]
            if sale > n or steps[sale - 1]["do"] != "sell":
                return {"code": "no_such_sale", "step": n + 1}
            back = sum(s["quantity"] for s in before if s["do"] == "return" and s["sale"] == sale)
            if step["quantity"] > steps[sale - 1]["quantity"] - back:
                return {"code": "not_sold", "step": n + 1, "left": steps[sale - 1]["quantity"] - back}
    return {}


def profit(steps: list[dict[str, Any]], costs: list[int]) -> int:
    revenue = 0
    for step, cost in zip(steps, costs, strict=True):
        if step["do"] == "sell":
            revenue += step["quantity"] * step["unit_price"] - cost
        if step["do"] == "return":
            revenue -= step["quantity"] * steps[step["sale"] - 1]["unit_price"] - cost
    return revenue


def check_fifo(args: dict[str, Any]) -> None:
    """Each unit is the pair of its lot and its cost; lists stay sorted."""
    steps = args["steps"]
    result = play(FAMILY, "fifo", args)
    if failed := faults(steps):
        assert result == failed
        return
    shelf: list[tuple[int, int]] = []
    out: dict[int, list[tuple[int, int]]] = {}
    costs = []
    for n, step in enumerate(steps, 1):
        q = step["quantity"]
        if step["do"] == "buy":
            moved = [(n, step["unit_cost"])] * q
            shelf += moved
        elif step["do"] == "sell":
            moved, shelf = shelf[:q], shelf[q:]
            out[n] = moved
        else:
            sold = out[step["sale"]]
            moved, out[step["sale"]] = sold[-q:], sold[:-q]
            shelf = sorted([*moved, *shelf])
        costs.append(sum(cost for _, cost in moved))
    lots = sorted(set(shelf))
    assert result == {
        "costs": costs,
        "profit": profit(steps, costs),
        "lots": [{"step": n, "quantity": shelf.count((n, cost)), "unit_cost": cost} for n, cost in lots],
    }


def check_average(args: dict[str, Any]) -> None:
    steps = args["steps"]
    result = play(FAMILY, "average", args)
    if failed := faults(steps):
        assert result == failed
        return
    costs = result["costs"]
    signs = {"buy": 1, "sell": -1, "return": 1}
    for n, step in enumerate(steps):
        q = Decimal(step["quantity"])
        if step["do"] == "buy":
            exact = q * step["unit_cost"]
        elif step["do"] == "sell":
            value = sum(signs[s["do"]] * cost for s, cost in zip(steps[:n], costs[:n], strict=True))
            exact = value * q / sum(signs[s["do"]] * s["quantity"] for s in steps[:n])
        else:
            own = [i for i in range(n) if steps[i].get("sale") == step["sale"] and steps[i]["do"] == "return"]
            value = costs[step["sale"] - 1] - sum(costs[i] for i in own)
            exact = value * q / (steps[step["sale"] - 1]["quantity"] - sum(steps[i]["quantity"] for i in own))
        assert costs[n] == exact.quantize(Decimal(1), rounding=ROUND_HALF_UP)
    assert result == {
        "costs": costs,
        "profit": profit(steps, costs),
        "quantity": sum(signs[s["do"]] * s["quantity"] for s in steps),
        "value": sum(signs[s["do"]] * cost for s, cost in zip(steps, costs, strict=True)),
    }


@settings(max_examples=50, deadline=None)
@given(STEPS)
def test_both_on_any_steps(steps: list[Any]) -> None:
    check_fifo({"steps": steps})
    check_average({"steps": steps})


def test_fifo_on_its_own_inputs() -> None:
    for args in of(FAMILY, "fifo", 300):
        if sum(step["quantity"] for step in args["steps"]) < 40000:
            check_fifo(args)


def test_average_on_its_own_inputs() -> None:
    for args in of(FAMILY, "average", 300):
        check_average(args)


def test_great_quantities() -> None:
    buy = {"do": "buy", "quantity": 10**6, "unit_cost": 10**6}
    sell = {"do": "sell", "quantity": 10**6, "unit_price": 1}
    steps = {"steps": [*[buy] * 30, *[sell] * 30]}
    want = {"costs": [10**12] * 60, "profit": 30 * (10**6 - 10**12)}
    assert play(FAMILY, "fifo", steps) == {**want, "lots": []}
    assert play(FAMILY, "average", steps) == {**want, "quantity": 0, "value": 0}
