"""Segment intersection: the one segment is cut down, step by step, to the stretch of it that lies on the other."""

from fractions import Fraction
from itertools import combinations
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "meet": ("first", "second"),
    "pairs": ("segments",),
    "walk": ("path", "walls"),
}

Segment = list[int]
Point = tuple[Fraction, Fraction]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "meet":
        return _is_segment(args.get("first")) and _is_segment(args.get("second"))
    if op == "pairs":
        return _are_segments(args.get("segments"), 1, 16)
    return _is_segment(args.get("path")) and _are_segments(args.get("walls"), 0, 30)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "meet":
        kind, points = _meeting(args["first"], args["second"])
        return {"kind": kind, "points": [[str(x), str(y)] for x, y in points]}
    return _pairs(args["segments"]) if op == "pairs" else _walk(args["path"], args["walls"])


def _is_segment(value: Any) -> bool:
    """Whether a value is a segment."""
    return (
        isinstance(value, list)
        and len(value) == 4
        and all(isinstance(each, int) and not isinstance(each, bool) and abs(each) <= 1000000 for each in value)
    )


def _are_segments(value: Any, least: int, most: int) -> bool:
    """Whether a value is an array of `least` to `most` segments."""
    return isinstance(value, list) and least <= len(value) <= most and all(map(_is_segment, value))


def _stretch(way: Segment, other: Segment) -> tuple[Fraction, Fraction] | None:
    """From which to which share of its length a segment lies on another one, None for nowhere."""
    x, y, dx, dy = way[0], way[1], way[2] - way[0], way[3] - way[1]
    ux, uy = other[2] - other[0], other[3] - other[1]
    limits = (
        (x, dx, min(other[0], other[2]), max(other[0], other[2])),
        (y, dy, min(other[1], other[3]), max(other[1], other[3])),
        (ux * (y - other[1]) - uy * (x - other[0]), ux * dy - uy * dx, 0, 0),
    )
    begin, end = Fraction(0), Fraction(1)
    for start, slope, low, high in limits:  # low <= start + slope * share <= high
        if slope:
            shares = sorted((Fraction(low - start, slope), Fraction(high - start, slope)))
            begin, end = max(begin, shares[0]), min(end, shares[1])
        elif not low <= start <= high:
            return None
    return (begin, end) if begin <= end else None


def _point_at(way: Segment, share: Fraction) -> Point:
    """The point after a share of a segment."""
    return way[0] + share * (way[2] - way[0]), way[1] + share * (way[3] - way[1])


def _meeting(first: Segment, second: Segment) -> tuple[str, list[Point]]:
    """The kind of meeting and its points."""
    stretch = _stretch(first, second)
    if stretch is None:
        return "none", []
    points = sorted({_point_at(first, share) for share in stretch})
    if len(points) == 2:
        return "overlap", points
    ends = {_point_at(segment, Fraction(share)) for segment in (first, second) for share in (0, 1)}
    return "touch" if points[0] in ends else "cross", points


def _pairs(segments: list[Segment]) -> Any:
    """All meetings of two of many segments."""
    pairs = []
    for (one, first), (two, second) in combinations(enumerate(segments, 1), 2):
        kind = _meeting(first, second)[0]
        if kind != "none":
            pairs.append({"first": one, "second": two, "kind": kind})
    met = {pair[side] for pair in pairs for side in ("first", "second")}
    return {"pairs": pairs, "free": [number for number in range(1, len(segments) + 1) if number not in met]}


def _walk(path: Segment, walls: list[Segment]) -> Any:
    """The first wall on a path."""
    stretches = [(_stretch(path, wall), number) for number, wall in enumerate(walls, 1)]
    hits = [(stretch[0], number) for stretch, number in stretches if stretch is not None]
    if not hits:
        return {"wall": None, "point": None, "share": None}
    share, number = min(hits)
    return {"wall": number, "point": [str(each) for each in _point_at(path, share)], "share": str(share)}
