"""Round-robin scheduling: the ready queue is a list of moments and places in line, of which the least is next."""

from dataclasses import dataclass
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "schedule": ("processes", "quantum", "switch_cost"),
    "compare": ("processes", "quanta", "switch_cost"),
}


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


@dataclass
class _Plan:
    """What one quantum makes of the processes: slices as (index, start, end)."""

    slices: list[tuple[int, int, int]]
    switches: int

    def ends(self) -> dict[int, int]:
        """When each process is complete."""
        return {index: end for index, _, end in self.slices}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    processes = args.get("processes")
    if not isinstance(processes, list) or not 1 <= len(processes) <= 12 or not all(map(_is_process, processes)):
        return False
    quanta = [args.get("quantum")] if op == "schedule" else args.get("quanta")
    if not isinstance(quanta, list) or not 1 <= len(quanta) <= 4:
        return False
    return all(_is_integer(item, 1, 100) for item in quanta) and _is_integer(args.get("switch_cost", 0), 0, 10)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    processes, cost = args["processes"], args.get("switch_cost", 0)
    if len({process["name"] for process in processes}) < len(processes):
        raise Refused("duplicate_name")
    if op == "schedule":
        return _schedule(processes, _plan(processes, args["quantum"], cost))
    results: list[dict[str, int]] = []
    for quantum in args["quanta"]:
        plan = _plan(processes, quantum, cost)
        waiting = sum(_waiting(processes[index], end) for index, end in plan.ends().items())
        results.append(
            {"quantum": quantum, "waiting": waiting, "switches": plan.switches, "end": max(plan.ends().values())}
        )
    best = min(results, key=lambda item: (item["waiting"], item["switches"], item["quantum"]))
    return {"best": best["quantum"], "results": results}


def _is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_process(value: Any) -> bool:
    """Whether a value is a process."""
    if not isinstance(value, dict):
        return False
    name = value.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= 30:
        return False
    return _is_integer(value.get("arrival"), 0, 10000) and _is_integer(value.get("burst"), 1, 100)


def _plan(processes: list[dict[str, Any]], quantum: int, cost: int) -> _Plan:
    """Serves all processes.

    A process joins the queue with the key (moment, 0 if it arrives then and 1 if its slice ends then, index). No two
    slices end at one moment, so the least key is the head of the queue, as soon as its moment has come.
    """
    line = [(process["arrival"], 0, index) for index, process in enumerate(processes)]
    left = [process["burst"] for process in processes]
    plan = _Plan([], 0)
    now = 0
    while line:
        head = min(line)
        line.remove(head)
        index = head[2]
        now = max(now, head[0])
        if plan.slices and plan.slices[-1][0] != index:
            plan.switches += 1
            now += cost
        start, now = now, now + min(quantum, left[index])
        plan.slices.append((index, start, now))
        left[index] -= now - start
        if left[index]:
            line.append((now, 1, index))
    return plan


def _waiting(process: dict[str, Any], end: int) -> int:
    """How long a process that is complete at a moment was there and did not run."""
    return int(end - process["arrival"] - process["burst"])


def _schedule(processes: list[dict[str, Any]], plan: _Plan) -> dict[str, Any]:
    """A plan as the result of an operation."""
    ends = plan.ends()
    rows: list[dict[str, Any]] = []
    for index, process in enumerate(processes):
        starts = [start for other, start, _ in plan.slices if other == index]
        rows.append(
            {
                "name": process["name"],
                "response": starts[0] - process["arrival"],
                "completion": ends[index],
                "waiting": _waiting(process, ends[index]),
                "slices": len(starts),
            }
        )
    slices = [[processes[index]["name"], start, end] for index, start, end in plan.slices]
    return {"slices": slices, "processes": rows, "switches": plan.switches}
