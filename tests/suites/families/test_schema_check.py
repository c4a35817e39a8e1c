"""Schemas against a second checker: one predicate a keyword, applied to every pair of a place and a schema that meets it."""

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.schema_check import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a second checker, one predicate a keyword, faults sorted by place; fixed points of filling"

ORDER = ["type", "enum", "minimum", "maximum", "min_size", "max_size", "unique", "any_of"]
KEYS = st.sampled_from(["a", "b", "B", ""])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["", "a", "ab"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
DOCUMENTS = st.lists(VALUES, max_size=3) | st.dictionaries(KEYS, VALUES, max_size=3)
KINDS = ["null", "boolean", "integer", "string", "array", "object"]


PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "type": st.sampled_from(KINDS),
    "enum": st.lists(VALUES, max_size=2),
    "minimum": st.integers(-1, 1),
    "maximum": st.integers(0, 2),
    "min_size": st.integers(0, 1),
    "max_size": st.integers(0, 2),
    "unique": st.booleans(),
    "required": st.lists(KEYS, max_size=2),
    "additional": st.booleans(),
    "default": VALUES,
}


@st.composite
def schemas(draw: st.DrawFn, depth: int) -> dict[str, Any]:
    """A schema with at most three keywords."""
    inner = schemas(depth - 1) if depth else st.just({})
    known: dict[str, st.SearchStrategy[Any]] = {
        **PLAIN,
        "any_of": st.lists(inner, max_size=2),
        "properties": st.dictionaries(KEYS, inner, max_size=2),
        "items": inner,
    }
    names = draw(st.lists(st.sampled_from(sorted(known)), max_size=3, unique=True))
    return {name: draw(known[name]) for name in names}


def equal(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return set(a) == set(b) and all(equal(a[key], b[key]) for key in a)
    return bool(a == b)


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def kind(value: Any) -> str:
    tests = [
        value is None,
        isinstance(value, bool),
        is_integer(value),
        isinstance(value, str),
        isinstance(value, list),
        isinstance(value, dict),
    ]
    return KINDS[tests.index(True)]


def sized(value: Any) -> bool:
    return isinstance(value, str | list | dict)


HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "type": lambda value, wanted: kind(value) == wanted,
    "enum": lambda value, wanted: any(equal(value, one) for one in wanted),
    "minimum": lambda value, wanted: not is_integer(value) or value >= wanted,
    "maximum": lambda value, wanted: not is_integer(value) or value <= wanted,
    "min_size": lambda value, wanted: not sized(value) or len(value) >= wanted,
    "max_size": lambda value, wanted: not sized(value) or len(value) <= wanted,
    "unique": lambda value, wanted: (
        not wanted
        or not isinstance(value, list)
        or not any(equal(a, b) for n, a in enumerate(value) for b in value[:n])
    ),
    "any_of": lambda value, wanted: any(not found(one, value) for one in wanted),
}


def meetings(schema: Any, value: Any, at: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any, Any]]:
    """Each place in a value that a schema inside the given one is about, if all types on the way hold."""
    pairs = [(at, schema, value)]
    if not HOLDS["type"](value, schema.get("type", kind(value))):
        return pairs
    inner: list[Any] = []
    if isinstance(value, list):
        inner = [(n, schema.get("items", {}), item) for n, item in enumerate(value)]
    if isinstance(value, dict):
        inner = [(name, schema.get("properties", {}).get(name, {}), item) for name, item in value.items()]
    return pairs + [pair for step, one, item in inner for pair in meetings(one, item, (*at, step))]


def found(schema: Any, value: Any) -> list[tuple[tuple[Any, ...], str]]:
    """All faults, collected in any order and then sorted: by place, an outer one first, then by rule."""
    faults = []
    for at, one, item in meetings(schema, value):
        broken = [rule for rule in ORDER if rule in one and not HOLDS[rule](item, one[rule])]
        if broken[:1] == ["type"]:
            faults.append((at, "type"))
            continue
        faults += [(at, rule) for rule in broken]
        if isinstance(item, dict):
            faults += [((*at, name), "required") for name in set(one.get("required", [])) - set(item)]
            strange = set(item) - set(one.get("properties", {}))
            faults += [((*at, name), "additional") for name in strange if one.get("additional") is False]
    return sorted(faults, key=lambda fault: (fault[0], [*ORDER, "required", "additional"].index(fault[1])))


def contradictory(schema: Any) -> bool:
    own = any(
        low in schema and high in schema and schema[low] > schema[high]
        for low, high in [("minimum", "maximum"), ("min_size", "max_size")]
    )
    inner = list(schema.get("any_of", [])) + list(schema.get("properties", {}).values())
    inner += [schema[key] for key in ["items"] if key in schema]
    return own or any(contradictory(one) for one in inner)


def check_validate(args: dict[str, Any]) -> None:
    result = play(FAMILY, "validate", args)
    if contradictory(args["schema"]):
        assert result == {"code": "contradiction"}
        return
    faults = [{"at": list(at), "rule": rule} for at, rule in found(args["schema"], args["document"])]
    assert result == {"count": len(faults), "faults": faults[: args.get("limit", 20)]}


def pruned(schema: Any, old: Any, new: Any) -> Any:
    """The filled value without what may have been added, checking each addition."""
    if isinstance(new, list) and "items" in schema and isinstance(old, list):
        assert len(old) == len(new)
        return [pruned(schema["items"], a, b) for a, b in zip(old, new, strict=True)]
    if not isinstance(new, dict) or not isinstance(old, dict):
        return new
    known = schema.get("properties", {})
    for name in set(new) - set(old):
        default = known[name]["default"]
        assert equal(pruned(known[name], default, new[name]), default)
    for name in known:
        assert name in new or "default" not in known[name]
    return {name: pruned(known.get(name, {}), old[name], new[name]) for name in old}


def check_fill(args: dict[str, Any]) -> None:
    schema, document = args["schema"], args["document"]
    result = play(FAMILY, "fill", args)["document"]
    assert equal(pruned(schema, document, result), document)
    for at, one, item in meetings(without_types(schema), result):
        if isinstance(item, dict):
            assert all(name in item for name, inner in one.get("properties", {}).items() if "default" in inner), at


def without_types(schema: Any) -> Any:
    changed = {key: value for key, value in schema.items() if key != "type"}
    if "items" in schema:
        changed["items"] = without_types(schema["items"])
    if "properties" in schema:
        changed["properties"] = {name: without_types(one) for name, one in schema["properties"].items()}
    return changed


def test_on_its_own_inputs() -> None:
    for args in of(FAMILY, "validate", 300):
        check_validate(args)
    for args in of(FAMILY, "fill", 300):
        check_fill(args)


@settings(max_examples=100, deadline=None)
@given(schemas(2), DOCUMENTS)
def test_validate_and_fill(schema: Any, document: Any) -> None:
    args = {"schema": schema, "document": document}
    check_validate({**args, "limit": 50})
    check_fill(args)
