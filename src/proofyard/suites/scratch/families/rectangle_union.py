"""Contract, inputs and the golden case of the family `rectangle-union`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import rectangle_union as program

__all__ = ["FAMILY"]

NOTES = (
    "A **rectangle** is an array `[x1, y1, x2, y2]` of exactly four integers from -1000000 to 1000000: `(x1, y1)` and "
    "`(x2, y2)` are any two opposite corners, in either order, and the sides are parallel to the axes; x grows to the right, "
    "y upwards. If x1 = x2 or y1 = y2 the rectangle has no area and covers nothing at all. In results x1 < x2 and y1 < y2.",
    "Rectangles may overlap, touch, lie in each other and be equal. What at least one of them covers is the **union**.",
)

RECTANGLES = Param(name="rectangles", type="array of 0 to 12 rectangles", text="the rectangles, in any order")

MEASURE = OperationDoc(
    name="measure",
    summary="Area, perimeter, pieces and holes of the union.",
    parameters=(RECTANGLES,),
    result='`{"area": integer, "perimeter": integer, "pieces": integer, "holes": integer}`: the area of the union; the '
    "length of all lines that divide what is covered from what is not, around the pieces and around the holes; and the "
    "numbers of pieces and holes. All are 0 if nothing is covered.",
    rules=(
        "Two parts of the union that overlap or have a stretch of a side in common (longer than 0) belong to the same "
        "piece; parts that only touch at a corner do not, unless other parts join them.",
        "What is not covered falls into regions in the same way: regions that only touch at a corner are different. Every "
        "such region except the endless one outside is a hole. So a ring whose parts only touch at their corners "
        "encloses a hole too.",
    ),
)

LAYERS = OperationDoc(
    name="layers",
    summary="How much is covered once, twice and so on.",
    parameters=(RECTANGLES,),
    result='`{"areas": [integer, ...]}`: the area that exactly one rectangle covers, the area that exactly two cover, '
    "and so on up to the greatest number of rectangles that cover the same place; `[]` if nothing is covered.",
    rules=(
        "Each rectangle given counts for itself, equal ones too. A number in between that no place has is listed with "
        "the area 0.",
    ),
)

GAPS = OperationDoc(
    name="gaps",
    summary="What the union leaves free in a frame, cut into rectangles.",
    parameters=(RECTANGLES, Param(name="frame", type="rectangle", text="the frame")),
    result='`{"gaps": [[integer, integer, integer, integer], ...]}`: rectangles `[x1, y1, x2, y2]` that do not '
    "overlap and together are all of the frame that is not covered, ordered by y1, then by x1.",
    errors=(ErrorDoc(code="empty_frame", when="the frame has no area"),),
    rules=(
        "At a height y at which no rectangle begins or ends, the free stretches are the stretches of x, each as long as "
        "possible, within the frame that are not covered. The frame is cut into horizontal bands, each as high as possible, "
        "in which the free stretches are the same at all such heights; every free stretch of a band is one rectangle, as "
        "high as the band.",
        "So two rectangles of the result may touch at their lower and upper sides, if their bands have different stretches, "
        "but never at their left and right sides. If the whole frame is covered, `gaps` is `[]`.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation on a grid so small that the rectangles touch and overlap."""
    op = rng.choice(("measure", "measure", "layers", "gaps"))
    size = rng.choice((4, 6, 8, 12, 1000000))
    args: dict[str, Any] = {"rectangles": [_rectangle(rng, size) for _ in range(rng.randint(4, 9))]}
    if rng.random() < 0.3:
        args["rectangles"] += _ring(rng)
    if op == "gaps":
        inner = size // 2
        args["frame"] = [
            rng.randint(-size, -inner),
            rng.randint(-size, -1),
            rng.randint(1, size),
            rng.randint(inner, size),
        ]
        if rng.random() < 0.07:
            args["frame"][3] = args["frame"][1]
    return op, args


def _rectangle(rng: Random, size: int) -> list[int]:
    wide, high = rng.randint(0 if rng.random() < 0.1 else 1, max(1, size // 2)), rng.randint(1, max(1, size // 2))
    x, y = rng.randint(-size, size - wide), rng.randint(-size, size - high)
    return rng.choice(([x, y, x + wide, y + high], [x + wide, y, x, y + high], [x + wide, y + high, x, y]))


def _ring(rng: Random) -> list[list[int]]:
    """Three sides and a half of a square."""
    x, y = rng.randint(-4, 0), rng.randint(-4, 0)
    return [[x, y, x + 4, y + 1], [x, y + 1, x + 1, y + 4], [x + 1, y + 3, x + 4, y + 4]]


M = 1000000
HASH = [[-6, -2, 6, -1], [-6, 1, 6, 2], [-2, -6, -1, 6], [1, -6, 2, 6]]
BOARD = [[x, y, x + 1, y + 1] for x in range(4) for y in range(4) if (x + y) % 2][:8]
RING = [[0, 0, 3, 1], [2, 1, 3, 3], [0, 1, 1, 3], [1, 2, 2, 3]]
CORNERS = [[0, 0, 2, 1], [2, 1, 3, 2], [0, 2, 2, 3], [-1, 1, 0, 2]]
TWELVE = [[7 * i % 12 - 20, 5 * i % 12 - 9, 7 * i % 12 - 8, 5 * i % 12 + 1 + i] for i in range(12)]
STAIRS = [[2 * i, 3 * i, 2 * i + 7, 3 * i + 5] for i in range(12)]
NOTHING = [[3, 0, 3, 9], [0, 4, 9, 4], [5, 5, 5, 5]]
NESTED = [[0, 0, 9, 9], [1, 1, 8, 8], [2, 2, 7, 7], [1, 1, 8, 8]]


def _all(*unions: list[list[int]]) -> tuple[Input, ...]:
    return tuple((op, {"rectangles": union}) for union in unions for op in ("measure", "layers"))


def _gaps(frame: list[int], *rectangles: list[int]) -> Input:
    return "gaps", {"rectangles": list(rectangles), "frame": frame}


BOUNDARY: tuple[Input, ...] = (
    _gaps([0, 0, 10, 8], [2, 1, 4, 6], [6, 3, 12, 7], [7, -1, 9, 1]),
    *_all(
        [],
        NOTHING,
        [[4, 7, 1, -2]],
        [[0, 0, 2, 2], [2, 0, 4, 2]],
        [[0, 0, 2, 2], [0, 2, 2, 4]],
        [[0, 0, 2, 2], [2, 2, 4, 4]],
        [[0, 0, 2, 2], [3, 0, 5, 2]],
        [[0, 0, 4, 4], [4, 4, 0, 0], [0, 4, 4, 0]],
        [[0, 0, 6, 2], [2, -2, 4, 5]],
        NESTED,
        RING,
        RING[:-1],
        CORNERS,
        BOARD,
        HASH,
        TWELVE,
        STAIRS,
        [[-M, -M, M, M], [-M, -M, M, M], [0, 0, 1, 1]],
    ),
    ("measure", {"rectangles": [*RING, [5, 5, 6, 6], *HASH[:2]]}),
    ("measure", {"rectangles": [[0, 0, 5, 1], [0, 1, 1, 5], [4, 1, 5, 5], [1, 4, 4, 5], [2, 2, 3, 3]]}),
    ("measure", {"rectangles": [[0, 0, 4, 1], [0, 2, 4, 3], [0, 0, 1, 3], [3, 0, 4, 3], [2, 1, 3, 2], [0, 4, 4, 5]]}),
    ("measure", {"rectangles": [*RING, [1, 0, 1, 3]]}),
    ("layers", {"rectangles": [[0, 0, 2, 2]] * 12}),
    ("layers", {"rectangles": [[0, 0, 3, 3], [3, 3, 0, 0], [1, 1, 2, 2], [1, 2, 2, 1], [9, 9, 9, 10]]}),
    _gaps([0, 0, 0, 5], [1, 1, 2, 2]),
    _gaps([0, 5, 3, 5], [1, 1, 2, 2]),
    _gaps([4, 3, -1, -2]),
    _gaps([0, 0, 5, 5], *NOTHING),
    _gaps([0, 0, 5, 5], [0, 0, 5, 5]),
    _gaps([0, 0, 5, 5], [-9, -9, 9, 9]),
    _gaps([0, 0, 5, 5], [5, 0, 9, 5], [0, 5, 5, 7], [-3, -3, 0, 0]),
    _gaps([0, 0, 5, 5], [5, 5, 1, 1]),
    _gaps([0, 0, 9, 9], [1, 1, 3, 8], [6, 2, 8, 4], [3, 2, 6, 4]),
    _gaps([0, 0, 9, 9], [1, 0, 3, 5], [1, 5, 3, 9]),
    _gaps([0, 0, 9, 9], [1, 0, 3, 5], [1, 6, 3, 9]),
    _gaps([0, 0, 9, 9], [1, 3, 2, 4], [1, 4, 2, 5], [4, 4, 8, 5], [4, 3, 8, 4]),
    _gaps([0, 0, 9, 3], [-5, 1, 20, 2]),
    _gaps([0, 0, 6, 6], [4, 1, 5, 5], [1, 1, 3, 5], [1, 2, 2, 9]),
    _gaps([0, 0, 6, 6], [1, 1, 5, 3], [2, 1, 3, 3], [8, 1, 9, 3], [-3, 1, -1, 3]),
    _gaps([0, 0, 6, 2], [7, 0, 9, 2], [-4, 0, -1, 2]),
    _gaps([-3, -3, 3, 3], *HASH),
    _gaps([0, 0, 4, 4], *BOARD),
    _gaps([M, M, -M, -M], *TWELVE),
    _gaps([-1, -1, 30, 40], *STAIRS),
)

ONE = [0, 0, 1, 1]

MALFORMED: tuple[Input, ...] = (
    ("measure", {}),
    ("measure", {"rectangles": None}),
    ("measure", {"rectangles": ONE}),
    ("measure", {"rectangles": [ONE] * 13}),
    ("measure", {"rectangles": [ONE, [0, 0, 1]]}),
    ("measure", {"rectangles": [ONE, [0, 0, 1, 1, 1]]}),
    ("measure", {"rectangles": [ONE, [[0, 0], [1, 1]]]}),
    ("measure", {"rectangles": [ONE, {"x1": 0, "y1": 0, "x2": 1, "y2": 1}]}),
    ("measure", {"rectangles": [ONE, [0, 0, 1, 1.0]]}),
    ("measure", {"rectangles": [ONE, [0, 0.5, 1, 1]]}),
    ("measure", {"rectangles": [ONE, [True, 0, 1, 1]]}),
    ("measure", {"rectangles": [ONE, [0, 0, "1", 1]]}),
    ("measure", {"rectangles": [ONE, [0, 0, None, 1]]}),
    ("measure", {"rectangles": [ONE, [0, 0, 1000001, 1]]}),
    ("measure", {"rectangles": [ONE, [0, -1000001, 1, 1]]}),
    ("layers", {}),
    ("layers", {"rectangles": "none"}),
    ("layers", {"rectangles": [ONE] * 13}),
    ("layers", {"rectangles": [ONE, []]}),
    ("layers", {"rectangles": [ONE, [0, 0, 1, False]]}),
    ("gaps", {"rectangles": [ONE]}),
    ("gaps", {"frame": ONE}),
    ("gaps", {"rectangles": [ONE], "frame": None}),
    ("gaps", {"rectangles": [ONE], "frame": [ONE]}),
    ("gaps", {"rectangles": [ONE], "frame": [0, 0, 1]}),
    ("gaps", {"rectangles": [ONE], "frame": [0, 0, 1, 1000001]}),
    ("gaps", {"rectangles": [ONE], "frame": [0, 0, 1, 1.0]}),
    ("gaps", {"rectangles": [ONE, 1], "frame": [0, 0, 0, 0]}),
    ("gaps", {"rectangles": [ONE] * 13, "frame": ONE}),
)

FAMILY = Family(
    number=53,
    slug="rectangle-union",
    category="geometry",
    title="Union of rectangles",
    purpose="Computes what rectangles on an integer grid cover together: area, perimeter, pieces and holes, how much is "
    "covered several times, and what remains free in a frame.",
    notes=NOTES,
    operations=(MEASURE, LAYERS, GAPS),
    program=program,
    # The first three are an open frame of area 5 + 3 + 4 = 12; [4, 2, 6, 4] touches it only at (4, 4): a piece of its own, area
    # 4, and between it and (4, 1) there is a way out: no hole. [2, 2, 3, 3] is a third piece, area 1; the last covers nothing.
    # 12 + 4 + 1 = 17. Perimeters: 12 + 8 + 10 less twice the two shared sides of length 1: 26; 8; 4. Together 38.
    golden=Case(
        op="measure",
        args={"rectangles": [[5, 1, 0, 0], [0, 1, 1, 4], [0, 5, 4, 4], [4, 2, 6, 4], [2, 2, 3, 3], [2, 3, 3, 3]]},
        expected={"area": 17, "perimeter": 38, "pieces": 3, "holes": 0},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
