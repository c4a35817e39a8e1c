"""Components, strong components, bridges and cut nodes against networkx."""

from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.components import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "networkx"

NAMES = ["b", "a", "B", "é", "10", "9"]
GRAPHS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).map(list), max_size=10).map(
    lambda links: {"nodes": NAMES, "links": links}
)


def error(args: dict[str, Any]) -> Any:
    """The domain error that is due, if any."""
    nodes = args["nodes"]
    if len(set(nodes)) < len(nodes):
        return {"code": "duplicate_node"}
    unknown = [name for link in args["links"] for name in link if name not in nodes]
    return {"code": "unknown_node", "name": unknown[0]} if unknown else None


def groups(args: dict[str, Any]) -> Any:
    made = nx.MultiGraph(args["links"])
    made.add_nodes_from(args["nodes"])
    rows = []
    for found in nx.connected_components(made):
        part = made.subgraph(found)
        rows.append({"nodes": sorted(found), "links": part.number_of_edges(), "tree": nx.is_tree(part)})
    return {"groups": sorted(rows, key=lambda row: [-len(row["nodes"]), row["nodes"][0]])}


def strong_groups(args: dict[str, Any]) -> Any:
    made = nx.DiGraph(args["links"])
    made.add_nodes_from(args["nodes"])
    folded = nx.condensation(made)
    rows = [
        {
            "nodes": sorted(folded.nodes[n]["members"]),
            "entry": folded.in_degree(n) == 0,
            "exit": folded.out_degree(n) == 0,
        }
        for n in folded
    ]
    counts = [sum(row[kind] for row in rows) for kind in ("entry", "exit")]
    return {"groups": sorted(rows, key=lambda row: row["nodes"]), "missing": max(counts) if len(rows) > 1 else 0}


def weak_points(args: dict[str, Any]) -> Any:
    links = [tuple(sorted(link)) for link in args["links"] if link[0] != link[1]]
    made = nx.Graph(links)
    made.add_nodes_from(args["nodes"])
    bridges = [sorted(link) for link in nx.bridges(made) if links.count(tuple(sorted(link))) == 1]
    cuts = []
    for node in sorted(nx.articulation_points(made)):
        part = made.subgraph(nx.node_connected_component(made, node) - {node})
        cuts.append({"node": node, "parts": nx.number_connected_components(part)})
    return {"bridges": sorted(bridges), "cut_nodes": cuts}


WANTED = {"groups": groups, "strong_groups": strong_groups, "weak_points": weak_points}


@given(GRAPHS)
def test_small_graphs(args: dict[str, Any]) -> None:
    for op, wanted in WANTED.items():
        assert play(FAMILY, op, args) == wanted(args)


def test_its_own_inputs() -> None:
    for op, wanted in WANTED.items():
        for args in of(FAMILY, op, 400):
            assert play(FAMILY, op, args) == (error(args) or wanted(args))
