"""Patches against a model that rebuilds the document around a place instead of changing it, and the examples of the RFCs."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.json_patch import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a model without mutation, and the examples of RFC 6902 and RFC 7396"

NAMES = st.sampled_from(["", "a", "0", "~", "/", "~1"])
TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.lists(TREES, max_size=3) | st.dictionaries(NAMES, TREES, max_size=3)
POINTERS = st.lists(st.sampled_from(["/a", "/0", "/1", "/~0", "/~1", "/-", "/", "/00", "~"]), max_size=3).map("".join)
CHANGES = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]),
        "path": POINTERS,
        "from": POINTERS,
        "value": TREES,
    }
)


class FailedError(Exception):
    """The code of a domain error."""


def tokens(pointer: str) -> list[str]:
    found: list[str] = []
    rest = pointer
    while rest:
        if rest[0] == "/":
            found.append("")
        elif not found or (rest[0] == "~" and rest[1:2] not in ("0", "1")):
            raise FailedError("bad_pointer")
        elif rest[0] == "~":
            found[-1] += {"0": "~", "1": "/"}[rest[1]]
            rest = rest[1:]
        else:
            found[-1] += rest[0]
        rest = rest[1:]
    return found


def members(value: Any) -> dict[str, Any]:
    """What tokens lead to."""
    if isinstance(value, list):
        return {str(number): item for number, item in enumerate(value)}
    return value if isinstance(value, dict) else {}


def get(value: Any, path: list[str]) -> Any:
    for token in path:
        if token not in members(value):
            raise FailedError("no_value")
        value = members(value)[token]
    return value


def without(value: Any, path: list[str]) -> Any:
    get(value, path)
    if len(path) > 1:
        return put(value, path[:1], without(get(value, path[:1]), path[1:]))
    if isinstance(value, list):
        return [item for number, item in enumerate(value) if str(number) != path[0]]
    return {key: item for key, item in value.items() if key != path[0]}


def put(value: Any, path: list[str], new: Any) -> Any:
    """The value with another one at a place that exists."""
    get(value, path)
    if not path:
        return new
    inner = put(get(value, path[:1]), path[1:], new)
    if isinstance(value, list):
        return [inner if str(number) == path[0] else item for number, item in enumerate(value)]
    return {**value, path[0]: inner}


def added(value: Any, path: list[str], new: Any) -> Any:
    if not path:
        return new
    holder = get(value, path[:-1])
    if isinstance(holder, dict):
        return put(value, path[:-1], {**holder, path[-1]: new})
    if not isinstance(holder, list):
        raise FailedError("no_value")
    spots = {**{str(n): n for n in range(len(holder) + 1)}, "-": len(holder)}
    if path[-1] not in spots:
        raise FailedError("no_value")
    spot = spots[path[-1]]
    return put(value, path[:-1], [*holder[:spot], new, *holder[spot:]])


def equal(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return set(a) == set(b) and all(equal(a[key], b[key]) for key in a)
    return bool(a == b)


def stepped(document: Any, change: dict[str, Any]) -> Any:
    path = tokens(change["path"])
    source = tokens(change["from"]) if change["op"] in ("move", "copy") else []
    match change["op"]:
        case "add":
            return added(document, path, change["value"])
        case "remove":
            if not path:
                raise FailedError("root_removed")
            return without(document, path)
        case "replace":
            return put(document, path, change["value"])
        case "copy":
            return added(document, path, get(document, source))
        case "test":
            if not equal(get(document, path), change["value"]):
                raise FailedError("test_failed")
            return document
    value = get(document, source)
    if path == source:
        return document
    if path[: len(source)] == source:
        raise FailedError("into_itself")
    return added(without(document, source), path, value)


def count(value: Any) -> int:
    return 1 + sum(map(count, members(value).values()))


def applied(args: dict[str, Any]) -> dict[str, Any]:
    document = args["document"]
    for index, change in enumerate(args["patch"]):
        try:
            document = stepped(document, change)
        except FailedError as error:
            return {"code": error.args[0], "index": index}
        if count(document) > 300:
            return {"code": "too_large", "index": index}
    return {"document": document}


def merged(target: Any, patch: Any) -> Any:
    """By keys instead of by steps."""
    if not isinstance(patch, dict):
        return patch
    old = target if isinstance(target, dict) else {}
    kept = {key: value for key, value in old.items() if key not in patch}
    return kept | {key: merged(old.get(key), value) for key, value in patch.items() if value is not None}


def check(op: str, args: dict[str, Any]) -> None:
    wanted = applied(args) if op == "apply" else {"document": merged(args["document"], args["patch"])}
    result = play(FAMILY, op, args)
    assert equal(result, wanted), (args, result, wanted)


def test_on_its_own_inputs() -> None:
    for op in ("apply", "merge"):
        for args in of(FAMILY, op, 200):
            check(op, args)


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS, st.lists(CHANGES, max_size=3))
def test_apply(document: Any, patch: list[dict[str, Any]]) -> None:
    check("apply", {"document": document, "patch": patch})
    for change in patch:
        check("apply", {"document": document, "patch": [change]})


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS, st.dictionaries(NAMES, TREES, max_size=3))
def test_merge(document: Any, patch: dict[str, Any]) -> None:
    check("merge", {"document": document, "patch": patch})


@pytest.mark.parametrize(
    ("document", "patch", "wanted"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_merge_examples_of_the_standard(document: Any, patch: Any, wanted: Any) -> None:
    assert play(FAMILY, "merge", {"document": document, "patch": patch}) == {"document": wanted}


def test_values_of_the_patch_are_not_shared() -> None:
    shared: dict[str, Any] = {"x": []}
    patch = [
        {"op": "add", "path": "/a", "value": shared},
        {"op": "add", "path": "/a/x/-", "value": 1},
        {"op": "add", "path": "/b", "value": shared},
    ]
    before = copy.deepcopy(patch)
    assert play(FAMILY, "apply", {"document": {}, "patch": patch}) == {"document": {"a": {"x": [1]}, "b": {"x": []}}}
    assert patch == before
