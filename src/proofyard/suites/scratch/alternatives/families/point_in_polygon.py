"""Point in polygon: the winding number is counted in quarter turns, from the quadrants around the point."""

from collections import Counter
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "locate": ("vertices", "queries", "rule"),
    "winding": ("vertices", "queries"),
    "zones": ("zones", "queries"),
}

Point = list[int]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if not _are_points(args.get("queries"), 0, 20):
        return False
    if op == "zones":
        zones = args.get("zones")
        return isinstance(zones, list) and 1 <= len(zones) <= 6 and all(map(_is_zone, zones))
    rule = args.get("rule", "even-odd") if op == "locate" else "nonzero"
    return _are_points(args.get("vertices"), 3, 30) and rule in ("even-odd", "nonzero")


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    queries: list[Point] = args["queries"]
    if op == "zones":
        return _zones(args["zones"], queries)
    numbers = [_winding(args["vertices"], query) for query in queries]
    if op == "winding":
        return {"numbers": numbers}
    if args.get("rule", "even-odd") == "even-odd":
        numbers = [None if number is None else number % 2 for number in numbers]
    return {"places": ["boundary" if number is None else "inside" if number else "outside" for number in numbers]}


def _are_points(value: Any, least: int, most: int) -> bool:
    """Whether a value is an array of `least` to `most` points."""
    return isinstance(value, list) and least <= len(value) <= most and all(map(_is_point, value))


def _is_point(value: Any) -> bool:
    """Whether a value is a point."""
    return isinstance(value, list) and len(value) == 2 and all(map(_is_coordinate, value))


def _is_coordinate(value: Any) -> bool:
    """Whether a value is an integer in the range of coordinates."""
    return isinstance(value, int) and not isinstance(value, bool) and -1000000 <= value <= 1000000


def _is_zone(value: Any) -> bool:
    """Whether a value is a zone."""
    if not isinstance(value, dict) or not _are_points(value.get("vertices"), 3, 12):
        return False
    name = value.get("name")
    return isinstance(name, str) and 1 <= len(name) <= 30


def _quadrant(x: int, y: int) -> int:
    """The number, counter-clockwise, of the quadrant of a place other than the origin."""
    if y > 0 or (y == 0 and x > 0):
        return 0 if x > 0 else 1
    return 2 if x < 0 else 3


def _winding(vertices: list[Point], query: Point) -> int | None:
    """The winding number of a point, None on the boundary."""
    around = [(x - query[0], y - query[1]) for x, y in vertices]
    quarters = 0
    for (ax, ay), (bx, by) in zip(around, around[1:] + around[:1], strict=True):
        cross = ax * by - ay * bx
        if cross == 0 and ax * bx + ay * by <= 0:
            return None
        step = (_quadrant(bx, by) - _quadrant(ax, ay)) % 4
        if step == 2:
            quarters += 2 if cross > 0 else -2
        else:
            quarters += -1 if step == 3 else step
    return quarters // 4


def _zones(zones: list[dict[str, Any]], queries: list[Point]) -> Any:
    """The uppermost zone of each point."""
    names = [zone["name"] for zone in zones]
    if len(set(names)) < len(names):
        raise Refused("duplicate_zone")
    found = [
        next((zone["name"] for zone in reversed(zones) if _winding(zone["vertices"], query) != 0), None)
        for query in queries
    ]
    counts = Counter(found)
    return {"zones": found, "counts": [{"zone": name, "queries": counts[name]} for name in names]}
