"""Contract, inputs and the golden case of the family `csv-aggregate`."""

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import csv_aggregate as program

__all__ = ["FAMILY"]

NOTES = (
    "**Records.** A record ends at a line feed, at a carriage return with a line feed, at a lone carriage return, or "
    "at the end of the text; between quotes these characters are part of the field. A record that is nothing but one "
    'empty unquoted field (a blank line) is skipped; a line with only `""` is a record with one empty field. The '
    "first record is the header, the others are the data rows, numbered from 1 in order (skipped lines have no "
    "number).",
    '**Fields.** Fields are separated by the delimiter. A field that begins with `"` is quoted: it lasts to its '
    'closing `"`, a doubled `""` in it stands for one `"`, and after the closing quote the delimiter or the end of '
    'the record must follow. In a field that does not begin with `"`, a `"` is an ordinary character. Nothing is '
    "trimmed: spaces are part of a field. Whether a field was quoted makes no difference to its value.",
    "**Cells.** A cell that is the empty string is *empty*, any other is *filled*. A *number* is an optional `-`, 1 "
    "to 12 ASCII digits, and optionally a `.` with 1 to 6 more ASCII digits: `007`, `-0` and `1.50` are numbers; "
    "`+5`, `.5`, `5.`, `1e3`, `1,5` and ` 5` are not. All arithmetic is exact.",
    "Names of columns and cells are compared exactly and ordered by code point, as Python compares strings.",
)

TABLE_ERRORS = (
    ErrorDoc(code="bad_csv", when="a quoted field is never closed, or its closing quote is followed by something else"),
    ErrorDoc(code="no_header", when="the text has no record at all"),
    ErrorDoc(code="duplicate_column", when="two fields of the header are equal"),
    ErrorDoc(
        code="ragged_row",
        when="a data row has more or fewer fields than the header",
        extra=(("row", "integer: the number of the first such row"),),
    ),
)

CSV = Param(name="csv", type="string, 0 to 3000 code points", text="the CSV text")
DELIMITER = Param(
    name="delimiter",
    type="string: a comma, a semicolon, a colon or a tab",
    text="what separates fields; default a comma",
    required=False,
)

AGGREGATE = OperationDoc(
    name="aggregate",
    summary="Groups the rows by columns and computes aggregates of each group.",
    parameters=(
        CSV,
        Param(
            name="group_by",
            type="array of 0 to 3 strings, each of 0 to 100 code points",
            text="the columns whose values make a group; a column may be named twice",
        ),
        Param(
            name="aggregates",
            type='array of 1 to 8 objects `{"function": string, "column": string}`',
            text="what to compute; `function` is `count`, `sum`, `mean`, `min` or `max`, `column` has 0 to 100 code "
            "points; other keys are ignored",
        ),
        Param(
            name="scale",
            type="integer, 0 to 6",
            text="digits after the decimal point in results; default 2",
            required=False,
        ),
        DELIMITER,
    ),
    result='`{"rows": integer, "groups": [{"key": [string, ...], "rows": integer, "values": [integer, string or '
    "null, ...]}, ...]}`: the number of data rows, and each group with its values of the `group_by` columns in their "
    "order, its number of rows, and its aggregates in the order asked for.",
    errors=(
        *TABLE_ERRORS,
        ErrorDoc(code="unknown_column", when="`group_by` or an aggregate names a column that the header does not have"),
        ErrorDoc(
            code="not_a_number",
            when="a filled cell of a column that `sum`, `mean`, `min` or `max` is asked of is no number",
            extra=(("row", "integer: the number of the first row with such a cell"),),
        ),
    ),
    rules=(
        "Rows with equal keys make a group. Groups are ordered by the first value of the key, then the second, then "
        "the third, each by code point.",
        "With an empty `group_by` there is exactly one group, its key is `[]`, even if there is no data row. "
        "Otherwise a table without data rows has no group.",
        "Empty cells take no part in any aggregate. `count` is the number of filled cells, an integer; its column "
        "need not hold numbers. `sum` of no cell is zero; `mean`, `min` and `max` of no cell are `null`.",
        "`sum`, `mean`, `min` and `max` are strings: the exact value rounded once, at the end, to `scale` digits "
        "after the point, an exact half to the even last digit (with scale 0, `0.5` gives `0` and `1.5` gives `2`). "
        "All `scale` digits are written, and no point when `scale` is 0; at least one digit stands before the point, "
        "without superfluous zeros; a value that rounds to zero has no minus sign.",
    ),
)

CELLS = {
    "city": ("Oslo", "Bergen", "São Paulo", 'the "Hague"', "a,b", "", "oslo", "two\nlines"),
    "kind": ("x", "y", "X", "", "x y"),
    "qty": ("1", "2", "-3", "40", "007", "", "999999999999", "0"),
    "price": ("0.5", "1.25", "-0.125", "2.675", "10", "", "1.005", "-0.000001"),
}
FUNCTIONS = ("count", "sum", "mean", "min", "max")


def generate(rng: Random) -> Input:
    """One input on a random table."""
    delimiter = rng.choice((",", ",", ";", ":", "\t"))
    keys, numeric = rng.sample(("city", "kind"), rng.randint(1, 2)), rng.sample(("qty", "price"), rng.randint(1, 2))
    names = rng.sample([*keys, *numeric], len(keys) + len(numeric))
    args: dict[str, object] = {"csv": _table(rng, names, delimiter)}
    if delimiter != "," or rng.random() < 0.3:
        args["delimiter"] = delimiter
    args["group_by"] = rng.sample(keys, rng.randint(0, len(keys)))
    aggregates = []
    for _ in range(rng.randint(1, 4)):
        function = rng.choice(FUNCTIONS)
        column = rng.choice(names if function == "count" or rng.random() < 0.02 else numeric)
        aggregates.append({"function": function, "column": column})
    args["aggregates"] = aggregates
    if rng.random() < 0.6:
        args["scale"] = rng.randint(0, 6)
    return "aggregate", args


def _table(rng: Random, names: list[str], delimiter: str) -> str:
    line_end = rng.choice(("\n", "\n", "\r\n", "\r"))
    lines = [delimiter.join(names)]
    for _ in range(rng.randint(0, 9)):
        cells = [_quoted(rng, rng.choice(CELLS[name]), delimiter) for name in names]
        if rng.random() < 0.02:
            cells.append("extra")
        lines.append(delimiter.join(cells))
        if rng.random() < 0.1:
            lines.append("")
    return line_end.join(lines) + rng.choice(("", line_end))


def _quoted(rng: Random, cell: str, delimiter: str) -> str:
    needed = any(char in cell for char in (delimiter, "\n", "\r")) or cell.startswith('"')
    if needed or rng.random() < 0.2:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _aggregate(csv: str, group_by: list[str], *wanted: str, **more: object) -> Input:
    pairs = [text.split(" ", 1) for text in wanted]
    return "aggregate", {
        "csv": csv,
        "group_by": group_by,
        "aggregates": [{"function": function, "column": column} for function, column in pairs],
        **more,
    }


BOUNDARY: tuple[Input, ...] = (
    _aggregate("team,won\nred,3\n\nblue,seven\n", ["team"], "sum won"),
    _aggregate('a,b\n"x,1', [], "count a"),
    _aggregate('a,b\n"x"y,1', [], "count a"),
    _aggregate("", [], "count a"),
    _aggregate("\n\r\n\r", [], "count a"),
    _aggregate("a,a\n1\n", [], "count b"),
    _aggregate("a,b\n1,2\n\n3\n4\n", [], "count c"),
    _aggregate("a\n1\n2,3", [], "sum a"),
    _aggregate("a,b\n1,x", ["c"], "sum b"),
    _aggregate("a,b\n1,x", [], "sum b", "count c"),
    _aggregate("a,b\n,\n2,x\ny,3", [], "min b", "max a"),
    *(
        _aggregate(f"n\n{cell}", [], "max n")
        for cell in ("+5", ".5", "5.", " 5", "1e3", "٣", "1234567890123", "1.1234567", "--1")
    ),
    _aggregate("n\n5\n", [], "sum n", delimiter=","),
    _aggregate("n\n  \n\t\n\n \n", ["n"], "count n"),
    _aggregate("n\n1\n \n", [], "sum n"),
    _aggregate("k, n\n a,1\na ,2\n\x0b,4\n\u00a0,8", ["k"], "sum  n", scale=0),
    _aggregate(" k ,n\n1,1", ["k"], "count n"),
    _aggregate(f"{wide(100)}\n{wide(2899)}", [wide(100)], f"count {wide(100)}"),
    _aggregate("n\n0.5\n1.5\n-0.5\n2.5", ["n"], "sum n", "mean n", scale=0),
    _aggregate(
        "n\n999999999999.999999\n999999999999.999999\n-0.000001", [], "sum n", "mean n", "min n", "max n", scale=6
    ),
    _aggregate("k,n\na,0.005\nb,0.015\nc,-0.005\nd,-0.015\ne,-0.001\nf,-1.004", ["k"], "sum n"),
    _aggregate("k,n\na,1\na,2\nb,1\nb,1\nb,0\nc,\nd,", ["k"], "mean n", "count n", "sum n", "min n", "max n", scale=1),
    _aggregate("k,n", [], "sum n", "count n", "mean n", "min n", "max n"),
    _aggregate("k,n", ["k"], "sum n"),
    _aggregate(
        "k,l,m,n\nb,x,1,1\nB,x,1,2\na,y,1,3\na,x,2,4\na,x,1,5\na,x,1,6", ["k", "l", "m"], "sum n", "count m", scale=0
    ),
    _aggregate("k,n\né,1\nz,2\n\U0001f600,3\n\uffee,4\ne\u0301,5\n,6", ["k", "k"], "sum n", scale=0),
    _aggregate('"k","n"\n"a""b",1\na"b,2\n"a\nb",3\n"a\r\nb",4\n', ["k"], "sum n", scale=3),
    _aggregate('""\n""\n\n""\n', [""], "count ", *["count "] * 7),
    _aggregate("k;n\r-0;1\r-0.00;2\r", [], "min k", "max k", "sum k", delimiter=";", scale=1),
    _aggregate("k,n\n01,1\n1,2\n 1,3", ["k"], "mean n", "count k"),
    _aggregate("a:b,c\n1:2", [], "sum b,c", delimiter=":", scale=0),
    _aggregate("n\n" + "1\n" * 1499, [], "sum n", "count n", scale=0),
    _aggregate(f"{'n' * 100}\n1\n", ["n" * 100], f"max {'n' * 100}"),
    _aggregate('a,b\n"x" ,1', [], "count a"),
    _aggregate("a,b\n1,2\n3,4,\n5", [], "sum a"),
    _aggregate(
        "i,d,t,e\n1,1.0,1,\n01,1,1x,\n,-2.50,,\n1,,1,", ["i"], "count d", "count t", "count e", "sum d", "max e"
    ),
    _aggregate("a\tb \t c\n1\t1 \t,", ["b ", " c"], "sum a", delimiter="\t"),
    _aggregate('x,y\n"1","2.0"\n1,"-"\n', ["x"], "count y"),
    _aggregate('x,y\n"1","2.0"\n1,"-"\n', ["y"], "min x", scale=4),
    _aggregate("\ufeffa,b\n1,\n,2", ["\ufeffa"], "sum b"),
    _aggregate("\ufeffa,b\n1,\n,2", ["a"], "sum b"),
)

TABLE = "a,b\n1,2"
COUNT = [{"function": "count", "column": "a"}]

MALFORMED: tuple[Input, ...] = (
    ("aggregate", {"group_by": [], "aggregates": COUNT}),
    ("aggregate", {"csv": TABLE, "aggregates": COUNT}),
    ("aggregate", {"csv": TABLE, "group_by": []}),
    ("aggregate", {"csv": None, "group_by": [], "aggregates": COUNT}),
    ("aggregate", {"csv": "a" * 3001, "group_by": [], "aggregates": COUNT}),
    ("aggregate", {"csv": TABLE, "group_by": "a", "aggregates": COUNT}),
    ("aggregate", {"csv": TABLE, "group_by": ["a", 1], "aggregates": COUNT}),
    ("aggregate", {"csv": TABLE, "group_by": ["a", "b", "a", "b"], "aggregates": COUNT}),
    ("aggregate", {"csv": TABLE, "group_by": ["a" * 101], "aggregates": COUNT}),
    ("aggregate", {"csv": TABLE, "group_by": ["a", wide(101)], "aggregates": COUNT}),
    ("aggregate", {"csv": wide(3001), "group_by": [], "aggregates": COUNT}),
    ("aggregate", {"csv": '"open', "group_by": [], "aggregates": [*COUNT, {"function": "sum", "column": wide(101)}]}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": []}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT * 9}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT[0]}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": [*COUNT, "count a"]}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": [{"function": "count"}]}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": [{"column": "a"}]}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": [{"function": "median", "column": "a"}]}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": [{"function": "sum", "column": 0}]}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT, "scale": -1}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT, "scale": 7}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT, "scale": True}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT, "scale": 2.0}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT, "scale": "2"}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT, "delimiter": "/"}),
    ("aggregate", {"csv": "", "group_by": [], "aggregates": COUNT, "delimiter": ",;"}),
    ("aggregate", {"csv": ["a", "b"], "group_by": [], "aggregates": COUNT}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT, "delimiter": ""}),
    ("aggregate", {"csv": TABLE, "group_by": [], "aggregates": COUNT, "delimiter": None}),
)

FAMILY = Family(
    number=10,
    slug="csv-aggregate",
    category="data",
    title="CSV aggregation",
    purpose="Reads tables as CSV text, groups their rows, and computes sums, means and extremes of columns in exact "
    "decimal arithmetic.",
    notes=NOTES,
    operations=(AGGREGATE,),
    program=program,
    # Rows: ("Oslo, west", 0.25), (Bergen, 1), ("Oslo, west", 0.5), (Bergen, empty). Bergen < Oslo. Bergen: one filled cell,
    # sum 1 -> 1.0, mean 1 -> 1.0. Oslo: sum 0.75, a half between 0.7 and 0.8, to even: 0.8; mean 0.375 -> 0.4.
    golden=Case(
        op="aggregate",
        args={
            "csv": 'city,km\n"Oslo, west",0.25\nBergen,1\n"Oslo, west",0.5\n\nBergen,\n',
            "group_by": ["city"],
            "aggregates": [
                {"function": "count", "column": "km"},
                {"function": "sum", "column": "km"},
                {"function": "mean", "column": "km"},
            ],
            "scale": 1,
        },
        expected={
            "rows": 4,
            "groups": [
                {"key": ["Bergen"], "rows": 2, "values": [1, "1.0", "1.0"]},
                {"key": ["Oslo, west"], "rows": 2, "values": [2, "0.8", "0.4"]},
            ],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
