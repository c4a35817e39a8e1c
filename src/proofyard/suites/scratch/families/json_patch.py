"""Contract, inputs and the golden case of the family `json-patch`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.errors import DomainError
from ..program.families import json_patch as program

__all__ = ["FAMILY"]

NOTES = (
    "All numbers in documents and patches are integers of any size. The *number of values* in a value counts itself "
    'and everything in it at any depth: `{"a": [1, null]}` holds 4 values (keys are not counted).',
    "Two values are equal if they are of the same type (`true` is not 1) and: the same number, the same string code "
    "point by code point, arrays with equal elements in the same order, objects with the same keys and equal values "
    "under each. The order in which the keys of an object are written means nothing.",
)

DOCUMENT = Param(
    name="document",
    type="object or array that holds at most 150 values, all numbers in it integers",
    text="the document",
)
INDEX = (("index", "integer: the place of the failing operation in `patch`, from 0"),)

APPLY = OperationDoc(
    name="apply",
    summary="Applies a JSON Patch: a list of operations, one after the other.",
    parameters=(
        DOCUMENT,
        Param(
            name="patch",
            type='array of 0 to 20 objects `{"op": string, "path": string, "from": string, "value": any JSON value}`, '
            "holding at most 150 values in all (the array included), all numbers in it integers",
            text="the operations. `op` is `add`, `remove`, `replace`, `move`, `copy` or `test`; `path` has 0 to 100 "
            "code points; `from`, 0 to 100 code points, must be there for `move` and `copy`; `value`, which may be "
            "null, must be there for `add`, `replace` and `test`; a `from` or `value` that the operation has no use "
            "for and all other keys are ignored (their values count, though)",
        ),
    ),
    result='`{"document": any JSON value}`: the document after all operations. If one fails there is no result.',
    errors=(
        ErrorDoc(code="bad_pointer", when="`path`, or the `from` of a `move` or `copy`, is not a pointer", extra=INDEX),
        ErrorDoc(code="no_value", when="a place that must exist does not, or nothing can be added there", extra=INDEX),
        ErrorDoc(code="test_failed", when="the value at `path` of a `test` is not equal to `value`", extra=INDEX),
        ErrorDoc(code="root_removed", when="`remove` is asked of the document itself (`path` is empty)", extra=INDEX),
        ErrorDoc(
            code="into_itself",
            when="the place `path` of a `move` lies inside the value at `from` (the tokens of `from` and at least one "
            "more)",
            extra=INDEX,
        ),
        ErrorDoc(code="too_large", when="after the operation the document holds more than 300 values", extra=INDEX),
    ),
    error_order="the first failing operation decides. Within one operation: `bad_pointer`; for `move` and `copy` "
    "`no_value` because of `from`; `test_failed`, `root_removed` or `into_itself`; `no_value` because of `path`; "
    "`too_large`",
    rules=(
        "**Pointers.** `path` and `from` are pointers: any number of tokens, each written as a `/` followed by the "
        "token's text, which may be empty. In that text `~0` stands for `~` and `~1` for `/`; a `~` with anything else "
        "after it, or at the end, is a fault, and so is a first character that is not `/`. The empty string leads "
        "to the document itself. In an object a token names a key, compared exactly; in an array it must be an index: "
        "`0`, or a digit 1 to 9 followed by any number of ASCII digits, counted from 0. Anything else, an index not "
        "below the length, a missing key, and any token in a value that is neither array nor object lead nowhere.",
        "`test`: the value at `path` must exist and be equal to `value`. `remove`: takes away the value at `path`, which "
        "must exist; later elements of an array move up.",
        "`add`: all of `path` but its last token must lead to an object or array. In an object the value is put under "
        "the key, in the place of one that is there. In an array the last token is an index up to and including the "
        "length, or `-`, which means the length: the value is inserted before the element with that index. `-` has no "
        "other use in an array: it leads nowhere in `remove`, `replace`, `test`, `from` or before the last token. With an "
        "empty `path` the value becomes the document, of whatever type it is.",
        "`replace`: the value at `path` must exist; `value` takes its place, also for the empty `path`.",
        "`copy`: adds, as `add` does, a copy of the value at `from`. `move`: removes the value at `from`, then adds it "
        "at `path` in the document as it is after the removal. A `move` to the same place, also of the document itself, "
        "changes nothing, but the value must exist.",
        "A copy is independent: operations on one of the two do not change the other, nor `value` in the patch.",
    ),
)

MERGE = OperationDoc(
    name="merge",
    summary="Applies a JSON Merge Patch: an object that looks like the document, with only what changes.",
    parameters=(
        DOCUMENT,
        Param(
            name="patch",
            type="object that holds at most 150 values, all numbers in it integers",
            text="the merge patch",
        ),
    ),
    result='`{"document": object}`: the document after the merge.',
    rules=(
        "Merging an object `p` into a value `v`: if `v` is not an object it is first replaced by `{}`. Then for each "
        "key of `p`: if its value is null, the key is taken out of `v`, if it is there; if it is an object, it is merged "
        "in the same way into the value `v` has under that key (into `{}` if it has none); any other value, an array "
        "too, is put under the key as it is. Keys of `v` that `p` does not have stay as they are.",
        "So no null of an object in `p` gets into the result, but nulls inside arrays do, and so do objects in arrays "
        "with all that is in them.",
    ),
)

KEYS = ("a", "b", "c", "x/y", "m~n", "", "0", "1", "é", "list")
SCALARS = (0, 1, 2, -7, True, False, None, "", "a", "1", "é")


def generate(rng: Random) -> Input:
    """One input of a random operation; a few patches fail."""
    if rng.random() < 0.3:
        return "merge", {"document": _tree(rng, 3), "patch": _merge(rng, 3)}
    document = _tree(rng, 3)
    args: dict[str, Any] = {"document": document, "patch": []}
    now = document
    for _ in range(rng.randint(2, 7)):
        changed = [*args["patch"], _change(rng, now)]
        try:
            result: Any = program.OPERATIONS["apply"].run({"document": document, "patch": changed})
        except DomainError:
            if rng.random() > 0.05:
                continue
            return "apply", {**args, "patch": changed}
        now, args["patch"] = result["document"], changed
    return "apply", args


def _change(rng: Random, document: Any) -> dict[str, Any]:
    kind = rng.choice(("add", "add", "remove", "replace", "move", "copy", "test"))
    paths = _paths(document)
    path = rng.choice(paths)
    change: dict[str, Any] = {"op": kind, "path": path}
    if kind in ("add", "copy", "move") and rng.random() < 0.7:
        change["path"] = path + "/" + rng.choice(("-", "0", "1", "b", "new", "~1~0"))
    if kind in ("copy", "move"):
        change["from"] = rng.choice(paths)
    if kind in ("add", "replace", "test"):
        change["value"] = _at(document, path) if kind == "test" and rng.random() < 0.9 else _tree(rng, 1)
    return change


def _tree(rng: Random, depth: int) -> Any:
    if depth == 0 or (depth < 3 and rng.random() < 0.35):
        return rng.choice(SCALARS)
    if rng.random() < 0.4:
        return [_tree(rng, depth - 1) for _ in range(rng.randint(1, 4))]
    return {key: _tree(rng, depth - 1) for key in rng.sample(KEYS, rng.randint(1, 4))}


def _merge(rng: Random, depth: int) -> Any:
    if depth < 3 and rng.random() < 0.4:
        return rng.choice((None, None, _tree(rng, 1)))
    return {key: _merge(rng, depth - 1) if depth else None for key in rng.sample(KEYS, rng.randint(1, 4))}


def _paths(value: Any) -> list[str]:
    if isinstance(value, list):
        inner = [(str(index), item) for index, item in enumerate(value)]
    else:
        inner = list(value.items()) if isinstance(value, dict) else []
    return ["", *(f"/{_token(token)}{path}" for token, item in inner for path in _paths(item))]


def _token(text: str) -> str:
    return text.replace("~", "~0").replace("/", "~1")


def _at(value: Any, path: str) -> Any:
    for token in path.split("/")[1:]:
        text = token.replace("~1", "/").replace("~0", "~")
        value = value[int(text)] if isinstance(value, list) else value[text]
    return value


def _op(text: str, *value: Any) -> dict[str, Any]:
    """One operation from `move /to /from` or `add /path` and a value."""
    kind, path, *source = text.split(" ")
    change = {"op": kind, "path": path, **({"from": source[0]} if source else {})}
    return {**change, "value": value[0]} if value else change


def _apply(document: Any, *patch: dict[str, Any]) -> Input:
    return "apply", {"document": document, "patch": list(patch)}


def _merge_in(document: Any, patch: dict[str, Any]) -> Input:
    return "merge", {"document": document, "patch": patch}


DOC: dict[str, Any] = {"a": [1, 2, [3]], "b": {"c": None, "": "e"}, "x/y": 1, "m~n": {"~1": 2}, "1": True}
MANY = [*range(147)]

BOUNDARY: tuple[Input, ...] = (
    _apply({"todo": ["b", "c"]}, _op("add /todo/0", "a"), _op("copy /done /todo"), _op("test /todo/3", "c")),
    _apply(DOC),
    _apply([]),
    *(_apply(DOC, _op(f"add {path}", 9)) for path in ("/a/0", "/a/3", "/a/-", "/a/4", "/a/2/-", "/b/d", "/b/c", "/a")),
    *(_apply(DOC, _op(f"add {path}", 9)) for path in ("/a/01", "/a/x", "/a/-1", "/a/-/0", "/a/5/0", "/z/0", "/b/c/d")),
    *(_apply(DOC, _op(f"add {path}", 9)) for path in ("/x~1y", "/m~0n/~01", "/m~0n/~1", "/x/y", "/b/", "/", "", "/-")),
    *(_apply(DOC, _op(f"add {path}", 9)) for path in ("a", "/~", "/a~2", "/b/~/c", "b/c", "/z/~x", "/a/\u0661")),
    *(
        _apply(DOC, _op(f"remove {path}"))
        for path in ("/a/0", "/a/2/0", "/a/3", "/a/-", "/b/c", "/b/x", "", "~", "/b/")
    ),
    *(
        _apply(DOC, _op(f"replace {path}", [0]))
        for path in ("/a/0", "/a/3", "/a/-", "/b/c", "/b/z", "", "/x~1y/0", "0")
    ),
    *(_apply(DOC, _op(f"test {path}", 1)) for path in ("/a/0", "/x~1y", "/1", "/a/1", "/z", "/a/-", "/a/00", "a")),
    _apply(DOC, _op("test /b/c", None), _op("test /b", {"": "e", "c": None}), _op("test /a", [1, 2, [3]])),
    _apply(DOC, _op("test ", {**DOC, "1": 1})),
    _apply(DOC, _op("test /a", [2, 1, [3]])),
    _apply(DOC, _op("test /b", {"c": None})),
    _apply({"a": "10", "b": [], "c": "é"}, _op("test /c", "e\u0301")),
    _apply({"a": "10", "b": [], "c": "é"}, _op("test /a", 10)),
    _apply({"b": {"x": 1, "a": 2}}, _op("test /b", {"x": 1, "a": 2})),
    _apply({"a": "10", "b": [], "c": "é"}, _op("test /b", {})),
    _apply(DOC, _op("copy /b/d /a"), _op("add /b/d/-", 4), _op("add /a/0", 0), _op("add /a/3/-", 5)),
    _apply(DOC, _op("copy /self "), _op("test /self/a/0", 1)),
    _apply(DOC, _op("copy /a/0 /a/2/0"), _op("copy  /a")),
    _apply(DOC, _op("copy /z /nope")),
    _apply(DOC, _op("copy /z/z /a")),
    _apply(DOC, _op("copy /~ /~~")),
    _apply(DOC, _op("copy /ok b")),
    _apply(DOC, _op("copy /b/x /a/-")),
    _apply(DOC, _op("move /z /b/c"), _op("test /z", None)),
    _apply(DOC, _op("move /a/0 /a/2")),
    _apply(DOC, _op("move /a/2 /a/0")),
    _apply(DOC, _op("move /a/3 /a/0")),
    _apply(DOC, _op("move /a/- /a/0")),
    _apply(DOC, _op("move /a/1/0 /a/0")),
    _apply(DOC, _op("move /a/2/0 /a/0")),
    _apply(DOC, _op("move /a/1 /a/1"), _op("move  ")),
    _apply(DOC, _op("move /nope /nope")),
    _apply(DOC, _op("move /nope/x /nope")),
    _apply(DOC, _op("move  /b")),
    _apply(DOC, _op("move /b/x ")),
    _apply(DOC, _op("move /b/c/x /b")),
    _apply(DOC, _op("move /b/x /b")),
    _apply({"b": 1, "bc": {}}, _op("move /bc/d /b")),
    _apply(DOC, _op("move /b/c /b/")),
    _apply(DOC, _op("move /x/y /a")),
    _apply([[1, 2], [3]], _op("move /0/0 /1"), _op("add /1", {"a": 0}), _op("remove /0/1")),
    _apply({"k": [[1, 2], [3]]}, _op("move /k/1/0 /k/0")),
    _apply({"k": [[1, 2], [3]]}, _op("move /k/0/2 /k/0")),
    _apply(DOC, _op("replace ", 5), _op("add /a", 1)),
    _apply(DOC, _op("add ", "text"), _op("test ", "text"), _op("replace ", [True]), _op("add /-", None)),
    _apply(DOC, _op("add /a/-", 1), _op("remove /zz"), _op("add bad", 1)),
    _apply(DOC, {**_op("remove /a"), "value": 3, "from": 5, "note": "x"}, {**_op("test /1", True), "from": None}),
    _apply(
        DOC, {"op": "copy", "from": "/1", "path": "/2", "value": 9}, {"op": "add", "path": "/3", "value": {"n": [None]}}
    ),
    _apply({wide(99): {}}, _op("add /" + wide(99), 1), _op("copy /" + wide(99) + " /" + wide(99))),
    _apply({}, _op("copy " + wide(100) + " " + wide(100))),
    _apply({"k": MANY}, _op("copy /l /k"), _op("add /m", 1), _op("add /n", 1), _op("add /o", [])),
    _apply({"k": MANY}, _op("copy /l /k"), _op("add /m", 1), _op("add /n", [{}, 1])),
    _apply({"k": [*MANY, 0]}, *[_op(f"copy /{number} /k") for number in range(20)]),
    _apply({"v": 1}, *[_op("copy /v ")] * 20),
    _apply({"k": []}, *[_op(f"add /k/{number}", number) for number in range(20)]),
    _merge_in({"a": "b", "c": {"d": "e", "f": "g"}}, {"a": "z", "c": {"f": None}}),
    _merge_in({"a": [1, {"b": 2}]}, {"a": [{"c": None}, None], "x": {"y": {"z": None, "k": 0}}}),
    _merge_in([1, 2], {"a": None, "b": 1}),
    _merge_in({}, {}),
    _merge_in({"a": None, "b": {"c": None}}, {"b": {"d": 1}}),
    _merge_in({"a": 1, "b": [0], "c": None, "d": "x"}, {k: {"n": None} for k in "abcde"}),
    _merge_in({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": {"d": None}}}}),
    _merge_in({"a": {"b": 1}, "": 1, "é": 1}, {"a": False, "": "", "e\u0301": None, "A": {}}),
    _merge_in({"a": [1]}, {"a": [None, {"x": None}], "b/c": {"~": 1}}),
    _merge_in({"k": MANY}, {"l": MANY}),
)

GOOD = {"document": {"a": 1}, "patch": [_op("add /b", 2)]}


def _spoilt(op: str, name: str, *values: Any) -> list[Input]:
    """The operation with each of the values in the place of a good argument."""
    good = GOOD if op == "apply" else {"document": {"a": 1}, "patch": {"b": 2}}
    return [(op, {**good, name: value}) for value in values]


MALFORMED: tuple[Input, ...] = (
    ("apply", {"patch": []}),
    ("apply", {"document": {}}),
    *_spoilt("apply", "document", None, 1, "{}", True, [1.0], {"a": [0.5]}, [*MANY, 1, 2, 3]),
    *_spoilt("apply", "patch", None, {}, "add", [None], ["add"], [[]], [_op("add /a", 1)] * 21),
    *_spoilt("apply", "patch", [{"path": "/a", "value": 1}], [{"op": "add", "value": 1}], [_op("add /a")]),
    *_spoilt("apply", "patch", [_op("replace /a")], [_op("test /a")], [_op("move /a")], [_op("copy /a", 1)]),
    *_spoilt("apply", "patch", [{"op": "ADD", "path": "", "value": 1}], [{"op": None, "path": "", "value": 1}]),
    *_spoilt("apply", "patch", [{"op": "add", "path": 1, "value": 1}], [{"op": "add", "path": None, "value": 1}]),
    *_spoilt("apply", "patch", [{"op": "copy", "path": "", "from": 1}], [{"op": "move", "path": "", "from": None}]),
    *_spoilt("apply", "patch", [_op("remove " + "/" * 101)], [_op("remove " + wide(101))]),
    *_spoilt("apply", "patch", [_op("copy  " + wide(101))], [_op("move  " + "/" * 101)]),
    *_spoilt("apply", "patch", [_op("test /zz", 1), _op("add /a", 1.5)], [_op("test /zz", 1), _op("add /a")]),
    *_spoilt("apply", "patch", [_op("add /a", MANY)], [{**_op("remove /a"), "note": 1.0}]),
    ("merge", {"patch": {}}),
    ("merge", {"document": {}}),
    *_spoilt("merge", "document", None, 0, "a", [[1.5]]),
    *_spoilt("merge", "patch", None, [], "a", False, {"a": 1.0}, {"a": [*MANY, 1, 2]}),
)

FAMILY = Family(
    number=13,
    slug="json-patch",
    category="data",
    title="JSON patch",
    purpose="Changes JSON documents by patches: lists of operations (JSON Patch) and sparse objects (JSON Merge Patch).",
    notes=NOTES,
    operations=(APPLY, MERGE),
    program=program,
    # move: "x" leaves /list/0, the list is [2, 3]; it is inserted before index 1: [2, "x", 3]. copy: the whole list under the
    # key `a/b`. replace in the copy alone: [2, "x", null]. test: the old list is as it was. remove: `old` goes.
    golden=Case(
        op="apply",
        args={
            "document": {"list": ["x", 2, 3], "old": {"k": 1}},
            "patch": [
                _op("move /list/1 /list/0"),
                _op("copy /a~1b /list"),
                _op("replace /a~1b/2", None),
                _op("test /list", [2, "x", 3]),
                _op("remove /old"),
            ],
        },
        expected={"document": {"list": [2, "x", 3], "a/b": [2, "x", None]}},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
