"""Cross-tabulates records by two of their fields."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from ..arguments import array, enum, integer, mapping, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

INTEGER = integer(-(10**9), 10**9)
Label = tuple[bool, Any]


class Groups(NamedTuple):
    """The values of each pair of a row and a column, the labels of both in order, and how many records were left out."""

    cells: dict[tuple[Label, Label], list[Any]]
    rows: list[Label]
    columns: list[Label]
    dropped: int


def check_shares(args: dict[str, Any]) -> None:
    """Check the arguments of `shares`."""
    required(args, "records", array(mapping(check_cell, high=10), high=40))
    for name in ("row", "column", "value"):
        required(args, name, string())


def check_pivot(args: dict[str, Any]) -> None:
    """Check the arguments of `pivot`."""
    check_shares(args)
    required(args, "function", enum("count", "sum", "min", "max", "mean"))
    optional(args, "order", enum("label", "total"))


def check_cell(value: object, where: str) -> None:
    """Check that a value is a string or a small integer."""
    if not isinstance(value, str):
        INTEGER(value, where)


def pivot(args: dict[str, Any]) -> object:
    """The table with one aggregate a cell, and that of whole rows, whole columns and everything."""
    function = args["function"]
    groups = grouped(args, function)
    rows: list[Any] = []
    for row in groups.rows:
        cells = [groups.cells.get((row, column), []) for column in groups.columns]
        aggregates = [fold(function, cell) for cell in cells]
        rows.append({"label": row[1], "cells": aggregates, "total": fold(function, chain(*cells))})
    if args.get("order") == "total":
        rows.sort(key=lambda row: (row["total"] is None, -(row["total"] or 0)))
    by_column = [[groups.cells.get((row, column), []) for row in groups.rows] for column in groups.columns]
    return {
        "columns": [column[1] for column in groups.columns],
        "rows": rows,
        "totals": [fold(function, chain(*cells)) for cells in by_column],
        "total": fold(function, chain(*groups.cells.values())),
        "dropped": groups.dropped,
    }


def shares(args: dict[str, Any]) -> object:
    """The table with the percentage each column has of the sum of its row."""
    groups = grouped(args, "share")
    rows = []
    for row in groups.rows:
        sums = [sum(groups.cells.get((row, column), [])) for column in groups.columns]
        rows.append({"label": row[1], "shares": percentages(sums)})
    return {"columns": [column[1] for column in groups.columns], "rows": rows, "dropped": groups.dropped}


def grouped(args: dict[str, Any], function: str) -> Groups:
    """The values of the records by the labels of their row and column."""
    cells: dict[tuple[Label, Label], list[Any]] = defaultdict(list)
    dropped = 0
    for index, record in enumerate(args["records"]):
        if args["row"] not in record or args["column"] not in record:
            dropped += 1
            continue
        cell = cells[label(record[args["row"]]), label(record[args["column"]])]
        if args["value"] not in record:
            continue
        value = record[args["value"]]
        if function != "count" and isinstance(value, str):
            raise DomainError("not_a_number", f"the value of record {index} is a string", record=index)
        if function == "share" and value < 0:
            raise DomainError("negative_value", f"the value of record {index} is negative", record=index)
        cell.append(value)
    return Groups(cells, sorted({row for row, _ in cells}), sorted({column for _, column in cells}), dropped)


def label(value: int | str) -> Label:
    """A label in a form that sorts integers before strings."""
    return isinstance(value, str), value


def fold(function: str, cell: Iterable[Any]) -> int | None:
    """The aggregate of the values of a cell."""
    values: list[int] = list(cell)
    if function == "count":
        return len(values)
    if not values:
        return None
    if function == "mean":
        rounded = (2 * abs(sum(values)) + len(values)) // (2 * len(values))
        return rounded if sum(values) > 0 else -rounded
    return {"sum": sum(values), "min": min(values), "max": max(values)}[function]


def percentages(sums: list[int]) -> list[int]:
    """Whole percentages that add up to 100: what rounding down leaves goes to the greatest remainders."""
    total = sum(sums)
    if total == 0:
        return sums
    parts = [100 * amount // total for amount in sums]
    favoured = sorted(range(len(sums)), key=lambda place: -(100 * sums[place] % total))
    for place in favoured[: 100 - sum(parts)]:
        parts[place] += 1
    return parts


OPERATIONS = {
    "pivot": Operation(("records", "row", "column", "value", "function", "order"), check_pivot, pivot),
    "shares": Operation(("records", "row", "column", "value"), check_shares, shares),
}
