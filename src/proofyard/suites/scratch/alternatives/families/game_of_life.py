"""Game of Life: each generation framed by what is outside, the rule as a regular expression and two sets of digits."""

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "evolve": ("rows", "rule", "outside", "generations"),
    "cycle": ("rows", "rule", "outside", "limit"),
}
DIGITS = "(0?1?2?3?4?5?6?7?8?)"
RULE = re.compile(f"B{DIGITS}/S{DIGITS}")


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _text(value: Any, low: int, high: int) -> bool:
    """Whether a value is a string of a length in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all types and ranges are right."""
    rows, outside = args.get("rows"), args.get("outside", "dead")
    if not (isinstance(rows, list) and 1 <= len(rows) <= 12 and all(_text(row, 1, 12) for row in rows)):
        return False
    if not _text(args.get("rule", ""), 0, 30) or not isinstance(outside, str):
        return False
    number, least = (args.get("generations"), 0) if op == "evolve" else (args.get("limit"), 1)
    return outside in ("dead", "alive", "wrap") and type(number) is int and least <= number <= 20


def _framed(lines: list[str], outside: str, blank: str) -> list[str]:
    """Lines with one more line before and after."""
    return [lines[-1], *lines, lines[0]] if outside == "wrap" else [blank, *lines, blank]


def _next(rows: list[str], births: str, survivals: str, outside: str) -> list[str]:
    """The next generation."""
    cell = "#" if outside == "alive" else "."
    wide = ["".join(_framed(list(row), outside, cell)) for row in rows]
    tall = _framed(wide, outside, cell * (len(rows[0]) + 2))
    new = []
    for y, row in enumerate(rows):
        blocks = ["".join(line[x : x + 3] for line in tall[y : y + 3]) for x in range(len(row))]
        lives = [str((b[:4] + b[5:]).count("#")) in (survivals if b[4] == "#" else births) for b in blocks]
        new.append("".join(".#"[alive] for alive in lives))
    return new


def _generations(args: dict[str, Any]) -> "Iterator[list[str]]":
    """Generation 0 and all later ones; a faulty grid or rule is refused."""
    rows = args["rows"]
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]) or not set(row) <= {".", "#"}:
            raise Refused("bad_grid", row=number)
    rule = RULE.fullmatch(args.get("rule", "B3/S23"))
    if rule is None:
        raise Refused("bad_rule")
    while True:
        yield rows
        rows = _next(rows, rule[1], rule[2], args.get("outside", "dead"))


def _population(rows: list[str]) -> int:
    """The number of live cells."""
    return "".join(rows).count("#")


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation."""
    if op == "evolve":
        grids = list(islice(_generations(args), args["generations"] + 1))
        return {"rows": list(grids[-1]), "populations": [_population(rows) for rows in grids]}
    seen: list[list[str]] = []
    for rows in islice(_generations(args), args["limit"] + 1):
        if rows in seen:
            start, populations = seen.index(rows), [_population(old) for old in seen]
            peak = max(populations)
            return {"start": start, "period": len(seen) - start, "peak": peak, "peak_at": populations.index(peak)}
        seen.append(rows)
    raise Refused("no_cycle")
