"""Pivot table: values are put into every list they count in (cell, row, column, table), each list is aggregated once."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "pivot": ("records", "row", "column", "value", "function", "order"),
    "shares": ("records", "row", "column", "value"),
}

Label = str | int


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    records = args.get("records")
    if not isinstance(records, list) or len(records) > 40 or not all(map(_is_record, records)):
        return False
    if not all(isinstance(args.get(name), str) for name in ("row", "column", "value")):
        return False
    if op == "shares":
        return True
    functions = ("count", "sum", "min", "max", "mean")
    return args.get("function") in functions and args.get("order", "label") in ("label", "total")


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "shares":
        return _shares(_Table(args, numbers=True, negative=False))
    return _pivot(_Table(args, numbers=args["function"] != "count", negative=True), args)


def _is_record(value: Any) -> bool:
    """Whether a value is a record."""
    return isinstance(value, dict) and len(value) <= 10 and all(map(_is_field, value.values()))


def _is_field(value: Any) -> bool:
    """Whether a value is a string or an integer in range."""
    return isinstance(value, str) or (
        isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 1_000_000_000
    )


def _rank(label: Label) -> tuple[bool, int, str]:
    """What labels are ordered by."""
    return (True, 0, label) if isinstance(label, str) else (False, label, "")


class _Table:
    """The labels in order, and the values by row and column; None stands for all rows or all columns."""

    def __init__(self, args: dict[str, Any], numbers: bool, negative: bool) -> None:
        """Reads the records; `numbers` and `negative` say which values may be there."""
        self.values: dict[tuple[Label | None, Label | None], list[Any]] = defaultdict(list)
        rows: set[Label] = set()
        columns: set[Label] = set()
        self.dropped = 0
        for place, record in enumerate(args["records"]):
            if args["row"] not in record or args["column"] not in record:
                self.dropped += 1
                continue
            row, column = record[args["row"]], record[args["column"]]
            rows.add(row)
            columns.add(column)
            if args["value"] not in record:
                continue
            value = record[args["value"]]
            if numbers and isinstance(value, str):
                raise Refused("not_a_number", {"record": place})
            if not negative and value < 0:
                raise Refused("negative_value", {"record": place})
            for key in ((row, column), (row, None), (None, column), (None, None)):
                self.values[key].append(value)
        self.rows = sorted(rows, key=_rank)
        self.columns = sorted(columns, key=_rank)


def _aggregate(function: str, values: list[Any]) -> int | None:
    """The aggregate of some values."""
    if function == "count":
        return len(values)
    if not values:
        return None
    if function == "mean":
        total, count = sum(values), len(values)
        size: int = (2 * abs(total) + count) // (2 * count)
        return size if total > 0 else -size
    functions: dict[str, Callable[[list[int]], int]] = {"sum": sum, "min": min, "max": max}
    return functions[function](values)


def _pivot(table: _Table, args: dict[str, Any]) -> dict[str, Any]:
    """The aggregates of all cells, rows and columns."""

    def line(row: Label | None) -> list[int | None]:
        return [_aggregate(args["function"], table.values[row, column]) for column in (*table.columns, None)]

    rows: list[dict[str, Any]] = []
    for label in table.rows:
        *cells, whole = line(label)
        rows.append({"label": label, "cells": cells, "total": whole})
    if args.get("order") == "total":
        rows.sort(key=lambda row: (row["total"] is None, -(row["total"] or 0)))
    *totals, total = line(None)
    return {"columns": table.columns, "rows": rows, "totals": totals, "total": total, "dropped": table.dropped}


def _shares(table: _Table) -> dict[str, Any]:
    """The shares of the cells of each row."""
    rows = []
    for row in table.rows:
        sums = [sum(table.values[row, column]) for column in table.columns]
        rows.append({"label": row, "shares": _percent(sums)})
    return {"columns": table.columns, "rows": rows, "dropped": table.dropped}


def _percent(sums: list[int]) -> list[int]:
    """Whole percentages that add up to 100, all 0 if there is nothing to share."""
    whole = sum(sums)
    if not whole:
        return [0] * len(sums)
    parts = [divmod(100 * part, whole) for part in sums]
    missing = 100 - sum(share for share, _ in parts)
    lucky = sorted(range(len(sums)), key=lambda place: -parts[place][1])[:missing]
    return [share + (place in lucky) for place, (share, _) in enumerate(parts)]
