"""Convex hulls against shapely and against every half-plane."""

from itertools import pairwise
from typing import Any

import shapely
from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.convex_hull import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "shapely, and every half-plane"

SMALL = st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=1, max_size=12)
WIDE = st.lists(st.lists(st.integers(-1000000, 1000000), min_size=2, max_size=2), min_size=1, max_size=12)


def side(a: list[int], b: list[int], c: list[int]) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])


def is_corner(point: list[int], others: list[list[int]]) -> bool:
    """A point is no corner if it is on a segment or in a triangle of other points."""
    on_segment = any(side(a, b, point) == 0 and min(a, b) < point < max(a, b) for a in others for b in others if a < b)
    in_triangle = any(
        side(a, b, point) > 0 and side(b, c, point) > 0 and side(c, a, point) > 0
        for a in others
        for b in others
        for c in others
    )
    return not on_segment and not in_triangle


def check_hull(args: dict[str, Any]) -> None:
    result = play(FAMILY, "hull", args)
    points = [list(p) for p in {tuple(p) for p in args["points"]}]
    vertices = result["vertices"]
    shape = shapely.convex_hull(shapely.MultiPoint([tuple(p) for p in points]))
    assert (
        result["double_area"] == round(2 * shape.area)
        if shape.area < 1e9
        else abs(result["double_area"] - 2 * shape.area) < 1e3
    )
    assert vertices[0] == min(points, key=lambda p: (p[1], p[0]))
    assert len({tuple(v) for v in vertices}) == len(vertices)
    if args.get("keep_collinear"):
        wanted = [p for p in points if shape.distance(shapely.Point(p)) == 0 and shapely.Point(p).touches(shape)]
        wanted = wanted if shape.area else points
        if max(abs(c) for p in points for c in p) < 1000:
            assert sorted(vertices) == sorted(wanted)
    else:
        assert sorted(vertices) == sorted(p for p in points if is_corner(p, [o for o in points if o != p]))
    if shape.area:
        for a, b in pairwise([*vertices, vertices[0]]):
            assert all(side(a, b, p) >= 0 for p in points)
    else:
        assert vertices == sorted(vertices, key=lambda p: (p[1], p[0]))
    doubled = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*vertices, vertices[0]]))
    assert result["double_area"] == doubled


@given(SMALL | WIDE, st.booleans())
def test_hull(points: list[list[int]], keep: bool) -> None:
    check_hull({"points": points, "keep_collinear": keep})


def test_hull_on_its_own_inputs() -> None:
    for args in of(FAMILY, "hull", 200):
        if len(args["points"]) <= 20:
            check_hull(args)


@given(SMALL, SMALL)
def test_locate_against_shapely(points: list[list[int]], queries: list[list[int]]) -> None:
    shape = shapely.convex_hull(shapely.MultiPoint(points))
    places = play(FAMILY, "locate", {"points": points, "queries": queries})["places"]
    for query, found in zip(queries, places, strict=True):
        spot = shapely.Point(query)
        if not shape.intersects(spot):
            assert found == "outside"
        else:
            assert found == ("inside" if shape.area and shape.contains(spot) else "boundary")


@given(WIDE)
def test_every_point_is_in_its_hull(points: list[list[int]]) -> None:
    places = play(FAMILY, "locate", {"points": points, "queries": points})["places"]
    corners = play(FAMILY, "hull", {"points": points, "keep_collinear": True})["vertices"]
    assert places == ["boundary" if point in corners else "inside" for point in points]


@given(SMALL | WIDE)
def test_diameter_over_all_pairs(points: list[list[int]]) -> None:
    result = play(FAMILY, "diameter", {"points": points})
    ranked = sorted((-((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2), min(a, b), max(a, b)) for a in points for b in points)
    assert result == {"squared": -ranked[0][0], "pair": [ranked[0][1], ranked[0][2]]}


def test_diameter_on_its_own_inputs() -> None:
    for args in of(FAMILY, "diameter", 200):
        points = args["points"]
        pairs = [((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2, a, b) for a in points for b in points if a <= b]
        most = max(pairs)[0]
        assert play(FAMILY, "diameter", args) == {
            "squared": most,
            "pair": min([a, b] for distance, a, b in pairs if distance == most),
        }
