"""Contract, inputs and the golden case of the family `csv-join`."""

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import csv_join as program

__all__ = ["FAMILY"]

NOTES = (
    "**Records.** Before anything else each pair of a carriage return and a line feed becomes one line feed, also "
    "between quotes; any other carriage return is an ordinary character. A record ends at a line feed outside quotes "
    "or at the end of the text; after a line feed that is the last character there is no further record. Nothing is "
    "skipped: an empty line is a record with one empty field. Only the empty text has no record. The first record is "
    "the header, the others are the data rows, numbered from 1.",
    '**Fields.** Fields are separated by commas. A field that begins with `"` is quoted: it lasts to its closing '
    '`"`, a doubled `""` in it stands for one `"`, commas and line feeds in it are part of it, and after the closing '
    'quote a comma, a line feed or the end of the text must follow. A field that does not begin with `"` must not '
    'have a `"` in it. Nothing is trimmed, and whether a field was quoted makes no difference to its value.',
    "All comparisons are exact: `1`, `01` and ` 1` are different, `a` and `A` too.",
)

TABLE = (("table", "string: `left` or `right`"),)
CSV = "string, 0 to 1000 code points"

JOIN = OperationDoc(
    name="join",
    summary="Pairs the rows of two tables that have the same key.",
    parameters=(
        Param(name="left", type=CSV, text="the left table as CSV text"),
        Param(name="right", type=CSV, text="the right table as CSV text"),
        Param(
            name="on",
            type="array of 1 to 3 strings, each of 0 to 50 code points",
            text="the key columns, which both tables must have; a column may be named twice, which changes nothing",
        ),
        Param(
            name="kind",
            type="string: `inner`, `left`, `right` or `full`",
            text="which rows without partner the result keeps: none, those of the left table, those of the right "
            "one, or all; default `inner`",
            required=False,
        ),
        Param(
            name="fill",
            type="string, 0 to 20 code points",
            text="stands in the cells for which a row without partner has no value; default the empty string",
            required=False,
        ),
    ),
    result='`{"csv": string, "rows": integer, "left_only": integer, "right_only": integer}`: the joined table as '
    "CSV text, its number of data rows, and how many rows of the left and of the right table have no partner, "
    "whether `kind` keeps them or not.",
    errors=(
        ErrorDoc(code="no_header", when="the text is empty", extra=TABLE),
        ErrorDoc(
            code="bad_csv",
            when="a quoted field is never closed, its closing quote is followed by something else, or a field that "
            "is not quoted has a quote in it",
            extra=TABLE,
        ),
        ErrorDoc(code="duplicate_column", when="two fields of the header are equal", extra=TABLE),
        ErrorDoc(
            code="ragged_row",
            when="a data row has more or fewer fields than its header",
            extra=(*TABLE, ("row", "integer: the number of the first such row")),
        ),
        ErrorDoc(
            code="unknown_column",
            when="a name in `on` is not in the header of a table",
            extra=(("column", "string: the name"), *TABLE),
        ),
        ErrorDoc(code="too_many_rows", when="the joined table would have more than 200 data rows"),
    ),
    error_order="the first four are looked for in the left table in the order listed, then in the right one; then "
    "come the names of `on` in turn, each in the left table before the right; `too_many_rows` is last",
    rules=(
        "The key of a row is its cells in the columns of `on`. Two rows, one of each table, are partners if their "
        "keys are equal and no cell of the key is empty: a row with an empty cell in its key has no partner.",
        "Columns of the result: all columns of the left table in their order, then those columns of the right table "
        "that are not in `on`, in their order. While the name of a right column equals a name before it in the result, "
        "`_right` is appended to it, again and again if need be.",
        "Rows of the result: for each left row in order, that row with each of its partners in their order in the "
        "right table, or, without partner and if `kind` keeps it, once with `fill` in the columns of the right table. "
        "After all of them, if `kind` keeps them, the right rows without partner in their order: the columns of `on` "
        "have their own values (also empty ones), the other columns of the left table `fill`.",
        "Written form: the header, then the rows; cells are separated by commas and every record, the last too, ends "
        "with one line feed. A cell that has a comma, a double quote, a carriage return or a line feed in it is put "
        "between double quotes, with each double quote in it doubled; any other cell is written as it is. The header "
        "is there even if there are no rows.",
    ),
)

CELLS = ("1", "2", "3", "01", "", "x", "X", "é", "a,b", 'say "hi"', "two\nlines", " 1", "\u6771")
KEYS = ("1", "2", "3", "01", "", "x", "a,b", "é")


def generate(rng: Random) -> Input:
    """One input on two random tables that share one or two columns."""
    on = rng.sample(("id", "day", "no, really"), rng.choice((1, 1, 2)))
    left = _table(rng, on, rng.sample(("qty", "name", "note", "name_right"), rng.randint(0, 2)))
    right = _table(rng, on, rng.sample(("name", "note", "price", "qty"), rng.randint(0, 2)))
    names = list(on) if rng.random() < 0.96 else ["id", "qty", "price"]
    args: dict[str, object] = {"left": left, "right": right, "on": names}
    if rng.random() < 0.8:
        args["kind"] = rng.choice(("inner", "left", "right", "full", "full"))
    if rng.random() < 0.5:
        args["fill"] = rng.choice(("-", "NULL", "n/a, really", '"', "0"))
    return "join", args


def _table(rng: Random, on: list[str], others: list[str]) -> str:
    names = rng.sample([*on, *others], len(on) + len(others))
    keys = rng.sample(KEYS, 4)
    rows = [[rng.choice(keys if name in on else CELLS) for name in names] for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.03:
        rows[-1].append("extra")
    line_end = rng.choice(("\n", "\n", "\r\n"))
    lines = [",".join(_field(rng, cell) for cell in record) for record in [names, *rows]]
    return line_end.join(lines) + rng.choice(("", line_end))


def _field(rng: Random, cell: str) -> str:
    if any(char in cell for char in ',"\n') or rng.random() < 0.1:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _join(left: str, right: str, on: str, kind: str = "", **more: object) -> Input:
    """Arguments; columns of `on` are separated by a bar."""
    args: dict[str, object] = {"left": left, "right": right, "on": on.split("|"), **more}
    return "join", {**args, "kind": kind} if kind else args


NAMES = "id,name\n1,ada\n2,bob\n,nobody\n"
POINTS = "id,name,points\n2,x,10\n3,y,5\n,z,7\n2,w,1\n"
ONES = "k\n" + "1\n" * 200
DEEP = wide(50)

BOUNDARY: tuple[Input, ...] = (
    _join(NAMES, POINTS, "id", "full", fill="?"),
    *(_join(NAMES, POINTS, "id", kind) for kind in ("inner", "left", "right", "full")),
    _join(NAMES, POINTS, "id", fill="?"),
    _join(NAMES, POINTS, "id|name", "full"),
    _join("", "", "id"),
    _join("id\n1", "", "id"),
    _join("\n", "\n", "", "full"),
    _join('""\n\nx', '""\nx\n""\n\n', "", "full", fill="0"),
    _join('a,"b\n1,2', "a,a\n1", "a"),
    _join('a,b\n1,"x"y', "a", "a"),
    _join('a,b\n1,"x" ,2', "a", "a"),
    _join('a,b\n1,x"y"', "a", "a"),
    _join('a,b\n1, "y"', "a", "a"),
    _join("a\n1", 'a\n"x"\r', "a"),
    _join('a\n1,2\n"', "a", "a"),
    _join("a,b,a\n1", "b", "c"),
    _join("a,b\n1,2\n3\n4,5,6", "a,a", "c"),
    _join("a,b\n1,2\n\n3,4", "a", "a"),
    _join("a\n1", "a,b\n1,2\n3,4,\n5", "a"),
    _join("a\n1", "a,b\n1,\n3", "a"),
    _join("a\n1", "b,c,b\n1", "a"),
    _join("a,b", "b,c", "b|a|c"),
    _join("a,b", "b,c", "c|a"),
    _join("a,b", "A,b", "b|A"),
    _join("a", "a,b", "a", "full"),
    _join("a,b", "b\n", "b|b|b", "left"),
    _join("k\n1\n1\n", "k\n1\n1\n1\n", "k", "full"),
    _join("k,v\n1,a\n1,b\n", "w,k\nc,1\nd,1\n", "k"),
    _join("k,v\n1,a\n01,b\n 1,c\n1 ,d\nA,e\n", "k,w\n1,x\na,y\n01,z\n", "k", "left", fill="none"),
    _join("a,b,v\n1,,x\n,1,y\n1,1,z\n,,w", "b,a,u\n,1,p\n1,,q\n1,1,r\n,,s\n2,1,t", "a|b", "full", fill="-"),
    _join("a,b\n1,2", "c,b,a\n9,1,2", "a|b", "full"),
    _join("k,v,v_right\n1,a,b\n", "k,v,v_right,w\n1,c,d,e\n", "k"),
    _join("v,k,v_right_right\n1,a,b\n", "v_right,v,k\n7,8,a\n", "k"),
    _join("v,k\n1,a\n", "v,v_right,k\n7,8,a\n", "k"),
    _join('k,"x,y"\n1,"a""b"\n', 'k,"p\nq",r\n1,"c\r\nd","e\rf"\n', "k"),
    _join('k\r\n"1"\r\n', "k,s\r\r\n1,t\r\r\n", "k"),
    _join('k,v\n1, sp \n2,;\n3,\t\n4,\'\n5,"""\n"""\n', "k\n5\n", "k", "left"),
    _join('k,v\n1,"a\r\nb"\n', 'v,w\n"a\nb",ok\n', "v"),
    _join("k,\n1,2\n", "k,\n1,3\n", "k"),
    _join("k,v\n1,x\n2,y\n", "k\n2\n2\n3\n", "k", "right", fill='"'),
    _join("k,v\n1,x", "k,w\n2,y", "k", "full", fill=wide(20)),
    _join(f"{DEEP},v\n1,x", f"w,{DEEP}\n2,1", DEEP),
    _join(f"k,v\n1,{wide(994)}", f"k\n{wide(998)}", "k", "left"),
    _join(ONES, "k\n1", "k"),
    _join(ONES + "2", "k\n1", "k"),
    _join(ONES + "2", "k\n1", "k", "left"),
    _join(ONES, "k\n1\n2", "k", "left"),
    _join(ONES, "k\n1\n2", "k", "right"),
    _join(ONES, "k\n1\n\n", "k", "full"),
    _join(ONES, "k\n1\n\n", "k", "inner"),
    _join("k\n" + "1\n" * 20, "k\n" + "1\n" * 10, "k"),
    _join("k\n" + "1\n" * 67, "k\n1\n1\n1\n", "k"),
    _join("k\n" + "1\n" * 499, "k\n" + "1\n" * 499, "k"),
)

GOOD = {"left": "a\n1", "right": "a\n1", "on": ["a"]}

MALFORMED: tuple[Input, ...] = (
    ("join", {"right": "a", "on": ["a"]}),
    ("join", {"left": "a", "on": ["a"]}),
    ("join", {"left": "a", "right": "a"}),
    ("join", {**GOOD, "left": None}),
    ("join", {**GOOD, "left": ["a", "1"]}),
    ("join", {**GOOD, "right": 1}),
    ("join", {**GOOD, "left": "a" * 1001}),
    ("join", {**GOOD, "right": wide(1001)}),
    ("join", {**GOOD, "on": []}),
    ("join", {**GOOD, "on": "a"}),
    ("join", {**GOOD, "on": ["a"] * 4}),
    ("join", {**GOOD, "on": ["a", 1]}),
    ("join", {**GOOD, "on": ["a", None]}),
    ("join", {**GOOD, "on": ["a", "n" * 51]}),
    ("join", {"left": "", "right": "", "on": [wide(51)]}),
    ("join", {**GOOD, "kind": "outer"}),
    ("join", {**GOOD, "kind": "Inner"}),
    ("join", {**GOOD, "kind": ""}),
    ("join", {**GOOD, "kind": None}),
    ("join", {**GOOD, "kind": ["left"]}),
    ("join", {**GOOD, "fill": None}),
    ("join", {**GOOD, "fill": 0}),
    ("join", {**GOOD, "fill": "f" * 21}),
    ("join", {**GOOD, "fill": wide(21)}),
)

FAMILY = Family(
    number=11,
    slug="csv-join",
    category="data",
    title="CSV join",
    purpose="Joins two tables given as CSV text on the columns they share, as databases do, and writes the result as "
    "CSV text.",
    notes=NOTES,
    operations=(JOIN,),
    program=program,
    # Key `city`. Left rows: Oslo (partners: the right rows Oslo,7 and Oslo,9), "" (an empty key: no partner, although the right
    # table has one too), Bergen (none): 2 left rows are lonely, `left` keeps them with `?`. The right columns but the key are
    # note, temp; note is taken and becomes note_right. The cell `a, b` has a comma and is quoted. Right rows without partner:
    # the one with the empty key, and Rome: 2, which are not kept.
    golden=Case(
        op="join",
        args={
            "left": 'city,note\nOslo,"a, b"\n,none\nBergen,rain\n',
            "right": "note,city,temp\nx,Oslo,7\ny,,8\nz,Rome,30\nw,Oslo,9",
            "on": ["city"],
            "kind": "left",
            "fill": "?",
        },
        expected={
            "csv": 'city,note,note_right,temp\nOslo,"a, b",x,7\nOslo,"a, b",w,9\n,none,?,?\nBergen,rain,?,?\n',
            "rows": 4,
            "left_only": 2,
            "right_only": 2,
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
