"""CSV joins against the csv module, a validity rule on the pieces between quotes, and joins in SQLite."""

import csv
import io
import sqlite3
from contextlib import closing
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.csv_join import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "Python's csv module and joins in SQLite"

MARK = "\ue000"  # stands for a carriage return, which the csv module would take for the end of a line
TEXTS = st.lists(st.sampled_from(['"', '""', ",", "\n", "\r\n", "\r", "a", "b,c\n", '"x"', '"p,q"', "1"]), max_size=20)
CELL = st.sampled_from(["", "1", "2", "a", 'q"', "x,y", "n\n"])


def valid(text: str) -> bool:
    """Whether quotes stand only around whole fields: a test of the pieces outside of them."""
    pieces = text.split('"')
    outside = pieces[::2]
    if len(pieces) == 1:
        return True
    begins = all(piece == "" or piece[0] in ",\n" for piece in outside[1:])
    ends = all(piece == "" or piece[-1] in ",\n" for piece in outside[:-1])
    return len(pieces) % 2 == 1 and begins and ends


def table(text: str) -> list[list[str]] | dict[str, Any]:
    """The records, or the error."""
    text = text.replace("\r\n", "\n").replace("\r", MARK)
    if not text:
        return {"code": "no_header"}
    if not valid(text):
        return {"code": "bad_csv"}
    records = [row or [""] for row in csv.reader(io.StringIO(text, newline=""), strict=True)]
    records = [[cell.replace(MARK, "\r") for cell in row] for row in records]
    if len(set(records[0])) != len(records[0]):
        return {"code": "duplicate_column"}
    wrong = [number for number, row in enumerate(records) if len(row) != len(records[0])]
    return {"code": "ragged_row", "row": wrong[0]} if wrong else records


def pairs(left: list[list[str]], right: list[list[str]], on: list[str]) -> list[tuple[int, int]]:
    """The places of all rows that SQLite joins; an empty cell is NULL."""
    with closing(sqlite3.connect(":memory:")) as base:
        columns = ", ".join(f"k{number}" for number in range(len(on)))
        for name, rows in (("l", left), ("r", right)):
            base.execute(f"CREATE TABLE {name} (place, {columns})")
            places = [rows[0].index(column) for column in on]
            for number, row in enumerate(rows[1:]):
                marks = ", ".join("?" * (len(on) + 1))
                base.execute(f"INSERT INTO {name} VALUES ({marks})", [number, *(row[p] or None for p in places)])
        return base.execute(
            f"SELECT l.place, r.place FROM l JOIN r USING ({columns}) ORDER BY l.place, r.place"
        ).fetchall()


def expected(args: dict[str, Any]) -> dict[str, Any]:
    tables = []
    for side in ("left", "right"):
        read = table(args[side])
        if isinstance(read, dict):
            return {**read, "table": side}
        tables.append(read)
    left, right = tables
    on = args["on"]
    for name in on:
        for side, header in (("left", left[0]), ("right", right[0])):
            if name not in header:
                return {"code": "unknown_column", "column": name, "table": side}
    met = pairs(left, right, on)
    if len(met) > 200:
        return {"code": "too_many_rows"}
    alone = sorted(set(range(len(left) - 1)) - {pair[0] for pair in met})
    strange = sorted(set(range(len(right) - 1)) - {pair[1] for pair in met})
    kind, fill = args.get("kind", "inner"), args.get("fill", "")
    lines: list[tuple[Any, Any]] = list(met)
    lines += [(n, None) for n in alone] if kind in {"left", "full"} else []
    lines.sort(key=lambda line: (line[0], line[1] or 0))
    lines += [(None, n) for n in strange] if kind in {"right", "full"} else []
    if len(lines) > 200:
        return {"code": "too_many_rows"}
    extra = [name for name in right[0] if name not in on]
    out = []
    for one, other in lines:
        left_row = {} if one is None else dict(zip(left[0], left[one + 1], strict=True))
        right_row = {} if other is None else dict(zip(right[0], right[other + 1], strict=True))
        if one is None:
            left_row = {name: right_row[name] for name in on}
        out.append([left_row.get(name, fill) for name in left[0]] + [right_row.get(name, fill) for name in extra])
    header = left[0][:]
    for name in extra:
        count = next(n for n in range(len(header) + 1) if name + "_right" * n not in header)
        header.append(name + "_right" * count)
    return {"records": [header, *out], "rows": len(out), "left_only": len(alone), "right_only": len(strange)}


def check(args: dict[str, Any]) -> None:
    result, wanted = play(FAMILY, "join", args), expected(args)
    if "records" in wanted:
        text = result.pop("csv")
        records = wanted.pop("records")
        assert table(text) == records
        assert text == written(records)
    assert result == wanted


def written(records: list[list[str]]) -> str:
    """The text the csv module writes, apart from what it quotes beyond need."""
    text = ""
    for record in records:
        fields = io.StringIO()
        for place, cell in enumerate(record):
            quoted = len(set(cell) & set(',"\r\n')) > 0
            fields.write("," if place else "")
            csv.writer(fields, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_NONE, lineterminator="").writerow(
                [cell]
            ) if cell else None
        text += fields.getvalue() + "\n"
    return text


def test_join_on_its_own_inputs() -> None:
    for args in of(FAMILY, "join", 150):
        check(args)


@settings(max_examples=60, deadline=None)
@given(TEXTS.map("".join))
def test_parsing_as_the_csv_module_does(text: str) -> None:
    read = table(text)
    columns = ["a"] if isinstance(read, dict) else read[0]
    check({"left": text, "right": text, "on": columns[:2], "kind": "full"})
    check({"left": ",".join(f'"{c.replace(chr(34), chr(34) * 2)}"' for c in columns), "right": text, "on": columns[:1]})


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(CELL, CELL, CELL), max_size=6),
    st.lists(st.tuples(CELL, CELL), max_size=6),
    st.sampled_from([["k"], ["k", "v"], ["v"], ["v", "v"]]),
    st.sampled_from(["inner", "left", "right", "full"]),
)
def test_join_as_sqlite_does(left: list[Any], right: list[Any], on: list[str], kind: str) -> None:
    texts = [written([[*names], *map(list, rows)]) for names, rows in (("kvw", left), ("vk", right))]
    check({"left": texts[0], "right": texts[1], "on": on, "kind": kind, "fill": "-"})
