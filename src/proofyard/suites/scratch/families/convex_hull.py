"""Contract, inputs and the golden case of the family `convex-hull`."""

from random import Random
from typing import Any

from ..family import Case, Family, Input, OperationDoc, Param
from ..program.families import convex_hull as program

__all__ = ["FAMILY"]

NOTES = (
    "A **point** is an array `[x, y]` of exactly two integers from -1000000 to 1000000; y grows upwards. A point "
    "that is given several times counts once. All results are exact integers.",
    "The **hull** is the smallest convex polygon that holds all points. Its **corners** are the points at which its "
    "boundary turns; points in the middle of a side are no corners. If all points are on one line the hull is the "
    "segment between the two outer ones, which are its corners; a single point is its own hull and only corner. Both "
    "have area 0.",
    "There are no domain errors: every valid request has a result.",
)

POINTS = Param(name="points", type="array of 1 to 100 points", text="the points, in any order")

HULL = OperationDoc(
    name="hull",
    summary="The vertices of the hull, and its area.",
    parameters=(
        POINTS,
        Param(
            name="keep_collinear",
            type="boolean",
            text="whether points in the middle of a side are returned too; default false",
            required=False,
        ),
    ),
    result='`{"vertices": [[integer, integer], ...], "double_area": integer}`: the vertices in order, and twice the '
    "area of the hull.",
    rules=(
        "The vertices are the corners, counter-clockwise, beginning with the one of smallest y, of several such the "
        "one of smallest x. With `keep_collinear` the given points that lie on a side between two corners are "
        "included where they are passed on this way round.",
        "No point is listed twice: a segment has its two corners, the one of smaller y (at equal y of smaller x) "
        "first; with `keep_collinear` all its points in that direction. A single point is listed once.",
    ),
)

LOCATE = OperationDoc(
    name="locate",
    summary="Whether points lie inside the hull of other points.",
    parameters=(POINTS, Param(name="queries", type="array of 0 to 50 points", text="the points to locate")),
    result='`{"places": [string, ...]}`: for each query, in order, `inside`, `boundary` or `outside`.',
    rules=(
        "A query on a side or a corner of the hull is on the `boundary`. A segment or a single point has no inside: "
        "what is on it is on the boundary, all else outside.",
    ),
)

DIAMETER = OperationDoc(
    name="diameter",
    summary="The two points that are farthest apart.",
    parameters=(POINTS,),
    result='`{"squared": integer, "pair": [[integer, integer], [integer, integer]]}`: the square of the greatest '
    "distance between two of the points, and the pair.",
    rules=(
        "Points are ordered by x, then by y. The smaller point of the pair comes first. Of several pairs equally far "
        "apart the one with the smallest first point is returned, then the one with the smallest second point.",
        "If all points are equal, `squared` is 0 and the pair is that point twice.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation; small grids make collinear and equal points frequent."""
    op = rng.choice(("hull", "hull", "locate", "diameter"))
    size = rng.choice((2, 3, 5, 20, 1000000))
    args: dict[str, Any] = {"points": _points(rng, size, rng.randint(5, 14))}
    if rng.random() < 0.15:
        args["points"] = _line(rng)
    if op == "hull" and rng.random() < 0.7:
        args["keep_collinear"] = rng.random() < 0.8
    if op == "locate":
        args["queries"] = _points(rng, size, rng.randint(1, 8))
        args["queries"] += rng.sample(args["points"], 1)
    return op, args


def _points(rng: Random, size: int, count: int) -> list[list[int]]:
    return [[rng.randint(-size, size), rng.randint(-size, size)] for _ in range(count)]


def _line(rng: Random) -> list[list[int]]:
    """Points on one line."""
    dx, dy = rng.randint(-3, 3), rng.randint(-3, 3)
    return [[5 + dx * step, dy * step - 2] for step in rng.choices(range(-6, 7), k=rng.randint(4, 9))]


M = 1000000
GRID = [[x, y] for x in (2, 0, 1) for y in (1, 2, 0)]
CORNERS = [[M, M], [-M, M], [M, -M], [-M, -M]]
RING = [[10, 0], [8, 6], [6, 8], [0, 10], [-6, 8], [-8, 6], [-10, 0], [-8, -6], [-6, -8], [0, -10], [6, -8], [8, -6]]

BOUNDARY: tuple[Input, ...] = (
    ("locate", {"points": [[0, 0], [4, 0], [4, 4], [0, 4]], "queries": [[2, 2], [4, 1], [5, 2], [0, 0]]}),
    ("hull", {"points": [[3, -5]]}),
    ("hull", {"points": [[3, -5], [3, -5], [3, -5]], "keep_collinear": True}),
    ("hull", {"points": [[5, 2], [1, 2]]}),
    ("hull", {"points": [[2, 9], [6, 1]]}),
    ("hull", {"points": [[6, 1], [2, 9], [6, 1]], "keep_collinear": True}),
    ("locate", {"points": [[2, 9], [6, 1]], "queries": [[4, 5], [2, 9], [6, 1], [4, 6], [8, -3], [0, 13]]}),
    ("diameter", {"points": [[6, 1], [2, 9]]}),
    ("hull", {"points": [[1, 7], [1, 2], [1, 2]], "keep_collinear": True}),
    ("hull", {"points": [[3, 3], [1, 1], [2, 2], [1, 1], [0, 0]]}),
    ("hull", {"points": [[3, 3], [1, 1], [2, 2], [1, 1], [0, 0]], "keep_collinear": True}),
    ("hull", {"points": [[-3, 3], [1, -1], [0, 0], [-1, 1]], "keep_collinear": True}),
    ("hull", {"points": [[9, 4], [2, 4], [5, 4]], "keep_collinear": True}),
    ("hull", {"points": [[x, 0] for x in (7, -2, 40, 3, -9, 0, 11, 5)], "keep_collinear": True}),
    ("hull", {"points": GRID}),
    ("hull", {"points": GRID, "keep_collinear": False}),
    ("hull", {"points": GRID, "keep_collinear": True}),
    ("hull", {"points": [[0, 0], [0, 4], [4, 0], [1, 1]]}),
    ("hull", {"points": [[5, 1], [2, 1], [3, 6], [4, 1], [3, 2]], "keep_collinear": True}),
    ("hull", {"points": [[0, 3], [6, 0], [4, 1], [2, 2], [6, 6], [3, 4], [0, 3]], "keep_collinear": True}),
    ("hull", {"points": CORNERS}),
    ("hull", {"points": [*CORNERS, [0, 0], [M, 0], [0, -M]], "keep_collinear": True}),
    ("hull", {"points": [[-M, -M], [M, M], [M - 1, M - 2], [0, 0]]}),
    ("hull", {"points": RING}),
    ("hull", {"points": [[i, i * i] for i in range(-50, 50)]}),
    ("hull", {"points": [[0, 0], [10, 1], [20, 2], [10, 2], [30, 3]], "keep_collinear": True}),
    ("locate", {"points": [[1, 1]], "queries": [[1, 1], [1, 2], [0, 1]]}),
    ("locate", {"points": [[0, 0], [4, 2]], "queries": [[2, 1], [0, 0], [4, 2], [6, 3], [-2, -1], [2, 2], [1, 0]]}),
    ("locate", {"points": [[2, 0], [2, 5], [2, 5]], "queries": [[2, 3], [2, 6], [3, 3]]}),
    (
        "locate",
        {"points": [[0, 0], [6, 0], [0, 6]], "queries": [[3, 3], [2, 3], [4, 3], [7, 0], [-1, 0], [6, 0], [0, 7]]},
    ),
    ("locate", {"points": GRID, "queries": []}),
    ("locate", {"points": [[0, 0], [2, 1], [1, 2]], "queries": [[1, 1], [0, 1], [1, 0]]}),
    ("locate", {"points": GRID, "queries": GRID}),
    ("locate", {"points": CORNERS, "queries": [[M, M], [M, 0], [M - 1, M - 1], [0, 0]]}),
    (
        "locate",
        {"points": [[-M, -M], [M, M], [M, M - 1]], "queries": [[0, 0], [1, 0], [M - 1, M - 1], [0, -1], [M, M - 1]]},
    ),
    (
        "locate",
        {"points": [[i, 0] for i in range(99)] + [[5, 5]], "queries": [[5, i] for i in range(-1, 7)] + [[99, 0]] * 42},
    ),
    ("diameter", {"points": [[7, 7]]}),
    ("diameter", {"points": [[7, 7], [7, 7]]}),
    ("diameter", {"points": [[4, 0], [0, 3]]}),
    ("diameter", {"points": [[0, 4], [0, -3], [0, 1]]}),
    ("diameter", {"points": CORNERS}),
    ("diameter", {"points": [[1, 1], [0, 1], [1, 0], [0, 0]]}),
    ("diameter", {"points": RING}),
    ("diameter", {"points": [[0, 0], [3, 4], [-5, 0], [0, -5], [-3, 4]]}),
    ("diameter", {"points": [[2, 0], [0, 0], [1, 9], [1, -9]]}),
    ("diameter", {"points": [[9, 9], [5, 5], [1, 1], [9, 9]]}),
)

MALFORMED: tuple[Input, ...] = (
    ("hull", {}),
    ("hull", {"points": None}),
    ("hull", {"points": []}),
    ("hull", {"points": [0, 0]}),
    ("hull", {"points": [[0, 0], [1]]}),
    ("hull", {"points": [[0, 0, 0]]}),
    ("hull", {"points": [[0, 0], []]}),
    ("hull", {"points": [[0, 0], {"x": 1, "y": 2}]}),
    ("hull", {"points": [[0, 0], [1, 2.0]]}),
    ("hull", {"points": [[0, 0.5]]}),
    ("hull", {"points": [[True, 0]]}),
    ("hull", {"points": [["0", 0]]}),
    ("hull", {"points": [[0, None]]}),
    ("hull", {"points": [[1000001, 0]]}),
    ("hull", {"points": [[0, -1000001]]}),
    ("hull", {"points": [[0, 0]] * 101}),
    ("hull", {"points": [[0, 0]], "keep_collinear": 1}),
    ("hull", {"points": [[0, 0]], "keep_collinear": None}),
    ("hull", {"points": [[0, 0]], "keep_collinear": "true"}),
    ("locate", {"points": [[0, 0]]}),
    ("locate", {"queries": [[0, 0]]}),
    ("locate", {"points": [[0, 0]], "queries": [0, 0]}),
    ("locate", {"points": [[0, 0]], "queries": [[0, 0], [0, False]]}),
    ("locate", {"points": [[0, 0]], "queries": [[0, 1000001]]}),
    ("locate", {"points": [], "queries": []}),
    ("locate", {"points": [[0, 0]], "queries": [[0, 0]] * 51}),
    ("diameter", {}),
    ("diameter", {"points": "[[0, 0]]"}),
    ("diameter", {"points": [[0, 0], 1]}),
    ("diameter", {"points": [[0, 1], [-1000001, 0]]}),
)

FAMILY = Family(
    number=50,
    slug="convex-hull",
    category="geometry",
    title="Convex hull",
    purpose="Computes with the convex hulls of points on an integer grid: their vertices and area, what lies inside, "
    "and the two points that are farthest apart.",
    notes=NOTES,
    operations=(HULL, LOCATE, DIAMETER),
    program=program,
    # Lowest y is 0, at x = 1 and 5: start at (1, 0), and (3, 0) lies between. Counter-clockwise: (5, 0), (5, 4), then (3, 4) on
    # the top side, then (1, 4), then (1, 2) on the left side. (2, 1) and (3, 2) are inside. The hull is 4 by 4: twice 16.
    golden=Case(
        op="hull",
        args={
            "points": [[5, 4], [2, 1], [1, 2], [3, 0], [1, 4], [5, 0], [3, 4], [3, 2], [1, 0], [5, 4]],
            "keep_collinear": True,
        },
        expected={"vertices": [[1, 0], [3, 0], [5, 0], [5, 4], [3, 4], [1, 4], [1, 2]], "double_area": 32},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
