"""Convex hulls of points with integer coordinates, what lies in them, and their farthest pair."""

from itertools import combinations_with_replacement, pairwise
from typing import Any

from ..arguments import array, boolean, integer, optional, required
from ..operation import Operation

__all__ = ["OPERATIONS"]

Point = tuple[int, int]

POINT = array(integer(-1000000, 1000000), 2, 2)
POINTS = array(POINT, 1, 100)


def check_hull(args: dict[str, Any]) -> None:
    """Check the arguments of `hull`."""
    required(args, "points", POINTS)
    optional(args, "keep_collinear", boolean)


def check_locate(args: dict[str, Any]) -> None:
    """Check the arguments of `locate`."""
    required(args, "points", POINTS)
    required(args, "queries", array(POINT, high=50))


def check_diameter(args: dict[str, Any]) -> None:
    """Check the arguments of `diameter`."""
    required(args, "points", POINTS)


def hull(args: dict[str, Any]) -> object:
    """The vertices of the hull and its area."""
    corners = corners_of(args["points"])
    shown = corners
    if args.get("keep_collinear", False):
        shown = with_collinear(corners, set(map(to_point, args["points"])))
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in sides(corners))
    return {"vertices": [list(point) for point in shown], "double_area": area}


def locate(args: dict[str, Any]) -> object:
    """Where each query lies."""
    corners = corners_of(args["points"])
    return {"places": [place(to_point(query), corners) for query in args["queries"]]}


def diameter(args: dict[str, Any]) -> object:
    """The two points that are farthest apart."""
    pairs = combinations_with_replacement(sorted(corners_of(args["points"])), 2)
    best = max(pairs, key=lambda pair: squared(*pair))
    return {"squared": squared(*best), "pair": [list(point) for point in best]}


def to_point(pair: list[int]) -> Point:
    """An argument as a point."""
    return (pair[0], pair[1])


def turn(a: Point, b: Point, c: Point) -> int:
    """Positive if a, b, c turn left, negative if right, 0 if they are on one line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def squared(a: Point, b: Point) -> int:
    """The square of the distance of two points."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def corners_of(points: list[list[int]]) -> list[Point]:
    """The corners counter-clockwise from the lowest, of the lowest the leftmost."""
    ordered = sorted(set(map(to_point, points)), key=lambda point: (point[1], point[0]))
    if len(ordered) == 1:
        return ordered
    return half(ordered)[:-1] + half(ordered[::-1])[:-1]


def half(ordered: list[Point]) -> list[Point]:
    """The corners of the right half of the hull, as seen from the first point to the last."""
    chain: list[Point] = []
    for point in ordered:
        while len(chain) >= 2 and turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def sides(corners: list[Point]) -> list[tuple[Point, Point]]:
    """The sides of the hull in order; of two corners there and back."""
    return list(pairwise([*corners, corners[0]]))


def with_collinear(corners: list[Point], points: set[Point]) -> list[Point]:
    """The corners and the points on the sides between them. If all are on one line, each point once."""
    if len(corners) < 3:
        return sorted(points, key=lambda point: (point[1], point[0]))
    found: list[Point] = []
    for side in sides(corners):
        on_side = [point for point in points if point != side[1] and between(side, point)]
        found += sorted(on_side, key=lambda point: squared(side[0], point))
    return found


def between(side: tuple[Point, Point], point: Point) -> bool:
    """Whether `point` is on a side, ends included."""
    a, b = side
    lengthwise = (point[0] - a[0]) * (point[0] - b[0]) + (point[1] - a[1]) * (point[1] - b[1])
    return turn(*side, point) == 0 and lengthwise <= 0


def place(point: Point, corners: list[Point]) -> str:
    """Where `point` lies. A hull without area has no inside: nothing is to the left of a side there and back."""
    if any(between(side, point) for side in sides(corners)):
        return "boundary"
    return "inside" if all(turn(*side, point) > 0 for side in sides(corners)) else "outside"


OPERATIONS = {
    "hull": Operation(("points", "keep_collinear"), check_hull, hull),
    "locate": Operation(("points", "queries"), check_locate, locate),
    "diameter": Operation(("points",), check_diameter, diameter),
}
