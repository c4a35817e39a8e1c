"""Contract, inputs and the golden case of the family `json-flatten`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import json_flatten as program

__all__ = ["FAMILY"]

NOTES = (
    "**Paths.** A path says where in a document a value stands, as any number of steps from the outside to the inside. "
    "A step into an object is a `.` followed by the key, in which each of the four characters `.`, `[`, `]` and `\\` "
    "has a `\\` before it; nothing else is escaped. A step into an array is the index, counted from 0, in ASCII digits "
    "without superfluous zeros, between `[` and `]`. The path of the document itself is the empty string; `.` is the "
    "value under the empty key; `.a.b[0]` and `[2].x\\.y` are paths.",
    "All numbers are integers of any size. The *number of values* in a value counts itself and everything in it at "
    'any depth: `{"a": [1, null]}` holds 4 values (keys are not counted).',
)

FLATTEN = OperationDoc(
    name="flatten",
    summary="Takes a document apart into its leaves.",
    parameters=(
        Param(
            name="document",
            type="object or array that holds at most 300 values, all numbers in it integers",
            text="the document",
        ),
        Param(
            name="depth",
            type="integer, 1 to 20",
            text="how many steps a path has at most: values so deep are leaves as they are; default no limit",
            required=False,
        ),
        Param(
            name="arrays",
            type="boolean",
            text="whether arrays are taken apart; with `false` every array is a leaf with all that is in it; default "
            "`true`",
            required=False,
        ),
    ),
    result='`{"entries": [[string, any JSON value], ...]}`: of each leaf its path and its value.',
    rules=(
        "Leaves are: strings, numbers, booleans and null; empty objects and empty arrays; arrays if `arrays` is "
        "`false`; and any value whose path has `depth` steps. Every other object or array is taken apart. The document "
        'itself may be the only leaf, with the path `""`.',
        "Order: the elements of an array by index; the values of an object by key, as Python compares strings (by code "
        "point of the key itself, not of its escaped form); all leaves in a value together, before the next element "
        "or key. The order in which the keys of an object are written means nothing.",
    ),
)

UNFLATTEN = OperationDoc(
    name="unflatten",
    summary="Builds a document from paths and values.",
    parameters=(
        Param(
            name="entries",
            type="array of 1 to 60 arrays `[string, any JSON value]` of length 2, holding at most 300 values in all "
            "(the arrays and paths included), all numbers in it integers",
            text="paths, of 0 to 200 code points each, and the value at each; the order of the entries has no influence "
            "on the document",
        ),
    ),
    result='`{"document": any JSON value}`: the document that has these values at these paths and otherwise only the '
    "objects and arrays that lead to them.",
    errors=(
        ErrorDoc(
            code="bad_path",
            when="a path is not one as defined above",
            extra=(("index", "integer: the place of the first such entry in `entries`, from 0"),),
        ),
        ErrorDoc(
            code="path_conflict",
            when="an entry does not go together with the entries before it",
            extra=(("index", "integer: the place of the first such entry in `entries`, from 0"),),
        ),
        ErrorDoc(
            code="missing_index",
            when="an array of the document has an element but lacks one with a smaller index",
            extra=(("path", "string: the path of the first such array"),),
        ),
    ),
    error_order="as listed, each for all entries before the next",
    rules=(
        "An entry conflicts with one before it if both have the same path (even with equal values); if one of the two "
        "paths begins with all the steps of the other (a value given by an entry is never looked into or added to, "
        "even if it is an object or array); or if the two paths agree in some first steps (perhaps none) and then "
        "the next step of one is a key and that of the other an index.",
        "First array: an array comes before the arrays in it; otherwise the order is that of `flatten`.",
    ),
)

KEYS = ("a", "b", "id", "x.y", "[0]", "", "0", "back\\slash", "é", "two words", "A", "tags", ".", "]", "a.b[1]")
SCALARS: tuple[Any, ...] = (0, 1, -20, 10**18, True, False, None, "", "text", "a.b", [], {})


def generate(rng: Random) -> Input:
    """One input of a random operation; some entries are at odds with each other."""
    document = _tree(rng, 4)
    if rng.random() < 0.5:
        args: dict[str, Any] = {"document": document}
        if rng.random() < 0.4:
            args["depth"] = rng.randint(1, 3)
        if rng.random() < 0.4:
            args["arrays"] = rng.random() < 0.3
        return "flatten", args
    entries = _leaves(rng, document, "")
    rng.shuffle(entries)
    if rng.random() < 0.12:
        entries.append([rng.choice(("", ".", "[5]", ".a.b", ".id[3]", "x", ".q\\w")), 1])
    return "unflatten", {"entries": entries[:60]}


def _tree(rng: Random, depth: int) -> Any:
    if depth == 0 or (depth < 3 and rng.random() < 0.35):
        return rng.choice(SCALARS)
    if rng.random() < 0.4:
        return [_tree(rng, depth - 1) for _ in range(rng.randint(1, 4))]
    return {key: _tree(rng, depth - 1) for key in rng.sample(KEYS, rng.randint(1, 4))}


def _leaves(rng: Random, value: Any, path: str) -> list[Any]:
    if isinstance(value, list):
        inner = [(f"[{index}]", item) for index, item in enumerate(value)]
    else:
        inner = [("." + _key(key), item) for key, item in value.items()] if isinstance(value, dict) else []
    if not inner or rng.random() < 0.05:
        return [[path, value]]
    return [leaf for step, item in inner for leaf in _leaves(rng, item, path + step)]


def _key(text: str) -> str:
    return "".join("\\" + char if char in ".[]\\" else char for char in text)


def _flat(document: Any, **more: Any) -> Input:
    return "flatten", {"document": document, **more}


def _entries(*paths: str, **values: Any) -> Input:
    """Entries with the values 0, 1, 2, ...; `values` replaces some: `v1=[]`."""
    return "unflatten", {"entries": [[path, values.get(f"v{place}", place)] for place, path in enumerate(paths)]}


TREE: dict[str, Any] = {
    "b": {"x": [1, [2, {"y": None}], []], "empty": {}},
    "a.b": True,
    "a": {"b": "s", "": {"": 0}},
    "[0]": ["\\", {"c]d": {"e\\f": 1}}],
    "é": "\U0001f600",
}
DEEP: dict[str, Any] = {"k": [[[[[{"k": {"k": {"k": [1, {"k": 2}]}}}]]]]]}

BOUNDARY: tuple[Input, ...] = (
    _entries(".users[1].name", ".users[0]", ".total", ".users[1].ids[0]"),
    _flat(TREE),
    *(_flat(TREE, depth=depth) for depth in (1, 2, 3, 4)),
    _flat(TREE, arrays=False),
    _flat(TREE, arrays=True, depth=20),
    _flat(TREE, arrays=False, depth=2),
    _flat({}),
    _flat([]),
    _flat([], depth=1, arrays=False),
    _flat([[], {}, [[]], [{}]]),
    _flat([1, [2, 3]], arrays=False),
    _flat([1, {"a": [2]}], depth=1),
    _flat({"a": [{"b": [1]}, 2]}, arrays=False),
    _flat(DEEP),
    _flat(DEEP, depth=7),
    _flat({"x": {"a" * n: n for n in (3, 1, 2)}, "x!": 1, "x.": 2, "X": 3, "x0": 4, "\U0001f600": 5, "\uffee": 6}),
    _flat({"a": {"z": 1}, "a!": 1, "a-b": 1, "a[": 1, "a\\": 1, "aZ": 1, "a/": 1, "a\n.": 1}),
    _flat(["x"] * 12 + [{"10": 1, "9": 2}]),
    _flat({"": {"": {"": []}}, ".": 1, "..": 2, "[]": 3, "\\.": 4, "%a": 5, "'": 6, '"': 7}),
    _flat({"k": [0] * 298}),
    _flat([0] * 299, arrays=False),
    _flat({"a": 10**40, "b": -1, "c": False, "d": "", "e": None}),
    _entries(""),
    _entries("", v0={"a": [False, None]}),
    _entries("", v0=[]),
    _entries("."),
    _entries("..", ".a"),
    _entries("[0]", "[1][0]", "[1][1]", "[2].a"),
    _entries("[2]", "[0]", "[1]"),
    _entries(*(f"[{index}]" for index in (10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))),
    _entries(".b", ".a.c", ".a.b", ".a.", v2={}, v3=[]),
    _entries(".a\\.b", ".a.b", ".a\\[0\\]", ".a\\\\b", ".a\\]", ".\\\\\\."),
    _entries(".0.1", ".0.0", ".01"),
    _entries(".a b", ".a\nb", ".é", ".e\u0301", ".A", ".'a'", ".%x"),
    *(_entries(path) for path in ("a", " .a", "a.b", "[0]a", ".a[0]b", "[", "[]", "[01]", "[-1]", "[1", ".a]", ".a[")),
    *(
        _entries(path)
        for path in ("]", "[ 0]", "[0x1]", ".a[b]", ".a\\", "\\.a", ".a\\b", ".a\\\\\\", "[\u0661]", "[+1]")
    ),
    *(_entries(path) for path in ("[0]\n", "[00]", "\\", ".\\n", ".a\\\n", "[0][1]x", '["a"]')),
    _entries("[1]"),
    _entries(".a[0]", ".a[2]"),
    _entries(".b[1]", ".a[1]", ".c"),
    _entries(".b[1]", ".a[0].z[1]", ".a[2]"),
    _entries(".b[1]", ".a[0][0].x\\.y[1]"),
    _entries("[0][1]", "[2]"),
    _entries("[1][1]", "[0][1]"),
    _entries("[10][1]", "[9][1]", *(f"[{index}]" for index in range(9))),
    _entries(".a", ".a"),
    _entries(".a", ".b", ".a", v2=0),
    _entries("", ""),
    _entries("", ".a", v0={}),
    _entries(".a", ""),
    _entries("[0]", "", v1=[]),
    _entries(".a", ".a.b", v0={}),
    _entries(".a.b", ".a", v1={}),
    _entries(".a.b.c", ".a.b", ".a"),
    _entries(".a", ".a[0]", v0=[]),
    _entries(".a", "[0]"),
    _entries("[0]", "."),
    _entries("[0]", ".0"),
    _entries(".a[0]", ".a.0"),
    _entries(".a.0", ".a[0]"),
    _entries(".a[0].b", ".a[0][0]"),
    _entries(".a.b.c", ".a.b.d.e", ".a.bb", ".ab", ".a.b.d[0]"),
    _entries(".a", "[0]", "x"),
    _entries("[5]", ".a"),
    _entries(".a[1]", ".b", ".b"),
    _entries(wide(200)),
    _entries("." + wide(199), "." + wide(198) + "x"),
    _entries(*(f".k{index}" for index in range(60))),
    _entries("." * 30),
    _entries("." * 29 + "a", "." * 30),
    _entries("[0]" * 20 + "[1]", "[0]" * 21),
)

GOOD = {"document": {"a": 1}}


def _spoilt(op: str, name: str, *values: Any) -> list[Input]:
    """The operation with each of the values in the place of a good argument."""
    good = GOOD if op == "flatten" else {}
    return [(op, {**good, name: value}) for value in values]


MALFORMED: tuple[Input, ...] = (
    ("flatten", {}),
    ("flatten", {"depth": 1, "arrays": True}),
    *_spoilt("flatten", "document", None, 1, "a", False, [1.0], {"a": [{"b": 0.5}]}, [0] * 300),
    *_spoilt("flatten", "depth", None, 0, 21, -1, True, 1.0, "1", [1]),
    *_spoilt("flatten", "arrays", None, 0, 1, "true", []),
    ("unflatten", {}),
    *_spoilt("unflatten", "entries", None, [], {}, {"": 1}, "", [["", 1]] * 61, [""], [[""]], [[]]),
    *_spoilt("unflatten", "entries", [["", 1, 2]], [[1, ""]], [[None, 1]], [[["a"], 1]], [[".a", 1.0]]),
    *_spoilt("unflatten", "entries", [[".a", 1], [".b", [0.5]]], [["." * 201, 1]], [["x", 1], [wide(201), 1]]),
    *_spoilt("unflatten", "entries", [["x", 1], ["y"]], [["x", [0] * 297]], [["x", 1], None], [{"x": 1}]),
)

FAMILY = Family(
    number=14,
    slug="json-flatten",
    category="data",
    title="JSON flattening",
    purpose="Takes JSON documents apart into a list of paths and values, and builds documents from such lists.",
    notes=NOTES,
    operations=(FLATTEN, UNFLATTEN),
    program=program,
    # Keys in order: `Z` < `a.b` < `list`. `Z` is an empty array: a leaf. The key `a.b` is escaped. In `list` element 0 is a
    # number, a leaf with two steps. Element 1 has two steps too, as many as `depth`: a leaf as it is.
    golden=Case(
        op="flatten",
        args={"document": {"list": [7, {"x": {"y": None}}], "a.b": {"": "v"}, "Z": []}, "depth": 2},
        expected={"entries": [[".Z", []], [".a\\.b.", "v"], [".list[0]", 7], [".list[1]", {"x": {"y": None}}]]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
