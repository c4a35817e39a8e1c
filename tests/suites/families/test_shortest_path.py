"""Shortest paths against networkx and against every simple path."""

from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.shortest_path import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "networkx, and every simple path"

NODES = ["b", "a", "B", "é", "a1"]
NAMES = st.sampled_from(NODES)
EDGES = st.lists(
    st.fixed_dictionaries({"from": NAMES, "to": NAMES, "weight": st.integers(0, 3) | st.integers(0, 1000000)}),
    max_size=9,
)


def graph(args: dict[str, Any]) -> Any:
    """The graph with the least weight of parallel edges."""
    made = nx.DiGraph()
    made.add_nodes_from(args["nodes"])
    for edge in args["edges"]:
        ends = [(edge["from"], edge["to"])]
        ends += [] if args.get("directed") else [(edge["to"], edge["from"])]
        for start, end in ends:
            known = made.get_edge_data(start, end, {"weight": edge["weight"]})["weight"]
            made.add_edge(start, end, weight=min(known, edge["weight"]))
    return made


def best(args: dict[str, Any]) -> Any:
    """The best of all simple paths."""
    made, source, target = graph(args), args["source"], args["target"]
    if source == target:
        return {"distance": 0, "edges": 0, "path": [source]}
    paths = [(nx.path_weight(made, p, "weight"), len(p), p) for p in nx.all_simple_paths(made, source, target)]
    if not paths:
        return {"code": "unreachable"}
    weight, count, found = min(paths)
    return {"distance": weight, "edges": count - 1, "path": found}


@given(EDGES, st.booleans(), NAMES, NAMES)
def test_path_is_the_best_of_all_simple_paths(edges: list[Any], directed: bool, source: str, target: str) -> None:
    args = {"nodes": NODES, "edges": edges, "directed": directed, "source": source, "target": target}
    assert play(FAMILY, "path", args) == best(args)


def error(args: dict[str, Any], named: list[str]) -> str:
    nodes = args["nodes"]
    named = [*named, *(edge[end] for edge in args["edges"] for end in ("from", "to"))]
    if any(nodes.count(node) > 1 for node in nodes):
        return "duplicate_node"
    return "unknown_node" if any(name not in nodes for name in named) else ""


def test_path_on_its_own_inputs() -> None:
    for args in of(FAMILY, "path", 400):
        code = error(args, [args["source"], args["target"]])
        result = play(FAMILY, "path", args)
        if code:
            assert result == {"code": code}
        elif len(args["nodes"]) <= 7:
            assert result == best(args)
        elif not nx.has_path(graph(args), args["source"], args["target"]):
            assert result == {"code": "unreachable"}
        else:
            assert result["distance"] == nx.dijkstra_path_length(graph(args), args["source"], args["target"])
            assert result["distance"] == nx.path_weight(graph(args), result["path"], "weight")
            assert (result["path"][0], result["path"][-1]) == (args["source"], args["target"])


def test_distances_on_its_own_inputs() -> None:
    for args in of(FAMILY, "distances", 400):
        code = error(args, [args["source"]])
        result = play(FAMILY, "distances", args)
        if code:
            assert result == {"code": code}
            continue
        known = nx.single_source_dijkstra_path_length(graph(args), args["source"])
        assert {row["node"]: row["distance"] for row in result["reached"]} == known
        assert result["unreached"] == sorted(node for node in args["nodes"] if node not in known)
        rows = [(row["distance"], row["edges"], row["node"]) for row in result["reached"]]
        assert rows == sorted(rows)
        for row in result["reached"]:
            path = play(FAMILY, "path", {**args, "target": row["node"]})
            assert (path["distance"], path["edges"]) == (row["distance"], row["edges"])


@given(EDGES, NAMES, NAMES)
def test_undirected_distances_are_symmetric(edges: list[Any], source: str, target: str) -> None:
    args = {"nodes": NODES, "edges": edges}
    there = play(FAMILY, "path", {**args, "source": source, "target": target})
    back = play(FAMILY, "path", {**args, "source": target, "target": source})
    assert [there.get(k) for k in ("distance", "edges", "code")] == [back.get(k) for k in ("distance", "edges", "code")]
