"""Generations against scipy's convolution and numpy's shifts."""

from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import convolve2d  # type: ignore[import-untyped]

from proofyard.suites.scratch.families.game_of_life import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "scipy's convolution, numpy's shifts"
DIGITS = st.sets(st.sampled_from("012345678")).map(lambda found: "".join(sorted(found)))
GRIDS = st.integers(1, 6).flatmap(lambda n: st.lists(st.text(".#", min_size=n, max_size=n), min_size=1, max_size=6))
ARGS = st.fixed_dictionaries(
    {"rows": GRIDS},
    optional={
        "rule": st.builds("B{}/S{}".format, DIGITS, DIGITS),
        "outside": st.sampled_from(["dead", "alive", "wrap"]),
    },
)


def is_rule(text: str) -> bool:
    left, slash, right = text.partition("/")
    if not slash or left[:1] != "B" or right[:1] != "S":
        return False
    return all(set(d) <= set("012345678") and sorted(set(d)) == list(d) for d in (left[1:], right[1:]))


def failure(args: dict[str, Any]) -> dict[str, Any]:
    for index, row in enumerate(args["rows"]):
        if len(row) != len(args["rows"][0]) or row.strip(".#"):
            return {"code": "bad_grid", "row": index}
        if any(char not in ".#" for char in row):
            return {"code": "bad_grid", "row": index}
    return {} if is_rule(args.get("rule", "B3/S23")) else {"code": "bad_rule"}


def generations(args: dict[str, Any], count: int) -> list[Any]:
    grid = np.array([[char == "#" for char in row] for row in args["rows"]], dtype=int)
    born, stays = (np.isin(range(9), list(map(int, part[1:]))) for part in args.get("rule", "B3/S23").split("/"))
    outside = args.get("outside", "dead")
    kernel = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    found = [grid]
    for _ in range(count):
        if outside == "wrap":
            around = sum(np.roll(grid, s, (0, 1)) for s in product((-1, 0, 1), repeat=2) if s != (0, 0))
        else:
            around = convolve2d(grid, kernel, mode="same", fillvalue=int(outside == "alive"))
        grid = np.where(grid == 1, stays[around], born[around]).astype(int)
        found.append(grid)
    return found


def check_evolve(args: dict[str, Any]) -> None:
    result = play(FAMILY, "evolve", args)
    if failed := failure(args):
        assert result == failed
        return
    found = generations(args, args["generations"])
    assert result["rows"] == ["".join("#" if cell else "." for cell in row) for row in found[-1]]
    assert result["populations"] == [int(grid.sum()) for grid in found]


def check_cycle(args: dict[str, Any]) -> None:
    result = play(FAMILY, "cycle", args)
    if failed := failure(args):
        assert result == failed
        return
    seen: dict[bytes, int] = {}
    sizes: list[int] = []
    for n, grid in enumerate(generations(args, args["limit"])):
        if grid.tobytes() in seen:
            start = seen[grid.tobytes()]
            want = {"start": start, "period": n - start, "peak": max(sizes), "peak_at": int(np.argmax(sizes))}
            assert result == want
            return
        seen[grid.tobytes()] = n
        sizes.append(int(grid.sum()))
    assert result == {"code": "no_cycle"}


@settings(max_examples=50, deadline=None)
@given(ARGS, st.integers(0, 6))
def test_evolve(args: dict[str, Any], count: int) -> None:
    check_evolve({**args, "generations": count})


@settings(max_examples=50, deadline=None)
@given(ARGS, st.integers(1, 20))
def test_cycle(args: dict[str, Any], limit: int) -> None:
    check_cycle({**args, "limit": limit})


def test_evolve_on_its_own_inputs() -> None:
    for args in of(FAMILY, "evolve", 200):
        check_evolve(args)


def test_cycle_on_its_own_inputs() -> None:
    for args in of(FAMILY, "cycle", 150):
        check_cycle(args)
