"""FIFO inventory: lots as a table of units by step, and what each sale has out as a stack of lots."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"fifo": ("steps",), "average": ("steps",)}
FIELDS = {
    "buy": {"quantity": (1, 1000000), "unit_cost": (0, 1000000)},
    "sell": {"quantity": (1, 1000000), "unit_price": (0, 1000000)},
    "return": {"quantity": (1, 1000000), "sale": (1, 60)},
}


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _is_step(step: Any) -> bool:
    """Whether a value is a step with the fields of its kind."""
    if not isinstance(step, dict) or not isinstance(step.get("do"), str) or step["do"] not in FIELDS:
        return False
    values = [(step.get(name), low, high) for name, (low, high) in FIELDS[step["do"]].items()]
    return all(type(value) is int and low <= value <= high for value, low, high in values)


def check(op: str, args: dict[str, Any]) -> bool:  # noqa: ARG001
    """Whether all types and ranges are right."""
    steps = args.get("steps")
    return isinstance(steps, list) and len(steps) <= 60 and all(map(_is_step, steps))


class _Lots:
    """The stock first in, first out."""

    def __init__(self) -> None:
        self.left: dict[int, int] = {}
        self.price: dict[int, int] = {}
        self.out: dict[int, list[tuple[int, int]]] = {}

    def buy(self, number: int, quantity: int, unit_cost: int) -> int:
        """A new lot."""
        self.left[number], self.price[number] = quantity, unit_cost
        return quantity * unit_cost

    def sell(self, number: int, quantity: int) -> int:
        """Units from the oldest lots on."""
        taken = self.out[number] = []
        for lot, units in self.left.items():
            part = min(units, quantity)
            if part:
                self.left[lot] -= part
                quantity -= part
                taken.append((lot, part))
        return sum(self.price[lot] * part for lot, part in taken)

    def back(self, sale: int, quantity: int) -> int:
        """Units back into the lots they came from, the youngest first."""
        stack, cost = self.out[sale], 0
        while quantity:
            lot, units = stack.pop()
            part = min(units, quantity)
            if units > part:
                stack.append((lot, units - part))
            self.left[lot] += part
            quantity -= part
            cost += part * self.price[lot]
        return cost

    def result(self) -> dict[str, Any]:
        """What is left."""
        lots = [(lot, units) for lot, units in self.left.items() if units]
        return {"lots": [{"step": lot, "quantity": units, "unit_cost": self.price[lot]} for lot, units in lots]}


class _Pool:
    """A quantity with a value, which parts are taken out of: the stock by moving average, and each sale."""

    def __init__(self) -> None:
        self.quantity = self.value = 0
        self.out: dict[int, _Pool] = {}

    def buy(self, _: int, quantity: int, unit_cost: int) -> int:
        """Units at a cost each."""
        return self._add(quantity, quantity * unit_cost)

    def sell(self, number: int, quantity: int) -> int:
        """A part of the stock, which the sale then has out."""
        self.out[number] = _Pool()
        return self.out[number]._add(quantity, self._take(quantity))

    def back(self, sale: int, quantity: int) -> int:
        """A part of what a sale has out."""
        return self._add(quantity, self.out[sale]._take(quantity))

    def _add(self, quantity: int, value: int) -> int:
        self.quantity += quantity
        self.value += value
        return value

    def _take(self, quantity: int) -> int:
        value = (2 * self.value * quantity + self.quantity) // (2 * self.quantity)
        self._add(-quantity, -value)
        return value

    def result(self) -> dict[str, Any]:
        """What is left."""
        return {"quantity": self.quantity, "value": self.value}


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation: quantities and money are kept here, costs by the stock."""
    stock: _Lots | _Pool = _Lots() if op == "fifo" else _Pool()
    units = profit = 0
    out: dict[int, int] = {}
    price: dict[int, int] = {}
    costs: list[int] = []
    for number, step in enumerate(args["steps"], 1):
        quantity = step["quantity"]
        if step["do"] == "buy":
            units += quantity
            costs.append(stock.buy(number, quantity, step["unit_cost"]))
        elif step["do"] == "sell":
            if quantity > units:
                raise Refused("out_of_stock", step=number, left=units)
            units -= quantity
            out[number], price[number] = quantity, step["unit_price"]
            costs.append(stock.sell(number, quantity))
            profit += quantity * price[number] - costs[-1]
        else:
            sale = step["sale"]
            if sale not in out:
                raise Refused("no_such_sale", step=number)
            if quantity > out[sale]:
                raise Refused("not_sold", step=number, left=out[sale])
            units += quantity
            out[sale] -= quantity
            costs.append(stock.back(sale, quantity))
            profit -= quantity * price[sale] - costs[-1]
    return {"costs": costs, "profit": profit, **stock.result()}
