"""Polygons against shapely, a count of the points of the grid, and integrals along the sides."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.polygon_area import FAMILY
from tests.suites.families.harness import generated, of, play

INDEPENDENT = "shapely, and a count over the grid"

POINTS = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=2), min_size=3, max_size=6)


def is_simple(points: list[list[int]]) -> bool:
    distinct = len({tuple(point) for point in points}) == len(points)
    return distinct and shapely.LinearRing(points).is_simple and shapely.Polygon(points).is_valid


def integral(points: list[list[int]], power_x: int, power_y: int) -> Fraction:
    """The integral of x^i y^j for i + j <= 1 over a polygon, by the theorem of Green along x; signed."""
    total = Fraction(0)
    for (ax, ay), (bx, by) in pairwise([*points, points[0]]):
        if power_x:
            total += Fraction((by - ay) * (ax * ax + ax * bx + bx * bx), 6)
        elif power_y:
            total -= Fraction((bx - ax) * (ay * ay + ay * by + by * by), 6)
        else:
            total += Fraction((by - ay) * (ax + bx), 2)
    return total


def text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}" if value.denominator > 1 else f"{value.numerator}"


def measure(points: list[list[int]]) -> Any:
    shape = shapely.Polygon(points)
    left, low, right, high = (int(value) for value in shape.bounds)
    grid = [shapely.Point(x, y) for x in range(left, right + 1) for y in range(low, high + 1)]
    hull = shapely.convex_hull(shape)
    return {
        "double_area": round(2 * shape.area),
        "clockwise": not shapely.is_ccw(shapely.LinearRing(points)),
        "corners": sum(not straight(points, place) for place in range(len(points))),
        "convex": round(2 * hull.area) == round(2 * shape.area),
        "boundary": sum(shape.exterior.intersects(point) for point in grid),
        "inside": sum(shape.contains(point) for point in grid),
    }


def straight(points: list[list[int]], place: int) -> bool:
    before, at, after = (points[(place + step) % len(points)] for step in (-1, 0, 1))
    return shapely.LineString([before, after]).distance(shapely.Point(at)) == 0


def below(points: list[list[int]], height: int) -> Fraction:
    """Over every strip between two heights at which something changes, the width at mid-height times the strip's."""
    total = Fraction(0)
    for low, high in pairwise(sorted({y for _, y in points if y < height} | {height})):
        middle = Fraction(low + high, 2)
        sides = pairwise([*points, points[0]])
        cuts = sorted(
            ax + (bx - ax) * (middle - ay) / (by - ay) for (ax, ay), (bx, by) in sides if (ay < middle) != (by < middle)
        )
        total += (high - low) * (sum(cuts[1::2]) - sum(cuts[::2]))
    return total


def check(points: list[list[int]], height: int) -> None:
    """All three operations on one simple polygon."""
    if max(abs(c) for point in points for c in point) < 13:
        assert play(FAMILY, "measure", {"vertices": points}) == measure(points)
    area = integral(points, 0, 0)
    x, y = integral(points, 1, 0) / area, integral(points, 0, 1) / area
    assert play(FAMILY, "centroid", {"vertices": points}) == {"x": text(x), "y": text(y)}
    lower = below(points, height)
    assert play(FAMILY, "split", {"vertices": points, "height": height}) == {
        "below": text(lower),
        "above": text(abs(area) - lower),
    }


@settings(max_examples=60)
@given(POINTS, st.integers(-1, 5))
def test_any_points(points: list[list[int]], height: int) -> None:
    if is_simple(points):
        check(points, height)
    else:
        for op in ("measure", "centroid", "split"):
            assert play(FAMILY, op, {"vertices": points, "height": height}) == {"code": "not_simple"}


def test_its_own_inputs() -> None:
    for op in ("measure", "centroid", "split"):
        for args in of(FAMILY, op, 60):
            points = args["vertices"]
            if is_simple(points):
                check(points, args.get("height", points[1][1]))
            else:
                assert play(FAMILY, op, args) == {"code": "not_simple"}


def test_formula_of_pick() -> None:
    for op, args in generated(FAMILY, 200):
        if op == "measure" and is_simple(args["vertices"]):
            result = play(FAMILY, op, args)
            assert 2 * result["inside"] + result["boundary"] - 2 == result["double_area"]
            assert result["double_area"] == 2 * abs(integral(args["vertices"], 0, 0))
