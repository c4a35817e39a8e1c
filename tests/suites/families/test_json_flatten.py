"""Flattening against the round trip, a reader of paths by characters, and a comparison of all pairs of entries."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.json_flatten import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "round trips, and brute force over all pairs of paths"

Steps = list[str | int]
NAMES = st.sampled_from(["", "a", "b", "0", ".", "[", "]", "\\", "a.b"])
TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=10,
)
DOCUMENTS = st.lists(TREES, max_size=3) | st.dictionaries(NAMES, TREES, max_size=3)
PIECES = st.lists(st.sampled_from([".", "a", "b", "[0]", "[1]", "[0]", "[", "]", "\\", "\\.", "[01]"]), max_size=4)
PATHS = PIECES.map("".join)
GOOD_PATHS = st.lists(st.sampled_from([".a", ".b", "[0]", "[1]", ".0"]), max_size=3).map("".join)


def steps(path: str) -> Steps | None:
    """A path read character by character; None if it is none."""
    found: Steps = []
    rest = list(path)
    while rest:
        first = rest.pop(0)
        if first == "[":
            if "]" not in rest:
                return None
            inside = "".join(rest[: rest.index("]")])
            rest = rest[rest.index("]") + 1 :]
            if not (inside.isascii() and inside.isdigit() and str(int(inside)) == inside):
                return None
            found.append(int(inside))
        elif first == ".":
            name = ""
            while rest and rest[0] not in ".[":
                char = rest.pop(0)
                if char == "]" or (char == "\\" and (not rest or rest[0] not in ".[]\\")):
                    return None
                name += rest.pop(0) if char == "\\" else char
            found.append(name)
        else:
            return None
    return found


def get(value: Any, path: Steps) -> Any:
    for step in path:
        value = value[step]
    return value


def clash(a: Steps, b: Steps) -> bool:
    for one, other in zip(a, b, strict=False):
        if type(one) is not type(other):
            return True
        if one != other:
            return False
    return True


def shape(value: Any, path: Steps, depth: int | None, arrays: bool) -> list[Steps]:
    """The leaves' places, found the other way round: everything that has nothing in it that counts."""
    inner: list[str | int] = []
    if isinstance(value, dict):
        inner = sorted(value)
    elif isinstance(value, list) and arrays:
        inner = list(range(len(value)))
    if not inner or len(path) == depth:
        return [path]
    return [leaf for step in inner for leaf in shape(value[step], [*path, step], depth, arrays)]


def check_flatten(args: dict[str, Any]) -> None:
    entries = play(FAMILY, "flatten", args)["entries"]
    places = [steps(path) for path, _ in entries]
    assert places == shape(args["document"], [], args.get("depth"), args.get("arrays", True))
    for place, (path, value) in zip(places, entries, strict=True):
        assert place is not None
        assert json.dumps(get(args["document"], place)) == json.dumps(value)
        assert path == "".join(f"[{s}]" if isinstance(s, int) else "." + escape(s) for s in place)
    if len(entries) <= 60 and len(json.dumps(args)) < 800:
        back = play(FAMILY, "unflatten", {"entries": entries[::-1]})
        assert json.dumps(back["document"], sort_keys=True) == json.dumps(args["document"], sort_keys=True)


def escape(name: str) -> str:
    for char in "\\.[]":
        name = name.replace(char, "\\" + char)
    return name


def check_unflatten(args: dict[str, Any]) -> None:
    result = play(FAMILY, "unflatten", args)
    paths: list[Steps] = []
    for index, (path, _) in enumerate(args["entries"]):
        place = steps(path)
        if place is None:
            assert result == {"code": "bad_path", "index": index}
            return
        paths.append(place)
    for index, path in enumerate(paths):
        if any(clash(path, other) for other in paths[:index]):
            assert result == {"code": "path_conflict", "index": index}
            return
    holders = {tuple(path[:size]) for path in paths for size in range(len(path)) if isinstance(path[size], int)}
    gaps = []
    for holder in holders:
        used = {path[len(holder)] for path in paths if tuple(path[: len(holder)]) == holder}
        if used != set(range(len(used))):
            gaps.append(holder)
    if gaps:
        first = min(gaps)  # tuples: a shorter beginning comes first, then indices by number and keys by code point
        assert steps(result.pop("path")) == list(first)
        assert result == {"code": "missing_index"}
        return
    assert sorted(map(repr, shape_of(result["document"], paths))) == sorted(map(repr, paths))
    for path, (_, value) in zip(paths, args["entries"], strict=True):
        assert json.dumps(get(result["document"], path)) == json.dumps(value)


def shape_of(value: Any, paths: list[Steps], path: Steps | None = None) -> list[Steps]:
    """All places of a document that are given, and those of anything that is not on the way to one."""
    path = path or []
    if path in paths or not any(other[: len(path)] == path for other in paths):
        return [path]
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [leaf for step, item in inner for leaf in shape_of(item, paths, [*path, step])]


def test_on_its_own_inputs() -> None:
    for args in of(FAMILY, "flatten", 200):
        check_flatten(args)
    for args in of(FAMILY, "unflatten", 300):
        check_unflatten(args)


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS, st.sampled_from([None, 1, 2, 3]), st.booleans())
def test_flatten(document: Any, depth: int | None, arrays: bool) -> None:
    args = {"document": document, "arrays": arrays}
    check_flatten(args if depth is None else {**args, "depth": depth})


@settings(max_examples=100, deadline=None)
@given(st.lists(GOOD_PATHS, min_size=1, max_size=4), PATHS)
def test_unflatten(paths: list[str], other: str) -> None:
    for few in (paths, [other], [*paths, other], paths[:2]):
        check_unflatten({"entries": [[path, number] for number, path in enumerate(few)]})
