"""Contract, inputs and the golden case of the family `segment-intersection`."""

from random import Random

from ..family import Case, Family, Input, OperationDoc, Param
from ..program.families import segment_intersection as program

__all__ = ["FAMILY"]

NOTES = (
    "A **segment** is an array `[x1, y1, x2, y2]` of exactly four integers from -1000000 to 1000000: all points on the "
    "straight line from `(x1, y1)` to `(x2, y2)`, both ends included. Both ends may be equal; the segment is then that "
    "one point, which is its end.",
    "A **fraction** is a string: `p/q` in lowest terms with q at least 2, or just `p` if it is an integer; `-` stands "
    "in front if it is negative: `7/2`, `-1/3`, `12`, `0`. A **point** in a result is an array of two fractions, x and y. "
    "Points are ordered by x, then by y, as numbers.",
    "Two segments **meet** if they have a point in common. The kind of meeting is `overlap` if they have more than one "
    "point in common; `touch` if they have exactly one and it is an end of at least one of them; `cross` if they have exactly "
    "one and it is an end of neither.",
    "Segments are numbered from 1 in the order given. There are no domain errors: every valid request has a result.",
)

MEET = OperationDoc(
    name="meet",
    summary="How and where two segments meet.",
    parameters=(
        Param(name="first", type="segment", text="the one segment"),
        Param(name="second", type="segment", text="the other segment"),
    ),
    result='`{"kind": string, "points": [[string, string], ...]}`: the kind of meeting, or `none`; and where it is.',
    rules=(
        "`points` is `[]` for `none` and holds the one common point for `touch` and `cross`. For `overlap` it holds "
        "the two ends of the common part, the smaller first.",
    ),
)

PAIRS = OperationDoc(
    name="pairs",
    summary="Which of many segments meet.",
    parameters=(Param(name="segments", type="array of 1 to 16 segments", text="the segments"),),
    result='`{"pairs": [{"first": integer, "second": integer, "kind": string}, ...], "free": [integer, ...]}`: every '
    "pair of segments that meet, with their numbers and the kind of meeting; and the numbers of the segments that meet no "
    "other, ascending.",
    rules=(
        "In a pair `first` is the smaller number. Pairs are ordered by `first`, then by `second`. A segment that is "
        "given twice is two segments.",
    ),
)

WALK = OperationDoc(
    name="walk",
    summary="Where a straight path first meets a wall.",
    parameters=(
        Param(name="path", type="segment", text="the way, from `(x1, y1)` to `(x2, y2)`"),
        Param(name="walls", type="array of 0 to 30 segments", text="the walls"),
    ),
    result='`{"wall": integer or null, "point": [string, string] or null, "share": string or null}`: the number of the '
    "wall, the point, and as a fraction which share of the path lies before it; all three `null` if the path meets no wall.",
    rules=(
        "The point is the first one on the way from the start of the path to its end, ends included, that is on a "
        "wall. `share` is 0 at the start, 1 at the end, and on a path whose ends are equal 0.",
        "If several walls hold this point, `wall` is the first of them given.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation; small grids make touching and overlapping segments frequent."""
    op = rng.choice(("meet", "pairs", "walk"))
    size = rng.choice((2, 3, 5, 9, 1000000))
    if op == "pairs":
        return op, {"segments": _segments(rng, size, rng.randint(4, 7))}
    if op == "walk":
        return op, {"path": _segment(rng, size), "walls": _segments(rng, size, rng.randint(3, 7))}
    first, second = _segment(rng, size), _segment(rng, size)
    if rng.random() < 0.3:
        dx, dy = rng.choice(((1, 0), (0, 2), (2, -3), (-1, -1)))
        first, second = ([5 + dx * a, dy * a - 4, 5 + dx * b, dy * b - 4] for a, b in (_ends(rng), _ends(rng)))
    return op, {"first": first, "second": second}


def _ends(rng: Random) -> tuple[int, int]:
    return rng.randint(-5, 5), rng.randint(-5, 5)


def _segment(rng: Random, size: int) -> list[int]:
    return [rng.randint(-size, size) for _ in range(4)]


def _segments(rng: Random, size: int, count: int) -> list[list[int]]:
    return [_segment(rng, size) for _ in range(count)]


M = 1000000
FAN = [[i, 0, 15 - i, 10] for i in range(16)]
GRATE = [[2 * i, -3, 2 * i, 3] for i in range(15)]
SHELVES = [[0, i, 20, i + 1] for i in range(15)]
FRAME = [[0, 0, 6, 0], [6, 0, 6, 6], [6, 6, 0, 6], [0, 6, 0, 0]]


def _meet(*pairs: tuple[list[int], list[int]]) -> tuple[Input, ...]:
    return tuple(("meet", {"first": first, "second": second}) for first, second in pairs)


def _walk(path: list[int], *walls: list[int]) -> Input:
    return "walk", {"path": path, "walls": list(walls)}


BOUNDARY: tuple[Input, ...] = (
    _walk([0, 0, 9, 6], [4, 0, 4, 9], [3, 9, 3, 2], [0, 4, 9, 0]),
    *_meet(
        ([0, 0, 4, 4], [0, 4, 4, 0]),
        ([0, 0, 3, 1], [1, 2, 2, -2]),
        ([-3, -1, 0, -1], [-1, -3, -2, 1]),
        ([0, 0, 4, 0], [2, 0, 2, 5]),
        ([2, 5, 2, 0], [0, 0, 4, 0]),
        ([0, 0, 4, 0], [4, 0, 9, 9]),
        ([0, 0, 4, 0], [2, 1, 2, 5]),
        ([0, 0, 4, 0], [5, -1, 5, 5]),
        ([0, 0, 6, 3], [2, 2, 4, 3]),
        ([0, 0, 6, 3], [9, 0, 4, 5]),
        ([6, 3, 0, 0], [-1, 0, 1, -4]),
        ([0, 0, 1, 1], [M, 0, 0, M]),
        ([0, 0, 4, 0], [0, 1, 4, 1]),
        ([0, 0, 4, 2], [2, 1, 6, 3]),
        ([6, 3, 2, 1], [4, 2, 0, 0]),
        ([0, 0, 4, 2], [4, 2, 6, 3]),
        ([0, 0, 4, 2], [6, 3, 8, 4]),
        ([8, 4, 6, 3], [0, 0, 4, 2]),
        ([0, 9, 0, 1], [0, 3, 0, 5]),
        ([0, 3, 0, 5], [0, 1, 0, 9]),
        ([3, 7, 1, 1], [1, 1, 3, 7]),
        ([5, -1, 1, 3], [1, 3, 3, 1]),
        ([2, 1, 2, 1], [0, 0, 4, 2]),
        ([0, 0, 4, 2], [2, 2, 2, 2]),
        ([0, 0, 4, 2], [6, 3, 6, 3]),
        ([7, 7, 7, 7], [7, 7, 7, 7]),
        ([7, 7, 7, 7], [7, 8, 7, 8]),
        ([4, 2, 4, 2], [4, 2, 0, 0]),
        ([-M, -M, M, M], [-M, M, M, M - 1]),
        ([-M, -M, M, M - 1], [-M, 1 - M, M, M - 2]),
        ([-M, -M, M, M - 1], [0, 0, 1, 0]),
        ([-M, -M, M, M], [M, M, M - 1, M - 1]),
    ),
    ("pairs", {"segments": [[3, 4, 5, 6]]}),
    ("pairs", {"segments": [[1, 1, 1, 1], [1, 1, 1, 1], [2, 1, 2, 1]]}),
    ("pairs", {"segments": FRAME}),
    ("pairs", {"segments": [[0, 0, 5, 5], [9, 9, 9, 9], [5, 0, 0, 5], [0, 0, 5, 5], [3, 3, 8, 8], [5, 5, 4, 0]]}),
    ("pairs", {"segments": [[1, 5, 9, 5], [1, 6, 9, 6], [1, 7, 9, 7]]}),
    ("pairs", {"segments": [[9, 9, 8, 8], [0, 0, 4, 0], [1, 3, 1, -3], [2, 1, 2, 0], [5, 0, 8, 0], [4, 0, 3, 0]]}),
    ("pairs", {"segments": FAN}),
    _walk([0, 0, 9, 6]),
    _walk([0, 0, 9, 6], [0, 1, 9, 7], [10, 0, 10, 9]),
    _walk([0, 0, 9, 6], [4, 0, 4, 9], [3, 0, 5, 5], [9, 9, 0, 3]),
    _walk([9, 6, 0, 0], [4, 0, 4, 9], [3, 9, 3, 2], [0, 4, 9, 0]),
    _walk([3, 3, 9, 3], *FRAME),
    _walk([3, 3, -9, -9], *FRAME),
    _walk([3, 3, -9, -9], *FRAME[::-1]),
    _walk([3, 0, 3, 9], *FRAME[1:], FRAME[0], [3, 0, 9, 0]),
    _walk([0, 0, 0, 8], [0, 6, 0, 3], [1, 3, -1, 3]),
    _walk([0, 8, 0, 0], [0, 6, 0, 3], [1, 3, -1, 3]),
    _walk([2, 4, 8, 1], [0, 5, 3, 3], [10, 0, 6, 2], [5, 0, 5, 2]),
    _walk([8, 1, 2, 4], [7, 9, 7, 2], [10, 0, 7, 1], [4, 3, 6, 2]),
    _walk([0, 0, 5, 0], [9, 0, 5, 0], [5, 2, 5, -2]),
    _walk([0, 0, 5, 0], [0, 0, 0, 0], [0, 3, 0, 0]),
    _walk([5, 5, 5, 5], [0, 0, 4, 4], [0, 0, 9, 9], [5, 5, 5, 5]),
    _walk([5, 5, 5, 5], [0, 0, 4, 4]),
    _walk([-M, -M, M, M - 1], [M, M, -M, 3 - M], [M, 0, 0, -M]),
    _walk([29, 1, -1, 2], *GRATE, *SHELVES),
)

GOOD = {"first": [0, 0, 1, 1], "second": [0, 1, 1, 0]}
PATH = {"path": [0, 0, 1, 1], "walls": [[0, 1, 1, 0]]}

MALFORMED: tuple[Input, ...] = (
    ("meet", {"first": [0, 0, 1, 1]}),
    ("meet", {"second": [0, 0, 1, 1]}),
    ("meet", {**GOOD, "first": None}),
    ("meet", {**GOOD, "first": [0, 0, 1]}),
    ("meet", {**GOOD, "first": [0, 0, 1, 1, 1]}),
    ("meet", {**GOOD, "first": [[0, 0], [1, 1]]}),
    ("meet", {**GOOD, "first": {"x1": 0, "y1": 0, "x2": 1, "y2": 1}}),
    ("meet", {**GOOD, "first": [0, 0, 1, 1.0]}),
    ("meet", {**GOOD, "second": [0, 0.5, 1, 1]}),
    ("meet", {**GOOD, "second": [True, 0, 1, 1]}),
    ("meet", {**GOOD, "second": [0, 0, "1", 1]}),
    ("meet", {**GOOD, "second": [0, 0, 1000001, 1]}),
    ("meet", {**GOOD, "second": [0, 0, 1, -1000001]}),
    ("meet", {**GOOD, "second": [0, None, 1, 1]}),
    ("pairs", {}),
    ("pairs", {"segments": []}),
    ("pairs", {"segments": [0, 0, 1, 1]}),
    ("pairs", {"segments": [[0, 0, 1, 1]] * 17}),
    ("pairs", {"segments": [[0, 0, 1, 1], []]}),
    ("pairs", {"segments": [[0, 0, 1, 1], [0, 0, 1, False]]}),
    ("pairs", {"segments": "[[0, 0, 1, 1]]"}),
    ("walk", {"walls": []}),
    ("walk", {"path": [0, 0, 1, 1]}),
    ("walk", {**PATH, "path": [1, 1]}),
    ("walk", {**PATH, "path": [[0, 0, 1, 1]]}),
    ("walk", {**PATH, "path": [0, 0, 1, 1000001]}),
    ("walk", {**PATH, "walls": None}),
    ("walk", {**PATH, "walls": [[0, 1, 1, 0]] * 31}),
    ("walk", {**PATH, "walls": [[0, 1, 1, 0], [0, 1, 1]]}),
    ("walk", {**PATH, "walls": [[0, 1, 1, 0], 5]}),
    ("walk", {**PATH, "walls": [[0, 1, 1, -1000001]]}),
)

FAMILY = Family(
    number=52,
    slug="segment-intersection",
    category="geometry",
    title="Segment intersection",
    purpose="Tells exactly where line segments on an integer grid meet: two of them, all pairs of many, and the first "
    "wall on a path.",
    notes=NOTES,
    operations=(MEET, PAIRS, WALK),
    program=program,
    # The first: y = x / 3 for x from 0 to 6. The second: y = 3 - 5 (x - 1) / 3 for x from 1 to 4. They are equal where
    # x = 9 - 5x + 5, so x = 14/6 = 7/3 and y = 7/9. It is between 0 and 6 and between 1 and 4, and no end.
    golden=Case(
        op="meet",
        args={"first": [6, 2, 0, 0], "second": [1, 3, 4, -2]},
        expected={"kind": "cross", "points": [["7/3", "7/9"]]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
