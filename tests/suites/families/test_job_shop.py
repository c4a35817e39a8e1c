"""The job shop against longest paths in networkx, and against a clock that ticks unit by unit."""

from collections import Counter
from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.job_shop import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "networkx (longest paths) and a clock"
RULES = ["shortest", "longest", "most_left", "first_in"]
STEPS = st.lists(
    st.builds(lambda machine, time: {"machine": machine, "time": time}, st.sampled_from("mno"), st.integers(1, 5)),
    min_size=1,
    max_size=4,
)
JOBS = st.lists(st.tuples(STEPS, st.integers(0, 6)), min_size=1, max_size=5).map(
    lambda rows: [{"name": f"j{n}", "steps": steps, "release": release} for n, (steps, release) in enumerate(rows)]
)


def duplicated(jobs: list[dict[str, Any]]) -> bool:
    return any(count > 1 for count in Counter(job["name"] for job in jobs).values())


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What follows from the rows, each unit of time of each machine looked at."""
    machines = []
    for name in sorted({row["machine"] for row in rows}):
        working = {t for row in rows if row["machine"] == name for t in range(row["start"], row["end"])}
        idle = len(set(range(min(working), max(working))) - working)
        machines.append({"machine": name, "busy": len(working), "idle": idle})
    return {"makespan": max(row["end"] for row in rows), "steps": rows, "machines": machines}


def ordered(jobs: list[dict[str, Any]], order: list[str]) -> dict[str, Any]:
    """The plan for an order: the start of a step is the longest path to it."""
    if duplicated(jobs):
        return {"code": "duplicate_job"}
    by_name = {job["name"]: job for job in jobs}
    if any(name not in by_name for name in order):
        return {"code": "unknown_job"}
    if wrong := [name for name, job in by_name.items() if Counter(order)[name] != len(job["steps"])]:
        return {"code": "wrong_count", "job": wrong[0]}
    graph: nx.DiGraph[Any] = nx.DiGraph()
    turns = [(name, order[:n].count(name)) for n, name in enumerate(order)]
    last: dict[Any, Any] = {}
    for name, number in turns:
        machine = ("machine", by_name[name]["steps"][number]["machine"])
        graph.add_edge("source", (name, number), weight=by_name[name].get("release", 0))
        for resource in (machine, ("job", name)):
            if resource in last:
                before, index = last[resource]
                graph.add_edge((before, index), (name, number), weight=by_name[before]["steps"][index]["time"])
            last[resource] = (name, number)
    rows = []
    for name, number in turns:
        step = by_name[name]["steps"][number]
        start = nx.dag_longest_path_length(graph.subgraph({*nx.ancestors(graph, (name, number)), (name, number)}))
        end = start + step["time"]
        rows.append({"job": name, "step": number + 1, "machine": step["machine"], "start": start, "end": end})
    return summary(rows)


def ticked(jobs: list[dict[str, Any]], rule: str) -> dict[str, Any]:
    """The plan of a rule: at each tick idle machines take steps of waiting jobs."""
    if duplicated(jobs):
        return {"code": "duplicate_job"}
    todo = {job["name"]: list(enumerate(job["steps"], start=1)) for job in jobs}
    since = {job["name"]: job.get("release", 0) for job in jobs}
    until: Counter[str] = Counter()
    rows: list[dict[str, Any]] = []
    time = 0
    while any(todo.values()):
        able = [n for n, steps in todo.items() if steps and since[n] <= time >= until[steps[0][1]["machine"]]]
        if not able:
            time += 1
            continue
        worth = {
            "shortest": lambda n: -todo[n][0][1]["time"],
            "longest": lambda n: todo[n][0][1]["time"],
            "most_left": lambda n: sum(step["time"] for _, step in todo[n]),
            "first_in": lambda n: -since[n],
        }[rule]
        name = max(able, key=worth)
        number, step = todo[name].pop(0)
        since[name] = until[step["machine"]] = time + step["time"]
        rows.append({"job": name, "step": number, "machine": step["machine"], "start": time, "end": since[name]})
    return summary(rows)


@settings(max_examples=30, deadline=None)
@given(JOBS, st.randoms(use_true_random=False))
def test_sequence_by_longest_paths(jobs: list[dict[str, Any]], random: Any) -> None:
    order = [job["name"] for job in jobs for _ in job["steps"]]
    random.shuffle(order)
    assert play(FAMILY, "sequence", {"jobs": jobs, "order": order}) == ordered(jobs, order)


@settings(max_examples=60, deadline=None)
@given(JOBS, st.sampled_from(RULES))
def test_dispatch_tick_by_tick(jobs: list[dict[str, Any]], rule: str) -> None:
    assert play(FAMILY, "dispatch", {"jobs": jobs, "rule": rule}) == ticked(jobs, rule)


def test_sequence_on_its_own_inputs() -> None:
    for args in of(FAMILY, "sequence", 60):
        assert play(FAMILY, "sequence", args) == ordered(args["jobs"], args["order"])


def test_dispatch_on_its_own_inputs() -> None:
    for args in of(FAMILY, "dispatch", 200):
        assert play(FAMILY, "dispatch", args) == ticked(args["jobs"], args["rule"])
