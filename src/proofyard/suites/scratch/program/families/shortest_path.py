"""Shortest paths in weighted graphs, with ties broken so that exactly one path is right."""

import heapq
from typing import Any, NamedTuple

from ..arguments import array, boolean, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)
EDGE = structure({"from": NAME, "to": NAME, "weight": integer(0, 1000000)})


class Arc(NamedTuple):
    """An edge in one direction."""

    start: str
    end: str
    weight: int


class Length(NamedTuple):
    """How long a path is: less weight first, then fewer edges."""

    weight: int
    edges: int


def check_graph(args: dict[str, Any]) -> None:
    """Check the arguments that describe the graph, and `source`."""
    required(args, "nodes", array(NAME, 1, 40))
    required(args, "edges", array(EDGE, high=200))
    optional(args, "directed", boolean)
    required(args, "source", NAME)


def check_path(args: dict[str, Any]) -> None:
    """Check the arguments of `path`."""
    check_graph(args)
    required(args, "target", NAME)


def path(args: dict[str, Any]) -> object:
    """The best path between two nodes."""
    arcs = read(args, args["source"], args["target"])
    node, target = args["source"], args["target"]
    ahead = lengths([Arc(arc.end, arc.start, arc.weight) for arc in arcs], target)
    if node not in ahead:
        raise DomainError("unreachable", "no path leads to the target")
    length = ahead[node]
    nodes = [node]
    while node != target:
        node = min(arc.end for arc in arcs if arc.start == node and on_best_path(arc, ahead))
        nodes.append(node)
    return {"distance": length.weight, "edges": length.edges, "path": nodes}


def distances(args: dict[str, Any]) -> object:
    """How far every node is from the source."""
    reached = lengths(read(args, args["source"]), args["source"])
    ordered = sorted(reached, key=lambda node: (reached[node], node))
    return {
        "reached": [{"node": n, "distance": reached[n].weight, "edges": reached[n].edges} for n in ordered],
        "unreached": sorted(set(args["nodes"]) - reached.keys()),
    }


def read(args: dict[str, Any], *named: str) -> list[Arc]:
    """The arcs of the graph, once all names are known to be nodes."""
    nodes = set(args["nodes"])
    if len(nodes) < len(args["nodes"]):
        raise DomainError("duplicate_node", "a node is listed twice")
    arcs = [Arc(edge["from"], edge["to"], edge["weight"]) for edge in args["edges"]]
    if not nodes.issuperset([*named, *(arc.start for arc in arcs), *(arc.end for arc in arcs)]):
        raise DomainError("unknown_node", "a name is not among the nodes")
    if not args.get("directed", False):
        arcs += [Arc(arc.end, arc.start, arc.weight) for arc in arcs]
    return arcs


def lengths(arcs: list[Arc], source: str) -> dict[str, Length]:
    """The length of the best path from `source` to each node that can be reached."""
    leaving: dict[str, list[Arc]] = {}
    for arc in arcs:
        leaving.setdefault(arc.start, []).append(arc)
    best: dict[str, Length] = {}
    queue = [(Length(0, 0), source)]
    while queue:
        length, node = heapq.heappop(queue)
        if node in best:
            continue
        best[node] = length
        for arc in leaving.get(node, []):
            heapq.heappush(queue, (Length(length.weight + arc.weight, length.edges + 1), arc.end))
    return best


def on_best_path(arc: Arc, ahead: dict[str, Length]) -> bool:
    """Whether a best path to the target may go over `arc`; `ahead` tells how far the target is from each node."""
    rest = ahead.get(arc.end)
    return rest is not None and ahead[arc.start] == (rest.weight + arc.weight, rest.edges + 1)


OPERATIONS = {
    "path": Operation(("nodes", "edges", "directed", "source", "target"), check_path, path),
    "distances": Operation(("nodes", "edges", "directed", "source"), check_graph, distances),
}
