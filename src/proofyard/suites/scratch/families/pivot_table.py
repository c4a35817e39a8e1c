"""Contract, inputs and the golden case of the family `pivot-table`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import pivot_table as program

__all__ = ["FAMILY"]

NOTES = (
    "A record is an object with fields of any name. Each field is a string of any length or an integer from "
    "-1000000000 to 1000000000. Not every record need have every field.",
    "**Table.** Each record belongs to the table row labelled with what it has in the field named by `row`, and to "
    "the table column labelled with what it has in the field named by `column`. A record that lacks one of the two "
    "fields (or both) is *dropped*: it is counted, and otherwise it is as if it were not there. There is one table row "
    "for each label that occurs in a record that is not dropped, and one table column likewise, even if none of their "
    'records has a value. Labels are the same only if they are of the same type and equal: `1` and `"1"` are two labels, '
    '`"a"` and `"A"` too. `row`, `column` and `value` may name the same field.',
    "**Order of labels.** Integers come first, by size, then strings by code point, as Python compares them.",
    "**Values.** The value of a record is what it has in the field named by `value`. A record without that field still "
    "makes its row and column, but adds no value to the cell where the two meet.",
)

RECORDS = Param(
    name="records",
    type="array of 0 to 40 objects, each with 0 to 10 fields; a field is a string or an integer, -1000000000 to 1000000000",
    text="the records",
)
FIELDS = (
    Param(name="row", type="string", text="the field that labels the rows"),
    Param(name="column", type="string", text="the field that labels the columns"),
    Param(name="value", type="string", text="the field with the values"),
)
RECORD = (("record", "integer: the place of the first such record in `records`, from 0, dropped ones counted"),)

PIVOT = OperationDoc(
    name="pivot",
    summary="Aggregates the values of each cell, row and column.",
    parameters=(
        RECORDS,
        *FIELDS,
        Param(name="function", type="string: `count`, `sum`, `min`, `max` or `mean`", text="the aggregate"),
        Param(
            name="order",
            type="string: `label` or `total`",
            text="the order of the rows; default `label`",
            required=False,
        ),
    ),
    result='`{"columns": [string or integer, ...], "rows": [{"label": string or integer, "cells": [integer or null, '
    '...], "total": integer or null}, ...], "totals": [integer or null, ...], "total": integer or null, "dropped": '
    "integer}`: the labels of the columns in order; for each row its label, its aggregates in the order of the columns and "
    "the aggregate of the whole row; the aggregates of the whole columns; that of the whole table; and the number of "
    "dropped records.",
    errors=(
        ErrorDoc(
            code="not_a_number",
            when="`function` is not `count` and the value of a record that is not dropped is a string",
            extra=RECORD,
        ),
    ),
    rules=(
        "`count` is the number of values, strings included, and never null. `sum`, `min`, `max` and `mean` of no value are "
        "null. `mean` is rounded to an integer, an exact half away from zero: 2.5 gives 3 and -2.5 gives -3.",
        "The aggregate of a row, a column or the table is that of all values in it, not of the aggregates of its cells: the "
        "mean of a row is the mean of all its values.",
        "With `order` `total` the rows are ordered by `total`, greatest first, rows with the total null last; equal ones by "
        "label. The columns are always ordered by label.",
        "Without any record that is not dropped `columns`, `rows` and `totals` are empty, and `total` is 0 for `count`, else "
        "null.",
    ),
)

SHARES = OperationDoc(
    name="shares",
    summary="How the sum of each row is split among the columns, in whole percent.",
    parameters=(RECORDS, *FIELDS),
    result='`{"columns": [string or integer, ...], "rows": [{"label": string or integer, "shares": [integer, ...]}, ...], '
    '"dropped": integer}`: the labels of the columns in order; for each row, in order of the labels, its label and its '
    "shares in the order of the columns; and the number of dropped records.",
    errors=(
        ErrorDoc(code="not_a_number", when="the value of a record that is not dropped is a string", extra=RECORD),
        ErrorDoc(code="negative_value", when="the value of a record that is not dropped is negative", extra=RECORD),
    ),
    error_order="the first record with such a value decides",
    rules=(
        "The sum of a cell is that of its values, 0 without any. The shares of a row add up to exactly 100: the share of a "
        "cell is first 100 times its sum, divided by the sum of the row and rounded down; then, as long as the shares of the "
        "row add up to less than 100, 1 is added to the cells with the greatest remainders of that division, one each, "
        "of equal remainders to the earlier column first.",
        "If the sum of the row is 0, all its shares are 0.",
    ),
)

CITIES = ("Oslo", "Bergen", "Oslo", "Łódź", "oslo", "", 1, 10, 9, "1", -3)
KINDS = ("x", "y", "Y", 7, 0, "é")
FUNCTIONS = ("count", "sum", "min", "max", "mean", "mean")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("pivot", "pivot", "shares"))
    cities, kinds = rng.sample(CITIES, rng.randint(2, 5)), rng.sample(KINDS, rng.randint(1, 4))
    low, high = (0 if op == "shares" else -9), rng.choice((3, 20, 1000))
    records = []
    for _ in range(rng.randint(3, 16)):
        record: dict[str, Any] = {"city": rng.choice(cities), "kind": rng.choice(kinds), "qty": rng.randint(low, high)}
        if rng.random() < 0.15:
            del record[rng.choice(("city", "kind", "qty", "qty"))]
        if rng.random() < 0.01:
            record["qty"] = rng.choice(("12", -1))
        records.append({name: record[name] for name in rng.sample(sorted(record), len(record))})
    row, column = rng.sample(("city", "kind"), 2)
    args: dict[str, Any] = {"records": records, "row": row, "column": column, "value": "qty"}
    if op == "pivot":
        args["function"] = rng.choice(FUNCTIONS)
        if rng.random() < 0.6:
            args["order"] = rng.choice(("label", "total", "total"))
    return op, args


def _records(text: str) -> list[dict[str, Any]]:
    """Records from a text: `a:x:5` has the fields r, c and v; one that is `_` is not there; digits make integers."""
    found = []
    for part in text.split():
        fields = {name: value for name, value in zip("rcv", part.split(":"), strict=True) if value != "_"}
        found.append({name: int(v) if v.lstrip("-").isdigit() else v.strip("'") for name, v in fields.items()})
    return found


def _pivot(text: str, function: str, **more: Any) -> Input:
    return "pivot", {"records": _records(text), "row": "r", "column": "c", "value": "v", "function": function, **more}


def _shares(text: str, **more: Any) -> Input:
    return "shares", {"records": _records(text), "row": "r", "column": "c", "value": "v", **more}


MIXED = "b:y:3 a:x:1 b:x:-2 a:x:4 _:x:9 a:_:8 a:z:_ c:z:_ b:y:4 d:y:0"
LABELS = "b:1:1 B:'1':2 10:-1:3 9:é:4 '9':e:5 -1:Z:6 '':'':7 \U0001f600:\uffee:8 \uffee:\U0001f600:9"
HALVES = "a:x:1 a:x:2 b:x:-1 b:x:-2 c:x:1 c:x:1 c:x:2 d:x:-1 d:x:-1 d:x:-2 e:x:1 e:x:-1 f:x:-2 f:x:-3"
TIES = "d:x:5 b:x:5 a:x:9 c:x:_ 3:x:5 e:y:-1 f:y:_ 2:x:9 g:x:0"

BOUNDARY: tuple[Input, ...] = (
    _shares("north:tea:1 north:coffee:1 north:milk:1 south:tea:0 south:milk:7 _:tea:5"),
    *(_pivot(MIXED, function) for function in ("count", "sum", "min", "max", "mean")),
    *(_pivot(MIXED, function, order="total") for function in ("count", "sum", "min", "max", "mean")),
    *(_pivot("", function) for function in ("count", "sum")),
    _pivot("_:x:1 a:_:2 _:_:3 _:_:_", "max", order="total"),
    _pivot("_:x:1 a:_:2", "count"),
    _pivot("a:x:_", "sum"),
    _pivot("a:x:_", "count"),
    _pivot(LABELS, "sum"),
    _pivot(LABELS, "max", order="total"),
    _pivot(LABELS, "count", row="c", column="r", order="label"),
    _pivot(HALVES, "mean"),
    _pivot("a:x:1 a:y:2 a:y:2 a:y:2 b:y:-7", "mean", order="total"),
    _pivot("a:x:1 a:x:0 a:x:0 b:x:2 b:x:0 b:x:0 c:x:0 c:x:-1 c:x:0", "mean"),
    _pivot(TIES, "sum", order="total"),
    _pivot(TIES, "min", order="total"),
    _pivot(TIES, "count", order="total"),
    _pivot("a:x:'q' a:x:1 b:y:'' b:y:_", "count"),
    _pivot("a:x:1 _:x:q a:_:q b:y:q a:x:r", "sum"),
    _pivot("a:x:1 _:x:q a:_:q", "sum"),
    _pivot("a:x:'5'", "min"),
    _pivot("a:x:-5 b:x:''", "max"),
    _pivot("a:x:'5' a:y:4", "mean"),
    _pivot("a:x:1 b:y:2 a:x:3", "sum", column="r"),
    _pivot("1:x:1 2:y:2 1:x:3", "sum", value="r", order="total"),
    _pivot("a:x:1 b:y:2", "sum", value="V"),
    _pivot("a:x:1 b:y:2", "count", row="R"),
    _pivot(" ".join(["a:x:1000000000"] * 39 + ["a:y:-1000000000"]), "sum"),
    _pivot(" ".join(f"{n}:{n}:{n}" for n in range(40, 0, -1)), "max", order="total"),
    ("pivot", {"records": [{}, {"": "", "x": 1}], "row": "", "column": "", "value": "x", "function": "sum"}),
    (
        "pivot",
        {"records": [{f"f{n}": n for n in range(10)}], "row": "f1", "column": "f2", "value": "f9", "function": "min"},
    ),
    _shares(""),
    _shares("a:x:_ b:x:0 b:y:_ c:y:3"),
    _shares("a:x:1 a:y:1 a:z:1 b:z:2 b:x:1 b:y:0 c:x:1 c:y:2 c:z:4"),
    _shares("a:1:1 a:2:1 a:3:1 a:4:1 a:5:1 a:6:1 a:7:1"),
    _shares("a:1:2 a:2:1 a:3:2 a:4:1 a:5:1 b:5:1 b:1:199 c:3:1 c:1:200"),
    _shares("a:x:1 a:x:2 a:y:_ a:y:3 a:y:1 b:y:1"),
    _shares("z:x:5 A:x:1 9:x:1 10:y:1 é:y:1 A:y:1000000000"),
    _shares("a:x:1000000000 a:y:999999999 a:z:1"),
    _shares("a:x:q _:x:-1"),
    _shares("a:x:1 _:x:-1 a:_:q a:y:-1 a:y:q"),
    _shares("a:x:1 a:y:q a:y:-1"),
    _shares("a:x:-1"),
    _shares("a:x:5 a:x:-1"),
    _shares("7:x:1 8:y:2 7:y:3", value="r"),
    _shares("a:x:1 b:y:2", column="r"),
    _shares(" ".join(f"r{n % 3}:c{n % 20}:{n * n}" for n in range(40))),
)

GOOD: dict[str, Any] = {"records": _records("a:x:1"), "row": "r", "column": "c", "value": "v", "function": "sum"}


def _spoilt(op: str, name: str, *values: Any) -> list[Input]:
    """The operation with each of the values in the place of a good argument."""
    return [(op, {**GOOD, name: value}) for value in values]


MALFORMED: tuple[Input, ...] = (
    *(("pivot", {key: value for key, value in GOOD.items() if key != name}) for name in GOOD),
    *_spoilt("pivot", "records", None, {}, "a", [None], [["a", "x", 1]], [{}] * 41, [{str(n): n for n in range(11)}]),
    *_spoilt("pivot", "records", [{"r": None}], [{"z": True}], [{"v": 1.0}], [{"v": []}], [{"v": 10**9 + 1}], [{}, 1]),
    *_spoilt("pivot", "records", [{"r": "a", "c": "x", "v": "q"}, {"v": -(10**9) - 1}]),
    *_spoilt("pivot", "row", None, 1, ["r"]),
    *_spoilt("pivot", "column", None, False, {}),
    *_spoilt("pivot", "value", None, 0, []),
    *_spoilt("pivot", "function", None, "avg", "SUM", "", 1, ["sum"]),
    *_spoilt("pivot", "order", None, "value", "", True),
    *(("shares", {key: value for key, value in GOOD.items() if key != name}) for name in GOOD if name != "function"),
    *_spoilt("shares", "records", None, [{"r": 0.5}], [{"x": {}}], [{"r": "a", "c": "x", "v": -1}, {"r": False}]),
    *_spoilt("shares", "value", None, 1),
    *_spoilt("shares", "row", None),
)

FAMILY = Family(
    number=16,
    slug="pivot-table",
    category="data",
    title="Pivot table",
    purpose="Cross-tabulates records by two of their fields: aggregates with totals, and percentages that add up.",
    notes=NOTES,
    operations=(PIVOT, SHARES),
    program=program,
    # The fourth record has no `kind`: dropped. Rows: 7 (an integer, first), "Oslo". Columns: "tea", "tin".
    # 7: tea (-4 + -1) / 2 = -2.5 -> -3; tin has no value: null; whole row -3. Oslo: tea 5; tin (2 + 2 + 3) / 3 = 2.33 -> 2; the
    # whole row (5 + 2 + 2 + 3) / 4 = 3. Columns: tea (-4 - 1 + 5) / 3 = 0; tin 2. Table: 7 / 6 = 1.17 -> 1. By total: Oslo,
    # then 7.
    golden=Case(
        op="pivot",
        args={
            "records": [
                {"city": 7, "kind": "tea", "qty": -4},
                {"city": "Oslo", "kind": "tin", "qty": 2},
                {"city": "Oslo", "kind": "tea", "qty": 5},
                {"city": "Rome", "qty": 5},
                {"city": "Oslo", "kind": "tin", "qty": 2},
                {"city": 7, "kind": "tin"},
                {"city": 7, "kind": "tea", "qty": -1},
                {"city": "Oslo", "kind": "tin", "qty": 3},
            ],
            "row": "city",
            "column": "kind",
            "value": "qty",
            "function": "mean",
            "order": "total",
        },
        expected={
            "columns": ["tea", "tin"],
            "rows": [
                {"label": "Oslo", "cells": [5, 2], "total": 3},
                {"label": 7, "cells": [-3, None], "total": -3},
            ],
            "totals": [0, 2],
            "total": 1,
            "dropped": 1,
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
