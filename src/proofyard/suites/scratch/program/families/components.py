"""How a graph hangs together: its groups, its strong groups, and where it would fall apart."""

from typing import Any

from ..arguments import array, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)

Links = list[list[str]]


def check_graph(args: dict[str, Any]) -> None:
    """Check the arguments, which are the same for all operations."""
    required(args, "nodes", array(NAME, 1, 20))
    required(args, "links", array(array(NAME, 2, 2), high=40))


def groups(args: dict[str, Any]) -> object:
    """The groups with the number of their links, the largest first."""
    nodes, links = read(args)
    rows = []
    for group in sorted(map(sorted, connected(nodes, links)), key=lambda group: (-len(group), group[0])):
        inside = sum(first in group for first, _ in links)
        rows.append({"nodes": group, "links": inside, "tree": inside == len(group) - 1})
    return {"groups": rows}


def strong_groups(args: dict[str, Any]) -> object:
    """The groups in which every node reaches every other."""
    nodes, links = read(args)
    following = {node: {second for first, second in links if first == node} for node in nodes}
    reached = {node: reach(node, following) for node in nodes}
    rows = []
    for node in sorted(nodes):
        group = sorted(other for other in reached[node] if node in reached[other])
        if group[0] == node:
            entry = all(first in group for first, second in links if second in group)
            leaf = all(second in group for first, second in links if first in group)
            rows.append({"nodes": group, "entry": entry, "exit": leaf})
    missing = max(sum(row[side] is True for row in rows) for side in ("entry", "exit"))
    return {"groups": rows, "missing": missing if len(rows) > 1 else 0}


def weak_points(args: dict[str, Any]) -> object:
    """The links and the nodes without which there would be more groups."""
    nodes, links = read(args)
    count = len(connected(nodes, links))
    bridges = [
        sorted(link)
        for place, link in enumerate(links)
        if len(connected(nodes, links[:place] + links[place + 1 :])) > count
    ]
    rows = []
    for node in sorted(nodes):
        rest = connected([other for other in nodes if other != node], [link for link in links if node not in link])
        parts = len(rest) - count + 1
        if parts > 1:
            rows.append({"node": node, "parts": parts})
    return {"bridges": sorted(bridges), "cut_nodes": rows}


def read(args: dict[str, Any]) -> tuple[list[str], Links]:
    """The nodes and the links, once all names are known to be nodes."""
    nodes, links = args["nodes"], args["links"]
    if len(set(nodes)) < len(nodes):
        raise DomainError("duplicate_node", "a node is listed twice")
    for name in (name for link in links for name in link):
        if name not in nodes:
            raise DomainError("unknown_node", "a link names something that is not among the nodes", name=name)
    return nodes, links


def connected(nodes: list[str], links: Links) -> set[frozenset[str]]:
    """The groups of nodes that hang together whichever way the links lead."""
    group = {node: [node] for node in nodes}
    for first, second in links:
        if group[first] is not group[second]:
            joined = group[first] + group[second]
            group.update(dict.fromkeys(joined, joined))
    return {frozenset(found) for found in group.values()}


def reach(start: str, following: dict[str, set[str]]) -> set[str]:
    """All nodes that one gets to from `start`, which is one of them; `following` is where the links of a node lead."""
    found = {start}
    coming = [start]
    while coming:
        new = following[coming.pop()] - found
        found |= new
        coming += new
    return found


OPERATIONS = {
    "groups": Operation(("nodes", "links"), check_graph, groups),
    "strong_groups": Operation(("nodes", "links"), check_graph, strong_groups),
    "weak_points": Operation(("nodes", "links"), check_graph, weak_points),
}
