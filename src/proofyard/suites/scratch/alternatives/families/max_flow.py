"""Maximum flow: by pushing what nodes hold downhill and lifting nodes, and what has room then answers the questions."""

from collections import Counter, defaultdict
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "flow": ("edges", "source", "sink"),
    "changes": ("edges", "source", "sink"),
    "verify": ("edges", "source", "sink"),
}

Edges = list[dict[str, Any]]
Room = defaultdict[str, Counter[str]]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    edges = args.get("edges")
    amounts = ("capacity", "flow") if op == "verify" else ("capacity",)
    return (
        isinstance(edges, list)
        and len(edges) <= 30
        and all(_is_edge(edge, amounts) for edge in edges)
        and _is_name(args.get("source"))
        and _is_name(args.get("sink"))
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if args["source"] == args["sink"]:
        raise Refused("same_node")
    return {"flow": _flow, "changes": _changes, "verify": _verify}[op](args["edges"], args["source"], args["sink"])


def _is_name(value: Any) -> bool:
    """Whether a value is a string of 1 to 30 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 30


def _is_amount(value: Any) -> bool:
    """Whether a value is an integer of 0 to 1000000."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1000000


def _is_edge(value: Any, amounts: tuple[str, ...]) -> bool:
    """Whether a value is an edge with these amounts."""
    return (
        isinstance(value, dict)
        and all(_is_name(value.get(end)) for end in ("from", "to"))
        and all(_is_amount(value.get(amount)) for amount in amounts)
    )


def _solve(edges: Edges, source: str, sink: str) -> tuple[int, Room]:
    """The maximum, and how much more could go from node to node once it flows, back along what flows included."""
    room: Room = defaultdict(Counter)
    for edge in edges:
        if edge["from"] != edge["to"]:
            room[edge["from"]][edge["to"]] += edge["capacity"]
            room[edge["to"]][edge["from"]] += 0
    height, held = Counter({source: len(room)}), Counter[str]()

    def push(start: str, end: str, amount: int) -> None:
        """Move an amount along an edge, and note a node that has to pass it on."""
        room[start][end] -= amount
        room[end][start] += amount
        held[start] -= amount
        held[end] += amount
        if amount and end not in (source, sink, *waiting):
            waiting.append(end)

    waiting: list[str] = []
    for end, amount in list(room[source].items()):
        push(source, end, amount)
    while waiting:
        node = waiting.pop()
        while held[node]:
            lowest = min(height[end] for end, left in room[node].items() if left)
            height[node] = max(height[node], lowest + 1)
            for end, left in room[node].items():
                if left and held[node] and height[end] < height[node]:
                    push(node, end, min(left, held[node]))
    return held[sink], room


def _reached(start: str, room: Room) -> set[str]:
    """All nodes to which more could go from a node, itself included."""
    seen, fresh = set[str](), {start}
    while fresh:
        seen |= fresh
        fresh = {end for node in fresh for end, left in room[node].items() if left} - seen
    return seen


def _flow(edges: Edges, source: str, sink: str) -> Any:
    """The maximum and a cut."""
    value, room = _solve(edges, source, sink)
    side = _reached(source, room)
    cut = [number for number, edge in enumerate(edges, 1) if edge["from"] in side and edge["to"] not in side]
    return {"value": value, "source_side": sorted(side), "cut": cut}


def _changes(edges: Edges, source: str, sink: str) -> Any:
    """The edges whose ends join what has room at both sides, and those around which nothing could go instead."""
    room = _solve(edges, source, sink)[1]
    side = _reached(source, room)
    raising, lowering = [], []
    for number, edge in enumerate(edges, 1):
        if edge["from"] in side and sink in _reached(edge["to"], room):
            raising.append(number)
        if edge["capacity"] and edge["to"] not in _reached(edge["from"], room):
            lowering.append(number)
    return {"raising": raising, "lowering": lowering}


def _verify(edges: Edges, source: str, sink: str) -> Any:
    """Whether the amounts are a flow and the greatest one."""
    excess = Counter[str]()
    for edge in edges:
        excess[edge["to"]] += edge["flow"]
        excess[edge["from"]] -= edge["flow"]
    value = -excess[source]
    over = [number for number, edge in enumerate(edges, 1) if edge["flow"] > edge["capacity"]]
    nodes = sorted(node for node, amount in excess.items() if amount and node not in (source, sink))
    return {
        "value": value,
        "over": over,
        "unbalanced": [{"node": node, "excess": excess[node]} for node in nodes],
        "maximum": not over and not nodes and value == _solve(edges, source, sink)[0],
    }
