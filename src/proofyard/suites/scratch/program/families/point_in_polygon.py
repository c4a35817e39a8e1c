"""Where points lie in polygons that may cross themselves: inside, on the boundary, outside, and how often around."""

from typing import Any

from ..arguments import array, enum, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

POINT = array(integer(-1000000, 1000000), 2, 2)
VERTICES = array(POINT, 3, 30)
QUERIES = array(POINT, high=20)
ZONE = structure({"name": string(1, 30), "vertices": array(POINT, 3, 12)})

Points = list[list[int]]


def check_winding(args: dict[str, Any]) -> None:
    """Check the arguments of `winding`."""
    required(args, "vertices", VERTICES)
    required(args, "queries", QUERIES)


def check_locate(args: dict[str, Any]) -> None:
    """Check the arguments of `locate`."""
    check_winding(args)
    optional(args, "rule", enum("even-odd", "nonzero"))


def check_zones(args: dict[str, Any]) -> None:
    """Check the arguments of `zones`."""
    required(args, "zones", array(ZONE, 1, 6))
    required(args, "queries", QUERIES)


def locate(args: dict[str, Any]) -> object:
    """Where each query lies."""
    places = []
    for query in args["queries"]:
        turns = winding(args["vertices"], query)
        if turns is None:
            places.append("boundary")
        elif turns % 2 if args.get("rule", "even-odd") == "even-odd" else turns:
            places.append("inside")
        else:
            places.append("outside")
    return {"places": places}


def windings(args: dict[str, Any]) -> object:
    """How often the polygon goes around each query."""
    return {"numbers": [winding(args["vertices"], query) for query in args["queries"]]}


def zones(args: dict[str, Any]) -> object:
    """The uppermost zone that holds each query, and how many queries each zone has."""
    named = {zone["name"]: zone["vertices"] for zone in args["zones"]}
    if len(named) < len(args["zones"]):
        raise DomainError("duplicate_zone", "two zones have the same name")
    found = []
    for query in args["queries"]:
        holding = [name for name, vertices in named.items() if winding(vertices, query) != 0]
        found.append(holding[-1] if holding else None)
    return {"zones": found, "counts": [{"zone": name, "queries": found.count(name)} for name in named]}


def winding(vertices: Points, query: list[int]) -> int | None:
    """How often the vertices go around the query, counter-clockwise positive; None on the boundary."""
    halves = 0
    for a, b in zip(vertices, vertices[1:] + vertices[:1], strict=True):
        turn = (b[0] - a[0]) * (query[1] - a[1]) - (b[1] - a[1]) * (query[0] - a[0])
        if turn == 0 and min(a, b) <= query <= max(a, b):
            return None
        if (a[1] <= query[1]) != (b[1] <= query[1]):
            # Upwards on the right and downwards on the left are each half a turn, the other two half a turn back.
            halves += turn // abs(turn)
    return halves // 2


OPERATIONS = {
    "locate": Operation(("vertices", "queries", "rule"), check_locate, locate),
    "winding": Operation(("vertices", "queries"), check_winding, windings),
    "zones": Operation(("zones", "queries"), check_zones, zones),
}
