"""Contract, inputs and the golden case of the family `polygon-area`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import polygon_area as program

__all__ = ["FAMILY"]

NOTES = (
    "A **point** is an array `[x, y]` of exactly two integers from -1000000 to 1000000; x grows to the right, y upwards.",
    "The **sides** of a polygon lead from each vertex to the next one, and from the last to the first. The polygon is "
    "**simple** if no two vertices are equal, no vertex lies on a side that it is no end of, and no two "
    "sides cross. Three neighbouring vertices may be on one line, as long as the middle one is between the others.",
    "A **fraction** is a string: `p/q` in lowest terms with q at least 2, or just `p` if it is an integer; `-` stands "
    "in front if it is negative: `7/2`, `-1/3`, `12`, `0`.",
)

VERTICES = Param(
    name="vertices", type="array of 3 to 30 points", text="the vertices in order, clockwise or counter-clockwise"
)
NOT_SIMPLE = (ErrorDoc(code="not_simple", when="the polygon is not simple"),)

MEASURE = OperationDoc(
    name="measure",
    summary="Area, shape, and the points with integer coordinates on and in the polygon.",
    parameters=(VERTICES,),
    result='`{"double_area": integer, "clockwise": boolean, "corners": integer, "convex": boolean, "boundary": integer, '
    '"inside": integer}`: twice the area, always positive; whether the vertices go round clockwise; the number of '
    "corners; whether the polygon is convex; how many points with integer coordinates lie on the sides (vertices "
    "included); and how many lie strictly inside.",
    errors=NOT_SIMPLE,
    rules=(
        "A vertex is a corner if the sides that meet there have different directions; a vertex in the middle of a "
        "straight line is none.",
        "The polygon is convex if, on the way round, all corners turn to the same side.",
    ),
)

CENTROID = OperationDoc(
    name="centroid",
    summary="The centre of gravity of the polygon's area.",
    parameters=(VERTICES,),
    result='`{"x": string, "y": string}`: its coordinates as fractions.',
    errors=NOT_SIMPLE,
    rules=(
        "It is the centre of the area, not of the vertices, and need not lie inside. It does not depend on where the "
        "vertices begin and which way they go round.",
    ),
)

SPLIT = OperationDoc(
    name="split",
    summary="The areas of the polygon below and above a horizontal line.",
    parameters=(VERTICES, Param(name="height", type="integer, -1000000 to 1000000", text="the y of the line")),
    result='`{"below": string, "above": string}`: the area (not twice the area) of the part of the polygon with y up '
    "to `height`, and of the part with y from `height` on, as fractions.",
    errors=NOT_SIMPLE,
    rules=(
        "A part may be in several pieces; its area is the sum of theirs. The two areas add up to the area of the "
        "polygon; a part that has no area has `0`.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation: an upper and a lower chain of points, sheared and turned; a few cross."""
    op = rng.choice(("measure", "measure", "centroid", "split"))
    width, tall = rng.choice(((4, 3), (6, 4), (12, 9), (1000, 300)))
    upper = [[x, rng.randint(1, tall)] for x in sorted(rng.sample(range(1, width), rng.randint(1, min(5, width - 1))))]
    lower = [[x, -rng.randint(1, tall)] for x in sorted(rng.sample(range(1, width), rng.randint(1, min(5, width - 1))))]
    points = [[0, 0], *upper, [width, 0], *lower[::-1]]
    shear, dx, dy = rng.choice((-2, -1, 0, 1, 2)), rng.randint(-9, 9), rng.randint(-9, 9)
    points = [[x + dx, y + shear * x + dy] for x, y in points]
    if rng.random() < 0.5:
        points = [[y, x] for x, y in points]
    if rng.random() < 0.5:
        points.reverse()
    if rng.random() < 0.09:
        points[0], points[2] = points[2], points[0]
    start = rng.randrange(len(points))
    args: dict[str, Any] = {"vertices": points[start:] + points[:start]}
    if op == "split":
        low, high = min(y for _, y in points), max(y for _, y in points)
        args["height"] = rng.choice((rng.randint(low, high), rng.choice(points)[1], rng.randint(low - 2, high + 2)))
    return op, args


M = 1000000
SQUARE = [[0, 0], [4, 0], [4, 4], [0, 4]]
CROSS = [[1, 0], [2, 0], [2, 1], [3, 1], [3, 2], [2, 2], [2, 3], [1, 3], [1, 2], [0, 2], [0, 1], [1, 1]]
TEETH = [[0, 0], [9, 0], [9, 5], [7, 1], [6, 4], [4, 1], [3, 6], [2, 1], [0, 3]]
COMB = [[x, (x % 2) * 7 + 1] for x in range(28, 0, -1)] + [[1, 0], [28, 0]]
RING = [[10, 0], [8, 6], [6, 8], [0, 10], [-6, 8], [-8, 6], [-10, 0], [-8, -6], [-6, -8], [0, -10], [6, -8], [8, -6]]
LINED = [[0, 0], [2, 0], [6, 0], [6, 3], [3, 3], [0, 3], [0, 1]]
HUGE = [[M, M], [-M, M], [-M, -M], [M, -M]]


def _with(op: str, *polygons: list[list[int]], **more: Any) -> tuple[Input, ...]:
    return tuple((op, {"vertices": vertices, **more}) for vertices in polygons)


BOUNDARY: tuple[Input, ...] = (
    ("split", {"vertices": TEETH, "height": 2}),
    *_with(
        "measure",
        [[0, 0], [4, 4], [4, 0], [0, 4]],
        [[0, 0], [2, 0], [5, 0]],
        [[1, 1], [1, 1], [1, 1]],
        [[0, 0], [4, 0], [4, 0], [0, 4]],
        [[0, 0], [4, 0], [0, 4], [0, 0]],
        [[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]],
        [[0, 0], [4, 0], [2, 2], [4, 4], [0, 4], [2, 2]],
        [[0, 0], [6, 0], [4, 0], [4, 4]],
        [[0, 0], [4, 0], [4, 4], [4, -2]],
        [[4, 4], [6, 2], [4, 0], [0, 0], [3, 3]],
        [[0, 0], [6, 0], [6, 4], [3, -1], [0, 4]],
        [[0, 0], [8, 0], [8, 4], [6, 0], [2, 0], [0, 4]],
        [[3, 1], [0, 0], [0, 2]],
        [[0, 0], [0, 1], [1, 0]],
        SQUARE,
        SQUARE[::-1],
        [[0, 0], [2, 0], [4, 0], [4, 4], [0, 4], [0, 1]],
        [[0, 3], [3, 0], [6, 3], [4, 2], [3, 2], [2, 2]],
        [[0, 0], [6, 0], [6, 6], [0, 6], [2, 3]],
        [[2, 3], [0, 6], [6, 6], [6, 0], [0, 0]],
        [[-3, -5], [-2, -3], [-1, -1], [-4, 0]],
        CROSS,
        TEETH,
        COMB,
        RING,
        HUGE,
        [[-M, -M], [M, M - 1], [M, M]],
    ),
    *_with(
        "centroid",
        [[0, 0], [3, 3], [6, 6]],
        [[0, 0], [3, 0], [0, 3]],
        [[-1, 0], [0, 3], [0, 0]],
        SQUARE[::-1],
        [[0, 0], [2, 0], [4, 0], [4, 4], [0, 4], [0, 1]],
        [[-5, -2], [-2, -2], [-2, 5], [-3, 5], [-3, -1], [-5, -1]],
        [[0, 0], [9, 0], [9, 9], [8, 1]],
        LINED,
        RING,
        COMB,
        HUGE,
        [[-M, -M], [M, M - 1], [M, M]],
    ),
    ("split", {"vertices": [[0, 0], [4, 4], [4, 0], [0, 4]], "height": 2}),
    *(("split", {"vertices": SQUARE, "height": height}) for height in (-1, 0, 1, 4, 5)),
    *(("split", {"vertices": [[7, 5], [0, 2], [3, -1]], "height": height}) for height in (-1, 0, 2, 3, 5)),
    ("split", {"vertices": LINED, "height": 3}),
    ("split", {"vertices": TEETH[::-1], "height": 1}),
    ("split", {"vertices": COMB, "height": 3}),
    ("split", {"vertices": RING, "height": -7}),
    ("split", {"vertices": [[-M, -M], [M, M - 1], [M, M]], "height": M - 1}),
    ("split", {"vertices": [[0, -M], [1, M], [-1, M]], "height": -M}),
    ("split", {"vertices": [[0, -M], [1, M], [-1, M]], "height": M}),
)

MALFORMED: tuple[Input, ...] = (
    ("measure", {}),
    ("measure", {"vertices": None}),
    ("measure", {"vertices": []}),
    ("measure", {"vertices": SQUARE[:2]}),
    ("measure", {"vertices": [[i, i * i] for i in range(31)]}),
    ("measure", {"vertices": [0, 0, 4, 0, 4, 4]}),
    ("measure", {"vertices": [*SQUARE, [1]]}),
    ("measure", {"vertices": [*SQUARE, [0, 2, 0]]}),
    ("measure", {"vertices": [*SQUARE, {"x": 0, "y": 2}]}),
    ("measure", {"vertices": [*SQUARE, [0, 2.0]]}),
    ("measure", {"vertices": [*SQUARE, [-0.5, 2]]}),
    ("measure", {"vertices": [*SQUARE, [False, 2]]}),
    ("measure", {"vertices": [*SQUARE, ["0", 2]]}),
    ("measure", {"vertices": [*SQUARE, [None, 2]]}),
    ("measure", {"vertices": [*SQUARE, [-1000001, 2]]}),
    ("measure", {"vertices": [*SQUARE, [0, 1000001]]}),
    ("measure", {"vertices": "[[0, 0], [4, 0], [4, 4]]"}),
    ("measure", {"vertices": [[0, 0], [0, 0], [0, 0], [0, True]]}),
    ("centroid", {}),
    ("centroid", {"vertices": [[1, 1], [2, 2]]}),
    ("centroid", {"vertices": [*SQUARE, []]}),
    ("centroid", {"vertices": [*SQUARE, [1000001, 0]]}),
    ("split", {"vertices": SQUARE}),
    ("split", {"height": 1}),
    ("split", {"vertices": SQUARE, "height": None}),
    ("split", {"vertices": SQUARE, "height": 1.0}),
    ("split", {"vertices": SQUARE, "height": True}),
    ("split", {"vertices": SQUARE, "height": "1"}),
    ("split", {"vertices": SQUARE, "height": 1000001}),
    ("split", {"vertices": SQUARE, "height": -1000001}),
    ("split", {"vertices": [[0, 0], [1, 1], [2, 2]], "height": [1]}),
    ("split", {"vertices": [[0, 0], [1, 1]], "height": 0}),
)

FAMILY = Family(
    number=49,
    slug="polygon-area",
    category="geometry",
    title="Polygon area",
    purpose="Measures simple polygons on an integer grid exactly: area, shape, grid points, centre of gravity, and the "
    "areas below and above a line.",
    notes=NOTES,
    operations=(MEASURE, CENTROID, SPLIT),
    program=program,
    # The rectangle 0..6 x 0..4 less the notch (6, 4), (4, 2), (2, 4) of base 4 and depth 2: 24 - 4 = 20, twice 40. The vertices
    # go up the left side, then right: clockwise. [3, 0] is in the middle of the lower side: 7 - 1 = 6 corners; the notch
    # turns the other way. On the boundary: left 4, top 2, slopes 2 + 2, right 4, below 3 + 3: 20. Inside: (40 - 20) / 2 + 1.
    golden=Case(
        op="measure",
        args={"vertices": [[0, 0], [0, 4], [2, 4], [4, 2], [6, 4], [6, 0], [3, 0]]},
        expected={
            "double_area": 40,
            "clockwise": True,
            "corners": 6,
            "convex": False,
            "boundary": 20,
            "inside": 11,
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
