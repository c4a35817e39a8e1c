"""A round-robin scheduler: one processor, a fixed quantum, a price for each switch."""

from collections import deque
from typing import Any, NamedTuple

from ..arguments import array, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

PROCESS = structure({"name": string(1, 30), "arrival": integer(0, 10000), "burst": integer(1, 100)})
PROCESSES = array(PROCESS, 1, 12)
QUANTUM = integer(1, 100)
SWITCH = integer(0, 10)


class Slice(NamedTuple):
    """A stretch of time in which one process runs; `process` is its place in the input."""

    process: int
    start: int
    end: int


class Schedule(NamedTuple):
    """All slices in order, and how often the processor switched."""

    slices: list[Slice]
    switches: int


def check_schedule(args: dict[str, Any]) -> None:
    """Check the arguments of `schedule`."""
    required(args, "processes", PROCESSES)
    required(args, "quantum", QUANTUM)
    optional(args, "switch_cost", SWITCH)


def check_compare(args: dict[str, Any]) -> None:
    """Check the arguments of `compare`."""
    required(args, "processes", PROCESSES)
    required(args, "quanta", array(QUANTUM, 1, 4))
    optional(args, "switch_cost", SWITCH)


def schedule(args: dict[str, Any]) -> object:
    """The slices of one schedule and what they mean for each process."""
    processes = named_once(args["processes"])
    slices, switches = simulate(processes, args["quantum"], args.get("switch_cost", 0))
    rows = []
    for place, process in enumerate(processes):
        own = [piece for piece in slices if piece.process == place]
        turnaround = own[-1].end - process["arrival"]
        rows.append(
            {
                "name": process["name"],
                "response": own[0].start - process["arrival"],
                "completion": own[-1].end,
                "waiting": turnaround - process["burst"],
                "slices": len(own),
            }
        )
    return {
        "slices": [[processes[piece.process]["name"], piece.start, piece.end] for piece in slices],
        "processes": rows,
        "switches": switches,
    }


def compare(args: dict[str, Any]) -> object:
    """Which of several quanta makes the processes wait least."""
    processes = named_once(args["processes"])
    needed = sum(process["arrival"] + process["burst"] for process in processes)
    rows = []
    for quantum in args["quanta"]:
        slices, switches = simulate(processes, quantum, args.get("switch_cost", 0))
        waiting = sum({piece.process: piece.end for piece in slices}.values()) - needed
        rows.append({"quantum": quantum, "waiting": waiting, "switches": switches, "end": slices[-1].end})
    best = min(rows, key=lambda row: (row["waiting"], row["switches"], row["quantum"]))
    return {"best": best["quantum"], "results": rows}


def named_once(processes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The processes, if no two have the same name."""
    if len({process["name"] for process in processes}) < len(processes):
        raise DomainError("duplicate_name", "two processes have the same name")
    return processes


def simulate(processes: list[dict[str, Any]], quantum: int, switch_cost: int) -> Schedule:
    """Run all processes to their end."""
    coming = deque(sorted(range(len(processes)), key=lambda place: processes[place]["arrival"]))
    left = [process["burst"] for process in processes]
    ready: deque[int] = deque()
    slices: list[Slice] = []
    switches = now = 0
    while coming or ready:
        if not ready:
            now = max(now, processes[coming[0]]["arrival"])
            ready.append(coming.popleft())
        place = ready.popleft()
        if slices and slices[-1].process != place:
            switches += 1
            now += switch_cost
        end = now + min(quantum, left[place])
        slices.append(Slice(place, now, end))
        left[place] -= end - now
        now = end
        while coming and processes[coming[0]]["arrival"] <= now:
            ready.append(coming.popleft())
        if left[place] > 0:
            ready.append(place)
    return Schedule(slices, switches)


OPERATIONS = {
    "schedule": Operation(("processes", "quantum", "switch_cost"), check_schedule, schedule),
    "compare": Operation(("processes", "quanta", "switch_cost"), check_compare, compare),
}
