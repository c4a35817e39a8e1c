"""Convex hull: a string is wound around the points, from the lowest one from corner to corner."""

from itertools import combinations_with_replacement
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "hull": ("points", "keep_collinear"),
    "locate": ("points", "queries"),
    "diameter": ("points",),
}

Point = tuple[int, int]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if not _are_points(args.get("points"), 1, 100):
        return False
    if op == "hull":
        return isinstance(args.get("keep_collinear", False), bool)
    return op != "locate" or _are_points(args.get("queries"), 0, 50)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    points = sorted({(x, y) for x, y in args["points"]})
    if op == "diameter":
        pairs = list(combinations_with_replacement(points, 2))
        first, second = max(pairs, key=lambda pair: _squared(*pair))
        return {"squared": _squared(first, second), "pair": [list(first), list(second)]}
    corners = _corners(points)
    if op == "locate":
        return {"places": [_place(corners, (x, y)) for x, y in args["queries"]]}
    double_area = sum(a[0] * b[1] - b[0] * a[1] for a, b in _sides(corners))
    listed = _with_middles(corners, points) if args.get("keep_collinear", False) else corners
    return {"vertices": [list(point) for point in listed], "double_area": double_area}


def _are_points(value: Any, least: int, most: int) -> bool:
    """Whether a value is an array of `least` to `most` points."""
    return isinstance(value, list) and least <= len(value) <= most and all(map(_is_point, value))


def _is_point(value: Any) -> bool:
    """Whether a value is a point."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(each, int) and not isinstance(each, bool) and abs(each) <= 1000000 for each in value)
    )


def _squared(a: Point, b: Point) -> int:
    """The square of the distance of two points."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _turn(a: Point, b: Point, c: Point) -> int:
    """Positive if c is left of the way from a to b, negative if right, 0 if on one line with it."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _corners(points: list[Point]) -> list[Point]:
    """The corners of the hull of different points."""
    corners = [min(points, key=lambda point: (point[1], point[0]))]
    while True:
        here = corners[-1]
        ahead = corners[0]
        for point in points:
            side = _turn(here, ahead, point)
            if side < 0 or (side == 0 and _squared(here, point) > _squared(here, ahead)):
                ahead = point
        if ahead == corners[0]:
            return corners
        corners.append(ahead)


def _sides(corners: list[Point]) -> list[tuple[Point, Point]]:
    """The sides, counter-clockwise; the one of a segment is there and back."""
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def _within(a: Point, b: Point, point: Point) -> bool:
    """Whether a point is on the segment from a to b."""
    behind = (a[0] - point[0]) * (b[0] - point[0]) + (a[1] - point[1]) * (b[1] - point[1])
    return _turn(a, b, point) == 0 and behind <= 0


def _with_middles(corners: list[Point], points: list[Point]) -> list[Point]:
    """The corners and all points on the sides, each once, as they are passed."""
    passed: dict[Point, None] = {}
    for a, b in _sides(corners):
        on_side = [point for point in points if _within(a, b, point)]
        passed.update(dict.fromkeys(sorted(on_side, key=lambda point: _squared(a, point))))
    return list(passed)


def _place(corners: list[Point], point: Point) -> str:
    """Where a point lies."""
    sides = _sides(corners)
    if any(_within(a, b, point) for a, b in sides):
        return "boundary"
    return "inside" if all(_turn(a, b, point) > 0 for a, b in sides) else "outside"
