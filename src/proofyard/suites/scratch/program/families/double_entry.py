"""A double-entry ledger: balances, the lines of one account, and the entry that closes a period."""

from collections import Counter
from typing import Any

from ..arguments import array, enum, integer, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

TYPES = ("asset", "expense", "liability", "equity", "income")
DEBIT_TYPES = TYPES[:2]
NAME = string(1, 40)
ACCOUNT = structure({"name": NAME, "type": enum(*TYPES)})
LINE = structure({"account": NAME, "side": enum("debit", "credit"), "amount": integer(1, 10**12)})
ENTRY = structure({"lines": array(LINE, 2, 10)})


def check_books(args: dict[str, Any]) -> None:
    """Check accounts and entries."""
    required(args, "accounts", array(ACCOUNT, 1, 20))
    required(args, "entries", array(ENTRY, high=30))


def check_ledger(args: dict[str, Any]) -> None:
    """Check the arguments of `ledger`."""
    check_books(args)
    required(args, "account", NAME)


def check_close(args: dict[str, Any]) -> None:
    """Check the arguments of `close`."""
    check_books(args)
    required(args, "into", NAME)


def balances(args: dict[str, Any]) -> object:
    """The balance of every account and of every type."""
    types = read(args)
    found = dict.fromkeys(types, 0)
    by_type = dict.fromkeys(TYPES, 0)
    for line in lines(args):
        amount = effect(line, types)
        found[line["account"]] += amount
        by_type[types[line["account"]]] += amount
    return {
        "balances": [{"account": name, "balance": found[name]} for name in types],
        "by_type": by_type,
        "turnover": sum(line["amount"] for line in lines(args)) // 2,
    }


def ledger(args: dict[str, Any]) -> object:
    """The lines of one account with the running balance."""
    types, account = read(args), args["account"]
    require_account(account, types)
    rows = []
    balance = 0
    for number, entry in enumerate(args["entries"], start=1):
        for line in entry["lines"]:
            if line["account"] == account:
                balance += effect(line, types)
                rows.append({"entry": number, "amount": effect(line, types), "balance": balance})
    return {"lines": rows, "balance": balance}


def close(args: dict[str, Any]) -> object:
    """The entry that moves all income and expense into an equity account."""
    types, into = read(args), args["into"]
    require_account(into, types)
    if types[into] != "equity":
        raise DomainError("not_equity", "the account to close into is no equity account")
    debits: Counter[str] = Counter()
    for line in lines(args):
        debits[line["account"]] += debit(line)
    closed = {
        name: debits[name] for name in sorted(types) if types[name] in {"income", "expense"} and debits[name] != 0
    }
    income = -sum(closed.values())
    moved = [*((name, -amount) for name, amount in closed.items()), (into, -income)]
    return {
        "net_income": income,
        "lines": [
            {"account": name, "side": "debit" if amount > 0 else "credit", "amount": abs(amount)}
            for name, amount in moved
            if amount != 0
        ],
        "equity": income - debits[into],
    }


def read(args: dict[str, Any]) -> dict[str, str]:
    """The type of each account, once accounts and entries are known to be sound."""
    types = {account["name"]: account["type"] for account in args["accounts"]}
    if len(types) < len(args["accounts"]):
        raise DomainError("duplicate_account", "two accounts have the same name")
    for number, entry in enumerate(args["entries"], start=1):
        if any(line["account"] not in types for line in entry["lines"]):
            raise DomainError("unknown_account", f"entry {number} names an account that is not there", entry=number)
        if sum(map(debit, entry["lines"])) != 0:
            raise DomainError("unbalanced", f"debits and credits of entry {number} differ", entry=number)
    return types


def require_account(name: str, types: dict[str, str]) -> None:
    """Refuse an account that is not there."""
    if name not in types:
        raise DomainError("no_such_account", f"there is no account {name!r}")


def lines(args: dict[str, Any]) -> list[dict[str, Any]]:
    """All lines of all entries in order."""
    return [line for entry in args["entries"] for line in entry["lines"]]


def debit(line: dict[str, Any]) -> int:
    """What a line debits; below 0 for a credit."""
    amount: int = line["amount"]
    return amount if line["side"] == "debit" else -amount


def effect(line: dict[str, Any], types: dict[str, str]) -> int:
    """What a line adds to the balance of its account: positive on the normal side."""
    return debit(line) if types[line["account"]] in DEBIT_TYPES else -debit(line)


OPERATIONS = {
    "balances": Operation(("accounts", "entries"), check_books, balances),
    "ledger": Operation(("accounts", "entries", "account"), check_ledger, ledger),
    "close": Operation(("accounts", "entries", "into"), check_close, close),
}
