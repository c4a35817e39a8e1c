"""Pivot tables against one filter of all records a cell, exact fractions, and a search of the fairest rounding."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.pivot_table import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "one filter of all records a cell, and decimal rounding"

RECORDS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "r": st.sampled_from(["a", "b", "", 1, 2, "1"]),
            "c": st.sampled_from(["x", "y", 0, 3]),
            "v": st.integers(-3, 9),
        },
    ),
    max_size=9,
)


def labels(records: list[dict[str, Any]], field: str) -> list[Any]:
    """Each label once: integers by size, then strings."""
    found = {record[field]: None for record in records}
    return sorted(v for v in found if isinstance(v, int)) + sorted(v for v in found if isinstance(v, str))


def aggregate(function: str, records: list[dict[str, Any]], field: str) -> int | None:
    values = [record[field] for record in records if field in record]
    if function == "count":
        return len(values)
    if not values:
        return None
    if function == "mean":
        exact = Decimal(sum(values)) / Decimal(len(values))
        return int(exact.quantize(Decimal(1), ROUND_HALF_UP))
    return int({"sum": sum(values), "min": sorted(values)[0], "max": sorted(values)[-1]}[function])


def split(args: dict[str, Any]) -> tuple[list[dict[str, Any]], list[Any], list[Any], int]:
    kept = [record for record in args["records"] if {args["row"], args["column"]} <= set(record)]
    return kept, labels(kept, args["row"]), labels(kept, args["column"]), len(args["records"]) - len(kept)


def wrong(args: dict[str, Any], least: int) -> dict[str, Any] | None:
    """The first record with a value that is a string or too small."""
    for index, record in enumerate(args["records"]):
        value = record.get(args["value"], 0)
        if args["row"] in record and args["column"] in record:
            if isinstance(value, str):
                return {"code": "not_a_number", "record": index}
            if value < least:
                return {"code": "negative_value", "record": index}
    return None


def same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)


def pivot(args: dict[str, Any]) -> Any:
    function, field = args["function"], args["value"]
    if function != "count" and (failed := wrong(args, -(10**10))):
        return failed
    kept, rows, columns, dropped = split(args)
    table = []
    for row in rows:
        mine = [record for record in kept if same(record[args["row"]], row)]
        cells = [aggregate(function, [r for r in mine if same(r[args["column"]], c)], field) for c in columns]
        table.append({"label": row, "cells": cells, "total": aggregate(function, mine, field)})
    if args.get("order") == "total":
        known = [row["total"] for row in table if row["total"] is not None]
        steps = [*sorted(set(known), reverse=True), None]
        table = [row for step in steps for row in table if row["total"] == step]
    totals = [aggregate(function, [r for r in kept if same(r[args["column"]], c)], field) for c in columns]
    total = aggregate(function, kept, field)
    return {"columns": columns, "rows": table, "totals": totals, "total": total, "dropped": dropped}


def shares(args: dict[str, Any]) -> Any:
    if failed := wrong(args, 0):
        return failed
    kept, rows, columns, dropped = split(args)
    table = []
    for row in rows:
        mine = [record for record in kept if same(record[args["row"]], row)]
        sums = [aggregate("sum", [r for r in mine if same(r[args["column"]], c)], args["value"]) or 0 for c in columns]
        table.append({"label": row, "shares": fair(sums)})
    return {"columns": columns, "rows": table, "dropped": dropped}


def fair(sums: list[int]) -> list[int]:
    """Points handed out one by one, each to the column that is furthest below its exact share."""
    if not any(sums):
        return [0 for _ in sums]
    exact = [Fraction(100 * amount, sum(sums)) for amount in sums]
    parts = [int(share) for share in exact]
    while sum(parts) < 100:
        missing = [share - part for share, part in zip(exact, parts, strict=True)]
        parts[missing.index(max(missing))] += 1
    return parts


def test_on_its_own_inputs() -> None:
    for args in of(FAMILY, "pivot", 400):
        assert play(FAMILY, "pivot", args) == pivot(args)
    for args in of(FAMILY, "shares", 400):
        assert play(FAMILY, "shares", args) == shares(args)


@settings(max_examples=60, deadline=None)
@given(
    RECORDS, st.sampled_from(["count", "sum", "min", "max", "mean"]), st.sampled_from(["label", "total"]), st.booleans()
)
def test_pivot(records: list[dict[str, Any]], function: str, order: str, turned: bool) -> None:
    row, column = ("c", "r") if turned else ("r", "c")
    args = {"records": records, "row": row, "column": column, "value": "v", "function": function, "order": order}
    assert play(FAMILY, "pivot", args) == pivot(args)


@settings(max_examples=60, deadline=None)
@given(RECORDS, st.integers(0, 3))
def test_shares(records: list[dict[str, Any]], shift: int) -> None:
    args = {"records": records, "row": "r", "column": "c", "value": "v"}
    assert play(FAMILY, "shares", args) == shares(args)
    args["records"] = [{**record, "v": abs(record["v"]) * 7 + shift} if "v" in record else record for record in records]
    result = play(FAMILY, "shares", args)
    assert result == shares(args)
    assert all(sum(row["shares"]) in (0, 100) for row in result["rows"])
