"""The cost of goods sold and the stock that is left, first in first out and by moving average."""

from collections import Counter
from typing import Any

from ..arguments import array, enum, integer, required, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

QUANTITY = integer(1, 10**6)
MONEY = integer(0, 10**6)
NEEDED = {
    "buy": structure({"quantity": QUANTITY, "unit_cost": MONEY}),
    "sell": structure({"quantity": QUANTITY, "unit_price": MONEY}),
    "return": structure({"quantity": QUANTITY, "sale": integer(1, 60)}),
}
KIND = structure({"do": enum(*NEEDED)})


def read_step(value: object, where: str) -> None:
    """Check one step: what it does decides which fields it needs."""
    NEEDED[KIND(value, where)["do"]](value, where)


def check(args: dict[str, Any]) -> None:
    """Check the arguments of either operation."""
    required(args, "steps", array(read_step, high=60))


class Lots:
    """How many units of which lot; a lot is the number of its purchase and the cost of one unit."""

    def __init__(self) -> None:
        self.units: Counter[tuple[int, int]] = Counter()

    def quantity(self) -> int:
        """All units."""
        return self.units.total()

    def add(self, number: int, quantity: int, unit_cost: int) -> None:
        """Add a lot."""
        self.units[number, unit_cost] = quantity

    def move(self, quantity: int, target: "Lots", newest_first: bool) -> int:
        """Move units, lot by lot; their cost."""
        cost = 0
        for lot in sorted(self.units, reverse=newest_first):
            moved = min(quantity, self.units[lot])
            quantity -= moved
            self.units[lot] -= moved
            target.units[lot] += moved
            cost += moved * lot[1]
        return cost


class Average:
    """How many units, and their value together."""

    def __init__(self) -> None:
        self.units = self.value = 0

    def quantity(self) -> int:
        """All units."""
        return self.units

    def add(self, _: int, quantity: int, unit_cost: int) -> None:
        """Add units at their cost."""
        self.units += quantity
        self.value += quantity * unit_cost

    def move(self, quantity: int, target: "Average", _: bool) -> int:
        """Move units with their share of the value, rounded; that is their cost."""
        cost = (2 * self.value * quantity + self.units) // (2 * self.units)
        self.units -= quantity
        self.value -= cost
        target.units += quantity
        target.value += cost
        return cost


def fifo(args: dict[str, Any]) -> object:
    """Sell from the oldest lot."""
    stock = Lots()
    result = replay(args["steps"], stock)
    left = [(number, units, cost) for (number, cost), units in sorted(stock.units.items()) if units > 0]
    return {**result, "lots": [{"step": n, "quantity": units, "unit_cost": cost} for n, units, cost in left]}


def average(args: dict[str, Any]) -> object:
    """Sell at the average cost of what is there."""
    stock = Average()
    result = replay(args["steps"], stock)
    return {**result, "quantity": stock.units, "value": stock.value}


def replay(steps: list[dict[str, Any]], stock: Any) -> dict[str, Any]:
    """Go through all steps; the cost of each and the profit. Each sale is a stock of its own, which goods may leave again."""
    sales: dict[int, Any] = {}
    costs: list[int] = []
    profit = 0
    for number, step in enumerate(steps, start=1):
        quantity = step["quantity"]
        if step["do"] == "buy":
            stock.add(number, quantity, step["unit_cost"])
            costs.append(quantity * step["unit_cost"])
            continue
        if step["do"] == "sell":
            if quantity > stock.quantity():
                raise DomainError("out_of_stock", "there is not so much to sell", step=number, left=stock.quantity())
            sales[number] = type(stock)()
            costs.append(stock.move(quantity, sales[number], False))
            profit += quantity * step["unit_price"] - costs[-1]
        else:
            sale = step["sale"]
            if sale not in sales:
                raise DomainError("no_such_sale", "the step is no sale that was made before", step=number)
            if quantity > sales[sale].quantity():
                raise DomainError("not_sold", "so much is not out", step=number, left=sales[sale].quantity())
            costs.append(sales[sale].move(quantity, stock, True))
            profit -= quantity * steps[sale - 1]["unit_price"] - costs[-1]
    return {"costs": costs, "profit": profit}


OPERATIONS = {
    "fifo": Operation(("steps",), check, fifo),
    "average": Operation(("steps",), check, average),
}
