"""Contract, inputs and the golden case of the family `point-in-polygon`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import point_in_polygon as program

__all__ = ["FAMILY"]

NOTES = (
    "A **point** is an array `[x, y]` of exactly two integers from -1000000 to 1000000; x grows to the right, y upwards.",
    "The **sides** of a polygon lead from each vertex to the next one, and from the last to the first. The polygon may "
    "be any: sides may cross, touch and lie on each other, vertices may be equal, all may be on one line. A point "
    "that is a vertex or on a side is **on the boundary**, also where the sides are in the middle of the figure.",
    "The **winding number** of a point that is not on the boundary is how many full turns the polygon makes around it "
    "if one walks once along all sides in order and watches from the point: counter-clockwise turns count +1, "
    "clockwise ones -1. Far outside it is 0. It can be counted along any ray from the point that meets no vertex: "
    "a side that crosses the ray from its right to its left (looking along the ray) counts +1, from left to right -1.",
)

VERTICES = Param(name="vertices", type="array of 3 to 30 points", text="the vertices of the polygon in order")
QUERIES = Param(name="queries", type="array of 0 to 20 points", text="the points to look for")

LOCATE = OperationDoc(
    name="locate",
    summary="Whether points are inside a polygon.",
    parameters=(
        VERTICES,
        QUERIES,
        Param(
            name="rule",
            type="string, `even-odd` or `nonzero`",
            text="what is inside where the polygon crosses itself; default `even-odd`",
            required=False,
        ),
    ),
    result='`{"places": [string, ...]}`: for each query, in order, `inside`, `boundary` or `outside`.',
    rules=(
        "A point on the boundary is `boundary` with either rule. Any other point is `inside` by `even-odd` if its winding "
        "number is odd (so a ray as above crosses an odd number of sides), by `nonzero` if its winding number is not "
        "0; otherwise it is `outside`.",
    ),
)

WINDING = OperationDoc(
    name="winding",
    summary="How often a polygon goes around points.",
    parameters=(VERTICES, QUERIES),
    result='`{"numbers": [integer or null, ...]}`: for each query, in order, its winding number, `null` on the boundary.',
)

ZONES = OperationDoc(
    name="zones",
    summary="In which of several zones points are.",
    parameters=(
        Param(
            name="zones",
            type='array of 1 to 6 objects `{"name": string, "vertices": [point, ...]}`',
            text="the zones, the lowest first; `name` has 1 to 30 code points, `vertices` 3 to 12 points; other keys "
            "are ignored",
        ),
        QUERIES,
    ),
    result='`{"zones": [string or null, ...], "counts": [{"zone": string, "queries": integer}, ...]}`: for each query, '
    "in order, the name of its zone or `null`; and for each zone, in the order given, of how many queries it is the zone.",
    errors=(ErrorDoc(code="duplicate_zone", when="two zones have the same name (names are compared exactly)"),),
    rules=(
        "A zone holds a point if the point is on its boundary or has a winding number that is not 0. Zones may overlap: "
        "they lie on each other in the order given, and the zone of a point is the uppermost, that is the last given, of those "
        "that hold it.",
        "A query that is given several times counts each time.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation; small grids make points on sides and at the height of vertices frequent."""
    op = rng.choice(("locate", "locate", "winding", "zones"))
    size = rng.choice((2, 3, 4, 6, 1000000))
    queries = _points(rng, size, rng.randint(4, 9))
    if op == "zones":
        names = rng.sample(("north", "South", "é", "9", "10", "old town"), rng.randint(2, 4))
        if rng.random() < 0.15:
            names[-1] = names[0]
        zones = [{"name": name, "vertices": _points(rng, size, rng.randint(3, 5))} for name in names]
        return op, {"zones": zones, "queries": queries}
    vertices = _points(rng, size, rng.randint(4, 9))
    if rng.random() < 0.3:
        vertices += vertices[: rng.randint(2, 4)]
    args: dict[str, Any] = {"vertices": vertices, "queries": [*queries, rng.choice(vertices)]}
    if op == "locate" and rng.random() < 0.8:
        args["rule"] = rng.choice(("even-odd", "nonzero", "nonzero"))
    return op, args


def _points(rng: Random, size: int, count: int) -> list[list[int]]:
    return [[rng.randint(-size, size), rng.randint(-size, size)] for _ in range(count)]


M = 1000000
SQUARE = [[0, 0], [4, 0], [4, 4], [0, 4]]
STAR = [[0, 0], [10, 6], [0, 6], [10, 0], [5, 10]]
TWICE = [[0, 0], [6, 0], [6, 6], [0, 6], [0, 0], [4, 0], [4, 4], [0, 4]]
EIGHT = [[0, 0], [4, 4], [4, 0], [0, 4]]
TEETH = [[0, 0], [9, 0], [9, 5], [7, 1], [6, 4], [4, 1], [3, 6], [2, 1], [0, 3]]
STEPS = [[0, 0], [6, 0], [6, 2], [4, 2], [4, 4], [2, 4], [2, 2], [0, 2]]
AROUND = [[x, y] for y in (5, 4, 2, 0, -1) for x in (-1, 0, 2, 4)]
COIL = [[x * s, y * s] for s in (1, 2, 3, 4, 5) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))]
TALL = [[i % 2 * 9, i] for i in range(29)] + [[20, 14]]
LEAN = [[-M, -M], [M, M - 1], [M, M]]


def _both(vertices: list[list[int]], queries: list[list[int]]) -> tuple[Input, ...]:
    """All that one polygon is asked for."""
    args = {"vertices": vertices, "queries": queries}
    return (
        ("locate", args),
        ("locate", {**args, "rule": "nonzero"}),
        ("winding", args),
    )


def _zones(queries: list[list[int]], **zones: list[list[int]]) -> Input:
    return "zones", {"zones": [{"name": name, "vertices": zones[name]} for name in zones], "queries": queries}


def _twice(*names: str) -> Input:
    return "zones", {"zones": [{"name": name, "vertices": SQUARE} for name in names], "queries": [[1, 1]]}


BOUNDARY: tuple[Input, ...] = (
    ("winding", {"vertices": TWICE, "queries": [[1, 1], [5, 5], [4, 2], [7, 1], [0, 0]]}),
    *_both(SQUARE, AROUND),
    *_both(SQUARE[::-1], [[2, 2], [4, 4], [-1, 0]]),
    *_both(STAR, [[5, 5], [5, 3], [2, 5], [8, 5], [5, 7], [5, 1], [0, 3], [5, 6], [1, 1], [2, 0]]),
    *_both(TWICE, [[1, 1], [5, 5], [4, 5], [5, 4], [4, 2], [0, 5], [7, 4], [-1, 4]]),
    *_both(EIGHT, [[1, 2], [3, 2], [2, 2], [2, 3], [2, 1], [4, 2], [5, 4]]),
    *_both(TEETH, [[x, y] for y in (1, 4) for x in range(-1, 10)][:20]),
    *_both(STEPS, [[1, 2], [3, 2], [5, 2], [3, 3], [5, 3], [-1, 2], [7, 2], [4, 3], [3, 4], [5, 1], [1, 4]]),
    *_both(COIL, [[0, 0], [1, 1], [2, 1], [2, 2], [3, 1], [0, -5], [0, 5], [-3, -3], [4, 0]]),
    *_both([[1, 1], [3, 1], [2, 1]], [[2, 1], [1, 1], [3, 1], [0, 1], [4, 1], [2, 0]]),
    *_both([[5, 5], [5, 5], [5, 5]], [[5, 5], [4, 5], [5, 6]]),
    *_both([[0, 0], [0, 0], [4, 0], [4, 4], [4, 4]], [[3, 1], [1, 3], [2, 2], [4, 4]]),
    *_both(LEAN, [[0, 0], [0, -1], [M - 1, M - 1], [M, M], [-M, M], [1, 0]]),
    ("locate", {"vertices": SQUARE, "queries": []}),
    ("locate", {"vertices": TALL, "queries": [[x, y] for y in (0, 14, 27, 28) for x in (0, 1, 5, 9, 12)]}),
    ("winding", {"vertices": [*COIL, *COIL[:10]], "queries": [[0, 0]]}),
    ("winding", {"vertices": COIL[::-1], "queries": [[0, 0], [1, 1], [3, 3]]}),
    _twice("a", "b", "a"),
    _twice("a", "A", "é"),
    _zones([[1, 1], [5, 5], [4, 4], [3, 3], [4, 2], [7, 0]], b=SQUARE, a=[[3, 3], [6, 3], [6, 6], [3, 6]]),
    _zones([[1, 1], [5, 5], [4, 4], [3, 3], [4, 2], [7, 0]], a=[[3, 3], [6, 3], [6, 6], [3, 6]], b=SQUARE),
    _zones([[1, 1], [5, 5], [4, 5], [1, 1]], low=TWICE, high=EIGHT),
    _zones([[5, 5], [2, 3], [2, 1], [9, 9]], star=STAR[::-1], line=[[0, 9], [9, 9], [5, 9]]),
    _zones([], z=SQUARE, a=STAR),
    _zones([[2, 0], [5, 0]], only=SQUARE),
    _zones([[0, 0]] * 20, **{wide(30): COIL[:12], **{wide(n): SQUARE for n in (29, 28, 27)}, "x": LEAN, "y": STAR}),
)

GOOD = {"vertices": SQUARE, "queries": [[1, 1]]}
ZONE = {"name": "a", "vertices": SQUARE}


def _bad(**changes: Any) -> dict[str, Any]:
    """Zones of which the second has fields changed; a field changed to "gone" is taken away."""
    zone = {key: value for key, value in {**ZONE, **changes}.items() if value != "gone"}
    return {"zones": [ZONE, zone], "queries": [[1, 1]]}


MALFORMED: tuple[Input, ...] = (
    ("locate", {"queries": [[1, 1]]}),
    ("locate", {"vertices": SQUARE}),
    ("locate", {**GOOD, "vertices": SQUARE[:2]}),
    ("locate", {**GOOD, "vertices": [[i, i] for i in range(31)]}),
    ("locate", {**GOOD, "vertices": [*SQUARE, [1]]}),
    ("locate", {**GOOD, "vertices": [*SQUARE, [1, 2, 3]]}),
    ("locate", {**GOOD, "vertices": [*SQUARE, {"x": 1, "y": 1}]}),
    ("locate", {**GOOD, "vertices": [*SQUARE, [1, 1.0]]}),
    ("locate", {**GOOD, "vertices": [*SQUARE, [1, True]]}),
    ("locate", {**GOOD, "vertices": [*SQUARE, [1000001, 0]]}),
    ("locate", {**GOOD, "vertices": [*SQUARE, [0, -1000001]]}),
    ("locate", {**GOOD, "queries": [1, 1]}),
    ("locate", {**GOOD, "queries": [[1, 1]] * 21}),
    ("locate", {**GOOD, "queries": [[1, 1], [0, "1"]]}),
    ("locate", {**GOOD, "queries": [[1, 1], [0, -1000001]]}),
    ("locate", {**GOOD, "queries": None}),
    ("locate", {**GOOD, "rule": "evenodd"}),
    ("locate", {**GOOD, "rule": ""}),
    ("locate", {**GOOD, "rule": None}),
    ("locate", {**GOOD, "rule": True}),
    ("winding", {"vertices": SQUARE}),
    ("winding", {**GOOD, "vertices": None}),
    ("winding", {**GOOD, "queries": [[1, 1], []]}),
    ("winding", {**GOOD, "queries": [[1, 0.5]]}),
    ("zones", {"zones": [ZONE]}),
    ("zones", {"queries": []}),
    ("zones", {"zones": [], "queries": []}),
    ("zones", {"zones": ZONE, "queries": []}),
    ("zones", {"zones": [{**ZONE, "name": str(i)} for i in range(7)], "queries": []}),
    ("zones", _bad(name="gone")),
    ("zones", _bad(vertices="gone")),
    ("zones", _bad(name="")),
    ("zones", _bad(name=wide(31))),
    ("zones", _bad(name=7)),
    ("zones", _bad(vertices=SQUARE[:2])),
    ("zones", _bad(vertices=COIL[:13])),
    ("zones", _bad(vertices=[*SQUARE, [0, None]])),
    ("zones", {**_bad(), "queries": [[False, 1]]}),
    ("zones", {**_bad(), "queries": [[0, 0]] * 21}),
)

FAMILY = Family(
    number=51,
    slug="point-in-polygon",
    category="geometry",
    title="Point in polygon",
    purpose="Tells exactly where points lie in polygons on an integer grid, also in polygons that cross themselves, "
    "and in which of several zones.",
    notes=NOTES,
    operations=(LOCATE, WINDING, ZONES),
    program=program,
    # The pentagram. Walking it one goes twice around the middle (5, 5): inside by nonzero, though outside by even-odd.
    # (5, 8) is in the upper point, once around. (5, 2) is below both slopes: at x = 5 they are at height 3, so outside.
    # (5, 6) is on the middle bar, (10, 0) a vertex. (1, 5) is left of the upper point's side, below the bar: outside.
    golden=Case(
        op="locate",
        args={
            "vertices": STAR,
            "queries": [[5, 5], [5, 8], [5, 2], [5, 6], [10, 0], [1, 5]],
            "rule": "nonzero",
        },
        expected={"places": ["inside", "inside", "outside", "boundary", "boundary", "outside"]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
