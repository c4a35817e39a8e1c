"""Life-like cellular automata on a small grid: generations, and when they begin to repeat."""

import re
from typing import Any

from ..arguments import array, enum, integer, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

ASCENDING = "(0?1?2?3?4?5?6?7?8?)"
RULE = re.compile(f"B{ASCENDING}/S{ASCENDING}")

Grid = tuple[tuple[int, ...], ...]


def check_grid(args: dict[str, Any]) -> None:
    """Check the arguments of both operations that say how the grid evolves."""
    required(args, "rows", array(string(1, 12), 1, 12))
    optional(args, "rule", string(high=30))
    optional(args, "outside", enum("dead", "alive", "wrap"))


def check_evolve(args: dict[str, Any]) -> None:
    """Check the arguments of `evolve`."""
    check_grid(args)
    required(args, "generations", integer(0, 20))


def check_cycle(args: dict[str, Any]) -> None:
    """Check the arguments of `cycle`."""
    check_grid(args)
    required(args, "limit", integer(1, 20))


def evolve(args: dict[str, Any]) -> object:
    """The grid after some generations."""
    history = run(args, args["generations"])
    return {
        "rows": ["".join(".#"[cell] for cell in row) for row in history[-1]],
        "populations": [population(grid) for grid in history],
    }


def cycle(args: dict[str, Any]) -> object:
    """The first generation that was there before."""
    history = run(args, args["limit"])
    for number, grid in enumerate(history):
        start = history.index(grid)
        if start < number:
            peak = max(history[:number], key=population)
            return {
                "start": start,
                "period": number - start,
                "peak": population(peak),
                "peak_at": history.index(peak),
            }
    raise DomainError("no_cycle", "no generation up to the limit repeats an earlier one")


def population(grid: Grid) -> int:
    """How many cells are alive."""
    return sum(map(sum, grid))


def run(args: dict[str, Any], generations: int) -> list[Grid]:
    """The grid and all generations after it."""
    rows = args["rows"]
    for index, row in enumerate(rows):
        if len(row) != len(rows[0]) or not set(row) <= {".", "#"}:
            raise DomainError("bad_grid", "the rows differ in length or hold other characters", row=index)
    rule = RULE.fullmatch(args.get("rule", "B3/S23"))
    if rule is None:
        raise DomainError("bad_rule", "the rule is not of the form B3/S23")
    counts = [{int(digit) for digit in digits} for digits in rule.groups()]
    history = [tuple(tuple(".#".index(char) for char in row) for row in rows)]
    while len(history) <= generations:
        history.append(following(history[-1], counts, args.get("outside")))
    return history


def following(grid: Grid, counts: list[set[int]], outside: str | None) -> Grid:
    """The next generation: a cell is alive if its live neighbours are among the counts for what it was."""
    rim, wrap = int(outside == "alive"), outside == "wrap"
    across = [threes(row, rim, wrap) for row in grid]
    down = [threes(column, 3 * rim, wrap) for column in zip(*across, strict=True)]
    return tuple(
        tuple(int(total - cell in counts[cell]) for cell, total in zip(row, totals, strict=True))
        for row, totals in zip(grid, zip(*down, strict=True), strict=True)
    )


def threes(line: tuple[int, ...], rim: int, wrap: bool) -> list[int]:
    """Each item together with the one before and the one after it."""
    before, after = (line[-1], line[0]) if wrap else (rim, rim)
    wide = (before, *line, after)
    return [a + b + c for a, b, c in zip(wide[:-2], line, wide[2:], strict=True)]


OPERATIONS = {
    "evolve": Operation(("rows", "rule", "outside", "generations"), check_evolve, evolve),
    "cycle": Operation(("rows", "rule", "outside", "limit"), check_cycle, cycle),
}
