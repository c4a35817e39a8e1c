"""The greatest flow from a source to a sink, the cut that limits it, and what a change of a capacity would do."""

from collections import Counter
from itertools import pairwise
from typing import Any

from ..arguments import array, integer, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)
AMOUNT = integer(0, 1000000)
EDGE = {"from": NAME, "to": NAME, "capacity": AMOUNT}

Spare = dict[str, Counter[str]]
"""How much more can be sent from one node directly to another."""


def check_network(args: dict[str, Any]) -> None:
    """Check the arguments of `flow` and `changes`."""
    required(args, "edges", array(structure(EDGE), high=30))
    required(args, "source", NAME)
    required(args, "sink", NAME)


def check_verify(args: dict[str, Any]) -> None:
    """Check the arguments of `verify`."""
    check_network(args)
    required(args, "edges", array(structure({**EDGE, "flow": AMOUNT})))


def flow(args: dict[str, Any]) -> object:
    """The value of the greatest flow, and the smallest source side of a cut."""
    value, spare = saturate(args)
    near = reach(spare, args["source"])
    cut = [number for number, edge in numbered(args) if edge["from"] in near and edge["to"] not in near]
    return {"value": value, "source_side": sorted(near), "cut": cut}


def changes(args: dict[str, Any]) -> object:
    """The edges of which one unit more or less would change the value."""
    _, spare = saturate(args)
    reached = {node: reach(spare, node) for node in spare}
    near = reached[args["source"]]
    return {
        "raising": [n for n, edge in numbered(args) if edge["from"] in near and args["sink"] in reached[edge["to"]]],
        "lowering": [n for n, edge in numbered(args) if edge["capacity"] and edge["to"] not in reached[edge["from"]]],
    }


def verify(args: dict[str, Any]) -> object:
    """Whether the flows given for the edges make up a flow, and the greatest one."""
    greatest, _ = saturate(args)
    excess: Counter[str] = Counter()
    for edge in args["edges"]:
        excess[edge["from"]] -= edge["flow"]
        excess[edge["to"]] += edge["flow"]
    value = -excess[args["source"]]
    inner = sorted(node for node in excess if excess[node] and node not in (args["source"], args["sink"]))
    over = [number for number, edge in numbered(args) if edge["flow"] > edge["capacity"]]
    return {
        "value": value,
        "over": over,
        "unbalanced": [{"node": node, "excess": excess[node]} for node in inner],
        "maximum": not over and not inner and value == greatest,
    }


def numbered(args: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """The edges with their numbers."""
    return list(enumerate(args["edges"], start=1))


def saturate(args: dict[str, Any]) -> tuple[int, Spare]:
    """Send as much as possible: how much that is, and what is spare then."""
    source, sink = args["source"], args["sink"]
    if source == sink:
        raise DomainError("same_node", "source and sink are the same node")
    spare: Spare = {source: Counter(), sink: Counter()}
    for edge in args["edges"]:
        spare.setdefault(edge["from"], Counter())[edge["to"]] += edge["capacity"]
        spare.setdefault(edge["to"], Counter())
    value = 0
    while sink in (came := reach(spare, source)):
        path = [sink]
        while path[-1] != source:
            path.append(came[path[-1]])
        steps = list(pairwise(path))
        amount = min(spare[first][second] for second, first in steps)
        for second, first in steps:
            spare[first][second] -= amount
            spare[second][first] += amount
        value += amount
    return value, spare


def reach(spare: Spare, start: str) -> dict[str, str]:
    """All nodes to which something can be sent from `start`, each with the node before it on a shortest way."""
    came = {start: start}
    queue = [start]
    for node in queue:
        for other in spare[node]:
            if spare[node][other] > 0 and other not in came:
                came[other] = node
                queue.append(other)
    return came


OPERATIONS = {
    "flow": Operation(("edges", "source", "sink"), check_network, flow),
    "changes": Operation(("edges", "source", "sink"), check_network, changes),
    "verify": Operation(("edges", "source", "sink"), check_verify, verify),
}
