"""Schema check: the keywords are a table of rules in order, and a generator goes through document and schema at once."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"validate": ("schema", "document", "limit"), "fill": ("schema", "document")}

Schema = dict[str, Any]
At = tuple[str | int, ...]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    schema, document = args.get("schema"), args.get("document")
    if not isinstance(document, dict | list) or _weight(document) > 120:
        return False
    if _weight(schema) > 120 or not _is_schema(schema):
        return False
    limit = args.get("limit", 20)
    return op == "fill" or (_is_integer(limit) and 1 <= limit <= 50)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    schema, document = args["schema"], args["document"]
    if op == "fill":
        return {"document": _filled(schema, document)}
    if any(_contradicts(part) for part in _parts(schema)):
        raise Refused("contradiction")
    faults = [{"at": list(at), "rule": rule} for at, rule in _faults(schema, document, ())]
    return {"count": len(faults), "faults": list(islice(faults, args.get("limit", 20)))}


def _weight(value: Any) -> float:
    """The number of values in a value; infinite if a number in it is no integer."""
    if isinstance(value, float):
        return float("inf")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_weight, inner))


def _is_integer(value: Any) -> bool:
    """Whether a value is an integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_size(value: Any) -> bool:
    """Whether a value is an integer that is not negative."""
    return _is_integer(value) and value >= 0


def _is_schema(value: Any) -> bool:
    """Whether a value is a schema."""
    return isinstance(value, dict) and all(fits(value[name]) for name, fits in _KEYWORDS.items() if name in value)


_KEYWORDS: dict[str, Callable[[Any], bool]] = {
    "type": lambda v: v in ("null", "boolean", "integer", "string", "array", "object"),
    "enum": lambda v: isinstance(v, list),
    "minimum": _is_integer,
    "maximum": _is_integer,
    "min_size": _is_size,
    "max_size": _is_size,
    "unique": lambda v: isinstance(v, bool),
    "additional": lambda v: isinstance(v, bool),
    "required": lambda v: isinstance(v, list) and all(isinstance(name, str) for name in v),
    "any_of": lambda v: isinstance(v, list) and all(map(_is_schema, v)),
    "properties": lambda v: isinstance(v, dict) and all(map(_is_schema, v.values())),
    "items": _is_schema,
}


def _parts(schema: Schema) -> Iterator[Schema]:
    """The schema and all schemas in it."""
    yield schema
    inner = [*schema.get("any_of", []), *schema.get("properties", {}).values()]
    for part in [*inner, schema["items"]] if "items" in schema else inner:
        yield from _parts(part)


def _contradicts(schema: Schema) -> bool:
    """Whether a lower bound is above the upper bound beside it."""
    bounds = (("minimum", "maximum"), ("min_size", "max_size"))
    return any(low in schema and high in schema and schema[low] > schema[high] for low, high in bounds)


def _type_of(value: Any) -> str:
    """The name of the type of a value."""
    names = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null")


def _canonical(value: Any) -> str:
    """A text that equal values share, and only these."""
    return json.dumps(value, sort_keys=True)


def _differs(options: list[Any], value: Any) -> bool:
    """Whether a value equals none of the options."""
    return _canonical(value) not in map(_canonical, options)


def _repeats(wanted: bool, value: Any) -> bool:
    """Whether a value has to have no equal elements, but has."""
    return wanted and isinstance(value, list) and len(set(map(_canonical, value))) < len(value)


def _fails_all(options: list[Schema], value: Any) -> bool:
    """Whether a value has a fault against each schema."""
    return all(any(_faults(option, value, ())) for option in options)


_SIZED = (str, list, dict)
_RULES: dict[str, Callable[[Any, Any], bool]] = {
    "enum": _differs,
    "minimum": lambda bound, value: _is_integer(value) and value < bound,
    "maximum": lambda bound, value: _is_integer(value) and value > bound,
    "min_size": lambda bound, value: isinstance(value, _SIZED) and len(value) < bound,
    "max_size": lambda bound, value: isinstance(value, _SIZED) and len(value) > bound,
    "unique": _repeats,
    "any_of": _fails_all,
}


def _faults(schema: Schema, value: Any, at: At) -> Iterator[tuple[At, str]]:
    """The faults of a value against a schema, in order."""
    if schema.get("type", _type_of(value)) != _type_of(value):
        yield at, "type"
        return
    for rule, broken in _RULES.items():
        if rule in schema and broken(schema[rule], value):
            yield at, rule
    if isinstance(value, list) and "items" in schema:
        for index, element in enumerate(value):
            yield from _faults(schema["items"], element, (*at, index))
    if isinstance(value, dict):
        yield from _key_faults(schema, value, at)


def _key_faults(schema: Schema, value: dict[str, Any], at: At) -> Iterator[tuple[At, str]]:
    """The faults of the keys of an object, and in them."""
    properties = schema.get("properties", {})
    for key in sorted({*value, *schema.get("required", [])}):
        if key not in value:
            yield (*at, key), "required"
        elif key in properties:
            yield from _faults(properties[key], value[key], (*at, key))
        elif schema.get("additional") is False:
            yield (*at, key), "additional"


def _filled(schema: Schema, value: Any) -> Any:
    """A value with the defaults of a schema."""
    if isinstance(value, list) and "items" in schema:
        return [_filled(schema["items"], element) for element in value]
    if not isinstance(value, dict):
        return value
    properties = schema.get("properties", {})
    whole = {key: inner["default"] for key, inner in properties.items() if "default" in inner} | value
    return {key: _filled(properties.get(key, {}), inner) for key, inner in whole.items()}
