"""Union of rectangles: the plane is cut along all sides into a table of cells, with an endless rim around it."""

from itertools import pairwise
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "measure": ("rectangles",),
    "layers": ("rectangles",),
    "gaps": ("rectangles", "frame"),
}

Rectangle = tuple[int, int, int, int]
Cell = tuple[int, int]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    rectangles = args.get("rectangles")
    if not isinstance(rectangles, list) or len(rectangles) > 12 or not all(map(_is_rectangle, rectangles)):
        return False
    return op != "gaps" or _is_rectangle(args.get("frame"))


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    rectangles = [_upright(rectangle) for rectangle in args["rectangles"]]
    rectangles = [rectangle for rectangle in rectangles if _has_area(rectangle)]
    if op == "measure":
        return _measure(rectangles)
    if op == "layers":
        return _layers(rectangles)
    frame = _upright(args["frame"])
    if not _has_area(frame):
        raise Refused("empty_frame")
    return {"gaps": _gaps(rectangles, frame)}


def _is_rectangle(value: Any) -> bool:
    """Whether a value is a rectangle."""
    return (
        isinstance(value, list)
        and len(value) == 4
        and all(isinstance(each, int) and not isinstance(each, bool) and abs(each) <= 1000000 for each in value)
    )


def _upright(given: list[int]) -> Rectangle:
    """A rectangle from its lower left to its upper right corner."""
    return min(given[0], given[2]), min(given[1], given[3]), max(given[0], given[2]), max(given[1], given[3])


def _has_area(rectangle: Rectangle) -> bool:
    """Whether a rectangle covers anything."""
    return rectangle[0] < rectangle[2] and rectangle[1] < rectangle[3]


def _cuts(rectangles: list[Rectangle], axis: int) -> list[int]:
    """The different coordinates of all sides on an axis, ascending."""
    return sorted({rectangle[at] for rectangle in rectangles for at in (axis, axis + 2)})


def _depth(rectangles: list[Rectangle], x: int, y: int) -> int:
    """How many rectangles cover the cell whose lower left corner is a point."""
    return sum(left <= x < right and low <= y < high for left, low, right, high in rectangles)


def _regions(cells: set[Cell]) -> int:
    """In how many regions cells lie that are joined by their sides."""
    left, count = set(cells), 0
    while left:
        count += 1
        fresh = {left.pop()}
        while fresh:
            beside = {(x + dx, y + dy) for x, y in fresh for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
            fresh = beside & left
            left -= fresh
    return count


def _measure(rectangles: list[Rectangle]) -> Any:
    """Area, perimeter, pieces and holes."""
    if not rectangles:
        return {"area": 0, "perimeter": 0, "pieces": 0, "holes": 0}
    xs, ys = _cuts(rectangles, 0), _cuts(rectangles, 1)
    full = {(i, j) for i, x in enumerate(xs) for j, y in enumerate(ys) if _depth(rectangles, x, y)}
    free = {(i, j) for i in range(-1, len(xs)) for j in range(-1, len(ys))} - full
    perimeter = 0
    for i, j in full:
        perimeter += (xs[i + 1] - xs[i]) * (((i, j - 1) in free) + ((i, j + 1) in free))
        perimeter += (ys[j + 1] - ys[j]) * (((i - 1, j) in free) + ((i + 1, j) in free))
    return {
        "area": sum((xs[i + 1] - xs[i]) * (ys[j + 1] - ys[j]) for i, j in full),
        "perimeter": perimeter,
        "pieces": _regions(full),
        "holes": _regions(free) - 1,
    }


def _layers(rectangles: list[Rectangle]) -> Any:
    """The areas by the number of rectangles that cover them."""
    areas = [0] * (len(rectangles) + 1)
    for x, right in pairwise(_cuts(rectangles, 0)):
        for y, high in pairwise(_cuts(rectangles, 1)):
            areas[_depth(rectangles, x, y)] += (right - x) * (high - y)
    deepest = max((depth for depth, area in enumerate(areas) if area), default=0)
    return {"areas": areas[1 : deepest + 1]}


def _gaps(rectangles: list[Rectangle], frame: Rectangle) -> list[list[int]]:
    """The free rectangles of a frame, band by band."""
    left, bottom, right, top = frame
    bands: list[tuple[int, list[list[int]]]] = []
    for y in (y for y in _cuts([*rectangles, frame], 1) if bottom <= y < top):
        stretches: list[list[int]] = []
        at = left
        for x, _, end, _ in sorted(each for each in rectangles if each[1] <= y < each[3]):
            if x > at:
                stretches.append([at, min(x, right)])
            at = max(at, min(end, right))
            if at == right:
                break
        if at < right:
            stretches.append([at, right])
        if not bands or bands[-1][1] != stretches:
            bands.append((y, stretches))
    ends = [y for y, _ in bands[1:]] + [top]
    return [[x, y, end, high] for (y, stretches), high in zip(bands, ends, strict=True) for x, end in stretches]
