"""Split expenses: left-over cents by one sort of the losses, debts settled on a table of nets."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"tally": ("people", "expenses"), "settle": ("people", "expenses", "through")}


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _is_name(value: Any) -> bool:
    """Whether a value is a name."""
    return isinstance(value, str) and 1 <= len(value) <= 30


def _whole(value: Any, low: int, high: int) -> bool:
    """Whether a value is an integer in a range."""
    return type(value) is int and low <= value <= high


def _is_share(value: Any) -> bool:
    """Whether a value is a share."""
    return isinstance(value, dict) and _is_name(value.get("person")) and _whole(value.get("weight"), 0, 1000)


def _is_expense(value: Any) -> bool:
    """Whether a value is an expense, with or without shares."""
    if not isinstance(value, dict) or not _is_name(value.get("payer")):
        return False
    if not _whole(value.get("amount"), -(10**9), 10**9):
        return False
    shares = value.get("shares", [{"person": "x", "weight": 0}])
    return isinstance(shares, list) and 1 <= len(shares) <= 12 and all(map(_is_share, shares))


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all types and ranges are right."""
    people, expenses = args.get("people"), args.get("expenses")
    if not (isinstance(people, list) and 1 <= len(people) <= 12 and all(map(_is_name, people))):
        return False
    if not (isinstance(expenses, list) and len(expenses) <= 30 and all(map(_is_expense, expenses))):
        return False
    return op == "tally" or _is_name(args.get("through", "x"))


def _shares(number: int, expense: dict[str, Any], people: list[str]) -> list[tuple[str, int]]:
    """Who shares an expense with which weight, or the refusal of a faulty expense."""
    shares = [(share["person"], share["weight"]) for share in expense.get("shares", [])]
    shares = shares or [(person, 1) for person in people]
    names = [person for person, _ in shares]
    if not {expense["payer"], *names} <= set(people):
        raise Refused("unknown_person", expense=number)
    if len(set(names)) < len(names):
        raise Refused("repeated_share", expense=number)
    if not any(weight for _, weight in shares):
        raise Refused("no_weight", expense=number)
    return shares


def _split(amount: int, payer: str, shares: list[tuple[str, int]]) -> dict[str, int]:
    """The share of each person, without the sign of the amount."""
    whole = sum(weight for _, weight in shares)
    parts = {person: abs(amount) * weight // whole for person, weight in shares}
    lost = {person: abs(amount) * weight % whole for person, weight in shares}
    first = sorted(lost, key=lambda person: (-lost[person], person != payer))
    for person in first[: abs(amount) - sum(parts.values())]:
        parts[person] += 1
    return parts


def _direct(nets: dict[str, int]) -> list[tuple[str, str, int]]:
    """Payments from the one who owes most to the one who is owed most."""
    made = []
    while any(nets.values()):
        debtor, creditor = min(nets, key=lambda name: nets[name]), max(nets, key=lambda name: nets[name])
        amount = min(-nets[debtor], nets[creditor])
        nets[debtor] += amount
        nets[creditor] -= amount
        made.append((debtor, creditor, amount))
    return made


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation."""
    people, expenses, through = args["people"], args["expenses"], args.get("through")
    if len(set(people)) < len(people):
        raise Refused("duplicate_person")
    paid, owes = dict.fromkeys(people, 0), dict.fromkeys(people, 0)
    for number, expense in enumerate(expenses, 1):
        amount, payer = expense["amount"], expense["payer"]
        for person, part in _split(amount, payer, _shares(number, expense, people)).items():
            owes[person] += part if amount > 0 else -part
        paid[payer] += amount
    nets = {name: paid[name] - owes[name] for name in people}
    if op == "tally":
        rows = [{"name": name, "paid": paid[name], "owes": owes[name], "net": nets[name]} for name in people]
        return {"people": rows, "total": sum(paid.values())}
    if through is None:
        made = _direct(nets)
    elif through not in nets:
        raise Refused("no_such_person")
    else:
        nets[through] = 0
        made = [(name, through, -net) for name, net in nets.items() if net < 0]
        made += [(through, name, net) for name, net in nets.items() if net > 0]
    return {"transfers": [{"from": giver, "to": taker, "amount": amount} for giver, taker, amount in made]}
