"""Polygon area: every area is a sum over the sides, also that below a line, where each side counts up to the line."""

from fractions import Fraction
from itertools import combinations
from math import gcd
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "measure": ("vertices",),
    "centroid": ("vertices",),
    "split": ("vertices", "height"),
}

Point = list[int]
Side = tuple[Point, Point]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    vertices = args.get("vertices")
    if not isinstance(vertices, list) or not 3 <= len(vertices) <= 30 or not all(map(_is_point, vertices)):
        return False
    return op != "split" or _is_coordinate(args.get("height"))


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    vertices: list[Point] = args["vertices"]
    sides = list(zip(vertices, [*vertices[1:], vertices[0]], strict=True))
    if not _is_simple(vertices, sides):
        raise Refused("not_simple")
    twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in sides)
    if op == "measure":
        return _measure(sides, twice)
    if op == "centroid":
        return {axis: str(_moment(sides, at) / (3 * twice)) for at, axis in enumerate("xy")}
    below = sum((a[0] - b[0]) * _mean_up_to(a[1], b[1], args["height"]) for a, b in sides)
    if twice < 0:
        below = -below
    return {"below": str(below), "above": str(Fraction(abs(twice), 2) - below)}


def _is_point(value: Any) -> bool:
    """Whether a value is a point."""
    return isinstance(value, list) and len(value) == 2 and all(map(_is_coordinate, value))


def _is_coordinate(value: Any) -> bool:
    """Whether a value is an integer in the range of coordinates."""
    return isinstance(value, int) and not isinstance(value, bool) and -1000000 <= value <= 1000000


def _turn(a: Point, b: Point, c: Point) -> int:
    """Positive if the way from a over b to c turns left, negative if right, 0 if the points are on one line."""
    cross = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    return (cross > 0) - (cross < 0)


def _holds(side: Side, point: Point) -> bool:
    """Whether a point that is no end of the side lies on it."""
    a, b = side
    back = (a[0] - point[0]) * (b[0] - point[0]) + (a[1] - point[1]) * (b[1] - point[1])
    return _turn(a, b, point) == 0 and back < 0


def _is_simple(vertices: list[Point], sides: list[Side]) -> bool:
    """Whether no vertices are equal, no vertex is within a side and no two sides cross."""
    if len(set(map(tuple, vertices))) < len(vertices) or any(_holds(side, v) for side in sides for v in vertices):
        return False
    return not any(
        _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0
        for (a, b), (c, d) in combinations(sides, 2)
    )


def _measure(sides: list[Side], twice: int) -> Any:
    """Area, shape and points on the grid, the inner ones by Pick's theorem."""
    turns = [_turn(a, b, after[1]) for (a, b), after in zip(sides, sides[1:] + sides[:1], strict=True)]
    boundary = sum(gcd(b[0] - a[0], b[1] - a[1]) for a, b in sides)
    return {
        "double_area": abs(twice),
        "clockwise": twice < 0,
        "corners": len(turns) - turns.count(0),
        "convex": not {-1, 1} <= set(turns),
        "boundary": boundary,
        "inside": (abs(twice) - boundary + 2) // 2,
    }


def _moment(sides: list[Side], axis: int) -> Fraction:
    """Six times the moment of the area for a coordinate, with the sign of the area."""
    return Fraction(sum((a[axis] + b[axis]) * (a[0] * b[1] - b[0] * a[1]) for a, b in sides))


def _mean_up_to(start: int, end: int, height: int) -> Fraction:
    """The mean of min(y, height) on the way from one y to another."""
    low, high = min(start, end), max(start, end)
    if height <= low:
        return Fraction(height)
    if height >= high:
        return Fraction(low + high, 2)
    return Fraction((low + height) * (height - low) + 2 * height * (high - height), 2 * (high - low))
