"""Assignments against a list of all assignments, and shortages against networkx and all groups."""

from itertools import product
from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.bipartite_match import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "every assignment, and networkx"

TASKS = ["x", "y", "Z"]
ARGUMENTS = st.fixed_dictionaries(
    {
        "people": st.lists(st.lists(st.sampled_from(TASKS), max_size=3), min_size=1, max_size=5).map(
            lambda lists: [{"name": f"p{i}", "can": can} for i, can in enumerate(lists)]
        ),
        "tasks": st.lists(st.integers(1, 2), min_size=3, max_size=3).map(
            lambda places: [{"name": t, "places": p} for t, p in zip(TASKS, places, strict=True)]
        ),
    }
)


def error(args: dict[str, Any]) -> Any:
    """The domain error that is due, if any."""
    names, tasks = [p["name"] for p in args["people"]], [t["name"] for t in args["tasks"]]
    if len(names) != len(set(names)):
        return {"code": "duplicate_person"}
    if len(tasks) != len(set(tasks)):
        return {"code": "duplicate_task"}
    lost = [p["name"] for p in args["people"] if [task for task in p["can"] if task not in tasks]]
    return {"code": "unknown_task", "person": lost[0]} if lost else None


def full(args: dict[str, Any]) -> list[tuple[str | None, ...]]:
    """All full assignments."""
    room = {task["name"]: task["places"] for task in args["tasks"]}
    found = [
        row
        for row in product(*([*person["can"], None] for person in args["people"]))
        if all(row.count(task) <= places for task, places in room.items())
    ]
    most = max(len(row) - row.count(None) for row in found)
    return [row for row in found if len(row) - row.count(None) == most]


def ranks(args: dict[str, Any], row: tuple[str | None, ...]) -> list[int]:
    return [99 if task is None else person["can"].index(task) for person, task in zip(args["people"], row, strict=True)]


def assign(args: dict[str, Any]) -> Any:
    best = min(full(args), key=lambda row: ranks(args, row))
    free = {task["name"]: task["places"] - best.count(task["name"]) for task in args["tasks"]}
    return {
        "assigned": len(best) - best.count(None),
        "people": [{"person": p["name"], "task": t} for p, t in zip(args["people"], best, strict=True)],
        "free": [{"task": task, "places": left} for task, left in free.items() if left > 0],
    }


def choices(args: dict[str, Any]) -> Any:
    rows = []
    for person, given_tasks in zip(args["people"], zip(*full(args), strict=True), strict=True):
        possible = sorted({task for task in given_tasks if task}, key=person["can"].index)
        rows.append({"person": person["name"], "possible": possible, "always": None not in given_tasks})
    return {"people": rows}


def shortage(args: dict[str, Any]) -> Any:
    """From the residual graph: the people from whom an unserved one is reached, whatever the flow."""
    made = nx.DiGraph()
    made.add_nodes_from(["source", "sink"])
    for index, person in enumerate(args["people"]):
        made.add_edge("source", index, capacity=1)
        for task in person["can"]:
            made.add_edge(index, f"task {task}", capacity=9)
    for task in args["tasks"]:
        made.add_edge(f"task {task['name']}", "sink", capacity=task["places"])
    residual = nx.algorithms.flow.edmonds_karp(made, "source", "sink")
    left = nx.DiGraph([(a, b) for a, b, data in residual.edges(data=True) if data["flow"] < data["capacity"]])
    left.add_node("source")
    near = nx.descendants(left, "source")
    return {
        "shortage": len(args["people"]) - residual.graph["flow_value"],
        "people": [person["name"] for index, person in enumerate(args["people"]) if index in near],
        "tasks": [task["name"] for task in args["tasks"] if f"task {task['name']}" in near],
    }


WANTED = {"assign": assign, "choices": choices, "shortage": shortage}


@settings(max_examples=60)
@given(ARGUMENTS)
def test_small_sets(args: dict[str, Any]) -> None:
    for op, wanted in WANTED.items():
        assert play(FAMILY, op, args) == wanted(args)


def test_its_own_inputs() -> None:
    for op, wanted in WANTED.items():
        for args in of(FAMILY, op, 60):
            if op == "shortage" or sum(len(person["can"]) for person in args["people"]) < 15:
                assert play(FAMILY, op, args) == (error(args) or wanted(args))


def test_assignments_of_many_keep_the_rules() -> None:
    for args in of(FAMILY, "assign", 200):
        result = play(FAMILY, "assign", args)
        if not error(args):
            assert result["assigned"] == len(args["people"]) - shortage(args)["shortage"]
            taken = [row["task"] for row in result["people"] if row["task"]]
            assert len(taken) == result["assigned"]
            assert all(taken.count(task["name"]) <= task["places"] for task in args["tasks"])
