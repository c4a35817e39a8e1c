"""Splits shared expenses to the cent, and settles who pays whom."""

from collections import Counter
from typing import Any

from ..arguments import array, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)
SHARES = array(structure({"person": NAME, "weight": integer(0, 1000)}), 1, 12)
EXPENSE = structure({"payer": NAME, "amount": integer(-(10**9), 10**9)}, {"shares": SHARES})


def check_tally(args: dict[str, Any]) -> None:
    """Check people and expenses."""
    required(args, "people", array(NAME, 1, 12))
    required(args, "expenses", array(EXPENSE, high=30))


def check_settle(args: dict[str, Any]) -> None:
    """Check the arguments of `settle`."""
    check_tally(args)
    optional(args, "through", NAME)


def tally(args: dict[str, Any]) -> object:
    """What each person paid and owes."""
    paid, owes = books(args)
    return {
        "people": [
            {"name": name, "paid": paid[name], "owes": owes[name], "net": paid[name] - owes[name]}
            for name in args["people"]
        ],
        "total": sum(paid.values()),
    }


def settle(args: dict[str, Any]) -> object:
    """Who pays whom."""
    paid, owes = books(args)
    net = {name: paid[name] - owes[name] for name in args["people"]}
    hub = args.get("through")
    if hub is None:
        return {"transfers": direct(net)}
    if hub not in net:
        raise DomainError("no_such_person", f"there is no person {hub!r}")
    others = [(name, amount) for name, amount in net.items() if name != hub]
    paying = [transfer(name, hub, -amount) for name, amount in others if amount < 0]
    return {"transfers": paying + [transfer(hub, name, amount) for name, amount in others if amount > 0]}


def direct(net: dict[str, int]) -> list[dict[str, Any]]:
    """The one who owes most pays the one who is owed most, until nobody owes anything; `net` ends at zero."""
    transfers = []
    while any(net.values()):
        debtor, creditor = min(net, key=net.__getitem__), max(net, key=net.__getitem__)
        amount = min(-net[debtor], net[creditor])
        net[debtor] += amount
        net[creditor] -= amount
        transfers.append(transfer(debtor, creditor, amount))
    return transfers


def transfer(debtor: str, creditor: str, amount: int) -> dict[str, Any]:
    """One payment."""
    return {"from": debtor, "to": creditor, "amount": amount}


def books(args: dict[str, Any]) -> tuple[Counter[str], Counter[str]]:
    """What each person paid and what each owes, once people and expenses are known to be sound."""
    people = args["people"]
    if len(set(people)) < len(people):
        raise DomainError("duplicate_person", "two people have the same name")
    paid: Counter[str] = Counter()
    owes: Counter[str] = Counter()
    for number, expense in enumerate(args["expenses"], start=1):
        shares = expense.get("shares", [{"person": name, "weight": 1} for name in people])
        named = [share["person"] for share in shares]
        if not {expense["payer"], *named} <= set(people):
            raise DomainError("unknown_person", "an expense names a person who is not there", expense=number)
        if len(set(named)) < len(named):
            raise DomainError("repeated_share", "a person has two shares of an expense", expense=number)
        weights = {share["person"]: share["weight"] for share in shares}
        if sum(weights.values()) == 0:
            raise DomainError("no_weight", "all weights of an expense are 0", expense=number)
        paid[expense["payer"]] += expense["amount"]
        sign = 1 if expense["amount"] > 0 else -1
        for name, cents in split(abs(expense["amount"]), weights, expense["payer"]).items():
            owes[name] += sign * cents
    return paid, owes


def split(amount: int, weights: dict[str, int], payer: str) -> dict[str, int]:
    """Whole cents by weight; the cents left over go to the greatest remainders, the payer first of equals."""
    whole = sum(weights.values())
    cents = {name: amount * weight // whole for name, weight in weights.items()}
    order = sorted(weights, key=lambda name: (-(amount * weights[name] % whole), name != payer))
    for name in order[: amount - sum(cents.values())]:
        cents[name] += 1
    return cents


OPERATIONS = {
    "tally": Operation(("people", "expenses"), check_tally, tally),
    "settle": Operation(("people", "expenses", "through"), check_settle, settle),
}
