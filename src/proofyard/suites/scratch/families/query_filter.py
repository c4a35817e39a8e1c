"""Contract, inputs and the golden case of the family `query-filter`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import query_filter as program

__all__ = ["FAMILY"]

NOTES = (
    "A **query** is made of tokens: **names** (an ASCII letter or `_`, then any number of ASCII letters, digits and "
    "`_`); "
    "**integers** (one or more ASCII digits, perhaps a `-` directly before them); **strings**; and the signs `=`, `!=`, `<`, "
    "`<=`, `>`, `>=`, `~`, `(`, `)`. Each token is as long as it can be. Spaces (U+0020, no other white space) may stand "
    "between tokens and at both ends, and are needed only where two tokens would else be read as one: `a=1and b=2` is right.",
    "A string begins with `'`. After that, two `'` in a row stand for one, the first `'` that is not followed by another one "
    "ends the string, and every other character stands for itself: `'it''s'` is it's, `''` is the empty string. A string "
    "without such an end (`'x''`) is no token.",
    "The names `and`, `or`, `not` and `exists`, exactly so in small letters, are keywords; every other name is that "
    "of a "
    "field. A **condition** is: a field, one of the signs `=`, `!=`, `<`, `<=`, `>`, `>=`, `~`, and an integer or "
    "string; or a "
    "field and `exists`.",
    "Grammar: a query is a condition, or a query in parentheses, or `not` and a query, or two queries joined by "
    "`and` or `or`. "
    "`not` binds tightest, then `and`, then `or`; joined queries are taken together from left to right. So "
    "`not a = 1 and b = 2 or c = 3` is `((not a = 1) and b = 2) or c = 3`, and `not not a exists` is right. An "
    "empty query is "
    "no query.",
)

BAD_QUERY = ErrorDoc(
    code="bad_query",
    when="`where` is no query",
    extra=(
        (
            "at",
            "integer: the position, in code points from 0, of the first token that cannot stand where it does, because no "
            "query begins with the tokens up to it; a character that begins no token counts as one, the `'` of a string "
            "without an end too. If each token can stand there but the query is not complete: the length of `where`",
        ),
    ),
)

WHERE = Param(name="where", type="string, 0 to 120 code points", text="the query")

SELECT = OperationDoc(
    name="select",
    summary="The records for which a query holds.",
    parameters=(
        Param(
            name="records",
            type="array of 0 to 20 objects",
            text="the records, each with 0 to 8 fields; the value of a field is a string of 0 to 40 code points or an integer, "
            "-1000000000000 to 1000000000000; the name of a field is any string (a query can name only some of them)",
        ),
        WHERE,
        Param(
            name="order",
            type="string, 1 to 30 code points",
            text="the name of a field, with `-` before it for the greatest first; default: the order of `records`",
            required=False,
        ),
        Param(
            name="limit",
            type="integer, 0 to 20",
            text="how many records to return at most; default: all",
            required=False,
        ),
    ),
    result='`{"total": integer, "records": [object, ...]}`: how many records the query holds for, whatever `limit` '
    "is; and these records, as they were given.",
    rules=(
        "A condition on a field that a record does not have is false, one with `!=` too. `exists` is true for a "
        "record that has "
        "the field, whatever its value. `not`, `and`, `or` as usual; so `not a = 1` is true for a record without `a`.",
        "`=`, `!=`, `<`, `<=`, `>`, `>=` compare integers by value and strings by code point, as Python does; case "
        "matters. Of "
        "a string and an integer `!=` is true and all the others are false: the string `5` is not the integer 5.",
        "`~` is true if the value of the field, as a text, contains the text on the right; integers on either side "
        "are written "
        "in decimal for that (`-07` as `-7`). Case matters; every text contains the empty one.",
        "With `order`, the selected records are sorted by that field, the least first: integers before strings, "
        "integers by "
        "value, strings by code point. If `order` begins with `-`, that one character is taken off, and the order "
        "is the other "
        "way round: strings before integers, the greatest first. In both cases records without the field come last, "
        "and "
        "records that are equal in the field, or have none, stay in the order of `records`. Any string is right as a "
        "name; the order `-` is by the field with the empty name. `limit` is applied after sorting.",
    ),
    errors=(BAD_QUERY,),
)

EXPLAIN = OperationDoc(
    name="explain",
    summary="The steps of a query, in postfix form.",
    parameters=(WHERE,),
    result='`{"steps": [string, ...]}`: the conditions and keywords of the query.',
    rules=(
        "Conditions are in the order of the query. Each `not` stands directly after the steps of what it is applied "
        "to, each "
        "`and` or `or` directly after the steps of its right side, which follow those of its left side: "
        "`a = 1 or not (b = 2 and c exists)` has the steps `a = 1`, `b = 2`, `c exists`, `and`, `not`, `or`. "
        "Parentheses are no "
        "steps.",
        "A condition is written with exactly one space between its tokens, and each token exactly as it is in the "
        "query "
        "(`a=007` is `a = 007`).",
    ),
    errors=(BAD_QUERY,),
)

FIELDS = ("a", "b", "name", "Age", "_x1")
WORDS = ("", "ann", "Ann", "bob", "it's", "10", "5", "é", "\U0001f600", "an n")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    query = _query(rng, 0)
    while len(query) > 90:
        query = _query(rng, 0)
    if rng.random() < 0.08:
        at = rng.randint(0, len(query))
        query = query[:at] + rng.choice((")", "and ", "'", " 5 ", "(", "!")) + query[at:]
    if rng.random() < 0.3:
        return "explain", {"where": f"{query} {rng.choice(('and', 'or'))} id={rng.randint(0, 10**8)}"}
    few = rng.sample(FIELDS, 4)
    records = [{name: _value(rng) for name in few if rng.random() < 0.85} for _ in range(rng.randint(4, 9))]
    args: dict[str, Any] = {"records": records, "where": query}
    if rng.random() < 0.6:
        args["order"] = rng.choice(("", "-")) + rng.choice(few)
    if rng.random() < 0.4:
        args["limit"] = rng.randint(0, 5)
    return "select", args


def _value(rng: Random) -> int | str:
    return rng.choice((rng.randint(-3, 12), rng.randint(0, 5), rng.choice(WORDS)))


def _query(rng: Random, depth: int) -> str:
    """A query; up to three levels of keywords."""
    kind = rng.random()
    if depth < 3 and kind < 0.55 - 0.1 * depth + (depth == 0) * 0.2:
        left, right = _query(rng, depth + 1), _query(rng, depth + 1)
        made = f"{left} {rng.choice(('and', 'or'))} {right}"
        return f"({made})" if rng.random() < 0.35 else made
    if kind > 0.85:
        return f"not {_query(rng, depth + 1)}"
    field = rng.choice(FIELDS)
    if rng.random() < 0.15:
        return f"{field} exists"
    gap = rng.choice(("", " ", " "))
    found = _value(rng)
    literal = str(found) if isinstance(found, int) else "'" + found.replace("'", "''") + "'"
    return f"{field}{gap}{rng.choice(('=', '!=', '!=', '<', '<=', '>', '>=', '~'))}{gap}{literal}"


def _explain(where: str) -> Input:
    return "explain", {"where": where}


def _select(where: str, *records: dict[str, Any], **more: Any) -> Input:
    return "select", {"records": list(records), "where": where, **more}


LONG = wide(40)
VALUES: tuple[dict[str, Any], ...] = (
    {"a": 5, "b": "x"},
    {"a": "5", "b": "X"},
    {"b": "xy"},
    {"a": -5},
    {"a": 50, "b": ""},
    {"a": "ab'c"},
    {"a": 0, "b": "x"},
    {},
)
CONDITIONS = (
    *(
        "a = 5",
        "a != 5",
        "a < 5",
        "a <= 5",
        "a > 5",
        "a >= 5",
        "a ~ 5",
        "a ~ -",
        "a ~ '-'",
        "a = '5'",
        "a != '5'",
        "a < '5'",
    ),
    *(
        "a <= '5'",
        "a > '5'",
        "a >= '5'",
        "a ~ '5'",
        "a ~ ''",
        "a ~ 05",
        "a = -0",
        "b ~ 'x'",
        "b > 'X'",
        "b = ''",
        "a exists",
    ),
    *("not a exists", "not a = 5", "not a < 5", "a = 'ab''c'", "a ~ ''''", "A = 5", "b exists and not b = ''"),
)
FAULTS = (
    *("", "   ", "a", "a =", "a = 'x", "a = '''", "a = 'x''", "= 5", "5 = a", "a == 5", "a <> 5", "a ! 5", "a = b"),
    *("a = +5", "a = - 5", "a = 1.5", "a = 5 b = 5", "a = 5 and", "and a = 5", "a = 5 or or b = 5", "not"),
    *("a not = 5", "(a = 5", "a = 5)", "()", "((a = 5) and b = 6", "a = (5)", "exists", "exists = 5", "not = 5"),
    *("or = 5", "a exists 5", "a Exists", "a = 5 AND b = 5", "a = 5\tand b = 5", "\na = 5", "a = 5 # b", "é = 5"),
    *("a.b = 5", "a-1 = 5", "1a = 5", 'a = "x"', "a = 5 ) or (", "a in (5)", "b = 'é😀' x", "a = 5 and ! b"),
    *("a = 5 'x", "'x' 'y", "a !== 5", "(", "a = 12 34", "(a = 5 and (b = 6)", "not not", "a = 5 not b = 5"),
    *("a exists exists", "(a) = 5", "a = ٣"),
)
ORDERED: tuple[dict[str, Any], ...] = (
    {"k": 3, "n": 1},
    {"n": 2},
    {"k": "b", "n": 3},
    {"k": -3, "n": 4},
    {"k": "B", "n": 5},
    {"k": 3, "n": 6},
    {"n": 7},
    {"k": "b", "n": 8, "-k": 1},
    {"k": 10, "n": 9},
)

BOUNDARY: tuple[Input, ...] = (
    _select(
        "not (role = 'dev' or age >= 40)", {"role": "dev", "age": 30}, {"age": "40"}, {"role": "ops", "age": 40}, {}
    ),
    *(_select(where, *VALUES) for where in CONDITIONS),
    *(_explain(where) for where in FAULTS),
    _select("", *VALUES),
    _select("a = 5 and", order="a", limit=0),
    *(_select("n > 0", *ORDERED, order=order) for order in ("k", "-k", "n", "-n", "--k", "-", "zz", "-zz", "K")),
    _select("n > 1", *ORDERED, order="-k", limit=3),
    _select("n > 1", *ORDERED, order="k", limit=7),
    _select("n > 1", *ORDERED, limit=2),
    _select("n >= 9", *ORDERED, limit=0),
    _select("n != 3", *ORDERED, limit=20),
    _select("n = 0", *ORDERED, order="k"),
    _select("x = 1"),
    _select("x = 1 or not x = 1", *[{f"f{j}": i * j for j in range(8)} for i in range(20)], order="-f1"),
    _select("a exists or b exists or name exists", *VALUES, order=LONG[:30]),
    _select(
        f"a ~ '{wide(20)}' and b = '{LONG}' and k != 'z'",
        {"a": LONG, "b": LONG, "k": LONG, "role": LONG, "age": LONG},
        {"a": "é" * 40, "b": "z" * 40, "k": 10**12, "role": -(10**12)},
    ),
    _select(f"q = '{wide(114)}'", {"q": 1}),
    _explain(f"a ~ '{wide(114)}'"),
    _explain("a=1"),
    _explain("  a=007  "),
    _explain("a=-1and b!=''or(c>='x''y'and not d exists)"),
    _explain("a = 1 and b = 2 and c = 3"),
    _explain("a = 1 or b = 2 or c = 3"),
    _explain("a = 1 or b = 2 and c = 3 or d = 4"),
    _explain("a = 1 and b = 2 or c = 3 and d = 4"),
    _explain("(a = 1 or b = 2) and (c = 3 or d = 4)"),
    _explain("a = 1 and (b = 2 and c = 3)"),
    _explain("(a = 1 or b = 2 and c = 3)"),
    _explain("not (a = 1 and b = 2 or c = 3 and (d = 4 or e = 5 and f = 6))"),
    _explain("not a = 1 and not not b = 2"),
    _explain("not (a = 1 and b = 2)"),
    _explain("And = 1 and andy = 2 and or_ = 3 and _ < 4 and NOT ~ 5"),
    _explain("a<'<'and b<=-5and c>5and d>=5and e~'~'and f!='!='"),
    _explain("(" * 50 + "a = 1" + ")" * 50),
    _explain("not " * 25 + "abcde exists "),
    _explain("(" * 120),
    *(
        _select(where, {"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 1, "c": 1}, {"c": 1}, {"b": 2})
        for where in (
            *("a = 1 or b = 1 and c = 1", "(a = 1 or b = 1) and c = 1", "not a = 1 and b = 1", "not (a = 1 and b = 1)"),
            *(
                "not a = 1 or not b = 1",
                "a = 2 and c = 1 or a = 1 and b = 2",
                "not not a = 1",
                "not a exists or not b != 2",
            ),
        )
    ),
)

GOOD = {"records": [{"a": 1}], "where": "a = 1"}


def _bad(*records: Any) -> Input:
    return "select", {"records": list(records), "where": "a ="}


MALFORMED: tuple[Input, ...] = (
    ("select", {"where": "a = 1"}),
    ("select", {"records": []}),
    ("select", {**GOOD, "where": None}),
    ("select", {**GOOD, "where": ["a = 1"]}),
    ("select", {**GOOD, "where": "a" * 121}),
    ("select", {**GOOD, "where": wide(121)}),
    ("select", {**GOOD, "records": {"a": 1}}),
    ("select", {**GOOD, "records": [{}] * 21}),
    _bad([["a", 1]]),
    _bad({}, None),
    _bad({"a": None}),
    _bad({"a": True}),
    _bad({"a": 1.0}),
    _bad({"a": [1]}),
    _bad({"a": 1}, {"b": {}}),
    _bad({"a": 10**12 + 1}),
    _bad({"a": -(10**12) - 1}),
    _bad({"a": wide(41)}),
    _bad({f"f{i}": 1 for i in range(9)}),
    ("select", {**GOOD, "order": ""}),
    ("select", {**GOOD, "order": None}),
    ("select", {**GOOD, "order": ["a"]}),
    ("select", {**GOOD, "order": wide(31)}),
    ("select", {**GOOD, "limit": -1}),
    ("select", {**GOOD, "limit": 21}),
    ("select", {**GOOD, "limit": False}),
    ("select", {**GOOD, "limit": 2.0}),
    ("select", {**GOOD, "limit": None}),
    ("explain", {}),
    ("explain", {"where": None}),
    ("explain", {"where": 5}),
    ("explain", {"where": wide(121)}),
)

FAMILY = Family(
    number=59,
    slug="query-filter",
    category="parsing",
    title="Query filter",
    purpose="Selects and sorts records by queries in a small language with comparisons, `and`, `or`, `not` and parentheses, "
    "and tells how a query is read.",
    notes=NOTES,
    operations=(SELECT, EXPLAIN),
    program=program,
    # `and` binds tighter: the second part is `stock exists and not name ~ 'a'`. pear: price 3 < 5, yes. fig: price 7, no; has
    # stock, no `a` in fig: yes. plum: the price is a string, so `<` is false; no stock: no. kiwi: price 5 is not less; stock,
    # and no `a`: yes. banana: stock, but an `a`; price 9: no. Total 3; by price, greatest first: fig 7, kiwi 5, pear 3; two of
    # them.
    golden=Case(
        op="select",
        args={
            "records": [
                {"name": "pear", "price": 3},
                {"name": "fig", "price": 7, "stock": 0},
                {"name": "plum", "price": "2"},
                {"name": "kiwi", "price": 5, "stock": 9},
                {"name": "banana", "price": 9, "stock": 4},
            ],
            "where": "price < 5 or stock exists and not name ~ 'a'",
            "order": "-price",
            "limit": 2,
        },
        expected={
            "total": 3,
            "records": [{"name": "fig", "price": 7, "stock": 0}, {"name": "kiwi", "price": 5, "stock": 9}],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
