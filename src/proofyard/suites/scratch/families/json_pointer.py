"""Contract, inputs and the golden case of the family `json-pointer`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import json_pointer as program

__all__ = ["FAMILY"]

NOTES = (
    "**Pointers.** A pointer is a string of any number of tokens, each written as a `/` followed by the token's text, "
    "which may be empty. In that text `~0` stands for `~` and `~1` for `/`; a `~` with anything else after it, or at "
    "the end, is a fault, and so is a first character that is not `/`. `~01` is the token `~1`. The empty string is "
    "the pointer without tokens; `/` has one token, the empty one. Nothing else is decoded or trimmed.",
    "**Following tokens.** The start is the document itself. In an object a token names a key, compared exactly. In "
    "an array it must be an *index*: `0`, or a digit 1 to 9 followed by any number of ASCII digits; it counts from "
    "0. `01`, `-1`, `-` and the empty token are no indices. A string, number, boolean or null has nothing in it. "
    "`at` in an error is always the pointer of the value in which the next token was looked for.",
    "**Values.** All numbers in a document are integers of any size; the *number of values* in a value counts "
    "itself and everything in it at any depth: `[1, {}]` holds 3 values.",
)

DOCUMENT = Param(
    name="document",
    type="object or array that holds at most 200 values, all numbers in it integers",
    text="the document",
)
AT = (("at", "string: the pointer of that array"),)
BAD_POINTER = "is not a pointer"
POSITION = (
    (
        "position",
        "integer: where the first fault is, counted in code points from 0: that of the wrong first character or of "
        "the wrong `~`",
    ),
)
BAD_INDEX = "the next token is looked for in an array and is no index"
NO_VALUE = "the array has no such index, the object no such key, or the value is neither"
AT_VALUE = (("at", "string: the pointer of that array, object or other value"),)

RESOLVE = OperationDoc(
    name="resolve",
    summary="The value at a pointer.",
    parameters=(DOCUMENT, Param(name="pointer", type="string, 0 to 200 code points", text="the pointer")),
    result='`{"value": any JSON value}`.',
    errors=(
        ErrorDoc(code="bad_pointer", when=f"`pointer` {BAD_POINTER}, whatever the document", extra=POSITION),
        ErrorDoc(code="bad_index", when=BAD_INDEX, extra=AT),
        ErrorDoc(code="no_value", when=NO_VALUE, extra=AT_VALUE),
    ),
    error_order="`bad_pointer` comes first; then the first token that cannot be followed decides",
)

RELATIVE = OperationDoc(
    name="relative",
    summary="The value at a relative pointer, or the name of a value.",
    parameters=(
        DOCUMENT,
        Param(name="base", type="string, 0 to 200 code points", text="a pointer: where the relative one starts"),
        Param(name="relative", type="string, 0 to 100 code points", text="the relative pointer"),
    ),
    result='`{"value": any JSON value}`: the value found; with `#` its name, a string or an integer.',
    errors=(
        ErrorDoc(code="bad_pointer", when=f"`base` {BAD_POINTER}", extra=POSITION),
        ErrorDoc(
            code="bad_relative", when="`relative` has not the form described; that includes a fault in its pointer"
        ),
        ErrorDoc(code="bad_index", when=f"following `base` or the pointer at the end, {BAD_INDEX}", extra=AT),
        ErrorDoc(code="no_value", when=f"following `base` or the pointer at the end: {NO_VALUE}", extra=AT_VALUE),
        ErrorDoc(code="above_root", when="there are more levels to go up than `base` has tokens"),
        ErrorDoc(code="not_in_array", when="there is a shift, but the value reached is not an element of an array"),
        ErrorDoc(
            code="no_value",
            when="the shifted index is negative or not below the length of the array",
            extra=AT_VALUE,
        ),
        ErrorDoc(code="no_name", when="`#` is asked of the document itself"),
    ),
    error_order="`bad_pointer`, then `bad_relative`, then the steps in their order: the first that fails decides",
    rules=(
        "`relative` is: the number of levels, `0` or a digit 1 to 9 followed by any number of ASCII digits; then "
        "perhaps a shift, `+` or `-` and a number that begins with a digit 1 to 9; then either `#` or a pointer, "
        "which may be the empty string. `0`, `1/a`, `2-1/b/c`, `0#` and `1+2#` are relative pointers; `+1`, `01/a`, "
        "`0+0`, `1a` and `0#/a` are not.",
        "The steps: (1) follow `base` to a value, which must exist even if it is left at once; (2) go up so many "
        "levels, each to the array or object that holds the value; (3) with a shift, go to the element of the same "
        "array whose index is greater (`+`) or smaller (`-`) by that number; (4) with a pointer at the end, follow "
        "it from there; with `#` take the name under which the value stands: its key if an object holds it, its "
        "index as an integer if an array does.",
        "`at` is a pointer from the document, also where a token of the pointer at the end fails.",
    ),
)

LOCATE = OperationDoc(
    name="locate",
    summary="Where in a document certain values stand.",
    parameters=(
        DOCUMENT,
        Param(
            name="values",
            type="array of 1 to 5 JSON values, each of any type; each holds at most 200 values, all numbers in it "
            "integers",
            text="the wanted values; one may occur twice, which changes nothing",
        ),
    ),
    result='`{"pointers": [string, ...]}`: the pointers of all values, the document itself included, that are equal to '
    "one of `values`.",
    rules=(
        "Values are equal if they are of the same type (`true` is not 1) and: the same number, the same string code "
        "point by code point, arrays with equal elements in the same order, objects with the same keys and equal "
        "values under each.",
        "Order: a value comes before everything in it; elements of an array by index; the values of an object by "
        "key, as Python compares strings (by code point), each with everything in it before the next key. The order "
        "in which the keys of an object are written means nothing.",
        "In the pointers `~` in a key is written `~0` and `/` is written `~1`, nothing else is escaped.",
    ),
)

KEYS = ("a", "b", "id", "tags", "a/b", "m~n", "", "0", "1", "01", "é", "x y", "~1", "A", "-")
SCALARS = (0, 1, 2, -5, 10**18, True, False, None, "", "a", "1", "b", "é")


def generate(rng: Random) -> Input:
    """One input of a random operation; some pointers lead nowhere."""
    op = rng.choice(("resolve", "relative", "relative", "locate"))
    document = _tree(rng, 4)
    paths = _paths(document)
    args: dict[str, Any] = {"document": document}
    if op == "locate":
        around = [rng.choice(SCALARS), rng.choice(SCALARS), _at(document, rng.choice(paths))]
        return op, {**args, "values": rng.sample(around, rng.randint(1, 3))}
    path = rng.choice([path for path in paths if len(path) > 1] or paths)
    if op == "resolve":
        return op, {**args, "pointer": _written([*path, *_astray(rng, 0.2)])}
    up = rng.randint(0, max(0, len(path) - 1))
    top = path[: len(path) - up]
    shift = rng.choice(("", "", "-1", "+1", "+2")) if isinstance(_at(document, top[:-1]), list) else ""
    below = rng.choice([other[len(top) :] for other in paths if other[: len(top)] == top])
    end = "#" if rng.random() < 0.35 else _written([*below, *_astray(rng, 0.05)])
    return op, {**args, "base": _written(path), "relative": f"{up}{shift}{end}"}


def _astray(rng: Random, chance: float) -> list[str]:
    return [rng.choice(KEYS)] if rng.random() < chance else []


def _tree(rng: Random, depth: int) -> Any:
    if depth == 0 or (depth < 3 and rng.random() < 0.3):
        return rng.choice(SCALARS)
    if rng.random() < 0.45:
        return [_tree(rng, depth - 1) for _ in range(rng.randint(1, 4))]
    return {key: _tree(rng, depth - 1) for key in rng.sample(KEYS, rng.randint(1, 4))}


def _paths(value: Any) -> list[list[str]]:
    if isinstance(value, list):
        inner = [(str(index), item) for index, item in enumerate(value)]
    else:
        inner = list(value.items()) if isinstance(value, dict) else []
    return [[], *([token, *path] for token, item in inner for path in _paths(item))]


def _at(value: Any, path: list[str]) -> Any:
    for token in path:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def _written(path: list[str]) -> str:
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in path)


TREE: dict[str, Any] = {
    "foo": ["bar", "baz", ["q", {"deep": None}]],
    "": 0,
    "a/b": 1,
    "m~n": {"~1": "tilde", "/": "slash"},
    "0": {"01": True, "-": "dash"},
    "é": "é",
    " ": " ",
}
MANY = [[*range(98)], {f"k{number}": "" for number in range(99)}]


def _resolve(pointer: str, document: Any = None) -> Input:
    return "resolve", {"document": TREE if document is None else document, "pointer": pointer}


def _relative(base: str, relative: str, document: Any = None) -> Input:
    return "relative", {"document": TREE if document is None else document, "base": base, "relative": relative}


def _locate(document: Any, *values: Any) -> Input:
    return "locate", {"document": document, "values": list(values)}


BOUNDARY: tuple[Input, ...] = (
    _relative("/foo/2/1/deep", "2-1#"),
    *(_resolve(pointer) for pointer in ("", "/", "/a~1b", "/m~0n/~01", "/m~0n/~1", "/m~0n//", "/foo/2/1/deep", "/ ")),
    *(_resolve(pointer) for pointer in ("a", " /foo", "#/foo", "/foo~", "/~2/~3", "/a~1b~/x", "/nope/~x", "é/~")),
    *(_resolve(f"/foo/{token}") for token in ("00", "01", "-", "-1", "+1", "", "1.0", "1e0", " 1", "\u0661", "bar")),
    *(_resolve(f"/foo/{token}") for token in ("0", "3", "99999999999999999999", "2/2", "2/1/deep/x", "0/0", "x/y")),
    *(_resolve(pointer) for pointer in ("/0/01", "/0/-", "/0/1", "/FOO", "/e\u0301", "/m~0n/~01/x/y", "/%20", "//")),
    _resolve("/0", ["only"]),
    _resolve("/x/1/0", {"x": ["only", []]}),
    _resolve("", []),
    _resolve("/10", list("abcdefghijk")),
    _resolve("/" + wide(199), {wide(199): {"b": [True, 1, "1", None]}}),
    _resolve(wide(200)),
    _resolve("/foo/" + "9" * 195),
    *(_relative("/foo/1", text) for text in ("0", "1/0", "2/a~1b", "0-1", "0+1/1/deep", "1#", "0#", "0-1#", "0+1#")),
    *(_relative("/foo/1", text) for text in ("", "/", "#", "+1", "01", "0+0", "0-01", "1a", "0#/a", "0##", "-1", " 0")),
    *(_relative("/foo/1", text) for text in ("0/~", "1/~2", "0+", "1#\n", "0+1-1", "0~1", "\u0661", "0/a#")),
    *(_relative("/foo/1", text) for text in ("2#", "3", "3#", "2+1", "1+1", "2-1#", "0+2", "0-2", "0+1/2", "0/x")),
    *(_relative("/foo/2/0", text) for text in ("1/01", "1/-", "1/1/deep/a", "1-3", "1-2", "0+1/deep", "1+1/x", "2/3")),
    _relative("", "0"),
    _relative("/foo/2", "0+1"),
    _relative("/foo/2", "0+1#"),
    _relative("", "0#"),
    _relative("", "0+1"),
    _relative("", "1"),
    _relative("", "0/foo/0"),
    _relative("foo", "x"),
    _relative("/nope", "x"),
    _relative("/nope", "9"),
    _relative("/foo/x", "2/a~1b"),
    _relative("/foo/7/1", "9"),
    _relative("/0/01", "0#"),
    _relative("/m~0n/~01", "0#"),
    _relative("/m~0n/~01", "1/~1"),
    _relative("/m~0n/~1", "0/x"),
    _relative("/0/01", "0+1"),
    _relative("/3/0/1", "2-3#", [1, 2, 3, [[4, 5]]]),
    _relative("/3/0/1", "1/1", [1, 2, 3, [[4, 5]]]),
    _relative("/3/0/1", "2-1", [1, 2, 3, [[4, 5]]]),
    _relative("/9", "0+1#", list(range(11))),
    _relative("/foo/1", "0-" + "9" * 98),
    _relative("/foo/1", "9" * 100),
    _relative(wide(200), "0"),
    _relative("/" + wide(199), "0#", {wide(199): 7}),
    _relative("/a", "0/" + wide(98), {"a": {wide(98): [7]}}),
    _locate(TREE, None, "q", 0),
    _locate([6, 5, 4, 3, 2, 1, 0], 5, 4, 3, 2, 1),
    _locate(["é", "e\u0301", "E", "é "], "é"),
    _locate([1, True, "1", [1], None, False, 0, {}, [], ""], 1, False),
    _locate([1, True, "1", [1], None, False, 0, {}, [], ""], "", [], {}),
    _locate([[1], [[1]], {"a": [1]}], [1]),
    _locate([1, [1, [1, [1]]]], [1, [1]], [1]),
    _locate([[1, 2], [2, 1], [1, 2, 3], [1], [True, 2]], [1, 2], [1, 2]),
    _locate(
        [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1}, {"a": 1, "b": 2, "c": 3}, {"a": 2, "b": 1}], {"b": 2, "a": 1}
    ),
    _locate({"b": 1, "a": {"z": 1, "B": 1}, "é": 1, "Z": 1, "a/": 1, "\U0001f600": 1, "\uffee": 1, "": 1, "~0": 1}, 1),
    _locate({"a": {"a": {}}}, {"a": {}}, {"a": {"a": {}}}, {}),
    _locate([0] * 11 + [{"10": 0, "9": 0, "1": 0}], 0),
    _locate(MANY, ""),
    _locate(TREE, MANY),
    _locate(MANY, MANY, 97),
    _locate([-1, 1, 10**30, 10**30 + 1, -(10**30)], 10**30, -1),
)

GOOD = {"document": {"a": [1, {"b": 2}]}, "pointer": "/a"}
BASED = {"document": GOOD["document"], "base": "/a", "relative": "0"}
SOUGHT = {"document": GOOD["document"], "values": [1]}


def _spoilt(op: str, good: dict[str, Any], name: str, *values: Any) -> list[Input]:
    """The operation with each of the values in the place of a good argument."""
    return [(op, {**good, name: value}) for value in values]


MALFORMED: tuple[Input, ...] = (
    ("resolve", {"pointer": "/a"}),
    ("resolve", {"document": {}}),
    *_spoilt("resolve", GOOD, "document", None, 1, "a", True, 1.5),
    *_spoilt("resolve", GOOD, "document", [1.0], {"a": [{"b": 0.5}]}, [0] * 200, [MANY]),
    *_spoilt("resolve", GOOD, "pointer", None, 0, ["a"], "/" * 201, "x" * 201, wide(201)),
    ("relative", {"document": {}, "base": ""}),
    ("relative", {"document": {}, "relative": "0"}),
    ("relative", {"base": "", "relative": "0"}),
    *_spoilt("relative", BASED, "base", None, 0, {}, wide(201)),
    *_spoilt("relative", BASED, "relative", None, 0, False, "0" * 101, wide(101)),
    ("relative", {**BASED, "document": "a"}),
    ("relative", {**BASED, "base": "x", "document": [1.5]}),
    ("locate", {"values": [1]}),
    ("locate", {"document": []}),
    *_spoilt("locate", SOUGHT, "values", None, 1, [], {"a": 1}, [1] * 6, [1, 1.0], [1, [[0.1]]]),
    ("locate", {**SOUGHT, "values": [1, [*MANY, 2]]}),
    ("locate", {**SOUGHT, "document": None}),
)

FAMILY = Family(
    number=12,
    slug="json-pointer",
    category="data",
    title="JSON pointers",
    purpose="Follows JSON pointers and relative JSON pointers through documents, and finds where values stand.",
    notes=NOTES,
    operations=(RESOLVE, RELATIVE, LOCATE),
    program=program,
    # Base: key `rows`, index 1, key `n/a`: the value 5. One level up is the object at /rows/1, an element of the array /rows.
    # +1 moves to /rows/2. From there `/to/~0` is the key `to` and the key `~`: 9.
    golden=Case(
        op="relative",
        args={
            "document": {"rows": [0, {"n/a": 5}, {"n/a": 6, "to": {"~": 9, "~0": 8}}]},
            "base": "/rows/1/n~1a",
            "relative": "1+1/to/~0",
        },
        expected={"value": 9},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
