"""Where segments meet, exactly: two of them, all pairs of many, and the first wall on a path."""

from fractions import Fraction
from itertools import combinations
from typing import Any

from ..arguments import array, integer, required
from ..operation import Operation

__all__ = ["OPERATIONS"]

SEGMENT = array(integer(-1000000, 1000000), 4, 4)

Point = tuple[Any, Any]
Segment = tuple[Point, Point]


def check_meet(args: dict[str, Any]) -> None:
    """Check the arguments of `meet`."""
    required(args, "first", SEGMENT)
    required(args, "second", SEGMENT)


def check_pairs(args: dict[str, Any]) -> None:
    """Check the arguments of `pairs`."""
    required(args, "segments", array(SEGMENT, 1, 16))


def check_walk(args: dict[str, Any]) -> None:
    """Check the arguments of `walk`."""
    required(args, "path", SEGMENT)
    required(args, "walls", array(SEGMENT, high=30))


def meet(args: dict[str, Any]) -> object:
    """How two segments meet, and where."""
    kind, points = meeting(*(to_segment(args[name]) for name in ("first", "second")))
    return {"kind": kind, "points": [text(point) for point in points]}


def pairs(args: dict[str, Any]) -> object:
    """All pairs of segments that meet."""
    segments = [to_segment(numbers) for numbers in args["segments"]]
    found = []
    free = set(range(1, len(segments) + 1))
    for (i, first), (j, second) in combinations(enumerate(segments, start=1), 2):
        kind, points = meeting(first, second)
        if points:
            found.append({"first": i, "second": j, "kind": kind})
            free -= {i, j}
    return {"pairs": found, "free": sorted(free)}


def walk(args: dict[str, Any]) -> object:
    """The first wall that a path meets."""
    path = to_segment(args["path"])
    walls = [to_segment(numbers) for numbers in args["walls"]]
    hits = [
        (share_of(path, point), number, point)
        for number, wall in enumerate(walls, start=1)
        for point in common(path, wall)
    ]
    if not hits:
        return {"wall": None, "point": None, "share": None}
    share, number, point = min(hits)
    return {"wall": number, "point": text(point), "share": str(share)}


def to_segment(numbers: list[int]) -> Segment:
    """An argument as a segment."""
    return (numbers[0], numbers[1]), (numbers[2], numbers[3])


def text(point: Point) -> list[str]:
    """A point as it is returned."""
    return [str(point[0]), str(point[1])]


def meeting(first: Segment, second: Segment) -> tuple[str, list[Point]]:
    """How two segments meet, and the points that tell where."""
    points = common(first, second)
    if len(points) != 1:
        return "overlap" if points else "none", points
    return "touch" if {*points, *first, *second} == {*first, *second} else "cross", points


def common(first: Segment, second: Segment) -> list[Point]:
    """No point, the only common point, or the two ends of all that is common, in order."""
    along, other, between = minus(*first[::-1]), minus(*second[::-1]), minus(second[0], first[0])
    scale = cross(along, other)
    if scale == 0:
        return sorted({end for end in first if holds(second, end)} | {end for end in second if holds(first, end)})
    share = Fraction(cross(between, other), scale)
    if 0 <= share <= 1 and 0 <= Fraction(cross(between, along), scale) <= 1:
        return [(first[0][0] + share * along[0], first[0][1] + share * along[1])]
    return []


def holds(segment: Segment, point: Point) -> bool:
    """Whether a point is on a segment."""
    (ax, ay), (bx, by) = sorted(segment)
    in_line = (bx - ax) * (point[1] - ay) == (by - ay) * (point[0] - ax)
    return in_line and (ax, ay) <= point <= (bx, by)


def share_of(path: Segment, point: Point) -> Fraction:
    """Which share of the path lies before a point on it; 0 if the path has no length."""
    (ax, ay), (bx, by) = path
    dx, dy = bx - ax, by - ay
    return Fraction((point[0] - ax) * dx + (point[1] - ay) * dy, dx * dx + dy * dy or 1)


def minus(a: Point, b: Point) -> Point:
    """The vector from b to a."""
    return a[0] - b[0], a[1] - b[1]


def cross(u: Point, v: Point) -> Any:
    """The cross product of two vectors; 0 if they are parallel."""
    return u[0] * v[1] - u[1] * v[0]


OPERATIONS = {
    "meet": Operation(("first", "second"), check_meet, meet),
    "pairs": Operation(("segments",), check_pairs, pairs),
    "walk": Operation(("path", "walls"), check_walk, walk),
}
