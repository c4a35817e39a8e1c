"""Typed readers of arguments. A reader takes a JSON value and where it stands, and returns it or raises InvalidArgsError.

`required(args, "text", string(0, 1000))` reads one argument; `array(integer(0, 9), 1, 20)` builds readers from readers.
Bounds are inclusive, None is no bound. A boolean is never a number, and 1.0 is no integer. `null` is a value, not absence.
"""

from collections.abc import Callable, Mapping
from typing import Any

from .errors import InvalidArgsError

__all__ = [
    "Reader",
    "anything",
    "array",
    "boolean",
    "enum",
    "integer",
    "mapping",
    "optional",
    "required",
    "string",
    "structure",
]

Reader = Callable[[object, str], Any]


def required(args: Mapping[str, Any], name: str, reader: Reader) -> Any:
    """Read the argument `name`, which must be there."""
    if name not in args:
        raise InvalidArgsError(f"{name} is missing")
    return reader(args[name], name)


def optional(args: Mapping[str, Any], name: str, reader: Reader, default: Any = None) -> Any:
    """Read the argument `name`, or return `default` if it is absent."""
    return reader(args[name], name) if name in args else default


def integer(low: int | None = None, high: int | None = None) -> Reader:
    """A reader of integers from `low` to `high`."""

    def read(value: object, where: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidArgsError(f"{where} must be an integer")
        _check_range(value, low, high, where)
        return value

    return read


def string(low: int | None = None, high: int | None = None) -> Reader:
    """A reader of strings of `low` to `high` code points."""

    def read(value: object, where: str) -> str:
        if not isinstance(value, str):
            raise InvalidArgsError(f"{where} must be a string")
        _check_range(len(value), low, high, f"the length of {where}")
        return value

    return read


def anything(value: object, _: str) -> object:
    """Read any JSON value."""
    return value


def boolean(value: object, where: str) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise InvalidArgsError(f"{where} must be a boolean")
    return value


def enum(*choices: str) -> Reader:
    """A reader of one of the strings `choices`."""

    def read(value: object, where: str) -> str:
        if not isinstance(value, str) or value not in choices:
            raise InvalidArgsError(f"{where} must be one of {', '.join(choices)}")
        return value

    return read


def array(item: Reader, low: int | None = None, high: int | None = None) -> Reader:
    """A reader of arrays of `low` to `high` items, each read by `item`."""

    def read(value: object, where: str) -> list[Any]:
        if not isinstance(value, list):
            raise InvalidArgsError(f"{where} must be an array")
        _check_range(len(value), low, high, f"the length of {where}")
        return [item(element, f"{where}[{index}]") for index, element in enumerate(value)]

    return read


def structure(needed: Mapping[str, Reader], allowed: Mapping[str, Reader] | None = None) -> Reader:
    """A reader of objects with the keys `needed` and perhaps those of `allowed`; unknown keys are dropped."""

    def read(value: object, where: str) -> dict[str, Any]:
        given = _object(value, where)
        for key in needed:
            if key not in given:
                raise InvalidArgsError(f"{where}.{key} is missing")
        known = {**needed, **(allowed or {})}
        return {key: reader(given[key], f"{where}.{key}") for key, reader in known.items() if key in given}

    return read


def mapping(item: Reader, low: int | None = None, high: int | None = None) -> Reader:
    """A reader of objects of `low` to `high` free keys, each value read by `item`."""

    def read(value: object, where: str) -> dict[str, Any]:
        given = _object(value, where)
        _check_range(len(given), low, high, f"the number of keys of {where}")
        return {key: item(element, f"{where}[{key!r}]") for key, element in given.items()}

    return read


def _object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidArgsError(f"{where} must be an object")
    return value


def _check_range(value: int, low: int | None, high: int | None, what: str) -> None:
    if low is not None and value < low:
        raise InvalidArgsError(f"{what} must be at least {low}")
    if high is not None and value > high:
        raise InvalidArgsError(f"{what} must be at most {high}")
