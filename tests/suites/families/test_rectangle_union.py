"""Unions of rectangles painted on a raster with numpy, labelled by scipy, and measured by shapely."""

from typing import Any

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from proofyard.suites.scratch.families.rectangle_union import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "numpy rasters, scipy and shapely"

RECTANGLE = st.lists(st.integers(0, 6), min_size=4, max_size=4)
RECTANGLES = st.lists(RECTANGLE, max_size=7)
EDGE = 64


def raster(rectangles: list[list[int]]) -> Any:
    """How often each unit square from -EDGE to EDGE is covered, first index x."""
    depth = np.zeros((2 * EDGE, 2 * EDGE), dtype=int)
    for x1, y1, x2, y2 in rectangles:
        depth[min(x1, x2) + EDGE : max(x1, x2) + EDGE, min(y1, y2) + EDGE : max(y1, y2) + EDGE] += 1
    return depth


def measure(rectangles: list[list[int]]) -> Any:
    covered = raster(rectangles) > 0
    steps = (np.diff(covered.astype(int), axis=axis) != 0 for axis in (0, 1))
    return {
        "area": int(covered.sum()),
        "perimeter": sum(int(step.sum()) for step in steps),
        "pieces": ndimage.label(covered)[1],
        "holes": ndimage.label(~covered)[1] - 1,
    }


def layers(rectangles: list[list[int]]) -> Any:
    counts = np.bincount(raster(rectangles).ravel())
    return {"areas": [int(count) for count in counts[1:]]}


def gaps(rectangles: list[list[int]], frame: list[int]) -> Any:
    """Row by row; a row like the one below makes its rectangles higher."""
    left, right, low, high = *sorted(frame[::2]), *sorted(frame[1::2])
    if left == right or low == high:
        return {"code": "empty_frame"}
    depth = raster(rectangles)
    found: list[list[int]] = []
    before: list[list[int]] = []
    for y in range(low, high):
        row = "".join("." if depth[x + EDGE, y + EDGE] == 0 else "#" for x in range(left, right))
        starts = [x for x in range(len(row)) if row[x] == "." and row[x - 1 : x] != "."]
        stretches = [[x, x + len(row[x:].split("#")[0])] for x in starts]
        if y > low and stretches == before:
            for rectangle in found[len(found) - len(stretches) :]:
                rectangle[3] = y + 1
        else:
            found += [[left + start, y, left + end, y + 1] for start, end in stretches]
        before = stretches
    return {"gaps": found}


def small(*rectangles: list[int]) -> bool:
    return all(abs(value) < EDGE for rectangle in rectangles for value in rectangle)


@settings(max_examples=60)
@given(RECTANGLES, RECTANGLE)
def test_small_rectangles(rectangles: list[list[int]], frame: list[int]) -> None:
    assert play(FAMILY, "measure", {"rectangles": rectangles}) == measure(rectangles)
    assert play(FAMILY, "layers", {"rectangles": rectangles}) == layers(rectangles)
    assert play(FAMILY, "gaps", {"rectangles": rectangles, "frame": frame}) == gaps(rectangles, frame)


def test_its_own_inputs() -> None:
    for op, wanted in (("measure", measure), ("layers", layers)):
        for args in of(FAMILY, op, 150):
            if small(*args["rectangles"]):
                assert play(FAMILY, op, args) == wanted(args["rectangles"])
    for args in of(FAMILY, "gaps", 100):
        if small(*args["rectangles"], args["frame"]):
            assert play(FAMILY, "gaps", args) == gaps(args["rectangles"], args["frame"])


def boxes(rectangles: list[list[int]]) -> Any:
    return shapely.union_all([shapely.box(*r) for r in rectangles if r[0] != r[2] and r[1] != r[3]])


def test_large_rectangles_against_shapely() -> None:
    for args in of(FAMILY, "measure", 200):
        union, result = boxes(args["rectangles"]), play(FAMILY, "measure", args)
        assert (result["area"], result["perimeter"]) == (round(union.area), round(union.length))
        assert result["pieces"] == len(shapely.get_parts(union))
        assert sum(play(FAMILY, "layers", args)["areas"]) == result["area"]
    for args in of(FAMILY, "gaps", 200):
        result = play(FAMILY, "gaps", args)
        if "code" not in result:
            free = shapely.box(*args["frame"]).difference(boxes(args["rectangles"]))
            assert round(free.area) == sum((x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in result["gaps"])
            assert round(free.symmetric_difference(boxes(result["gaps"])).area) == 0
            assert result["gaps"] == sorted(result["gaps"], key=lambda r: (r[1], r[0]))
