"""Windows by listing what passed, buckets by fractions filled ms by ms; retries by asking again at every later ms."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.rate_limiter import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "fractions; every later millisecond tried"
GAPS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from("ab"), st.integers(1, 5) | st.none()),
    max_size=10,
)


def requests(gaps: list[Any]) -> list[dict[str, Any]]:
    time, found = 5, []
    for gap, key, cost in gaps:
        time += gap
        found.append({"time": time, "key": key} | ({"cost": cost} if cost else {}))
    return found


def backwards(rows: list[dict[str, Any]]) -> dict[str, Any]:
    wrong = [i for i in range(1, len(rows)) if rows[i]["time"] < rows[i - 1]["time"]]
    return {"code": "time_goes_back", "index": wrong[0]} if wrong else {}


def fits(history: list[tuple[int, int]], at: int, cost: int, args: dict[str, Any]) -> tuple[bool, int]:
    """Whether a cost passes at a time, and what is left of the limit before it."""
    if args["kind"] == "fixed":
        used = sum(c for t, c in history if t // args["span"] == at // args["span"])
    else:
        used = sum(c for t, c in history if at - t < args["span"])
    return used + cost <= args["limit"], args["limit"] - used


def check_window(args: dict[str, Any], most: int = 3000) -> None:
    result = play(FAMILY, "window", args)
    if failed := backwards(args["requests"]):
        assert result == failed
        return
    history: dict[str, list[tuple[int, int]]] = {}
    for request, row in zip(args["requests"], result["results"], strict=True):
        now, cost = request["time"], request.get("cost", 1)
        own = history.setdefault(request["key"], [])
        good, left = fits(own, now, cost, args)
        assert row["allowed"] is good
        if good:
            own.append((now, cost))
            assert (row["remaining"], row["retry_after"]) == (left - cost, 0)
            continue
        assert row["remaining"] == left
        later = row["retry_after"]
        assert (later == -1) == (cost > args["limit"])
        if later > 0:
            assert fits(own, now + later, cost, args)[0]
            before = range(1, later) if later < most else (1, later // 2, later - 1)
            assert not any(fits(own, now + d, cost, args)[0] for d in before)


def check_bucket(args: dict[str, Any]) -> None:
    result = play(FAMILY, "bucket", args)
    if failed := backwards(args["requests"]):
        assert result == failed
        return
    full, speed = Fraction(args["capacity"]), Fraction(args["refill"], args["span"])
    tokens: dict[str, Fraction] = {}
    seen: dict[str, int] = {}
    for request, row in zip(args["requests"], result["results"], strict=True):
        key, now, cost = request["key"], request["time"], request.get("cost", 1)
        start = Fraction(args["initial"]) if "initial" in args else full
        level = tokens.get(key, start) + speed * (now - seen.get(key, now))
        level = full if level > full else level
        seen[key] = now
        later = row["retry_after"]
        if level >= cost:
            level -= cost
            assert row["allowed"] is True
            assert later == 0
        else:
            assert row["allowed"] is False
            assert (later == -1) == (cost > args["capacity"])
            if later != -1:
                assert level + later * speed >= cost > level + (later - 1) * speed
                assert later >= 1
        tokens[key] = level
        assert row["remaining"] <= level < row["remaining"] + 1


@settings(max_examples=50, deadline=None)
@given(GAPS, st.integers(1, 6), st.integers(1, 9), st.sampled_from(["fixed", "sliding"]))
def test_window(gaps: list[Any], limit: int, span: int, kind: str) -> None:
    check_window({"requests": requests(gaps), "limit": limit, "span": span, "kind": kind})


@settings(max_examples=50, deadline=None)
@given(GAPS, st.integers(1, 6), st.integers(1, 5), st.integers(1, 9), st.none() | st.integers(0, 7))
def test_bucket(gaps: list[Any], capacity: int, refill: int, span: int, initial: int | None) -> None:
    args = {"requests": requests(gaps), "capacity": capacity, "refill": refill, "span": span}
    check_bucket(args if initial is None else {**args, "initial": initial})


def test_window_on_its_own_inputs() -> None:
    for args in of(FAMILY, "window", 300):
        check_window(args, 50)


def test_bucket_on_its_own_inputs() -> None:
    for args in of(FAMILY, "bucket", 300):
        check_bucket(args)
