"""Matches orders by price and time, one by one or all in one auction."""

from typing import Any

from ..arguments import array, enum, integer, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

ID = string(1, 20)
SIDE = enum("buy", "sell")
QUANTITY = integer(1, 10**6)
PRICE = integer(1, 10**6)
STEPS = {
    "place": structure(
        {"id": ID, "side": SIDE, "quantity": QUANTITY}, {"price": PRICE, "mode": enum("rest", "now", "all")}
    ),
    "cancel": structure({"id": ID}),
}
KIND = structure({"do": enum(*STEPS)})
ORDER = structure({"id": ID, "side": SIDE, "quantity": QUANTITY, "price": PRICE})


def read_step(value: object, where: str) -> None:
    """Check one step: what it does decides which fields it needs."""
    STEPS[KIND(value, where)["do"]](value, where)


def check_trade(args: dict[str, Any]) -> None:
    """Check the arguments of `trade`."""
    required(args, "steps", array(read_step, high=50))


def check_auction(args: dict[str, Any]) -> None:
    """Check the arguments of `auction`."""
    required(args, "orders", array(ORDER, high=50))
    required(args, "reference", PRICE)


def trade(args: dict[str, Any]) -> object:
    """Take the steps one by one."""
    require_new_ids([step["id"] if step["do"] == "place" else number for number, step in enumerate(args["steps"])])
    book: list[dict[str, Any]] = []
    trades: list[dict[str, Any]] = []
    results = []
    for step in args["steps"]:
        if step["do"] == "place":
            found = place(step, book)
            trades += found
            results.append(sum(made["quantity"] for made in found))
        else:
            results.append(sum(order["quantity"] for order in book if order["id"] == step["id"]))
            book = [order for order in book if order["id"] != step["id"]]
        book = [order for order in book if order["quantity"] > 0]
    return {
        "results": results,
        "trades": trades,
        "bids": [shown(order) for order in takers(book, "buy")],
        "asks": [shown(order) for order in takers(book, "sell")],
    }


def place(new: dict[str, Any], book: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Trade a new order against the book, and let it rest there if it may; the trades."""
    other = "sell" if new["side"] == "buy" else "buy"
    price, mode = new.get("price"), new.get("mode", "rest")
    fills = allot(takers(book, other, price), new["quantity"])
    left = new["quantity"] - sum(quantity for _, quantity in fills)
    if mode == "all" and left > 0:
        return []
    for order, quantity in fills:
        order["quantity"] -= quantity
    if mode == "rest" and price is not None:
        book.append({**new, "quantity": left})
    return [
        {new["side"]: new["id"], other: order["id"], "price": order["price"], "quantity": quantity}
        for order, quantity in fills
    ]


def auction(args: dict[str, Any]) -> object:
    """The one price at which most is traded, and what each order gets."""
    orders = args["orders"]
    require_new_ids([order["id"] for order in orders])
    ranks = []
    for price in {order["price"] for order in orders}:
        demand, supply = (sum(o["quantity"] for o in takers(orders, side, price)) for side in ("buy", "sell"))
        volume = min(demand, supply)
        ranks.append((-volume, abs(demand - supply), abs(price - args["reference"]), price))
    volume = -min(ranks)[0] if ranks else 0
    if volume == 0:
        raise DomainError("no_cross", "no buyer bids what a seller asks")
    price = min(ranks)[3]
    fills = {o["id"]: n for side in ("buy", "sell") for o, n in allot(takers(orders, side, price), volume)}
    return {
        "price": price,
        "volume": volume,
        "fills": [{"id": o["id"], "quantity": fills[o["id"]]} for o in orders if o["id"] in fills],
    }


def takers(orders: list[dict[str, Any]], side: str, price: int | None = None) -> list[dict[str, Any]]:
    """The orders of a side that accept a price (None: all of them), the best first."""
    sign = 1 if side == "sell" else -1
    good = [o for o in orders if o["side"] == side and (price is None or sign * o["price"] <= sign * price)]
    return sorted(good, key=lambda order: sign * order["price"])


def allot(orders: list[dict[str, Any]], left: int) -> list[tuple[dict[str, Any], int]]:
    """Hand out a quantity to orders in turn, as much as each takes; those that get nothing are left out."""
    fills = []
    for order in orders:
        quantity = min(left, order["quantity"])
        left -= quantity
        if quantity > 0:
            fills.append((order, quantity))
    return fills


def require_new_ids(ids: list[Any]) -> None:
    """Refuse an id that was there before."""
    for index, name in enumerate(ids):
        if name in ids[:index]:
            raise DomainError("duplicate_id", "an id is used twice", number=index + 1)


def shown(order: dict[str, Any]) -> dict[str, Any]:
    """An order as the book shows it."""
    return {key: order[key] for key in ("id", "price", "quantity")}


OPERATIONS = {
    "trade": Operation(("steps",), check_trade, trade),
    "auction": Operation(("orders", "reference"), check_auction, auction),
}
