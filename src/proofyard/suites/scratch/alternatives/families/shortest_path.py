"""Shortest paths: every node keeps its best (distance, edges, names), improved along all edges until nothing changes."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "path": ("nodes", "edges", "directed", "source", "target"),
    "distances": ("nodes", "edges", "directed", "source"),
}


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _is_name(value: Any) -> bool:
    """Whether a value is a name."""
    return isinstance(value, str) and 1 <= len(value) <= 30


def _is_edge(value: Any) -> bool:
    """Whether a value is an edge."""
    if not isinstance(value, dict) or not _is_name(value.get("from")) or not _is_name(value.get("to")):
        return False
    weight = value.get("weight")
    return type(weight) is int and 0 <= weight <= 1000000


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all types and ranges are right."""
    nodes, edges = args.get("nodes"), args.get("edges")
    if not (isinstance(nodes, list) and 1 <= len(nodes) <= 40 and all(map(_is_name, nodes))):
        return False
    if not (isinstance(edges, list) and len(edges) <= 200 and all(map(_is_edge, edges))):
        return False
    if not isinstance(args.get("directed", False), bool) or not _is_name(args.get("source")):
        return False
    return op == "distances" or _is_name(args.get("target"))


def _best(args: dict[str, Any]) -> dict[str, tuple[int, int, tuple[str, ...]]]:
    """The best path to each node that is reached."""
    edges = [(edge["from"], edge["to"], edge["weight"]) for edge in args["edges"]]
    if not args.get("directed", False):
        edges += [(end, start, weight) for start, end, weight in edges]
    source = args["source"]
    best: dict[str, tuple[int, int, tuple[str, ...]]] = {source: (0, 0, (source,))}
    changed = True
    while changed:
        changed = False
        for start, end, weight in edges:
            if start in best:
                distance, count, names = best[start]
                longer = (distance + weight, count + 1, (*names, end))
                if end not in best or longer < best[end]:
                    best[end] = longer
                    changed = True
    return best


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation."""
    nodes, edges = args["nodes"], args["edges"]
    known = set(nodes)
    if len(known) < len(nodes):
        raise Refused("duplicate_node")
    named = {args["source"], *(edge[end] for edge in edges for end in ("from", "to"))}
    if op == "path":
        named.add(args["target"])
    if not named <= known:
        raise Refused("unknown_node")
    best = _best(args)
    if op == "path":
        if args["target"] not in best:
            raise Refused("unreachable")
        distance, count, names = best[args["target"]]
        return {"distance": distance, "edges": count, "path": list(names)}
    rows = sorted((distance, count, name) for name, (distance, count, _) in best.items())
    reached = [{"node": name, "distance": distance, "edges": count} for distance, count, name in rows]
    return {"reached": reached, "unreached": sorted(known - best.keys())}
