"""Double entry: every line becomes a signed amount, debits positive, and each report turns the sign as it needs it."""

from typing import Any

OPS: dict[str, tuple[str, ...]] = {
    "balances": ("accounts", "entries"),
    "ledger": ("accounts", "entries", "account"),
    "close": ("accounts", "entries", "into"),
}

# The side on which an account of each type grows: 1 for debits, -1 for credits.
_NORMAL = {"asset": 1, "expense": 1, "liability": -1, "equity": -1, "income": -1}
_SIGN = {"debit": 1, "credit": -1}

# A posting: the number of the entry, the account and the amount, debits positive.
Posting = tuple[int, str, int]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if not _is_array(args.get("accounts"), 1, 20) or not _is_array(args.get("entries"), 0, 30):
        return False
    if op == "ledger" and not _is_name(args.get("account")):
        return False
    if op == "close" and not _is_name(args.get("into")):
        return False
    return all(map(_is_account, args["accounts"])) and all(map(_is_entry, args["entries"]))


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    types: dict[str, str] = {account["name"]: account["type"] for account in args["accounts"]}
    if len(types) < len(args["accounts"]):
        raise Refused("duplicate_account")
    postings: list[Posting] = []
    for number, entry in enumerate(args["entries"], start=1):
        lines = [(number, line["account"], _SIGN[line["side"]] * line["amount"]) for line in entry["lines"]]
        if any(account not in types for _, account, _ in lines):
            raise Refused("unknown_account", {"entry": number})
        if sum(amount for _, _, amount in lines):
            raise Refused("unbalanced", {"entry": number})
        postings += lines
    if op == "balances":
        return _balances(types, postings)
    if op == "ledger":
        return _ledger(types, postings, args["account"])
    return _close(types, postings, args["into"])


def _is_array(value: Any, least: int, most: int) -> bool:
    """Whether a value is an array of `least` to `most` items."""
    return isinstance(value, list) and least <= len(value) <= most


def _is_name(value: Any) -> bool:
    """Whether a value can be the name of an account."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_account(value: Any) -> bool:
    """Whether a value is an account with a name and a type."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    return _is_name(value.get("name")) and isinstance(kind, str) and kind in _NORMAL


def _is_entry(value: Any) -> bool:
    """Whether a value is an entry of 2 to 10 lines."""
    if not isinstance(value, dict):
        return False
    lines: Any = value.get("lines")
    return _is_array(lines, 2, 10) and all(map(_is_line, lines))


def _is_line(value: Any) -> bool:
    """Whether a value is a line of an entry."""
    if not isinstance(value, dict):
        return False
    side, amount = value.get("side"), value.get("amount")
    return (
        _is_name(value.get("account"))
        and isinstance(side, str)
        and side in _SIGN
        and isinstance(amount, int)
        and not isinstance(amount, bool)
        and 1 <= amount <= 10**12
    )


def _totals(types: dict[str, str], postings: list[Posting]) -> dict[str, int]:
    """The balance of each account, counted on its normal side."""
    totals = dict.fromkeys(types, 0)
    for _, account, amount in postings:
        totals[account] += amount * _NORMAL[types[account]]
    return totals


def _balances(types: dict[str, str], postings: list[Posting]) -> dict[str, Any]:
    """The balance of every account, the sums by type and the turnover."""
    totals = _totals(types, postings)
    by_type = dict.fromkeys(_NORMAL, 0)
    for account, balance in totals.items():
        by_type[types[account]] += balance
    return {
        "balances": [{"account": account, "balance": balance} for account, balance in totals.items()],
        "by_type": by_type,
        "turnover": sum(amount for _, _, amount in postings if amount > 0),
    }


def _ledger(types: dict[str, str], postings: list[Posting], shown: str) -> dict[str, Any]:
    """The lines of one account with its running balance."""
    if shown not in types:
        raise Refused("no_such_account")
    sign, balance, lines = _NORMAL[types[shown]], 0, []
    for number, account, amount in postings:
        if account == shown:
            balance += sign * amount
            lines.append({"entry": number, "amount": sign * amount, "balance": balance})
    return {"lines": lines, "balance": balance}


def _close(types: dict[str, str], postings: list[Posting], into: str) -> dict[str, Any]:
    """The closing entry, which brings all income and expense accounts to zero."""
    if into not in types:
        raise Refused("no_such_account")
    if types[into] != "equity":
        raise Refused("not_equity")
    totals = _totals(types, postings)
    # What the closing entry posts, debits positive: the opposite of what each account has.
    closing = [
        (account, -totals[account] * _NORMAL[types[account]])
        for account in sorted(types)
        if types[account] in {"income", "expense"}
    ]
    net = sum(amount for _, amount in closing)
    closing.append((into, -net))
    return {
        "net_income": net,
        "lines": [
            {"account": account, "side": "debit" if amount > 0 else "credit", "amount": abs(amount)}
            for account, amount in closing
            if amount
        ],
        "equity": totals[into] + net,
    }
