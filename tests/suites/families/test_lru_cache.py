"""The cache against an OrderedDict, functools.lru_cache, and time stamps."""

import functools
from collections import OrderedDict
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.lru_cache import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "OrderedDict, functools.lru_cache and time stamps"

NAMES = st.sampled_from(["a", "b", "c", "d"])
STEPS = st.lists(
    st.builds(lambda do, key: {"do": do, "key": key}, st.sampled_from(["get", "peek", "delete", "pin", "unpin"]), NAMES)
    | st.builds(lambda key, value: {"do": "put", "key": key, "value": value}, NAMES, st.integers(-5, 5))
    | st.builds(lambda capacity: {"do": "resize", "capacity": capacity}, st.integers(1, 4)),
    max_size=25,
)


def stamped(args: dict[str, Any]) -> Any:
    """The simulation with a time stamp for each key, scanned for the oldest."""
    capacity = args["capacity"]
    stamps: dict[str, int] = {}
    values: dict[str, int] = {}
    pins: dict[str, bool] = {}
    evicted: list[str] = []
    results: list[Any] = []
    hits = misses = 0

    def trim(room: int) -> list[str] | None:
        gone = []
        while len(values) > room:
            loose = [(stamps[key], key) for key in values if not pins[key]]
            if not loose:
                return None
            gone.append(min(loose)[1])
            values.pop(gone[-1])
        evicted.extend(gone)
        return gone

    for time, step in enumerate(args["steps"]):
        key = "" if step["do"] == "resize" else step["key"]
        here = key in values
        if step["do"] == "put":
            gone = [] if here else trim(capacity - 1)
            if gone is None:
                return {"code": "cache_full", "step": time + 1}
            pins[key] = pins[key] if here else False
            values[key], stamps[key] = step["value"], time
            results.append(gone)
        elif step["do"] == "resize":
            capacity = step["capacity"]
            gone = trim(capacity)
            if gone is None:
                return {"code": "cache_full", "step": time + 1}
            results.append(gone)
        elif step["do"] in {"get", "peek"}:
            results.append(values.get(key))
            if step["do"] == "get":
                hits, misses = hits + here, misses + (not here)
                stamps[key] = time
        elif step["do"] == "delete":
            results.append(here)
            values.pop(key, None)
        else:
            results.append(here if step["do"] == "pin" else here and pins[key])
            if here:
                pins[key] = step["do"] == "pin"
    order = sorted(values, key=stamps.__getitem__, reverse=True)
    entries = [{"key": k, "value": values[k], "pinned": pins[k]} for k in order]
    return {"results": results, "entries": entries, "hits": hits, "misses": misses, "evicted": evicted}


@given(st.integers(1, 4), STEPS)
def test_simulation_by_time_stamps(capacity: int, steps: list[Any]) -> None:
    args = {"capacity": capacity, "steps": steps}
    assert play(FAMILY, "simulate", args) == stamped(args)


def test_simulation_on_its_own_inputs() -> None:
    for args in of(FAMILY, "simulate", 400):
        assert play(FAMILY, "simulate", args) == stamped(args)


@given(st.integers(1, 4), st.lists(st.tuples(NAMES, st.none() | st.integers(0, 9)), max_size=30))
def test_without_pins_it_is_an_ordered_dict(capacity: int, calls: list[tuple[str, int | None]]) -> None:
    known: OrderedDict[str, int] = OrderedDict()
    steps: list[dict[str, Any]] = []
    for key, value in calls:
        if value is None:
            steps.append({"do": "get", "key": key})
            if key in known:
                known.move_to_end(key)
            continue
        steps.append({"do": "put", "key": key, "value": value})
        known[key] = value
        known.move_to_end(key)
        if len(known) > capacity:
            known.popitem(last=False)
    result = play(FAMILY, "simulate", {"capacity": capacity, "steps": steps})
    assert [(row["key"], row["value"]) for row in reversed(result["entries"])] == list(known.items())


def functools_hits(keys: list[str], capacity: int) -> int:
    @functools.lru_cache(maxsize=capacity)
    def look_up(key: str) -> str:
        return key

    for key in keys:
        look_up(key)
    return look_up.cache_info().hits


@given(st.lists(st.sampled_from("abcdefg"), max_size=60), st.integers(0, 40))
def test_hits_as_functools_counts_them(keys: list[str], hits: int) -> None:
    result = play(FAMILY, "smallest", {"keys": keys, "hits": hits})
    if "code" in result:
        assert result == {"code": "unattainable", "most": functools_hits(keys, 7)} and result["most"] < hits
        return
    assert result["hits"] == functools_hits(keys, result["capacity"]) >= hits
    assert result["capacity"] == 1 or functools_hits(keys, result["capacity"] - 1) < hits


def test_smallest_by_trying_all() -> None:
    for args in of(FAMILY, "smallest", 300):
        curve = [functools_hits(args["keys"], capacity) for capacity in range(1, len(args["keys"]) + 2)]
        good = [n for n, hits in enumerate(curve) if hits >= args["hits"]]
        wanted = (
            {"capacity": good[0] + 1, "hits": curve[good[0]]} if good else {"code": "unattainable", "most": curve[-1]}
        )
        assert play(FAMILY, "smallest", args) == wanted
