"""The ledger against matrices of signed amounts, and against the accounting equation."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.double_entry import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "matrices of signed amounts"

SIGN = {"asset": 1, "expense": 1, "liability": -1, "equity": -1, "income": -1}


def signed(line: dict[str, Any]) -> int:
    return int(line["amount"]) * {"debit": 1, "credit": -1}[line["side"]]


def error(args: dict[str, Any]) -> dict[str, Any]:
    """The error of accounts and entries, from sets and sums."""
    names = [a["name"] for a in args["accounts"]]
    if any(names.count(name) > 1 for name in names):
        return {"code": "duplicate_account"}
    for index, entry in enumerate(args["entries"]):
        if {line["account"] for line in entry["lines"]} - set(names):
            return {"code": "unknown_account", "entry": index + 1}
        if sum(map(signed, entry["lines"])):
            return {"code": "unbalanced", "entry": index + 1}
    return {}


def net(args: dict[str, Any]) -> dict[str, int]:
    """Debits minus credits of each account."""
    totals = dict.fromkeys((a["name"] for a in args["accounts"]), 0)
    for entry in args["entries"]:
        for line in entry["lines"]:
            totals[line["account"]] += signed(line)
    return totals


def kinds(args: dict[str, Any]) -> dict[str, str]:
    return {a["name"]: a["type"] for a in args["accounts"]}


def test_balances_on_its_own_inputs() -> None:
    for args in of(FAMILY, "balances", 400):
        result = play(FAMILY, "balances", args)
        if failed := error(args):
            assert result == failed
            continue
        kind = kinds(args)
        want: list[dict[str, Any]] = [
            {"account": name, "balance": SIGN[kind[name]] * amount} for name, amount in net(args).items()
        ]
        assert result["balances"] == want
        sums = result["by_type"]
        assert sums["asset"] + sums["expense"] == sums["liability"] + sums["equity"] + sums["income"]
        for name, amount in sums.items():
            assert amount == sum(row["balance"] for row in want if kind[row["account"]] == name)
        lines = [line for entry in args["entries"] for line in entry["lines"]]
        for side in ("debit", "credit"):
            assert result["turnover"] == sum(line["amount"] for line in lines if line["side"] == side)


def test_ledger_on_its_own_inputs() -> None:
    for args in of(FAMILY, "ledger", 400):
        result = play(FAMILY, "ledger", args)
        kind = kinds(args)
        if failed := error(args) or ({} if args["account"] in kind else {"code": "no_such_account"}):
            assert result == failed
            continue
        own = [
            (n, SIGN[kind[args["account"]]] * signed(line))
            for n, entry in enumerate(args["entries"], 1)
            for line in entry["lines"]
            if line["account"] == args["account"]
        ]
        assert [(row["entry"], row["amount"]) for row in result["lines"]] == own
        assert [row["balance"] for row in result["lines"]] == [sum(a for _, a in own[: i + 1]) for i in range(len(own))]
        assert result["balance"] == sum(a for _, a in own)


def test_close_on_its_own_inputs() -> None:
    for args in of(FAMILY, "close", 400):
        result = play(FAMILY, "close", args)
        kind = kinds(args)
        if failed := error(args) or ({} if args["into"] in kind else {"code": "no_such_account"}):
            assert result == failed
        elif kind[args["into"]] != "equity":
            assert result == {"code": "not_equity"}
        else:
            check_closing(args, result)


def check_closing(args: dict[str, Any], result: dict[str, Any]) -> None:
    """Post the closing entry: then nothing is left to close, and the net income is in the equity account."""
    kind, into = kinds(args), args["into"]
    before = play(FAMILY, "balances", {k: args[k] for k in ("accounts", "entries")})
    after = net({**args, "entries": [*args["entries"], {"lines": result["lines"]}]})
    assert [name for name, amount in after.items() if kind[name] in {"income", "expense"} and amount] == []
    assert sum(map(signed, result["lines"])) == 0
    assert all(line["amount"] > 0 for line in result["lines"])
    names = [line["account"] for line in result["lines"]]
    others = [name for name in names if name != into]
    moved = [name for name in kind if kind[name] in {"income", "expense"} and net(args)[name]]
    assert others == sorted(moved)
    assert names in (others, [*others, into])
    assert result["net_income"] == before["by_type"]["income"] - before["by_type"]["expense"]
    assert result["equity"] == -after[into]
    assert (into in names) == (result["net_income"] != 0)


@given(st.lists(st.tuples(st.sampled_from("axlei"), st.sampled_from("axlei"), st.integers(1, 10**12)), max_size=8))
def test_any_books_balance_and_close(moves: list[tuple[str, str, int]]) -> None:
    accounts = dict(zip("axlei", ("asset", "expense", "liability", "equity", "income"), strict=True))
    args: dict[str, Any] = {
        "accounts": [{"name": name, "type": kind} for name, kind in accounts.items()],
        "entries": [
            {"lines": [{"account": d, "side": "debit", "amount": n}, {"account": c, "side": "credit", "amount": n}]}
            for d, c, n in moves
        ],
    }
    check_closing({**args, "into": "e"}, play(FAMILY, "close", {**args, "into": "e"}))


@pytest.mark.parametrize("amount", [1, 10**12])
def test_sides(amount: int) -> None:
    lines = [{"account": "a", "side": "debit", "amount": amount}, {"account": "l", "side": "credit", "amount": amount}]
    accounts = [{"name": "a", "type": "asset"}, {"name": "l", "type": "liability"}]
    result = play(FAMILY, "balances", {"accounts": accounts, "entries": [{"lines": lines}]})
    assert [row["balance"] for row in result["balances"]] == [amount, amount]
