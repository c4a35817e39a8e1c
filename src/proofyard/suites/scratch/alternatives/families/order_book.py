"""Order book: prices of buy orders are negated, so that the lower value has priority on both sides."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"trade": ("steps",), "auction": ("orders", "reference")}
SIGN = {"buy": -1, "sell": 1}
OTHER = {"buy": "sell", "sell": "buy"}


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _whole(value: Any) -> bool:
    """Whether a value is a quantity or a price."""
    return type(value) is int and 1 <= value <= 1000000


def _one_of(value: Any, *words: str) -> bool:
    """Whether a value is one of some words."""
    return isinstance(value, str) and value in words


def _has_id(value: Any) -> bool:
    """Whether a value is an object with an id."""
    return isinstance(value, dict) and isinstance(value.get("id"), str) and 1 <= len(value["id"]) <= 20


def _is_order(value: Any) -> bool:
    """Whether a value is an order with a price."""
    if not _has_id(value) or not _one_of(value.get("side"), "buy", "sell"):
        return False
    return _whole(value.get("quantity")) and _whole(value.get("price"))


def _is_step(value: Any) -> bool:
    """Whether a value is a step."""
    if not _has_id(value) or not _one_of(value.get("do"), "place", "cancel"):
        return False
    return value["do"] == "cancel" or (
        _is_order({"price": 1, **value}) and _one_of(value.get("mode", "rest"), "rest", "now", "all")
    )


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all types and ranges are right."""
    if op == "trade":
        steps = args.get("steps")
        return isinstance(steps, list) and len(steps) <= 50 and all(map(_is_step, steps))
    orders = args.get("orders")
    if not (isinstance(orders, list) and len(orders) <= 50 and all(map(_is_order, orders))):
        return False
    return _whole(args.get("reference"))


def _unique(numbered: list[tuple[int, dict[str, Any]]]) -> None:
    """Refuse an order with the id of an earlier one."""
    seen = set()
    for number, order in numbered:
        if order["id"] in seen:
            raise Refused("duplicate_id", number=number)
        seen.add(order["id"])


def _accepts(order: dict[str, Any], price: int) -> bool:
    """Whether an order accepts a price."""
    return "price" not in order or SIGN[order["side"]] * (price - order["price"]) >= 0


def _ranked(orders: list[dict[str, Any]], side: str) -> list[dict[str, Any]]:
    """The orders of one side in their priority."""
    return sorted((o for o in orders if o["side"] == side), key=lambda order: SIGN[side] * order["price"])


def _hand_out(quantity: int, orders: list[dict[str, Any]]) -> list[tuple[dict[str, Any], int]]:
    """The orders that get some of a quantity, with what each gets."""
    given = []
    for order in orders:
        part = min(quantity, order["quantity"])
        quantity -= part
        if part:
            given.append((order, part))
    return given


def _trade(steps: list[dict[str, Any]]) -> dict[str, Any]:
    """All steps against the book, a list of orders by the time they were placed."""
    book: list[dict[str, Any]] = []
    results: list[int] = []
    trades: list[dict[str, Any]] = []
    for step in steps:
        if step["do"] == "cancel":
            results.append(sum(order["quantity"] for order in book if order["id"] == step["id"]))
            book = [order for order in book if order["id"] != step["id"]]
            continue
        side, mode = step["side"], step.get("mode", "rest")
        matching = [order for order in _ranked(book, OTHER[side]) if _accepts(step, order["price"])]
        given = _hand_out(step["quantity"], matching)
        left = step["quantity"] - sum(part for _, part in given)
        if mode == "all" and left:
            results.append(0)
            continue
        for order, part in given:
            order["quantity"] -= part
            ids = {side: step["id"], OTHER[side]: order["id"]}
            trades.append({**ids, "price": order["price"], "quantity": part})
        results.append(step["quantity"] - left)
        if mode == "rest" and "price" in step:
            book.append({"id": step["id"], "side": side, "price": step["price"], "quantity": left})
        book = [order for order in book if order["quantity"]]
    bids, asks = (
        [{key: order[key] for key in ("id", "price", "quantity")} for order in _ranked(book, side)] for side in SIGN
    )
    return {"results": results, "trades": trades, "bids": bids, "asks": asks}


def _auction(orders: list[dict[str, Any]], reference: int) -> dict[str, Any]:
    """The price at which most is traded, and what each order gets."""

    def wanted(side: str, price: int) -> int:
        return sum(order["quantity"] for order in orders if order["side"] == side and _accepts(order, price))

    tried = []
    for price in {order["price"] for order in orders}:
        demand, supply = wanted("buy", price), wanted("sell", price)
        tried.append((-min(demand, supply), abs(demand - supply), abs(price - reference), price))
    negated, _, _, price = min(tried, default=(0, 0, 0, 0))
    if not negated:
        raise Refused("no_cross")
    gets: dict[str, int] = {}
    for side in SIGN:
        accepting = [order for order in _ranked(orders, side) if _accepts(order, price)]
        gets.update((order["id"], part) for order, part in _hand_out(-negated, accepting))
    fills = [{"id": order["id"], "quantity": gets[order["id"]]} for order in orders if order["id"] in gets]
    return {"price": price, "volume": -negated, "fills": fills}


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation."""
    if op == "trade":
        _unique([pair for pair in enumerate(args["steps"], 1) if pair[1]["do"] == "place"])
        return _trade(args["steps"])
    _unique(list(enumerate(args["orders"], 1)))
    return _auction(args["orders"], args["reference"])
