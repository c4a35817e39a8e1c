"""Joins two tables in CSV text on columns they share."""

import re
from collections import defaultdict
from typing import Any, NamedTuple

from ..arguments import array, enum, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

CSV = string(high=1000)
KINDS = enum("inner", "left", "right", "full")
FIELD = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|\Z)')
MOST_ROWS = 200


class Table(NamedTuple):
    """The header and the data rows, each with as many cells as the header."""

    header: list[str]
    rows: list[list[str]]


def check_join(args: dict[str, Any]) -> None:
    """Check the arguments of `join`."""
    required(args, "left", CSV)
    required(args, "right", CSV)
    required(args, "on", array(string(high=50), 1, 3))
    optional(args, "kind", KINDS)
    optional(args, "fill", string(high=20))


def join(args: dict[str, Any]) -> object:
    """Pair the rows with equal keys and write the pairs, and the rows without partner that `kind` keeps."""
    left, right, on = read(args, "left"), read(args, "right"), args["on"]
    for name in on:
        for side, table in (("left", left), ("right", right)):
            if name not in table.header:
                raise DomainError("unknown_column", f"the {side} table has no such column", column=name, table=side)
    fill, kind = args.get("fill", ""), args.get("kind")
    partners: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
    for row in right.rows:
        if all(key(right, row, on)):
            partners[key(right, row, on)].append(row)
    found = [partners.get(key(left, row, on), []) for row in left.rows]
    shared = partners.keys() & {key(left, row, on) for row in left.rows}
    unmet = [row for row in right.rows if key(right, row, on) not in shared]
    blank = [[fill] * len(right.header)] if kind in ("left", "full") else []
    added = unmet if kind in ("right", "full") else []
    if sum(len(rows or blank) for rows in found) + len(added) > MOST_ROWS:
        raise DomainError("too_many_rows", f"the result would have more than {MOST_ROWS} rows")
    others = [place for place, name in enumerate(right.header) if name not in on]
    pairs = [(row, partner) for row, rows in zip(left.rows, found, strict=True) for partner in rows or blank]
    for row in added:
        known = dict(zip(on, key(right, row, on), strict=True))
        pairs.append(([known.get(name, fill) for name in left.header], row))
    header = names(left.header, [right.header[place] for place in others])
    records = [header, *(row + [partner[place] for place in others] for row, partner in pairs)]
    return {
        "csv": "".join(",".join(map(quoted, record)) + "\n" for record in records),
        "rows": len(pairs),
        "left_only": found.count([]),
        "right_only": len(unmet),
    }


def read(args: dict[str, Any], side: str) -> Table:
    """The table in an argument: every row as wide as the header, all names different."""
    header, *rows = parse(args[side].replace("\r\n", "\n"), side)
    if len(set(header)) < len(header):
        raise DomainError("duplicate_column", "two columns have the same name", table=side)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise DomainError("ragged_row", f"row {number} has {len(row)} fields", table=side, row=number)
    return Table(header, rows)


def parse(text: str, side: str) -> list[list[str]]:
    """All records of `text`, at least one."""
    if text == "":
        raise DomainError("no_header", "the text is empty", table=side)
    records: list[list[str]] = [[]]
    position = 0
    while position < len(text) or records[-1]:
        match = FIELD.match(text, position)
        if match is None:
            raise DomainError("bad_csv", "a quote is not closed or not at the edge of its field", table=side)
        quoted_text, plain, end = match.groups()
        records[-1].append(plain if quoted_text is None else quoted_text.replace('""', '"'))
        position = match.end()
        if end != ",":
            records.append([])
    return records[:-1]


def key(table: Table, row: list[str], on: list[str]) -> tuple[str, ...]:
    """The cells by which a row is joined."""
    return tuple(row[table.header.index(name)] for name in on)


def names(taken: list[str], added: list[str]) -> list[str]:
    """The header of the result: a name that is taken gets a suffix."""
    header = list(taken)
    for name in added:
        header.append(name)
        while header[-1] in header[:-1]:
            header[-1] += "_right"
    return header


def quoted(cell: str) -> str:
    """A cell as it is written."""
    return '"' + cell.replace('"', '""') + '"' if re.search('[",\r\n]', cell) else cell


OPERATIONS = {
    "join": Operation(("left", "right", "on", "kind", "fill"), check_join, join),
}
