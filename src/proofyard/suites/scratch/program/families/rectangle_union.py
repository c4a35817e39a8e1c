"""What rectangles with integer corners cover together: area, outline, pieces and holes, layers, and the gaps in a frame."""

from collections import Counter
from itertools import pairwise
from typing import Any, NamedTuple

from ..arguments import array, integer, required
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

RECTANGLE = array(integer(-1000000, 1000000), 4, 4)
OUTSIDE = 1000001
"""Farther out than any rectangle."""

Cell = tuple[int, int]


class Rectangle(NamedTuple):
    """From (left, low) to (right, high)."""

    left: int
    low: int
    right: int
    high: int


class Grid(NamedTuple):
    """The plane cut wherever a rectangle begins or ends: widths, heights, and how many rectangles cover each cell."""

    widths: list[int]
    heights: list[int]
    depth: Counter[Cell]


def check_rectangles(args: dict[str, Any]) -> None:
    """Check the arguments of `measure` and `layers`."""
    required(args, "rectangles", array(RECTANGLE, high=12))


def check_gaps(args: dict[str, Any]) -> None:
    """Check the arguments of `gaps`."""
    check_rectangles(args)
    required(args, "frame", RECTANGLE)


def measure(args: dict[str, Any]) -> object:
    """Area, perimeter, pieces and holes of the union."""
    widths, heights, depth = to_grid(args["rectangles"])
    # As much of the outline is on the right and above as on the left and below.
    left = sum(heights[j] for i, j in depth if (i - 1, j) not in depth)
    below = sum(widths[i] for i, j in depth if (i, j - 1) not in depth)
    free = {(i, j) for i in range(len(widths)) for j in range(len(heights))} - depth.keys()
    return {
        "area": sum(widths[i] * heights[j] for i, j in depth),
        "perimeter": 2 * (left + below),
        "pieces": regions(set(depth)),
        "holes": regions(free) - 1,
    }


def layers(args: dict[str, Any]) -> object:
    """The areas that one, two, three ... rectangles cover."""
    widths, heights, depth = to_grid(args["rectangles"])
    areas = [0] * max(depth.values(), default=0)
    for (i, j), count in depth.items():
        areas[count - 1] += widths[i] * heights[j]
    return {"areas": areas}


def gaps(args: dict[str, Any]) -> object:
    """What is not covered of a frame, in rectangles."""
    frame = to_rectangle(args["frame"])
    if frame.left == frame.right or frame.low == frame.high:
        raise DomainError("empty_frame", "the frame has no area")
    rectangles = sorted(map(to_rectangle, args["rectangles"]))
    cuts = {y for rectangle in [frame, *rectangles] for y in (rectangle.low, rectangle.high)}
    bands: list[tuple[int, int, list[Cell]]] = []
    for low, high in pairwise(sorted(y for y in cuts if frame.low <= y <= frame.high)):
        free = []
        end = frame.left
        for other in rectangles:
            if other.low <= low and other.high >= high and other.right > other.left:
                free.append((end, min(other.left, frame.right)))
                end = max(end, other.right)
        free = [(start, stop) for start, stop in [*free, (end, frame.right)] if start < stop]
        begin = bands.pop()[0] if bands and bands[-1][2] == free else low
        bands.append((begin, high, free))
    return {"gaps": [[start, low, stop, high] for low, high, free in bands for start, stop in free]}


def to_rectangle(numbers: list[int]) -> Rectangle:
    """An argument as a rectangle."""
    left, right = sorted(numbers[::2])
    low, high = sorted(numbers[1::2])
    return Rectangle(left, low, right, high)


def to_grid(arguments: list[list[int]]) -> Grid:
    """The cells that rectangles cover, among those of a frame around them."""
    rectangles = [to_rectangle(numbers) for numbers in arguments]
    xs = sorted({-OUTSIDE, OUTSIDE, *(x for rectangle in rectangles for x in (rectangle.left, rectangle.right))})
    ys = sorted({-OUTSIDE, OUTSIDE, *(y for rectangle in rectangles for y in (rectangle.low, rectangle.high))})
    depth = Counter(
        (i, j)
        for left, low, right, high in rectangles
        for i in range(xs.index(left), xs.index(right))
        for j in range(ys.index(low), ys.index(high))
    )
    return Grid([b - a for a, b in pairwise(xs)], [b - a for a, b in pairwise(ys)], depth)


def regions(cells: set[Cell]) -> int:
    """How many regions the cells make up; those with a common side are in the same one."""
    count = 0
    while cells:
        count += 1
        reached = [cells.pop()]
        for i, j in reached:
            beside = {(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)} & cells
            cells -= beside
            reached += beside
    return count


OPERATIONS = {
    "measure": Operation(("rectangles",), check_rectangles, measure),
    "layers": Operation(("rectangles",), check_rectangles, layers),
    "gaps": Operation(("rectangles", "frame"), check_gaps, gaps),
}
