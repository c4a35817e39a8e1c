"""Spanning trees against every choice of edges, networkx, and a graph of the edges that were taken."""

from itertools import combinations, pairwise
from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.spanning_tree import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "every choice of edges, and networkx"

NODES = ["b", "a", "B", "é"]
EDGES = st.lists(
    st.fixed_dictionaries(
        {"a": st.sampled_from(NODES), "b": st.sampled_from(NODES), "cost": st.integers(-1, 2)},
        optional={"keep": st.sampled_from([False, False, False, True])},
    ),
    max_size=7,
)


def graph(args: dict[str, Any], numbers: Any) -> Any:
    made = nx.MultiGraph()
    made.add_nodes_from(args["nodes"])
    made.add_edges_from((args["edges"][n - 1]["a"], args["edges"][n - 1]["b"], n) for n in numbers)
    return made


def kept(args: dict[str, Any]) -> list[int]:
    return [n for n, edge in enumerate(args["edges"], 1) if edge.get("keep")]


def error(args: dict[str, Any]) -> Any:
    """The domain error that is due, if any; `count` is 1 for a tree."""
    nodes, count = args["nodes"], args.get("count", 1)
    if any(nodes.count(node) > 1 for node in nodes):
        return {"code": "duplicate_node"}
    unknown = [n for n, edge in enumerate(args["edges"], 1) if not {edge["a"], edge["b"]} <= set(nodes)]
    if unknown:
        return {"code": "unknown_node", "edge": unknown[0]}
    for place, number in enumerate(kept(args), 1):
        if not nx.is_forest(graph(args, kept(args)[:place])):
            return {"code": "kept_cycle", "edge": number}
    if nx.number_connected_components(graph(args, kept(args))) < count:
        return {"code": "too_many"}
    parts = nx.number_connected_components(graph(args, range(1, len(args["edges"]) + 1)))
    return {"code": "disconnected", "clusters": parts} if parts > count else None


def rank(args: dict[str, Any], number: int) -> Any:
    edge = args["edges"][number - 1]
    cost = -edge["cost"] if args.get("goal") == "dearest" else edge["cost"]
    return (cost, min(edge["a"], edge["b"]), max(edge["a"], edge["b"]), number)


def best_tree(args: dict[str, Any]) -> list[int]:
    """Of all trees with the kept edges the one whose other edges, the worst first, are best."""
    fixed = kept(args)
    others = [n for n in range(1, len(args["edges"]) + 1) if n not in fixed]
    trees = [
        sorted([*fixed, *chosen])
        for chosen in combinations(others, len(args["nodes"]) - 1 - len(fixed))
        if nx.is_tree(graph(args, [*fixed, *chosen]))
    ]
    return min(trees, key=lambda tree: sorted((rank(args, n) for n in tree if n not in fixed), reverse=True))


def check_tree(args: dict[str, Any]) -> None:
    """The tree is spanning, and no edge outside is better than one on the cycle it closes (kept ones stay)."""
    result = play(FAMILY, "tree", args)
    if wanted := error(args):
        assert result == wanted
        return
    made = graph(args, result["edges"])
    assert nx.is_tree(made)
    assert set(kept(args)) <= set(result["edges"])
    assert result["edges"] == sorted(result["edges"])
    assert result["total"] == sum(args["edges"][n - 1]["cost"] for n in result["edges"])
    for number in set(range(1, len(args["edges"]) + 1)) - set(result["edges"]):
        edge = args["edges"][number - 1]
        path = nx.shortest_path(made, edge["a"], edge["b"])
        on_path = [next(iter(made[a][b])) for a, b in pairwise(path)]
        assert all(rank(args, n) < rank(args, number) for n in on_path if n not in kept(args))


def check_clusters(args: dict[str, Any]) -> None:
    """The clusters of the tree (or forest) without its worst edges."""
    result = play(FAMILY, "clusters", args)
    if wanted := error(args):
        assert result == wanted
        return
    fixed = kept(args)
    free = sorted((n for n in range(1, len(args["edges"]) + 1) if n not in fixed), key=lambda n: rank(args, n))
    for most in range(len(free) + 1):
        made = graph(args, fixed + free[:most])
        if nx.number_connected_components(made) == args["count"]:
            break
    assert result["clusters"] == sorted(map(sorted, nx.connected_components(made)))
    home = {node: place for place, cluster in enumerate(result["clusters"]) for node in cluster}
    costs = [edge["cost"] for edge in args["edges"] if home[edge["a"]] != home[edge["b"]]]
    assert result["spacing"] == (min(costs) if costs else None)


@settings(max_examples=60)
@given(EDGES, st.sampled_from(["cheapest", "dearest"]))
def test_tree_of_all_trees(edges: list[Any], goal: str) -> None:
    args = {"nodes": NODES, "edges": edges, "goal": goal}
    if error(args):
        check_tree(args)
    else:
        assert play(FAMILY, "tree", args)["edges"] == best_tree(args)


@settings(max_examples=60)
@given(EDGES, st.integers(1, 4))
def test_clusters(edges: list[Any], count: int) -> None:
    check_clusters({"nodes": NODES, "edges": edges, "count": count})


def test_its_own_inputs() -> None:
    for args in of(FAMILY, "tree", 150):
        check_tree(args)
    for args in of(FAMILY, "clusters", 150):
        check_clusters(args)
