"""Connected components: everything is counted on partitions, which are merged link by link."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "groups": ("nodes", "links"),
    "strong_groups": ("nodes", "links"),
    "weak_points": ("nodes", "links"),
}

Links = list[list[str]]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:  # noqa: ARG001
    """Whether all arguments of the operation are there and have the right type and range."""
    nodes, links = args.get("nodes"), args.get("links")
    return (
        isinstance(nodes, list)
        and 1 <= len(nodes) <= 20
        and all(map(_is_name, nodes))
        and isinstance(links, list)
        and len(links) <= 40
        and all(isinstance(link, list) and len(link) == 2 and all(map(_is_name, link)) for link in links)
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    nodes: set[str] = set(args["nodes"])
    links: Links = args["links"]
    if len(nodes) < len(args["nodes"]):
        raise Refused("duplicate_node")
    for name in (name for link in links for name in link):
        if name not in nodes:
            raise Refused("unknown_node", {"name": name})
    return {"groups": _groups, "strong_groups": _strong_groups, "weak_points": _weak_points}[op](nodes, links)


def _is_name(value: Any) -> bool:
    """Whether a value is a string of 1 to 30 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 30


def _partition(nodes: set[str], links: Links) -> list[set[str]]:
    """The groups of some nodes over those of the links that join two of them."""
    parts = [{node} for node in nodes]
    for link in links:
        if nodes.issuperset(link):
            joined = [part for part in parts if not part.isdisjoint(link)]
            parts = [part for part in parts if part.isdisjoint(link)]
            parts.append(set().union(*joined))
    return parts


def _groups(nodes: set[str], links: Links) -> Any:
    """The groups, whichever way the links lead."""
    found = []
    for group in sorted(map(sorted, _partition(nodes, links)), key=lambda group: (-len(group), group[0])):
        inner = sum(link[0] in group for link in links)
        found.append({"nodes": group, "links": inner, "tree": inner == len(group) - 1})
    return {"groups": found}


def _reached(start: str, links: Links) -> set[str]:
    """All nodes to which one gets from a node along the links."""
    seen: set[str] = set()
    fresh = {start}
    while fresh:
        seen |= fresh
        fresh = {link[1] for link in links if link[0] in fresh} - seen
    return seen


def _strong_groups(nodes: set[str], links: Links) -> Any:
    """The groups of nodes that reach each other."""
    reach = {node: _reached(node, links) for node in nodes}
    strong = {node: sorted(other for other in reach[node] if node in reach[other]) for node in nodes}
    between = [(strong[start], strong[end]) for start, end in links if strong[start] != strong[end]]
    found = []
    for node in sorted(nodes):
        if strong[node][0] == node:
            entry = all(into != strong[node] for _, into in between)
            leaves = all(out != strong[node] for out, _ in between)
            found.append({"nodes": strong[node], "entry": entry, "exit": leaves})
    missing = max(sum(group[end] is True for group in found) for end in ("entry", "exit"))
    return {"groups": found, "missing": missing if len(found) > 1 else 0}


def _weak_points(nodes: set[str], links: Links) -> Any:
    """The links and nodes without which there are more groups."""
    groups = _partition(nodes, links)
    bridges = [
        sorted(link)
        for at, link in enumerate(links)
        if len(_partition(nodes, links[:at] + links[at + 1 :])) > len(groups)
    ]
    parts = {node: len(_partition(group - {node}, links)) for group in groups for node in group}
    cuts = [{"node": node, "parts": parts[node]} for node in sorted(nodes) if parts[node] >= 2]
    return {"bridges": sorted(bridges), "cut_nodes": cuts}
