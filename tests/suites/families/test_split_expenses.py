"""Shares against handing out one cent at a time; payments against sorted lists and the sum of all nets."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.split_expenses import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "fractions, one cent at a time; sorted lists of debts"
PEOPLE = st.sampled_from(["a", "b", "c", "d"])
SHARES = st.lists(st.fixed_dictionaries({"person": PEOPLE, "weight": st.integers(0, 3)}), min_size=1, max_size=4)
BOOKS = st.fixed_dictionaries(
    {
        "people": st.permutations(["a", "b", "c", "d"]),
        "expenses": st.lists(
            st.fixed_dictionaries({"payer": PEOPLE, "amount": st.integers(-40, 60)}, optional={"shares": SHARES}),
            max_size=4,
        ),
    }
)


def error(args: dict[str, Any]) -> dict[str, Any]:
    people = args["people"]
    if any(people.count(name) > 1 for name in people):
        return {"code": "duplicate_person"}
    for number, expense in enumerate(args["expenses"], 1):
        named = [share["person"] for share in expense.get("shares", [])]
        if any(name not in people for name in [expense["payer"], *named]):
            return {"code": "unknown_person", "expense": number}
        if any(named.count(name) > 1 for name in named):
            return {"code": "repeated_share", "expense": number}
        if "shares" in expense and not any(share["weight"] for share in expense["shares"]):
            return {"code": "no_weight", "expense": number}
    return {}


def shares_of(expense: dict[str, Any], people: list[str]) -> dict[str, int]:
    """Round every exact share down, then give single cents to whoever is furthest below the exact share."""
    weights = {s["person"]: s["weight"] for s in expense.get("shares", [{"person": p, "weight": 1} for p in people])}
    amount, whole = abs(expense["amount"]), sum(weights.values())
    exact = {name: Fraction(amount * weight, whole) for name, weight in weights.items()}
    got = {name: int(share) for name, share in exact.items()}
    while sum(got.values()) < amount:
        furthest = max(exact[name] - got[name] for name in got)
        equals = [name for name in got if exact[name] - got[name] == furthest]
        got[expense["payer"] if expense["payer"] in equals else equals[0]] += 1
    return {name: cents if expense["amount"] >= 0 else -cents for name, cents in got.items()}


def nets(args: dict[str, Any]) -> dict[str, tuple[int, int]]:
    found = {name: [0, 0] for name in args["people"]}
    for expense in args["expenses"]:
        found[expense["payer"]][0] += expense["amount"]
        for name, cents in shares_of(expense, args["people"]).items():
            found[name][1] += cents
    return {name: (paid, owes) for name, (paid, owes) in found.items()}


def check_tally(args: dict[str, Any]) -> None:
    result = play(FAMILY, "tally", args)
    if failed := error(args):
        assert result == failed
        return
    rows = [{"name": name, "paid": p, "owes": o, "net": p - o} for name, (p, o) in nets(args).items()]
    assert result == {"people": rows, "total": sum(expense["amount"] for expense in args["expenses"])}
    assert sum(row["net"] for row in result["people"]) == 0


def check_settle(args: dict[str, Any]) -> None:
    result = play(FAMILY, "settle", args)
    failed = error(args)
    hub = args.get("through")
    if not failed and hub and hub not in args["people"]:
        failed = {"code": "no_such_person"}
    if failed:
        assert result == failed
        return
    net = {name: p - o for name, (p, o) in nets(args).items()}
    left = dict(net)
    for row in result["transfers"]:
        assert row["amount"] > 0
        if not hub:
            debts = sorted(left.items(), key=lambda pair: pair[1])
            assert row["from"] == debts[0][0]
            claims = sorted(left.items(), key=lambda pair: pair[1], reverse=True)
            assert row["to"] == claims[0][0]
            assert row["amount"] == sorted([abs(debts[0][1]), claims[0][1]])[0]
        left[row["from"]] += row["amount"]
        left[row["to"]] -= row["amount"]
    assert set(left.values()) <= {0}
    if hub:
        into = [(n, hub) for n in args["people"] if net[n] < 0 and n != hub]
        out = [(hub, n) for n in args["people"] if net[n] > 0 and n != hub]
        assert [(row["from"], row["to"]) for row in result["transfers"]] == into + out


@settings(max_examples=50, deadline=None)
@given(BOOKS, st.none() | PEOPLE)
def test_any_books(args: dict[str, Any], through: str | None) -> None:
    check_tally(args)
    check_settle({**args, "through": through} if through else args)


def test_tally_on_its_own_inputs() -> None:
    for args in of(FAMILY, "tally", 300):
        check_tally(args)


def test_settle_on_its_own_inputs() -> None:
    for args in of(FAMILY, "settle", 300):
        check_settle(args)
