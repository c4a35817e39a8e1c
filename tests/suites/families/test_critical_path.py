"""Project plans against longest paths in networkx; slack is found by delaying tasks."""

from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.critical_path import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "networkx (longest paths)"


@st.composite
def task_lists(draw: st.DrawFn) -> list[dict[str, Any]]:
    size = draw(st.integers(1, 7))
    tasks = []
    for n in range(size):
        after = draw(st.lists(st.integers(0, n - 1), max_size=3)) if n else []
        task = {"name": f"t{n}", "duration": draw(st.integers(0, 5)), "after": [f"t{m}" for m in after]}
        tasks.append({**task, "not_before": draw(st.sampled_from([0, 0, 0, 4, 9]))})
    return draw(st.permutations(tasks))


def network(tasks: list[dict[str, Any]]) -> Any:
    """Each task as an edge from its start to its end; the weights of the others are waiting times."""
    graph: nx.DiGraph[Any] = nx.DiGraph()
    for task in tasks:
        name = task["name"]
        graph.add_edge("zero", (name, "start"), weight=task.get("not_before", 0))
        graph.add_edge((name, "start"), (name, "end"), weight=task["duration"])
        graph.add_edge((name, "end"), "finish", weight=0)
        for other in task.get("after", []):
            graph.add_edge((other, "end"), (name, "start"), weight=0)
    return graph


def farthest(graph: Any) -> dict[Any, int]:
    """The longest path to each node from the node `zero`, as the shortest one under negated weights."""
    turned = nx.DiGraph()
    turned.add_weighted_edges_from((a, b, -data["weight"]) for a, b, data in graph.edges(data=True))
    return {node: -length for node, length in nx.single_source_bellman_ford_path_length(turned, "zero").items()}


def fault(tasks: list[dict[str, Any]]) -> dict[str, Any]:
    names = [task["name"] for task in tasks]
    if len(names) != len(set(names)):
        return {"code": "duplicate_task"}
    for task in tasks:
        if [other for other in task.get("after", []) if other not in names]:
            return {"code": "unknown_task", "task": task["name"]}
    return {} if nx.is_directed_acyclic_graph(network(tasks)) else {"code": "cycle"}


def lengthened(tasks: list[dict[str, Any]], name: str, by: int) -> list[dict[str, Any]]:
    return [{**task, "duration": task["duration"] + by * (task["name"] == name)} for task in tasks]


def check_plan(tasks: list[dict[str, Any]]) -> None:
    result = play(FAMILY, "plan", {"tasks": tasks})
    if failed := fault(tasks):
        assert result == failed
        return
    times = farthest(network(tasks))
    length = times["finish"]
    assert result["length"] == length
    assert [row["task"] for row in result["tasks"]] == [task["name"] for task in tasks]
    for task, row in zip(tasks, result["tasks"], strict=True):
        name, slack, free = row["task"], row["slack"], row["free_slack"]
        assert (row["start"], row["end"]) == (times[name, "start"], times[name, "end"])
        # The task may take `slack` more units and the project is as long; one more, and it is longer.
        assert farthest(network(lengthened(tasks, name, slack)))["finish"] == length
        assert farthest(network(lengthened(tasks, name, slack + 1)))["finish"] == length + 1
        # It may end as late as the first follower starts.
        nexts = [times[t["name"], "start"] for t in tasks if name in t.get("after", [])]
        assert row["end"] + free == min(nexts, default=length)
        assert 0 <= free <= slack
        assert task["duration"] == row["end"] - row["start"]
    check_path(tasks, times, result["path"])


def check_path(tasks: list[dict[str, Any]], times: dict[Any, int], path: list[str]) -> None:
    """Each task on the path is the first of those that could stand there."""
    names = [task["name"] for task in tasks]
    after = {task["name"]: task.get("after", []) for task in tasks}
    wanted, candidates = times["finish"], names
    for name in reversed(path):
        assert name == next(n for n in names if n in candidates and times[n, "end"] == wanted)
        wanted, candidates = times[name, "start"], after[name]
    assert all(times[name, "end"] != wanted for name in candidates)


def check_delay(args: dict[str, Any]) -> None:
    result, tasks = play(FAMILY, "delay", args), args["tasks"]
    failed = fault(tasks) or ({} if args["task"] in {t["name"] for t in tasks} else {"code": "no_such_task"})
    if failed:
        assert result == failed
        return
    old, new = (farthest(network(lengthened(tasks, args["task"], by))) for by in (0, args["by"]))
    shifts = [(t["name"], new[t["name"], "start"] - old[t["name"], "start"]) for t in tasks]
    assert result == {
        "length": new["finish"],
        "later": new["finish"] - old["finish"],
        "moved": [{"task": name, "by": shift} for name, shift in shifts if shift],
    }


@settings(max_examples=35, deadline=None)
@given(task_lists())
def test_plan_by_longest_paths(tasks: list[dict[str, Any]]) -> None:
    check_plan(tasks)


@settings(max_examples=35, deadline=None)
@given(task_lists(), st.integers(1, 6))
def test_delay_by_longest_paths(tasks: list[dict[str, Any]], by: int) -> None:
    check_delay({"tasks": tasks, "task": tasks[0]["name"], "by": by})


def test_plan_on_its_own_inputs() -> None:
    for args in of(FAMILY, "plan", 40):
        check_plan(args["tasks"])


def test_delay_on_its_own_inputs() -> None:
    for args in of(FAMILY, "delay", 100):
        check_delay(args)
