"""Spanning trees: the clusters are a list of sets, and both operations are one growth with another end."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "tree": ("nodes", "edges", "goal"),
    "clusters": ("nodes", "edges", "count"),
}


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


class _Forest:
    """Clusters that grow by edges."""

    def __init__(self, nodes: list[str], edges: list[dict[str, Any]]) -> None:
        self.edges = edges
        self.clusters = [{node} for node in nodes]
        self.taken: list[int] = []

    def take(self, at: int) -> bool:
        """Take the edge at an index if its ends are in different clusters; whether it was taken."""
        ends = {self.edges[at]["a"], self.edges[at]["b"]}
        touched = [cluster for cluster in self.clusters if cluster & ends]
        if len(touched) < 2:
            return False
        self.clusters = [cluster for cluster in self.clusters if not cluster & ends] + [touched[0] | touched[1]]
        self.taken.append(at)
        return True

    def take_kept(self) -> None:
        """Take all edges that are kept."""
        for at, edge in enumerate(self.edges):
            if edge.get("keep", False) and not self.take(at):
                raise Refused("kept_cycle", {"edge": at + 1})

    def grow(self, wanted: int, sign: int) -> None:
        """Take other edges by `sign` times their cost until there are as many clusters as wanted."""
        order = sorted((sign * edge["cost"], *sorted((edge["a"], edge["b"])), at) for at, edge in enumerate(self.edges))
        for *_, at in order:
            if len(self.clusters) <= wanted:
                return
            self.take(at)
        if len(self.clusters) > wanted:
            raise Refused("disconnected", {"clusters": len(self.clusters)})


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    nodes, edges = args.get("nodes"), args.get("edges")
    return (
        isinstance(nodes, list)
        and 1 <= len(nodes) <= 30
        and all(map(_is_name, nodes))
        and isinstance(edges, list)
        and len(edges) <= 80
        and all(map(_is_edge, edges))
        and (
            args.get("goal", "cheapest") in ("cheapest", "dearest")
            if op == "tree"
            else _is_in(args.get("count"), 1, 30)
        )
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    nodes: list[str] = args["nodes"]
    edges: list[dict[str, Any]] = args["edges"]
    if len(set(nodes)) < len(nodes):
        raise Refused("duplicate_node")
    for number, edge in enumerate(edges, 1):
        if edge["a"] not in nodes or edge["b"] not in nodes:
            raise Refused("unknown_node", {"edge": number})
    forest = _Forest(nodes, edges)
    forest.take_kept()
    if op == "tree":
        forest.grow(1, -1 if args.get("goal", "cheapest") == "dearest" else 1)
        return {
            "edges": sorted(at + 1 for at in forest.taken),
            "total": sum(edges[at]["cost"] for at in forest.taken),
        }
    if len(forest.clusters) < args["count"]:
        raise Refused("too_many")
    forest.grow(args["count"], 1)
    home = {node: at for at, cluster in enumerate(forest.clusters) for node in cluster}
    outer = [edge["cost"] for edge in edges if home[edge["a"]] != home[edge["b"]]]
    return {"clusters": sorted(map(sorted, forest.clusters)), "spacing": min(outer, default=None)}


def _is_name(value: Any) -> bool:
    """Whether a value is a string of 1 to 30 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 30


def _is_in(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer of `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_edge(value: Any) -> bool:
    """Whether a value is an edge."""
    return (
        isinstance(value, dict)
        and _is_name(value.get("a"))
        and _is_name(value.get("b"))
        and _is_in(value.get("cost"), -1000000, 1000000)
        and isinstance(value.get("keep", False), bool)
    )
