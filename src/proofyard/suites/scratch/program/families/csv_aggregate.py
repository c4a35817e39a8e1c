"""Reads a CSV text, groups its rows and aggregates columns in exact decimals."""

import re
from fractions import Fraction
from typing import Any, NamedTuple

from ..arguments import array, enum, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

CSV = string(high=3000)
DELIMITER = enum(",", ";", ":", "\t")
NAME = string(high=100)
AGGREGATE = structure({"function": enum("count", "sum", "mean", "min", "max"), "column": NAME})
NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?")
MILLION = 10**6


class Table(NamedTuple):
    """The header and the data rows, each with as many cells as the header."""

    header: list[str]
    rows: list[list[str]]


def check_aggregate(args: dict[str, Any]) -> None:
    """Check the arguments of `aggregate`."""
    required(args, "csv", CSV)
    required(args, "group_by", array(NAME, high=3))
    required(args, "aggregates", array(AGGREGATE, 1, 8))
    optional(args, "scale", integer(0, 6))
    optional(args, "delimiter", DELIMITER)


def aggregate(args: dict[str, Any]) -> object:
    """Group the rows and aggregate columns of each group."""
    table = read(args)
    group_by, wanted = args["group_by"], args["aggregates"]
    for name in [*group_by, *(item["column"] for item in wanted)]:
        if name not in table.header:
            raise DomainError("unknown_column", f"there is no column {name!r}")
    places = [table.header.index(name) for name in group_by]
    columns = [(item["function"], table.header.index(item["column"])) for item in wanted]
    check_numbers(table, {place for function, place in columns if function != "count"})
    groups: dict[tuple[str, ...], list[list[str]]] = {} if places else {(): []}
    for row in table.rows:
        groups.setdefault(tuple(row[place] for place in places), []).append(row)
    scale = args.get("scale", 2)
    found = [
        {
            "key": list(key),
            "rows": len(rows),
            "values": [fold(function, [row[place] for row in rows], scale) for function, place in columns],
        }
        for key, rows in sorted(groups.items())
    ]
    return {"rows": len(table.rows), "groups": found}


def read(args: dict[str, Any]) -> Table:
    """The table in `csv`: every row as wide as the header, all names different."""
    records = parse(args["csv"], args.get("delimiter", ","))
    if not records:
        raise DomainError("no_header", "the text has no record")
    header, *rows = records
    if len(set(header)) < len(header):
        raise DomainError("duplicate_column", "two columns have the same name")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise DomainError("ragged_row", f"row {number} has {len(row)} fields, not {len(header)}", row=number)
    return Table(header, rows)


def parse(text: str, delimiter: str) -> list[list[str]]:
    """All records of `text` but blank lines."""
    field = re.compile(rf'(?:"((?:[^"]|"")*)"|(?!")([^{delimiter}\r\n]*))({delimiter}|\r\n|\r|\n|\Z)')
    records: list[list[str]] = []
    record: list[str] = []
    position = 0
    while True:
        match = field.match(text, position)
        if match is None:
            raise DomainError("bad_csv", "a quoted field is not closed, or text follows it")
        quoted, plain, end = match.groups()
        record.append(plain if quoted is None else quoted.replace('""', '"'))
        position = match.end()
        if end == delimiter:
            continue
        if record != [""] or quoted is not None:
            records.append(record)
        if end == "":
            return records
        record = []


def check_numbers(table: Table, places: set[int]) -> None:
    """Refuse a cell in the columns `places` that is neither empty nor a number."""
    for number, row in enumerate(table.rows, start=1):
        for place in places:
            if row[place] != "" and NUMBER.fullmatch(row[place]) is None:
                raise DomainError("not_a_number", f"row {number} has a cell that is no number", row=number)


def fold(function: str, cells: list[str], scale: int) -> int | str | None:
    """One aggregate over the cells of a group; empty cells do not take part."""
    filled = [cell for cell in cells if cell != ""]
    if function == "count":
        return len(filled)
    values = [millionths(cell) for cell in filled]
    if function == "sum":
        return decimal(Fraction(sum(values), MILLION), scale)
    if not values:
        return None
    if function == "mean":
        return decimal(Fraction(sum(values), MILLION * len(values)), scale)
    return decimal(Fraction(min(values) if function == "min" else max(values), MILLION), scale)


def millionths(cell: str) -> int:
    """The value of a numeric cell in millionths."""
    whole, _, part = cell.partition(".")
    return int(whole + part.ljust(6, "0"))


def decimal(value: Fraction, scale: int) -> str:
    """`value` with exactly `scale` decimals, half to even; zero has no sign."""
    units = round(value * 10**scale)
    digits = str(abs(units)).rjust(scale + 1, "0")
    whole, part = digits[: len(digits) - scale], digits[len(digits) - scale :]
    return ("-" if units < 0 else "") + whole + ("." + part if part else "")


OPERATIONS = {
    "aggregate": Operation(("csv", "group_by", "aggregates", "scale", "delimiter"), check_aggregate, aggregate),
}
