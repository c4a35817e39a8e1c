"""Spanning trees of undirected graphs, the cheapest or the dearest, and the clusters on the way to them."""

from typing import Any

from ..arguments import array, boolean, enum, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)
NODES = array(NAME, 1, 30)
EDGE = structure({"a": NAME, "b": NAME, "cost": integer(-1000000, 1000000)}, {"keep": boolean})
EDGES = array(EDGE, high=80)


def check_tree(args: dict[str, Any]) -> None:
    """Check the arguments of `tree`."""
    required(args, "nodes", NODES)
    required(args, "edges", EDGES)
    optional(args, "goal", enum("cheapest", "dearest"))


def check_clusters(args: dict[str, Any]) -> None:
    """Check the arguments of `clusters`."""
    required(args, "nodes", NODES)
    required(args, "edges", EDGES)
    required(args, "count", integer(1, 30))


def tree(args: dict[str, Any]) -> object:
    """The edges of the tree and their cost."""
    taken, _ = grow(args, 1, dearest=args.get("goal") == "dearest")
    return {"edges": sorted(taken), "total": sum(args["edges"][number - 1]["cost"] for number in taken)}


def clusters(args: dict[str, Any]) -> object:
    """The nodes in so many clusters, and how far these are apart."""
    _, cluster = grow(args, args["count"])
    between = [edge["cost"] for edge in args["edges"] if cluster[edge["a"]] is not cluster[edge["b"]]]
    found = sorted(sorted(nodes) for name, nodes in cluster.items() if name == min(nodes))
    return {"clusters": found, "spacing": min(between, default=None)}


def grow(args: dict[str, Any], count: int, *, dearest: bool = False) -> tuple[list[int], dict[str, list[str]]]:
    """Join nodes until there are `count` clusters: the numbers of the edges taken, and the cluster of each node."""
    edges = read(args)
    cluster = {node: [node] for node in args["nodes"]}
    taken: list[int] = []
    for number, edge in edges:
        if edge.get("keep", False):
            if cluster[edge["a"]] is cluster[edge["b"]]:
                raise DomainError("kept_cycle", f"edge {number} closes a cycle of kept edges", edge=number)
            join(cluster, edge)
            taken.append(number)
    if len(cluster) - len(taken) < count:
        raise DomainError("too_many", "the kept edges leave fewer clusters")
    edges.sort(key=lambda item: sorted([item[1]["a"], item[1]["b"]]))
    edges.sort(key=lambda item: -item[1]["cost"] if dearest else item[1]["cost"])
    for number, edge in edges:
        if len(cluster) - len(taken) > count and cluster[edge["a"]] is not cluster[edge["b"]]:
            join(cluster, edge)
            taken.append(number)
    if len(cluster) - len(taken) > count:
        raise DomainError("disconnected", "there are too few edges", clusters=len(cluster) - len(taken))
    return taken, cluster


def read(args: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """The edges with their numbers, once all names are known to be nodes."""
    nodes = args["nodes"]
    if len(set(nodes)) < len(nodes):
        raise DomainError("duplicate_node", "a node is listed twice")
    edges = list(enumerate(args["edges"], start=1))
    for number, edge in edges:
        if edge["a"] not in nodes or edge["b"] not in nodes:
            raise DomainError("unknown_node", f"edge {number} names an unknown node", edge=number)
    return edges


def join(cluster: dict[str, list[str]], edge: dict[str, Any]) -> None:
    """Make one cluster of those at the two ends of an edge."""
    joined = cluster[edge["a"]] + cluster[edge["b"]]
    cluster.update(dict.fromkeys(joined, joined))


OPERATIONS = {
    "tree": Operation(("nodes", "edges", "goal"), check_tree, tree),
    "clusters": Operation(("nodes", "edges", "count"), check_clusters, clusters),
}
