"""Winding numbers against the sum of angles, and places against shapely."""

from fractions import Fraction
from itertools import pairwise
from math import atan2, pi
from typing import Any

import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.point_in_polygon import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "sums of angles, and shapely"

POINT = st.lists(st.integers(-2, 2), min_size=2, max_size=2)
POLYGON = st.lists(POINT, min_size=3, max_size=8)
QUERIES = st.lists(POINT, max_size=8)


def on_boundary(vertices: list[list[int]], query: list[int]) -> bool:
    for (ax, ay), (bx, by) in pairwise([*vertices, vertices[0]]):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        along = Fraction((query[0] - ax) * dx + (query[1] - ay) * dy, length) if length else Fraction(0)
        nearest = [ax + min(max(along, 0), 1) * dx, ay + min(max(along, 0), 1) * dy]
        if nearest == query:
            return True
    return False


def winding(vertices: list[list[int]], query: list[int]) -> int | None:
    if on_boundary(vertices, query):
        return None
    total = 0.0
    seen = [(x - query[0], y - query[1]) for x, y in vertices]
    for (ax, ay), (bx, by) in pairwise([*seen, seen[0]]):
        total += atan2(ax * by - ay * bx, ax * bx + ay * by)
    return round(total / (2 * pi))


def locate(args: dict[str, Any]) -> Any:
    places = []
    for query in args["queries"]:
        number = winding(args["vertices"], query)
        inside = number != 0 if args.get("rule") == "nonzero" else number in {-5, -3, -1, 1, 3, 5, 7}
        places.append("boundary" if number is None else "inside" if inside else "outside")
    return {"places": places}


def zones(args: dict[str, Any]) -> Any:
    names = [zone["name"] for zone in args["zones"]]
    if any(names.count(name) > 1 for name in names):
        return {"code": "duplicate_zone"}
    found: list[Any] = [None] * len(args["queries"])
    for zone in args["zones"]:
        for place, query in enumerate(args["queries"]):
            if winding(zone["vertices"], query) != 0:
                found[place] = zone["name"]
    return {"zones": found, "counts": [{"zone": name, "queries": found.count(name)} for name in names]}


def numbers(args: dict[str, Any]) -> Any:
    return {"numbers": [winding(args["vertices"], query) for query in args["queries"]]}


WANTED = {"locate": locate, "winding": numbers, "zones": zones}


@settings(max_examples=50)
@given(POLYGON, QUERIES, st.sampled_from(["even-odd", "nonzero"]))
def test_small_polygons(vertices: list[list[int]], queries: list[list[int]], rule: str) -> None:
    args = {"vertices": vertices, "queries": queries}
    assert play(FAMILY, "winding", args) == numbers(args)
    assert play(FAMILY, "locate", {**args, "rule": rule}) == locate({**args, "rule": rule})


@settings(max_examples=50)
@given(st.lists(POLYGON, min_size=1, max_size=3), QUERIES)
def test_zones(polygons: list[Any], queries: list[list[int]]) -> None:
    named = [{"name": f"z{place}", "vertices": vertices} for place, vertices in enumerate(polygons)]
    assert play(FAMILY, "zones", {"zones": named, "queries": queries}) == zones({"zones": named, "queries": queries})


def test_its_own_inputs() -> None:
    for op, wanted in WANTED.items():
        for args in of(FAMILY, op, 150):
            assert play(FAMILY, op, args) == wanted(args)


@settings(max_examples=50)
@given(POLYGON, QUERIES)
def test_simple_polygons_against_shapely(vertices: list[list[int]], queries: list[list[int]]) -> None:
    shape = shapely.Polygon(vertices)
    if shape.is_valid:
        places = play(FAMILY, "locate", {"vertices": vertices, "queries": queries})["places"]
        for query, place in zip(queries, places, strict=True):
            spot = shapely.Point(query)
            assert place == ("boundary" if shape.touches(spot) else "inside" if shape.contains(spot) else "outside")
