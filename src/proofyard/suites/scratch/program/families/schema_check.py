"""Checks documents against schemas and fills in defaults."""

import json
from collections.abc import Iterator
from typing import Any

from ..arguments import anything, array, boolean, enum, integer, mapping, optional, required, string, structure
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

MOST_VALUES = 120
TYPES = {type(None): "null", bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}


def check_validate(args: dict[str, Any]) -> None:
    """Check the arguments of `validate`."""
    check_fill(args)
    optional(args, "limit", integer(1, 50))


def check_fill(args: dict[str, Any]) -> None:
    """Check the arguments of `fill`."""
    schema(required(args, "schema", check_values), "schema")
    if not isinstance(required(args, "document", check_values), dict | list):
        raise InvalidArgsError("document must be an object or an array")


def check_values(value: object, where: str) -> object:
    """Read a value with not too much in it, in which all numbers are integers."""
    found = everything(value)
    if len(found) > MOST_VALUES or any(isinstance(item, float) for item in found):
        raise InvalidArgsError(f"{where} has too many values, or a number that is no integer")
    return value


def everything(value: Any) -> list[Any]:
    """The value and everything in it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(found for item in inner for found in everything(item))]


def schema(value: object, where: str) -> None:
    """Check that a value is a schema."""
    keywords = {
        "type": enum(*TYPES.values()),
        "enum": array(anything),
        "minimum": integer(),
        "maximum": integer(),
        "min_size": integer(0),
        "max_size": integer(0),
        "unique": boolean,
        "required": array(string()),
        "additional": boolean,
        "any_of": array(schema),
        "properties": mapping(schema),
        "items": schema,
    }
    structure({}, keywords)(value, where)


def validate(args: dict[str, Any]) -> object:
    """All faults of a document."""
    check_limits(args["schema"])
    found = list(faults(args["schema"], args["document"], []))
    return {"count": len(found), "faults": [{"at": at, "rule": rule} for at, rule in found[: args.get("limit", 20)]]}


def check_limits(known: dict[str, Any]) -> None:
    """Refuse a schema in which a least value or size is above the greatest."""
    for low, high in (("minimum", "maximum"), ("min_size", "max_size")):
        if low in known and high in known and known[low] > known[high]:
            raise DomainError("contradiction", f"{low} is above {high}")
    items = [known["items"]] if "items" in known else []
    for inner in (*items, *known.get("any_of", []), *known.get("properties", {}).values()):
        check_limits(inner)


def faults(known: dict[str, Any], value: Any, at: list[str | int]) -> Iterator[tuple[list[str | int], str]]:
    """The faults of a value that stands at a path, each with the keyword it breaks; then those of what is in it."""
    kind = TYPES[type(value)]
    if known.get("type", kind) != kind:
        yield at, "type"
        return
    for rule in broken(known, value, kind):
        yield at, rule
    if kind == "array" and "items" in known:
        for index, item in enumerate(value):
            yield from faults(known["items"], item, [*at, index])
    if kind == "object":
        yield from faults_of_keys(known, value, at)


def broken(known: dict[str, Any], value: Any, kind: str) -> Iterator[str]:
    """The keywords that a value of the right type breaks itself."""
    if "enum" in known and canonical(value) not in map(canonical, known["enum"]):
        yield "enum"
    low, high = ("minimum", "maximum") if kind == "integer" else ("min_size", "max_size")
    if kind not in ("null", "boolean"):
        amount = value if kind == "integer" else len(value)
        if amount < known.get(low, amount):
            yield low
        if amount > known.get(high, amount):
            yield high
    if kind == "array" and known.get("unique") and len(set(map(canonical, value))) < len(value):
        yield "unique"
    if "any_of" in known and all(any(faults(option, value, [])) for option in known["any_of"]):
        yield "any_of"


def faults_of_keys(known: dict[str, Any], value: Any, at: list[str | int]) -> Iterator[tuple[list[str | int], str]]:
    """The faults of an object's keys in order of code points, missing ones included."""
    properties = known.get("properties", {})
    for name in sorted({*value, *known.get("required", [])}):
        if name not in value:
            yield [*at, name], "required"
        elif name in properties:
            yield from faults(properties[name], value[name], [*at, name])
        elif not known.get("additional", True):
            yield [*at, name], "additional"


def canonical(value: object) -> str:
    """A text that is the same for equal values only."""
    return json.dumps(value, sort_keys=True)


def fill(args: dict[str, Any]) -> object:
    """The document with the defaults of keys it does not have."""
    return {"document": filled(args["schema"], args["document"])}


def filled(known: dict[str, Any], value: Any) -> Any:
    """A value with all defaults filled in."""
    if isinstance(value, list) and "items" in known:
        return [filled(known["items"], item) for item in value]
    if not isinstance(value, dict):
        return value
    found = dict(value)
    for name, inner in known.get("properties", {}).items():
        if name in found or "default" in inner:
            found[name] = filled(inner, found.get(name, inner.get("default")))
    return found


OPERATIONS = {
    "validate": Operation(("schema", "document", "limit"), check_validate, validate),
    "fill": Operation(("schema", "document"), check_fill, fill),
}
