"""Contract, inputs and the golden case of the family `schema-check`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import schema_check as program

__all__ = ["FAMILY"]

NOTES = (
    "**Schemas.** A schema is an object with any of these keywords, none of which must be there; other keys are "
    'ignored, and `{}` accepts everything. `type`: `"null"`, `"boolean"`, `"integer"`, `"string"`, `"array"` or '
    '`"object"`. `enum`: array of JSON values. `minimum`, `maximum`: integers. `min_size`, `max_size`: integers, not '
    "negative. `unique`, `additional`: booleans. `required`: array of strings. `any_of`: array of schemas. "
    "`properties`: object whose values are schemas. `items`: a schema. `default`: any JSON value. A keyword of the wrong "
    "type, at any depth, is `invalid_args`; null is the wrong type for all of them but `default`. Arrays may be empty.",
    "All numbers in schemas and documents are integers of any size. The *number of values* in a value counts itself "
    'and everything in it at any depth: `{"a": [1, null]}` holds 4 values (keys are not counted).',
    "Two values are equal if they are of the same type (`true` is not 1) and: the same number, the same string code "
    "point by code point, arrays with equal elements in the same order, objects with the same keys and equal values "
    "under each. The order in which the keys of an object are written never means anything.",
)

SCHEMA = Param(
    name="schema",
    type="object that holds at most 120 values, all numbers in it integers",
    text="the schema, as defined above",
)
DOCUMENT = Param(
    name="document",
    type="object or array that holds at most 120 values, all numbers in it integers",
    text="the document",
)

VALIDATE = OperationDoc(
    name="validate",
    summary="All faults of a document.",
    parameters=(
        SCHEMA,
        DOCUMENT,
        Param(
            name="limit", type="integer, 1 to 50", text="how many faults to list at most; default 20", required=False
        ),
    ),
    result='`{"count": integer, "faults": [{"at": [string or integer, ...], "rule": string}, ...]}`: how many faults '
    "there are in all, and the first ones. `at` is the way from the document to the value: a string for each key, an "
    "integer for each index, from 0; `[]` for the document itself. `rule` is the keyword that is broken.",
    errors=(
        ErrorDoc(
            code="contradiction",
            when="in the schema, or in a schema anywhere inside it (by `items`, `any_of` or "
            "`properties`), there is a `minimum` above the `maximum` beside it, or a `min_size` above the `max_size` beside it",
        ),
    ),
    rules=(
        "A value is checked against a schema in this order, and each keyword that is broken makes one fault. `type`: "
        "broken if the value is of another type; then nothing else is checked at this value or in it. `enum`: broken if "
        "the value equals none of the array. `minimum`, then `maximum`: broken if the value is an integer below or above. "
        "`min_size`, then `max_size`: broken if the size is below or above; the size is the number of code points of a "
        "string, of elements of an array, of keys of an object. `unique`: broken if it is `true` and the value is an array "
        "with two equal elements (one fault, however many). `any_of`: broken if the value has at least one fault against "
        "each schema of the array; those faults are not listed. An empty `enum` or `any_of` is broken by every value.",
        "Then comes what is in the value. In an array, with `items`, each element in order is checked against that schema. In "
        "an object all its keys and all names in `required` (each once) are taken together in order of code points, as "
        "Python compares strings: a name in `required` that is no key is the fault `required`, with that name as the last "
        "step of `at`; a key in `properties` has its value checked against the schema there; any other key is the fault "
        "`additional`, at the key, if `additional` is `false`. The faults in one element or key all come before the next.",
        "A keyword that speaks of another type of value than the one at hand is not broken: `minimum` and `maximum` are "
        "only of integers, `min_size` and `max_size` only of strings, arrays and objects, `unique` and `items` only of arrays, "
        "`required`, `properties` and `additional` only of objects. `default` plays no part in `validate`.",
    ),
)

FILL = OperationDoc(
    name="fill",
    summary="Adds the defaults for keys a document does not have.",
    parameters=(SCHEMA, DOCUMENT),
    result='`{"document": object or array}`: the document with defaults filled in.',
    rules=(
        "Filling a value by a schema: in an object, for each key of `properties` that the object does not have, if the "
        "schema there has a `default`, the key is added with that value (null too); then the value under each key of "
        "`properties` the object now has, added ones included, is filled by the schema there. In an array, with `items`, each "
        "element is filled by that schema. Any other value, and everything the schema says nothing about, stays as it is.",
        "Nothing is checked: `type` and all other keywords, `any_of` and `contradiction` too, play no part in `fill`. A "
        "`default` of the outermost schema or of an `items` schema is not used. A key that is there keeps its value, also if "
        "that is null.",
        "No filled document of the tests holds more than 1000 values.",
    ),
)

KEYS = ("a", "b", "id", "tags", "é", "name", "B", "")
SCALARS = (0, 1, 5, -3, 12, True, False, None, "", "a", "long text", "1", "é")
TYPES = ("null", "boolean", "integer", "string", "array", "object")


def generate(rng: Random) -> Input:
    """One input of a random operation: a random schema and a document that mostly follows it."""
    schema = {**_schema(rng, 2), "type": "object"}
    while not 10 < _count(schema) < 100:
        schema = {**_schema(rng, 3), "type": "object"}
    if "properties" not in schema:
        schema["properties"] = {key: _schema(rng, 0) for key in rng.sample(KEYS, 2)}
    args: dict[str, Any] = {"schema": schema, "document": _value(rng, schema, 3)}
    if not isinstance(args["document"], dict):
        args["document"] = [args["document"]]
    if rng.random() < 0.35:
        return "fill", args
    if rng.random() < 0.25:
        args["limit"] = rng.randint(1, 4)
    return "validate", args


def _count(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count, inner))


def _schema(rng: Random, depth: int) -> dict[str, Any]:
    kind = rng.choice(TYPES[2:] if depth else TYPES[:4])
    schema: dict[str, Any] = {"type": kind} if rng.random() < 0.8 else {}
    if kind == "integer" and rng.random() < 0.7:
        schema["minimum"] = rng.randint(-5, 4)
        schema["maximum"] = schema["minimum"] + rng.choice((0, 1, 5, 20, 20, -1) if depth == 0 else (0, 3, 20))
    elif rng.random() < 0.35:
        schema[rng.choice(("min_size", "max_size"))] = rng.randint(0, 3)
    if rng.random() < 0.12:
        schema["enum"] = rng.sample(SCALARS, 3)
    if rng.random() < 0.25:
        schema["default"] = rng.choice((*SCALARS, {}, {}, [{}]))
    if kind == "array":
        schema["unique"] = rng.random() < 0.5
        schema["items"] = _schema(rng, depth - 1)
    if kind == "object":
        schema["properties"] = {key: _schema(rng, depth - 1) for key in rng.sample(KEYS, rng.randint(1, 3))}
        schema["required"] = rng.sample(KEYS, rng.randint(0, 2))
        schema["additional"] = rng.random() < 0.5
    if depth and rng.random() < 0.15:
        schema["any_of"] = [_schema(rng, 0) for _ in range(rng.randint(1, 3))]
    return schema


def _value(rng: Random, schema: dict[str, Any], depth: int) -> Any:
    kind = schema.get("type", rng.choice(TYPES))
    if rng.random() < 0.1 and depth < 3:
        return rng.choice(SCALARS)
    if kind == "array":
        return [_value(rng, schema.get("items", {}), depth - 1) for _ in range(rng.randint(0, 3 if depth > 0 else 1))]
    if kind == "object":
        known = schema.get("properties", {})
        found = {key: _value(rng, inner, depth - 1) for key, inner in known.items() if rng.random() < 0.7}
        return {**found, **({rng.choice(KEYS): rng.choice(SCALARS)} if rng.random() < 0.4 else {})}
    if kind == "integer":
        return rng.randint(schema.get("minimum", 0) - 1, max(schema.get("maximum", 9), schema.get("minimum", 0)) + 1)
    return {"null": None, "boolean": rng.random() < 0.5, "string": rng.choice(("", "a", "bc", "déf", "long"))}[kind]


def _check(schema: dict[str, Any], document: Any, **more: Any) -> Input:
    return "validate", {"schema": schema, "document": document, **more}


def _fill(schema: dict[str, Any], document: Any) -> Input:
    return "fill", {"schema": schema, "document": document}


def _each(*values: Any, **schema: Any) -> Input:
    """The values as an array, each checked against one schema."""
    return _check({"items": schema}, list(values), limit=50)


ALL: list[Any] = [None, True, False, 0, 1, "", "a", [], {}, [1], {"a": 1}]
PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "min_size": 1, "max_size": 5},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "tags": {"type": "array", "items": {"type": "string"}, "unique": True, "max_size": 2},
    },
    "required": ["name", "id"],
    "additional": False,
}
SIZES = {"min_size": 2, "max_size": 3}
NESTED: dict[str, Any] = {"properties": {"a": {"default": {}, "properties": {"b": {"default": {"c": 1}}}}}}
LOOP: dict[str, Any] = {"any_of": [{"items": {"any_of": [{"type": "null"}, {"minimum": 2}]}}, {"type": "object"}]}

BOUNDARY: tuple[Input, ...] = (
    _check(PERSON, {"name": "", "age": True, "tags": ["x", "x", 3], "zip": 1}),
    _check({}, {}),
    _check({}, ALL),
    _check(PERSON, {"name": "Émile", "age": 0, "id": None}),
    _check(PERSON, {"name": "Emile!", "age": 150, "id": None}),
    _check(PERSON, {"age": 151, "tags": ["b", "a", "c"]}),
    _check(PERSON, {"tags": "ab", "name": None, "Name": 1, "": 1, "zz": 0, "id": 2}),
    _check(PERSON, [1]),
    _check({**PERSON, "enum": [], "any_of": [], "max_size": 1}, {"tags": [[], 1], "id": 1}),
    *(_each(*ALL, type=kind) for kind in TYPES),
    _each(*ALL, enum=[1, "a", [], None]),
    _each(*ALL, enum=[True, 0, {"a": 1}]),
    _each(*ALL, enum=[]),
    _each({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1}, [1, 2], [2, 1], enum=[{"b": 2, "a": 1}, [1, 2]]),
    _each("é", "e\u0301", "E", enum=["é"]),
    _each(*ALL, minimum=1),
    _each(*ALL, maximum=0),
    _each(*ALL, min_size=1),
    _each(*ALL, max_size=0),
    _each(1, 2, 3, 4, 10**30, -(10**30), minimum=2, maximum=3),
    _each("ab", "abc", "a", "abcd", "\U0001f600", "\U0001f600" * 3, "e\u0301", **SIZES),
    _each([1, 2], [1, [2, 3, 4]], [[], [], []], [0] * 4, [[1, 2]], **SIZES),
    _each({"a": 1}, {"a": 1, "b": 1}, {"a": 1, "b": 2, "c": 3}, dict.fromkeys("abcd"), **SIZES),
    _each([1, True], [1, 1], ["1", 1], [{}, []], [[1], [1]], [0, False, None], "aa", {"a": 1, "b": 1}, unique=True),
    _each([{"a": 1, "b": 2}, {"b": 2, "a": 1}], [[1, 2], [2, 1]], [3, 3, 3, 4, 4], [], [None, None], unique=True),
    _each([1, 1], unique=False),
    _each(*ALL, any_of=[{"type": "string", "min_size": 1}, {"minimum": 1, "type": "integer"}, {"type": "null"}]),
    _each(*ALL, any_of=[]),
    _each(*ALL, any_of=[{}]),
    _each(*ALL, any_of=[{"type": "array", "items": {"type": "null"}}, {"required": ["a"], "additional": False}]),
    _each(3, 5, 9, "x", minimum=4, any_of=[{"maximum": 5}, {"enum": ["x"]}], enum=[3, 9, "y"]),
    _each([1], [None], [2, None], [[]], {}, 0, **LOOP),
    _each([1, "a"], ["a", [2]], {"a": 1}, "ab", type="array", items={"type": "string"}),
    _each({"b": 1}, {"a": None}, {}, "a", ["a"], required=["b", "a", "b"]),
    _each({"b": 1}, {"a": None}, {}, ["a"], additional=False),
    _each({"b": 1}, {"a": None}, {}, ["a"], additional=True),
    _each({"b": 1, "a": 0, "c": ""}, {"": 1}, properties={"a": {"minimum": 1}, "": {"type": "null"}}, additional=False),
    _each({"b": 1, "a": 1}, {}, properties={"a": {"enum": []}}, required=["é", "Z", "a", "\U0001f600", "\uffee", ""]),
    _each({"type": 1, "m": {"q": [{"r": 0}]}}, properties={"m": {"properties": {"q": {"items": {"required": ["s"]}}}}}),
    _check({"items": {"type": "null"}}, [0] * 119, limit=50),
    _check({"items": {"type": "null"}}, [0] * 21),
    _check({"items": {"type": "null"}}, [0] * 3, limit=3),
    _check({"items": {"type": "null"}}, [0] * 3, limit=2),
    _check({"items": {"type": "null"}}, [0] * 3, limit=1),
    _check({"type": "array", "default": 3, "note": 1, "required": ["x"], "properties": {"x": {}}}, [1]),
    _check({"type": "array", "items": {}}, {"items": {}}),
    _check({"type": "object", "items": {"type": "null"}, "unique": True, "minimum": 9}, {"a": 1, "b": 1}),
    _check({"properties": {}, "additional": False, "required": ["b"]}, {"a": {"b": 1}}),
    _check({"minimum": 2, "maximum": 1}, {"k": 0}),
    _check({"minimum": 2, "maximum": 2, "min_size": 1, "max_size": 1}, {"k": 0}),
    _check({"min_size": 2, "max_size": 1}, {"k": 0}),
    _check({"type": "array", "items": {"items": {"minimum": 1, "maximum": 0}}}, {"k": 0}),
    _check({"type": "array", "any_of": [{}, {"min_size": 1, "max_size": 0}]}, {"k": 0}),
    _check({"type": "array", "properties": {"z": {}, "a": {"minimum": 1, "maximum": 0}}}, {"k": 0}),
    _check({"enum": [{"minimum": 1, "maximum": 0}], "default": {"minimum": 1, "maximum": 0}}, {"k": 0}),
    _check({"minimum": 5, "max_size": 1, "any_of": [{"maximum": 4}]}, {"k": 0}),
    _fill({"properties": {"a": {"default": 1}, "b": {"default": None}, "c": {}}}, {"d": 0}),
    _fill({"properties": {"a": {"default": 1}, "b": {"default": [2]}}}, {"a": None, "b": "x"}),
    _fill(NESTED, {}),
    _fill(NESTED, {"a": {}}),
    _fill(NESTED, {"a": {"b": {}}}),
    _fill(NESTED, {"a": None}),
    _fill(NESTED, [{}]),
    _fill({"items": NESTED}, [{}, [{}], 1, {"a": []}]),
    _fill(
        {"items": {"default": 1, "items": {"default": 2, "properties": {"x": {"default": 3}}}}}, [[{}], {}, [], None]
    ),
    _fill({"default": {"a": 1}, "items": {"properties": {"x": {"default": 1}}}}, {}),
    _fill({"properties": {"l": {"default": [{}], "items": {"properties": {"x": {"default": "é"}}}}}}, {}),
    _fill({"type": "array", "required": ["a"], "any_of": [{"properties": {"a": {"default": 1}}}]}, {"z": {}}),
    _fill({"minimum": 2, "maximum": 1, "properties": {"a": {"type": "null", "default": 7}}}, {}),
    _fill(
        {"properties": {"": {"default": ""}, "items": {"default": False}}, "items": {"properties": {}}}, {"x": {"": 1}}
    ),
    _fill({"items": {"properties": {"a": {"default": {}}, "b": {"default": 0}}}}, [{}, {"a": 1}, {"b": 2}] * 20),
)

GOOD: dict[str, Any] = {"schema": {"type": "array"}, "document": [1]}


def _spoilt(op: str, name: str, *values: Any) -> list[Input]:
    """The operation with each of the values in the place of a good argument."""
    return [(op, {**GOOD, name: value}) for value in values]


MALFORMED: tuple[Input, ...] = (
    ("validate", {"document": []}),
    ("validate", {"schema": {}}),
    *_spoilt("validate", "schema", None, [], "object", True, {"type": "number"}, {"type": None}, {"type": ["null"]}),
    *_spoilt(
        "validate", "schema", {"enum": 1}, {"enum": None}, {"enum": {"a": 1}}, {"minimum": "1"}, {"minimum": None}
    ),
    *_spoilt("validate", "schema", {"maximum": True}, {"maximum": 1.0}, {"min_size": -1}, {"max_size": -1}),
    *_spoilt("validate", "schema", {"min_size": "1"}, {"max_size": None}, {"unique": 1}, {"unique": None}),
    *_spoilt("validate", "schema", {"required": "a"}, {"required": [1]}, {"required": ["a", None]}, {"additional": {}}),
    *_spoilt("validate", "schema", {"any_of": {}}, {"any_of": [{}, 1]}, {"any_of": [{"minimum": []}]}, {"items": [{}]}),
    *_spoilt("validate", "schema", {"items": {"items": {"type": "any"}}}, {"items": None}, {"properties": []}),
    *_spoilt("validate", "schema", {"properties": {"a": 1}}, {"properties": {"a": {"unique": "x"}}}, {"additional": 0}),
    *_spoilt("validate", "schema", {"enum": [1.5]}, {"note": 1.0}, {"default": [[0.5]]}, {"enum": [0] * 119}),
    *_spoilt("validate", "schema", {"minimum": 2, "maximum": 1, "items": {"type": "int"}}),
    *_spoilt("validate", "document", None, 1, "[]", False, [1.0], {"a": {"b": [0.1]}}, [0] * 120),
    *_spoilt("validate", "limit", None, 0, 51, True, 2.0, "5"),
    ("fill", {"schema": {}}),
    ("fill", {"document": {}}),
    *_spoilt("fill", "schema", None, [], {"properties": {"a": []}}, {"properties": {"a": {"default": 1.0}}}),
    *_spoilt("fill", "document", None, "x", 0, [1.5], {"a": [0] * 119}),
)

FAMILY = Family(
    number=15,
    slug="schema-check",
    category="data",
    title="Schema check",
    purpose="Checks JSON documents against schemas of a small language of its own, lists all faults, and fills in "
    "defaults.",
    notes=NOTES,
    operations=(VALIDATE, FILL),
    program=program,
    # The document is an object: `type` holds. It has 3 keys, `max_size` 2 is broken. Names in order: `Note` (a key, not in
    # `properties`, additional), `id` (required, missing), `n` (-1 is below 0), `rows`: element 0 has the wrong type and nothing
    # else is looked at; element 1 is an array of size 0, below 1. 6 faults, of which 5 are listed.
    golden=Case(
        op="validate",
        args={
            "schema": {
                "type": "object",
                "max_size": 2,
                "required": ["n", "id"],
                "additional": False,
                "properties": {
                    "rows": {"items": {"type": "array", "min_size": 1}},
                    "n": {"minimum": 0},
                },
            },
            "document": {"rows": ["", []], "n": -1, "Note": True},
            "limit": 5,
        },
        expected={
            "count": 6,
            "faults": [
                {"at": [], "rule": "max_size"},
                {"at": ["Note"], "rule": "additional"},
                {"at": ["id"], "rule": "required"},
                {"at": ["n"], "rule": "minimum"},
                {"at": ["rows", 0], "rule": "type"},
            ],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
