"""Trading one unit at a time against a list of units; the auction by counting units at every price."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.order_book import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "one unit at a time; every price tried"
ORDERS = st.lists(
    st.fixed_dictionaries(
        {"side": st.sampled_from(["buy", "sell"]), "quantity": st.integers(1, 6), "price": st.integers(1, 8)}
    ),
    max_size=9,
).map(lambda rows: [{"id": f"o{i}", **row} for i, row in enumerate(rows)])
STEPS = st.lists(
    st.fixed_dictionaries(
        {"do": st.just("place"), "side": st.sampled_from(["buy", "sell"]), "quantity": st.integers(1, 6)},
        optional={"price": st.integers(1, 5), "mode": st.sampled_from(["rest", "now", "all"])},
    )
    | st.fixed_dictionaries({"do": st.just("cancel"), "id": st.integers(0, 9).map(lambda n: f"o{n}")}),
    max_size=12,
).map(lambda rows: [{"id": f"o{i}", **row} for i, row in enumerate(rows)])


def repeated(ids: list[str | None]) -> dict[str, Any]:
    for number, name in enumerate(ids, 1):
        if name is not None and ids.index(name) + 1 < number:
            return {"code": "duplicate_id", "number": number}
    return {}


class Book:
    """Every unit by itself: `(price, number of the order, id)`, bids with the price made negative. Lists stay sorted."""

    def __init__(self) -> None:
        self.units: dict[str, list[tuple[int, int, str]]] = {"buy": [], "sell": []}
        self.trades: list[dict[str, Any]] = []

    def place(self, number: int, step: dict[str, Any]) -> int:
        side = step["side"]
        other = {"buy": "sell", "sell": "buy"}[side]
        limit = step.get("price", 10**9 if side == "buy" else 0)
        reach = limit if side == "buy" else -limit
        meets = [unit for unit in self.units[other] if unit[0] <= reach][: step["quantity"]]
        if step.get("mode") == "all" and len(meets) < step["quantity"]:
            return 0
        self.units[other] = self.units[other][len(meets) :]
        for key, _, name in meets:
            row = {side: step["id"], other: name, "price": abs(key), "quantity": 1}
            if self.trades and {**self.trades[-1], "quantity": 1} == row:
                self.trades[-1]["quantity"] += 1
            else:
                self.trades.append(row)
        if "price" in step and step.get("mode", "rest") == "rest":
            key = -limit if side == "buy" else limit
            self.units[side] += [(key, number, step["id"])] * (step["quantity"] - len(meets))
            self.units[side].sort()
        return len(meets)

    def cancel(self, name: str) -> int:
        before = len(self.units["buy"]) + len(self.units["sell"])
        self.units = {side: [unit for unit in units if unit[2] != name] for side, units in self.units.items()}
        return before - len(self.units["buy"]) - len(self.units["sell"])

    def shown(self, side: str) -> list[dict[str, Any]]:
        units = self.units[side]
        return [{"id": n, "price": abs(p), "quantity": units.count((p, i, n))} for p, i, n in sorted(set(units))]


def check_trade(args: dict[str, Any]) -> None:
    steps = args["steps"]
    result = play(FAMILY, "trade", args)
    if failed := repeated([step["id"] if step["do"] == "place" else None for step in steps]):
        assert result == failed
        return
    if sum(step.get("quantity", 0) for step in steps) > 20000:
        return
    book = Book()
    results = [book.place(n, s) if s["do"] == "place" else book.cancel(s["id"]) for n, s in enumerate(steps)]
    assert result == {
        "results": results,
        "trades": book.trades,
        "bids": book.shown("buy"),
        "asks": book.shown("sell"),
    }


def check_auction(args: dict[str, Any]) -> None:
    orders, reference = args["orders"], args["reference"]
    result = play(FAMILY, "auction", args)
    if failed := repeated([order["id"] for order in orders]):
        assert result == failed
        return
    rows = []
    for price in sorted(order["price"] for order in orders):
        demand = sum(o["quantity"] for o in orders if o["side"] == "buy" and o["price"] >= price)
        supply = sum(o["quantity"] for o in orders if o["side"] == "sell" and o["price"] <= price)
        rows.append({"price": price, "volume": sorted([demand, supply])[0], "surplus": (demand - supply) ** 2})
    most = max((row["volume"] for row in rows), default=0)
    if not most:
        assert result == {"code": "no_cross"}
        return
    rows = [row for row in rows if row["volume"] == most]
    rows = [row for row in rows if row["surplus"] == min(r["surplus"] for r in rows)]
    rows.sort(key=lambda row: (row["price"] - reference) ** 2)
    price = rows[0]["price"]
    assert (result["price"], result["volume"]) == (price, most)
    got = {row["id"]: row["quantity"] for row in result["fills"]}
    assert [row["id"] for row in result["fills"]] == [order["id"] for order in orders if order["id"] in got]
    for side, sign in (("buy", -1), ("sell", 1)):
        line = sorted((sign * o["price"], n) for n, o in enumerate(orders) if o["side"] == side)
        served = 0
        for key, n in line:
            order = orders[n]
            fair = min(order["quantity"], most - served) if key <= sign * price else 0
            assert got.get(order["id"], 0) == fair
            served += fair
        assert served == most
    assert 0 not in got.values()


@settings(max_examples=50, deadline=None)
@given(STEPS)
def test_trade_unit_by_unit(steps: list[Any]) -> None:
    check_trade({"steps": steps})


@settings(max_examples=50, deadline=None)
@given(ORDERS, st.integers(1, 9))
def test_auction_at_every_price(orders: list[Any], reference: int) -> None:
    check_auction({"orders": orders, "reference": reference})


def test_trade_on_its_own_inputs() -> None:
    for args in of(FAMILY, "trade", 300):
        check_trade(args)


def test_auction_on_its_own_inputs() -> None:
    for args in of(FAMILY, "auction", 300):
        check_auction(args)
