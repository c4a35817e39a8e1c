"""Bin packing: the least number of bins against integer programming in scipy, the methods against tables of free space."""

from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from proofyard.suites.scratch.families.bin_packing import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "scipy (integer programming)"
METHODS = ["next_fit", "first_fit", "best_fit", "worst_fit"]


def items(most: int) -> st.SearchStrategy[list[dict[str, Any]]]:
    row = st.fixed_dictionaries({"size": st.integers(1, 10)}, optional={"group": st.sampled_from("gh")})
    return st.lists(row, max_size=most).map(lambda rows: [{"name": f"i{n}", **row} for n, row in enumerate(rows)])


def fault(args: dict[str, Any]) -> dict[str, Any]:
    large = [item["size"] > args["capacity"] for item in args["items"]]
    return {"code": "too_large", "index": large.index(True)} if any(large) else {}


def tabled(things: list[dict[str, Any]], capacity: int, method: str) -> list[tuple[list[str], int]]:
    """The bins of a method, by a table: the free space in each of as many bins as there are items, all empty."""
    free = np.full(len(things), capacity)
    barred = {thing["group"]: np.zeros(len(things), bool) for thing in things if "group" in thing}
    inside: list[list[str]] = [[] for _ in things]
    for thing in things:
        used = sum(map(bool, inside))
        able = free >= thing["size"]
        if "group" in thing:
            able &= ~barred[thing["group"]]
        able[used + 1 :] = False
        if method == "next_fit":
            able[: max(used - 1, 0)] = False
        opened = np.flatnonzero(able[:used])
        if not len(opened):
            place = used
        elif method == "best_fit":
            place = int(opened[np.argmin(free[opened])])
        elif method == "worst_fit":
            place = int(opened[np.argmax(free[opened])])
        else:
            place = int(opened[0])
        free[place] -= thing["size"]
        inside[place].append(thing["name"])
        if "group" in thing:
            barred[thing["group"]][place] = True
    return [(names, int(room)) for names, room in zip(inside, free, strict=True) if names]


def largest_first(things: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [things[n] for _, n in sorted((-thing["size"], n) for n, thing in enumerate(things))]


def optimum(things: list[dict[str, Any]], capacity: int) -> int:
    """The least number of bins: x[i, b] says that item i is in bin b, y[b] that bin b is used."""
    size = len(things)
    if not size:
        return 0
    rows, upper = [], []
    for b in range(size):
        row = np.zeros((size + 1, size))
        row[:size, b] = [thing["size"] for thing in things]
        row[size, b] = -capacity
        rows.append(row.ravel())
        upper.append(0)
        for one, two in combinations(range(size), 2):
            if "group" in things[one] and things[one]["group"] == things[two].get("group"):
                row = np.zeros((size + 1, size))
                row[[one, two], b] = 1
                rows.append(row.ravel())
                upper.append(1)
    placed = np.zeros((size, size + 1, size))
    for i in range(size):
        placed[i, i] = 1
    found = milp(
        np.concatenate([np.zeros(size * size), np.ones(size)]),
        integrality=np.ones((size + 1) * size),
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(np.array(rows), -np.inf, upper),
            LinearConstraint(placed.reshape(size, -1), 1, 1),
        ],
    )
    least: float = found.fun
    return round(least)


def check_pack(args: dict[str, Any]) -> None:
    result, things = play(FAMILY, "pack", args), args["items"]
    if failed := fault(args):
        assert result == failed
        return
    if args.get("order") == "decreasing":
        things = largest_first(things)
    rows = tabled(things, args["capacity"], args["method"])
    assert result == {"count": len(rows), "bins": [{"items": names, "free": free} for names, free in rows]}


def check_minimum(args: dict[str, Any]) -> None:
    result, things, capacity = play(FAMILY, "minimum", args), args["items"], args["capacity"]
    if failed := fault(args):
        assert result == failed
        return
    least = optimum(things, capacity)
    bound = 0
    while bound * capacity < sum(thing["size"] for thing in things):
        bound += 1
    groups = [thing["group"] for thing in things if "group" in thing]
    assert result == {
        "bins": least,
        "lower_bound": max([bound, *map(groups.count, groups)]),
        "decreasing": {method: len(tabled(largest_first(things), capacity, method)) for method in METHODS},
    }
    assert result["lower_bound"] <= least <= min(result["decreasing"].values())


@settings(max_examples=80, deadline=None)
@given(items(12), st.integers(8, 20), st.sampled_from(METHODS), st.sampled_from(["given", "decreasing"]))
def test_pack_by_a_table(things: list[Any], capacity: int, method: str, order: str) -> None:
    check_pack({"items": things, "capacity": capacity, "method": method, "order": order})


@settings(max_examples=25, deadline=None)
@given(items(7), st.integers(10, 20))
def test_minimum_by_integer_programming(things: list[Any], capacity: int) -> None:
    check_minimum({"items": things, "capacity": capacity})


def test_pack_on_its_own_inputs() -> None:
    for args in of(FAMILY, "pack", 200):
        check_pack(args)


def test_minimum_on_its_own_inputs() -> None:
    for args in of(FAMILY, "minimum", 30):
        check_minimum(args)
