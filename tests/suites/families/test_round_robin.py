"""Round robin against a simulation that goes one unit of time after the other."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.round_robin import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a simulation unit by unit"

PROCESSES = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 9)), min_size=1, max_size=5).map(
    lambda rows: [{"name": f"p{i}", "arrival": a, "burst": b} for i, (a, b) in enumerate(rows)]
)


def tick(processes: list[dict[str, Any]], quantum: int, cost: int) -> tuple[list[list[Any]], int]:
    """Slices and switches, one unit at a time. A turn is first the switch, then the slice."""
    left = {p["name"]: p["burst"] for p in processes}
    queue: list[str] = []
    slices: list[list[Any]] = []
    switches, time, running, delay, used, last = 0, 0, "", 0, 0, ""
    while any(left.values()):
        queue += [p["name"] for p in processes if p["arrival"] == time]
        if running and delay == 0 and (used == quantum or left[running] == 0):
            slices[-1][2] = time
            queue += [running] if left[running] else []
            running, last = "", running
        if not running and queue:
            running, used = queue.pop(0), 0
            delay = cost if last not in {"", running} else 0
            switches += last not in {"", running}
            if delay == 0:
                slices.append([running, time, time])
        if running and delay:
            delay -= 1
            if delay == 0:
                slices.append([running, time + 1, time + 1])
        elif running:
            left[running] -= 1
            used += 1
        time += 1
    slices[-1][2] = time
    return slices, switches


def check(args: dict[str, Any]) -> None:
    result = play(FAMILY, "schedule", args)
    processes = args["processes"]
    if len({p["name"] for p in processes}) < len(processes):
        assert result == {"code": "duplicate_name"}
        return
    slices, switches = tick(processes, args["quantum"], args.get("switch_cost", 0))
    assert result["slices"] == slices
    assert result["switches"] == switches
    for process, row in zip(processes, result["processes"], strict=True):
        own = [s for s in slices if s[0] == process["name"]]
        assert row == {
            "name": process["name"],
            "response": own[0][1] - process["arrival"],
            "completion": own[-1][2],
            "waiting": own[-1][2] - process["arrival"] - sum(s[2] - s[1] for s in own),
            "slices": len(own),
        }


@given(PROCESSES, st.integers(1, 5), st.integers(0, 4))
def test_schedule_unit_by_unit(processes: list[Any], quantum: int, cost: int) -> None:
    check({"processes": processes, "quantum": quantum, "switch_cost": cost})


def test_schedule_on_its_own_inputs() -> None:
    for args in of(FAMILY, "schedule", 300):
        check(args)


@given(PROCESSES, st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(0, 3))
def test_compare_agrees_with_schedule(processes: list[Any], quanta: list[int], cost: int) -> None:
    result = play(FAMILY, "compare", {"processes": processes, "quanta": quanta, "switch_cost": cost})
    rows = []
    for quantum in quanta:
        one = play(FAMILY, "schedule", {"processes": processes, "quantum": quantum, "switch_cost": cost})
        waiting, end = sum(p["waiting"] for p in one["processes"]), max(s[2] for s in one["slices"])
        rows.append({"quantum": quantum, "waiting": waiting, "switches": one["switches"], "end": end})
    assert result["results"] == rows
    chosen = sorted(rows, key=lambda r: (r["waiting"], r["switches"], r["quantum"]))[0]
    assert result["best"] == chosen["quantum"]


@given(PROCESSES, st.integers(1, 5))
def test_without_switch_cost_no_time_is_lost(processes: list[Any], quantum: int) -> None:
    slices = play(FAMILY, "schedule", {"processes": processes, "quantum": quantum})["slices"]
    for (_, _, end), (_, start, _) in pairwise(slices):
        assert end <= start
        assert end == start or any(p["arrival"] == start for p in processes)
