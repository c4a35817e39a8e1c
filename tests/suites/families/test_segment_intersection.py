"""Meetings of segments against shapely, and their points against the equations of the lines."""

from fractions import Fraction
from typing import Any

import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.segment_intersection import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "shapely, and the equations of the lines"

SEGMENT = st.lists(st.integers(0, 4), min_size=4, max_size=4)


def shape(segment: list[int]) -> Any:
    return shapely.LineString([segment[:2], segment[2:]]) if segment[:2] != segment[2:] else shapely.Point(segment[:2])


def kind(first: list[int], second: list[int]) -> str:
    """The name of the meeting; for small coordinates."""
    both = shape(first).intersection(shape(second))
    if both.is_empty or shape(first).disjoint(shape(second)):
        return "none"
    if both.length > 0:
        return "overlap"
    ends = [shapely.Point(segment[at : at + 2]) for segment in (first, second) for at in (0, 2)]
    return "touch" if any(end.intersects(shape(first)) and end.intersects(shape(second)) for end in ends) else "cross"


def number(text: str) -> Fraction:
    value = Fraction(text)
    assert text == (f"{value.numerator}/{value.denominator}" if value.denominator > 1 else f"{value.numerator}")
    return value


def on(segment: list[int], x: Fraction, y: Fraction) -> bool:
    """On the line, and within the box of the segment."""
    x1, y1, x2, y2 = segment
    on_line = (y2 - y1) * (x - x1) == (x2 - x1) * (y - y1)
    return on_line and sorted([x1, x, x2])[1] == x and sorted([y1, y, y2])[1] == y


def small(*segments: list[int]) -> bool:
    return all(abs(value) < 1000 for segment in segments for value in segment)


def check_meet(first: list[int], second: list[int]) -> None:
    result = play(FAMILY, "meet", {"first": first, "second": second})
    points = [(number(x), number(y)) for x, y in result["points"]]
    assert all(on(first, *point) and on(second, *point) for point in points)
    assert len(points) == {"none": 0, "touch": 1, "cross": 1, "overlap": 2}[result["kind"]]
    assert points == sorted(set(points))
    ends = [(Fraction(segment[at]), Fraction(segment[at + 1])) for segment in (first, second) for at in (0, 2)]
    if small(first, second):
        assert result["kind"] == kind(first, second)
        if len(points) == 2:
            both = shape(first).intersection(shape(second))
            assert points == sorted((Fraction(x), Fraction(y)) for x, y in both.coords)
    elif result["kind"] == "none":
        assert not any(on(first, *end) and on(second, *end) for end in ends)
    if result["kind"] != "none":
        assert (result["kind"] == "cross") == (not any(point in ends for point in points))
    assert play(FAMILY, "meet", {"first": second[2:] + second[:2], "second": first}) == result


def check_walk(path: list[int], walls: list[list[int]]) -> None:
    result = play(FAMILY, "walk", {"path": path, "walls": walls})
    distances = [shape(path).intersection(shape(wall)) for wall in walls]
    if result["wall"] is None:
        assert result == {"wall": None, "point": None, "share": None}
        if small(path, *walls):
            assert all(both.is_empty for both in distances)
        return
    x, y, share = (number(text) for text in (*result["point"], result["share"]))
    assert (x, y) == (path[0] + share * (path[2] - path[0]), path[1] + share * (path[3] - path[1]))
    assert 0 <= share <= 1
    holding = [place for place, wall in enumerate(walls, 1) if on(wall, x, y)]
    assert result["wall"] == holding[0]
    start, length = shapely.Point(path[:2]), shape(path).length
    if path[:2] == path[2:]:
        assert share == 0
    elif small(path, *walls):
        nearest = min(start.distance(both) for both in distances if not both.is_empty)
        assert abs(nearest / length - float(share)) < 1e-9


@given(SEGMENT, SEGMENT)
def test_meet(first: list[int], second: list[int]) -> None:
    check_meet(first, second)


@settings(max_examples=60)
@given(st.lists(SEGMENT, min_size=1, max_size=5))
def test_pairs(segments: list[list[int]]) -> None:
    check_pairs(segments)


def check_pairs(segments: list[list[int]]) -> None:
    named = list(enumerate(segments, 1))
    kinds = {
        (i, j): play(FAMILY, "meet", {"first": first, "second": second})["kind"]
        for i, first in named
        for j, second in named
        if i < j
    }
    rows = [{"first": i, "second": j, "kind": name} for (i, j), name in sorted(kinds.items()) if name != "none"]
    met = {row[side] for row in rows for side in ("first", "second")}
    free = [i for i, _ in named if i not in met]
    assert play(FAMILY, "pairs", {"segments": segments}) == {"pairs": rows, "free": free}


@settings(max_examples=60)
@given(SEGMENT, st.lists(SEGMENT, max_size=4))
def test_walk(path: list[int], walls: list[list[int]]) -> None:
    check_walk(path, walls)


def test_its_own_inputs() -> None:
    for args in of(FAMILY, "meet", 300):
        check_meet(args["first"], args["second"])
    for args in of(FAMILY, "pairs", 100):
        check_pairs(args["segments"])
    for args in of(FAMILY, "walk", 200):
        check_walk(args["path"], args["walls"])
