"""CSV aggregation against the csv module and decimal arithmetic."""

import csv
import io
import re
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.csv_aggregate import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "Python's csv module and decimal"

TEXTS = st.lists(st.sampled_from(['"', '""', ",", "\n", "\r\n", "\r", "a", "b,c\n", '"x"', '"p,q"', "1"]), max_size=25)


def table(args: dict[str, Any]) -> tuple[list[str], list[list[str]]] | dict[str, Any]:
    try:
        reader = csv.reader(io.StringIO(args["csv"], newline=""), delimiter=args.get("delimiter", ","), strict=True)
        records = [record for record in reader if record]
    except csv.Error:
        return {"code": "bad_csv"}
    if not records:
        return {"code": "no_header"}
    if len(set(records[0])) != len(records[0]):
        return {"code": "duplicate_column"}
    wrong = [i for i, record in enumerate(records) if len(record) != len(records[0])]
    return {"code": "ragged_row", "row": wrong[0]} if wrong else (records[0], records[1:])


def number(cell: str) -> bool:
    parts = cell.removeprefix("-").split(".")
    good = all(part and part.isascii() and part.isdigit() for part in parts)
    return good and len(parts[0]) <= 12 and (len(parts) == 1 or (len(parts) == 2 and len(parts[1]) <= 6))


def rounded(value: Decimal, scale: int) -> str:
    text = f"{value.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_EVEN):f}"
    return text if re.search("[1-9]", text) else text.removeprefix("-")


def one(function: str, cells: list[str], scale: int) -> Any:
    numbers = [] if function == "count" else [Decimal(cell) for cell in cells if cell]
    match function:
        case "count":
            return sum(1 for cell in cells if cell)
        case "sum":
            return rounded(sum(numbers, Decimal(0)), scale)
        case _ if not numbers:
            return None
        case "mean":
            return rounded(sum(numbers) / Decimal(len(numbers)), scale)
        case "min":
            return rounded(sorted(numbers)[0], scale)
    return rounded(sorted(numbers)[-1], scale)


def expected(args: dict[str, Any]) -> Any:
    read = table(args)
    if isinstance(read, dict):
        return read
    header, rows = read
    wanted = [(a["function"], a["column"]) for a in args["aggregates"]]
    if not {*args["group_by"], *(column for _, column in wanted)} <= set(header):
        return {"code": "unknown_column"}
    dicts = [dict(zip(header, row, strict=True)) for row in rows]
    for index, row in enumerate(dicts):
        if any(row[c] and not number(row[c]) for f, c in wanted if f != "count"):
            return {"code": "not_a_number", "row": index + 1}
    keys = {tuple(row[name] for name in args["group_by"]) for row in dicts}
    groups = []
    for key in sorted(keys) if args["group_by"] else [()]:
        members = [row for row in dicts if tuple(row[name] for name in args["group_by"]) == key]
        values = [one(f, [row[c] for row in members], args.get("scale", 2)) for f, c in wanted]
        groups.append({"key": list(key), "rows": len(members), "values": values})
    return {"rows": len(rows), "groups": groups}


def test_aggregate_on_its_own_inputs() -> None:
    with localcontext() as context:
        context.prec = 60
        for args in of(FAMILY, "aggregate", 400):
            assert play(FAMILY, "aggregate", args) == expected(args)


@given(TEXTS.map("".join))
def test_parsing_as_the_csv_module_does(text: str) -> None:
    read = table({"csv": text})
    columns = ["a"] if isinstance(read, dict) else read[0]
    aggregates = [{"function": "count", "column": column} for column in columns[:8]]
    args = {"csv": text, "group_by": columns[:3], "aggregates": aggregates}
    assert play(FAMILY, "aggregate", args) == expected(args)


@given(
    st.lists(st.from_regex(r"-?[0-9]{1,3}(\.[0-9]{1,6})?", fullmatch=True), min_size=1, max_size=6), st.integers(0, 6)
)
def test_numbers_against_decimal(cells: list[str], scale: int) -> None:
    functions = ["sum", "mean", "min", "max"]
    args = {
        "csv": "\n".join(["n", *cells]),
        "group_by": [],
        "aggregates": [{"function": f, "column": "n"} for f in functions],
        "scale": scale,
    }
    with localcontext() as context:
        context.prec = 60
        assert play(FAMILY, "aggregate", args)["groups"][0]["values"] == [one(f, cells, scale) for f in functions]


def test_nothing_is_trimmed() -> None:
    counts = [{"function": "count", "column": "n"}]
    rows = play(FAMILY, "aggregate", {"csv": "n\n  \n\t\n\n\x0c", "group_by": ["n"], "aggregates": counts})["groups"]
    assert [row["key"] for row in rows] == [["\t"], ["\x0c"], ["  "]]
