"""Simple polygons with integer vertices: area, lattice points, centroid, and the parts below and above a line."""

from fractions import Fraction
from math import gcd
from typing import Any

from ..arguments import array, integer, required
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

COORDINATE = integer(-1000000, 1000000)
Point = tuple[int, int]
Side = tuple[Point, Point]


def check_polygon(args: dict[str, Any]) -> None:
    """Check the arguments of `measure` and `centroid`."""
    required(args, "vertices", array(array(COORDINATE, 2, 2), 3, 30))


def check_split(args: dict[str, Any]) -> None:
    """Check the arguments of `split`."""
    check_polygon(args)
    required(args, "height", COORDINATE)


def measure(args: dict[str, Any]) -> object:
    """The area of the polygon, its shape, and how many lattice points it holds."""
    points = read(args)
    doubled = double_area(points)
    area = abs(doubled)
    clockwise = area != doubled
    if clockwise:
        points.reverse()
    turns = [turn(a, b, c) for (a, b), c in zip(sides(points), points[2:] + points[:2], strict=True)]
    boundary = sum(gcd(b[0] - a[0], b[1] - a[1]) for a, b in sides(points))
    return {
        "double_area": area,
        "clockwise": clockwise,
        "corners": len(turns) - turns.count(0),
        "convex": min(turns) >= 0,
        "boundary": boundary,
        "inside": (area - boundary) // 2 + 1,
    }


def centroid(args: dict[str, Any]) -> object:
    """The centre of gravity."""
    points = read(args)
    x = sum((a[0] + b[0]) * cross(a, b) for a, b in sides(points))
    y = sum((a[1] + b[1]) * cross(a, b) for a, b in sides(points))
    weight = 3 * double_area(points)
    return {"x": str(Fraction(x, weight)), "y": str(Fraction(y, weight))}


def split(args: dict[str, Any]) -> object:
    """The areas of what lies below a horizontal line and of what lies above it."""
    points, height = read(args), args["height"]
    kept: list[Any] = []
    for (ax, ay), (bx, by) in sides(points):
        if ay <= height:
            kept.append((ax, ay))
        if (ay - height) * (by - height) < 0:
            kept.append((ax + Fraction((bx - ax) * (height - ay), by - ay), height))
    below = abs(Fraction(double_area(kept), 2))
    return {"below": str(below), "above": str(abs(Fraction(double_area(points), 2)) - below)}


def read(args: dict[str, Any]) -> list[Point]:
    """The vertices, once the polygon is known to be simple."""
    points = [(x, y) for x, y in args["vertices"]]
    around = sides(points)
    for place, (a, b) in enumerate(around):
        for step in range(1, len(points) - 1):
            # Of the next side, which begins where this one ends, only the start of this one must stay away.
            own = (a, a) if step == 1 else (a, b)
            other = around[(place + step) % len(points)]
            if overlap(own, other) and straddle(own, other) and straddle(other, own):
                raise DomainError("not_simple", "sides of the polygon meet")
    return points


def sides(points: list[Point]) -> list[Side]:
    """Each point with the next one; the last with the first."""
    return list(zip(points, points[1:] + points[:1], strict=True))


def double_area(points: list[Point]) -> int:
    """Twice the area, positive if the points go round counter-clockwise."""
    return sum(cross(a, b) for a, b in sides(points))


def cross(a: Point, b: Point) -> int:
    """Twice the area of the triangle of the origin and two points, positive if it is counter-clockwise."""
    return a[0] * b[1] - a[1] * b[0]


def turn(a: Point, b: Point, c: Point) -> int:
    """Positive if a, b, c turn left, negative if right, 0 if they are on one line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def straddle(line: Side, other: Side) -> bool:
    """Whether the ends of `other` are not both on the same side of the line through `line`."""
    turns = [turn(*line, end) for end in other]
    return min(turns) <= 0 <= max(turns)


def overlap(first: Side, second: Side) -> bool:
    """Whether two segments overlap if points are ordered by x, then by y. It matters if all ends are on one line."""
    return min(first) <= max(second) and min(second) <= max(first)


OPERATIONS = {
    "measure": Operation(("vertices",), check_polygon, measure),
    "centroid": Operation(("vertices",), check_polygon, centroid),
    "split": Operation(("vertices", "height"), check_split, split),
}
